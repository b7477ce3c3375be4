package report

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/gpudocs/gpudocs/internal/complexitytest"
)

// allocated returns the total number of bytes that a function allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestKeysTwice: a report with a duplicate key is refused with its place, because different
// parsers would read different values.
func TestKeysTwice(t *testing.T) { // not parallel, because it compares times
	for text, want := range map[string]string{
		strings.Replace(least, `"name": "m"`, `"name": "m", "name": "m"`, 1):                       `m.json:1:58: error: the key "name" occurs twice`,
		strings.Replace(least, `"name": "m"`, `"name": "m", "Name": "m"`, 1):                       `the key "Name" occurs twice`,
		strings.Replace(least, `"name": "m"`, "\"name\": \"m\", \"n\\u0061me\": \"m\"", 1):         `the key "name" occurs twice`,
		strings.Replace(least, `"schema": 1`, `"schema": 1, "schema": 1`, 1):                       `the key "schema" occurs twice`,
		strings.Replace(least, `[]`, `[{"outcome": "failed", "id": "x", "outcome": "passed"}]`, 1): `the key "outcome" occurs twice`,
		strings.Replace(least, `"os": ""`, `"os": "{\"os\": \"\\\", \\\"os\\\":"`, 1):              "",
		strings.Replace(least, `"os": ""`, `"os": "os"`, 1):                                        "",
	} {
		_, err := Parse("m.json", []byte(text))
		if got := fmt.Sprint(err); want == "" && err != nil || !strings.Contains(got, want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	if testing.Short() {
		return
	}
	// Nesting of more than 10,000 brackets has been refused before.
	for _, mark := range []string{`{"schema": 1, "machine": {"name": "m"}},`, strings.Repeat(`{"a":[`, 100) + strings.Repeat("]}", 100) + ",", `"\\"` + ",", `{},`} {
		complexitytest.Check(t, mark, 256<<10, func(n int) {
			duplicateKey([]byte("[" + strings.Repeat(mark, n/len(mark)) + "0]"))
		})
	}
}

// claims returns the head of a PNG that claims a size, and has no pixels.
func claims(width, height uint32) []byte {
	body := []byte("IHDR\x00\x00\x00\x00\x00\x00\x00\x00\x08\x06\x00\x00\x00")
	binary.BigEndian.PutUint32(body[4:], width)
	binary.BigEndian.PutUint32(body[8:], height)
	out := append([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0d"), body...)
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(body))
}

// TestFigureBombs: neither the claimed pixels of a figure nor thousands of figures use memory.
func TestFigureBombs(t *testing.T) {
	check := func(figures int, png []byte) string {
		one := `{"png": "` + base64.StdEncoding.EncodeToString(png) + `"}`
		return strings.Replace(least, `[]`, `[{"id": "`+strings.Repeat("a", 26)+`", "page": "p", "name": "n", "kind": "python", "outcome": "passed", "ran": "2026-01-02T03:04:05Z", "duration_ms": 1, "figures": [`+
			strings.TrimSuffix(strings.Repeat(one+",", figures), ",")+`]}]`, 1)
	}
	for name, c := range map[string]struct {
		text, want string
	}{
		"pixels":    {check(1, claims(1<<31-1, 1<<31-1)), "a figure"},
		"a side":    {check(1, claims(MaxSide+1, 1)), "a figure of 4097 x 1 pixels"},
		"thousands": {check(5000, claims(1, 1)), fmt.Sprintf("%q has more than %d elements", "figures", MaxFigures)},
	} {
		var err error
		took := allocated(func() { _, err = Parse("m.json", []byte(c.text)) })
		if !strings.Contains(fmt.Sprint(err), c.want) {
			t.Errorf("%s: %v", name, err)
		}
		if most := uint64(1<<20 + 12*len(c.text)); took > most {
			t.Errorf("%s: %d bytes for a report of %d, more than %d", name, took, len(c.text), most)
		}
	}
}

// TestLongTexts: a report with a text of tens of megabytes is refused because of that text, and
// reading it uses memory in proportion to its size.
func TestLongTexts(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes hundreds of megabytes")
	}
	long := bytes.Repeat([]byte("a"), 60<<20)
	text := bytes.Replace([]byte(least), []byte(`"os": ""`), append(append([]byte(`"os": "`), long...), '"'), 1)
	var err error
	took := allocated(func() { _, err = Parse("m.json", text) })
	if !strings.Contains(fmt.Sprint(err), "a text of 62914560 bytes") {
		t.Errorf("%.200v", err)
	}
	if most := uint64(5 * len(text)); took > most {
		t.Errorf("%d MiB for one of %d", took>>20, len(text)>>20)
	}
	larger := append(text, long...)
	took = allocated(func() { _, err = readReport(fstest.MapFS{"m.json": {Data: larger}}, "m.json") })
	if !strings.Contains(fmt.Sprint(err), "larger than 64 MiB") || took > 1<<20 {
		t.Errorf("%d bytes: %.200v", took, err)
	}
}

// TestDeepJSON: deep nesting is an error, and does not crash the program.
func TestDeepJSON(t *testing.T) {
	t.Parallel()
	for _, open := range []string{"[", `{"machine":`, `{"checks":[`} {
		if _, err := Parse("m.json", []byte(strings.Repeat(open, 1<<20))); err == nil {
			t.Errorf("deeply nested %s is accepted", open)
		}
	}
}
