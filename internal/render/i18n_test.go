package render

import (
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/themes"
)

func TestLanguagesAreComplete(t *testing.T) {
	en, err := readStrings(themes.Default(), "en")
	if err != nil {
		t.Fatal(err)
	}
	holes := regexp.MustCompile(`\{[a-z]+\}`)
	for _, code := range []string{"pt", "es"} {
		own, err := readStrings(themes.Default(), code)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(slices.Sorted(maps.Keys(en.Strings)), slices.Sorted(maps.Keys(own.Strings))); d != "" {
			t.Errorf("%s: the keys differ from en:\n%s", code, d)
		}
		if d := cmp.Diff(slices.Sorted(maps.Keys(en.Plurals)), slices.Sorted(maps.Keys(own.Plurals))); d != "" {
			t.Errorf("%s: the plurals differ from en:\n%s", code, d)
		}
		for k, text := range en.Strings {
			want, got := holes.FindAllString(text, -1), holes.FindAllString(own.Strings[k], -1)
			slices.Sort(want)
			slices.Sort(got)
			if !slices.Equal(want, got) {
				t.Errorf("%s: %s has %v, en has %v", code, k, got, want)
			}
		}
		for k, forms := range own.Plurals {
			if forms["one"] == "" || forms["other"] == "" {
				t.Errorf("%s: %s lacks a form", code, k)
			}
		}
	}
}

// TestKeysExist holds every text that templates and code ask for.
func TestKeysExist(t *testing.T) {
	en, err := loadStrings(themes.Default(), "en")
	if err != nil {
		t.Fatal(err)
	}
	asked := map[string]bool{}
	call := regexp.MustCompile(`\.T\.(Get|Count) "([^"]+)"`)
	err = fs.WalkDir(themes.Default(), "layouts", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(themes.Default(), name)
		for _, m := range call.FindAllStringSubmatch(string(text), -1) {
			asked[m[1]+" "+m[2]] = true
		}
		return err
	})
	if err != nil || len(asked) < 20 {
		t.Fatal(len(asked), err)
	}
	for _, s := range []SignatureState{NotSigned, Signed, SignedUnknown, SignedOther} {
		asked["Get signature_"+string(s)] = true
	}
	for _, s := range severity {
		asked["Get status_"+s] = true
		if s != statusNone {
			asked["Count "+s+"_on"] = true
		}
	}
	for _, code := range []string{report.ReasonNeeds, report.ReasonNeeds + "-none", report.ReasonNoGPU, report.ReasonSession, report.ReasonSessionSkip,
		report.ReasonNoInterpreter, report.ReasonExit, report.ReasonException, report.ReasonMismatch, report.ReasonNoExpect,
		report.ReasonTimeout, report.ReasonCrash, report.ReasonTruncated, report.ReasonEngine, report.ReasonBroken, report.ReasonUnmet,
		report.ReasonSlurm, report.ReasonLimit, report.ReasonNoSandbox, "unknown"} {
		asked["Get reason_"+code] = true
	}
	for _, code := range []string{report.CodeNoLibrary, report.CodeNotLoaded, report.CodeNoDevice, report.CodeMismatch, report.CodeNoPermission,
		report.CodeLost, report.CodeProbeTimeout, report.CodeProbeCrashed, report.CodeUnsupported, report.CodeDriverFailed, report.CodeNotReached, "none"} {
		asked["Get gpu_"+code] = true
	}
	for _, key := range []string{"summary_none", "cut", "image_missing"} {
		asked["Get "+key] = true
	}
	for a := range asked {
		how, key, _ := strings.Cut(a, " ")
		if text := en.Get(key); how == "Get" && text == "["+key+"]" {
			t.Errorf("en lacks the text %s", key)
		}
		if text := en.Count(key, 2); how == "Count" && text == "["+key+"]" {
			t.Errorf("en lacks the plural %s", key)
		}
	}
}

func TestStrings(t *testing.T) {
	day := time.Date(2026, 11, 21, 23, 0, 0, 0, time.FixedZone("", -5*3600))
	for code, want := range map[string][]string{
		"pt":    {"22 de nov. de 2026", "1,5 s", "2 min 05 s", "340 ms", "0,3 ms"},
		"es":    {"22 nov 2026", "1,5 s", "2 min 05 s", "340 ms", "0,3 ms"},
		"en":    {"22 Nov 2026", "1.5 s", "2 min 05 s", "340 ms", "0.3 ms"},
		"pt-br": {"22 de nov. de 2026", "1,5 s", "2 min 05 s", "340 ms", "0,3 ms"},
		"fr":    {"22 Nov 2026", "1.5 s", "2 min 05 s", "340 ms", "0.3 ms"}, // no file of its own: English
	} {
		s, err := loadStrings(themes.Default(), code)
		if err != nil {
			t.Fatal(err)
		}
		got := []string{s.Date(day), s.Duration(1500), s.Duration(125_000), s.Duration(340), s.Duration(0.3)}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", code, d)
		}
	}
	pt, _ := loadStrings(themes.Default(), "pt")
	if one, two := pt.Count("passed_on", 1), pt.Count("passed_on", 2); one != "passou em 1 máquina" || two != "passou em 2 máquinas" {
		t.Errorf("plurals: %q, %q", one, two)
	}
	if got := pt.Get("no such key"); got != "[no such key]" {
		t.Errorf("an unknown key shows as %q", got)
	}
	broken := Overlay(fstest.MapFS{"i18n/pt.toml": &fstest.MapFile{Data: []byte("[date]\nmonths = ['a']\n")}}, themes.Default())
	if _, err := loadStrings(broken, "pt"); err == nil {
		t.Error("a year of one month is taken")
	}
}
