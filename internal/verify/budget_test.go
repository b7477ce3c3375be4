package verify

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/verify/judge"
)

// noise is a figure of about 100 kB.
var noise = func() []byte {
	var b bytes.Buffer
	picture := image.NewGray(image.Rect(0, 0, 320, 320))
	for i := range picture.Pix {
		picture.Pix[i] = byte(i * i >> 7 * 31)
	}
	if err := (&png.Encoder{CompressionLevel: png.NoCompression}).Encode(&b, picture); err != nil {
		panic(err)
	}
	return b.Bytes()
}()

func numbered(id int) report.ID {
	return report.ID(strings.Map(func(r rune) rune { return 'a' + r - '0' }, fmt.Sprintf("%026d", id)))
}

// huge returns a check whose every field is at its limit; id is its number.
func huge(id int, text string) *report.Check {
	c := &report.Check{ID: numbered(id),
		Kind: "bash", Page: "p", Name: "n", Places: []report.Place{{File: "content/pt/a.md", Line: 1}}, Outcome: report.Failed,
		Ran: time.Unix(1, 0).UTC(), Reason: &report.Reason{Code: report.ReasonException, Said: text[:min(len(text), maxDetail)]},
		Stdout: &report.Stream{Text: text}, Stderr: &report.Stream{Text: text},
		Captures: []report.Capture{{Name: "bandwidth", Value: "1"}}, Packages: []report.Package{{Name: "torch", Version: "2"}},
		Figures: []report.Figure{{PNG: noise}}}
	for range 30 {
		c.Diff = append(c.Diff, report.DiffLine{Op: "+", Text: text[:min(len(text), 4000)], Taken: [][2]int{{0, min(len(text), 1)}}})
	}
	for i := range report.MaxHistory {
		c.History = append(c.History, report.Past{Ran: time.Unix(int64(i), 0).UTC(), Outcome: report.Failed, Code: report.ReasonException,
			Captures: []report.Capture{{Name: "bandwidth", Value: "1"}}})
	}
	return c
}

// TestCost: the estimated size of a check is at least its size in the file, and not much more.
func TestCost(t *testing.T) {
	history := &report.Check{ID: numbered(1), Kind: "bash", Page: "a", Name: "b", Outcome: report.Passed, Ran: time.Now(), DurationMS: 1.5}
	for range report.MaxHistory {
		history.History = append(history.History, report.Past{Ran: time.Now().UTC(), Outcome: report.Passed, DurationMS: 12.345})
	}
	checks := map[string]*report.Check{"history": history}
	for _, text := range []string{"", "a", "\"\\\n\t\r", "\x00\x1f", "\u2028\u2029", "<&>é€😀", strings.Repeat("\x01", 10_000)} {
		checks[text] = huge(1, strings.Repeat(text, 3))
	}
	for name, c := range checks {
		size := func(checks ...report.Check) int {
			data, err := report.Encode(&report.Report{Schema: report.Schema, Machine: report.Machine{Name: "m", GPU: report.GPU{Status: report.GPUNone}}, Checks: checks})
			if err != nil {
				t.Fatal(err)
			}
			return len(data)
		}
		in := size(*c) - size()
		if got := encodedSize(c); got < in || float64(got) > 2.5*float64(in) {
			t.Errorf("%.20q: the estimate is %d bytes, the file has %d", name, got, in)
		}
	}
}

// TestReportIsAlwaysWritable: however much the snippets print, the report is written and holds
// every outcome, and small outputs are complete.
func TestReportIsAlwaysWritable(t *testing.T) {
	if testing.Short() {
		t.Skip("large reports are written by one goroutine")
	}
	t.Parallel()
	for _, c := range []struct {
		name  string
		n     int
		text  string
		whole int // minimum of outputs that stay complete
	}{
		{"little", 100, "hello\n", 101},
		{"quotes, twice their size in JSON", 300, strings.Repeat(`"`, 2*judge.Kept), 20},
		{"control characters, six times", 100, strings.Repeat("\x01", 2*judge.Kept), 20},
		{"as many checks as there may be", report.MaxChecks - 1, strings.Repeat("x", 3*keptEnd), 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.n > 200 && os.Getenv("GPUDOCS_LONG") == "" {
				t.Skip("GPUDOCS_LONG=1 runs it")
			}
			small := huge(0, "small\n")
			checks := []*report.Check{small}
			large := huge(0, c.text)
			if c.n > 1000 {
				large.Diff = large.Diff[:3]
			}
			for i := range c.n {
				next := *large // the same bytes for all
				next.ID = numbered(i + 1)
				checks = append(checks, &next)
			}
			if got := shrinkChecks(checks, budget); got > budget {
				t.Errorf("%d bytes are left", got)
			}
			out := &report.Report{Schema: report.Schema, Machine: report.Machine{Name: "m", GPU: noGPU}}
			whole := 0
			for _, k := range checks {
				out.Checks = append(out.Checks, *k)
				if k.Stdout != nil && k.Stdout.Cut == 0 {
					whole++
				}
			}
			if whole < c.whole {
				t.Errorf("%d outputs are complete", whole)
			}
			if c.n > 200 {
				return // writing it takes long, and TestCost shows that it fits
			}
			if err := report.Write(filepath.Join(t.TempDir(), "m.json"), out); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestShrinkCopies: shrinking does not change a check that is in use elsewhere, in a report
// that is being written.
func TestShrinkCopies(t *testing.T) {
	c := huge(1, strings.Repeat("x", 60_000))
	checks := []*report.Check{c}
	shrinkChecks(checks, 100)
	if checks[0] == c || len(c.Stdout.Text) != 60_000 || len(c.Diff) != 30 || len(c.Diff[0].Text) != 4000 || c.History == nil {
		t.Error("the original check was cut")
	}
}

// TestCrumbOf: an output that is cut, even for the second time, has the size and the hash of
// the whole output.
func TestCrumbOf(t *testing.T) {
	whole := strings.Repeat("0123456789", 2000)
	first := judge.Ends(whole, 5000, 5000)
	for _, s := range []*report.Stream{{Text: whole}, first} {
		got := trimStream(s)
		if len(got.Text) > 3*keptEnd || got.Bytes != int64(len(whole)) || got.SHA256 != first.SHA256 {
			t.Errorf("%d bytes of %d, hash %q", len(got.Text), got.Bytes, got.SHA256)
		}
	}
}
