package text

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestStrings(t *testing.T) {
	plurals := fstest.MapFS{"i18n/pt.toml": &fstest.MapFile{Data: []byte("[plurals.passed_on]\none = 'passou em {n} máquina'\nother = 'passou em {n} máquinas'\n")}}
	day := time.Date(2026, 11, 21, 23, 0, 0, 0, time.FixedZone("", -5*3600))
	for code, want := range map[string][]string{
		"pt":    {"22 de nov. de 2026", "1,5 s", "2 min 05 s", "340 ms", "0,3 ms"},
		"es":    {"22 nov 2026", "1,5 s", "2 min 05 s", "340 ms", "0,3 ms"},
		"en":    {"22 Nov 2026", "1.5 s", "2 min 05 s", "340 ms", "0.3 ms"},
		"pt-br": {"22 de nov. de 2026", "1,5 s", "2 min 05 s", "340 ms", "0,3 ms"},
		"fr":    {"22 Nov 2026", "1.5 s", "2 min 05 s", "340 ms", "0.3 ms"}, // no file of its own: English
	} {
		s, err := ForTheme(code)
		if err != nil {
			t.Fatal(err)
		}
		got := []string{s.Date(day), s.Duration(1500), s.Duration(125_000), s.Duration(340), s.Duration(0.3)}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", code, d)
		}
	}
	pt, _ := ForTheme("pt", plurals)
	if one, two := pt.Count("passed_on", 1), pt.Count("passed_on", 2); one != "passou em 1 máquina" || two != "passou em 2 máquinas" {
		t.Errorf("plurals: %q, %q", one, two)
	}
	if got := pt.Get("no such key"); got != "[no such key]" {
		t.Errorf("an unknown key shows as %q", got)
	}
	for source, want := range map[string]string{
		"[date]\nmonths = ['a']\n": "i18n/pt.toml: date.months has 1 names",
		"[string]\na = 'a'\n":      "i18n/pt.toml:1:2: unknown key",
		"[strings]\na = 1\n":       "i18n/pt.toml:2:5: ",
	} {
		broken := fstest.MapFS{"i18n/pt.toml": &fstest.MapFile{Data: []byte(source)}}
		if _, err := ForTheme("pt", broken); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v", source, err)
		}
	}
}

func TestLayers(t *testing.T) {
	layer := func(source string) fstest.MapFS {
		return fstest.MapFS{"i18n/pt.toml": &fstest.MapFile{Data: []byte("[strings]\n" + source)}}
	}
	s, err := ForTheme("pt-br", layer("gpu_none = 'nada'\n"), layer("gpu_none = 'zero'\nmore = 'mais'\n"))
	if err != nil {
		t.Fatal(err)
	}
	got := []string{s.Get("gpu_none"), s.Get("more"), s.Get("gpu_gpu-lost")}
	if got[0] != "nada" || got[1] != "mais" || !strings.HasPrefix(got[2], "uma GPU") {
		t.Errorf("%q", got)
	}
}

// TestSystemErrors: common errors of the system are in the language, alone and with a path; what wraps them is
// quoted as it is.
func TestSystemErrors(t *testing.T) {
	_, missing := os.Stat(filepath.Join(t.TempDir(), "a"))
	path := missing.(*fs.PathError).Path
	for _, c := range []struct {
		err    error
		en, pt string
	}{
		{missing, missing.Error(), path + ": o arquivo ou a pasta não existe"},
		{&fs.PathError{Op: "open", Path: "b", Err: syscall.ENOTDIR}, "open b: " + syscall.ENOTDIR.Error(), "b: não é uma pasta"},
		{syscall.ENOSPC, syscall.ENOSPC.Error(), "não há mais espaço no disco"},
		{syscall.EDOM, syscall.EDOM.Error(), syscall.EDOM.Error()},
		{fmt.Errorf("x: %w", syscall.ENOSPC), "x: " + syscall.ENOSPC.Error(), "x: " + syscall.ENOSPC.Error()},
	} {
		if en, pt := Of("en").Error(c.err), Of("pt-br").Error(c.err); en != c.en || pt != c.pt {
			t.Errorf("%q, %q", en, pt)
		}
	}
}
