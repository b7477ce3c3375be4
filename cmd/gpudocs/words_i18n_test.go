package main

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/compare"
	"github.com/gpudocs/gpudocs/internal/content"
	"github.com/gpudocs/gpudocs/internal/i18n/i18ntest"
	"github.com/gpudocs/gpudocs/internal/report"
)

func TestLanguages(t *testing.T) { i18ntest.Complete(t, texts, "es", "pt") }

var used = regexp.MustCompile(`\b(?:Get|Count|count|counted|counting)\((?:b|busy|nil)?(?:, )?"([a-z_-]+)"`)

// TestTexts: every text that the program names is there, those that it names by
// codes too.
func TestTexts(t *testing.T) {
	w := inEnglish()
	var names []string
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".go") || strings.HasSuffix(f.Name(), "_test.go") {
			continue
		}
		data, err := os.ReadFile(f.Name())
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range used.FindAllStringSubmatch(string(data), -1) {
			names = append(names, m[1])
		}
	}
	if len(names) < 100 {
		t.Fatalf("only %d texts found", len(names))
	}
	for _, o := range outcomes {
		names = append(names, "outcome_"+string(o), "tally_"+string(o))
	}
	for _, k := range compare.Kinds {
		names = append(names, "diff_"+string(k))
	}
	for _, s := range []content.State{content.IsSource, content.Current, content.Outdated, content.Unstamped, content.Missing} {
		names = append(names, "state_"+string(s))
	}
	for _, n := range names {
		if strings.HasSuffix(n, "_") { // the beginning of one
			continue
		}
		if !w.Has(n) && strings.HasPrefix(w.Count(n, 1), "[") {
			t.Errorf("there is no text %q", n)
		}
	}
}

// TestBecause: every code of a reason has its words, in every language.
func TestBecause(t *testing.T) {
	for _, code := range []string{
		report.ReasonNeeds, report.ReasonSoftware, report.ReasonNoGPU, report.ReasonSession, report.ReasonSessionSkip, report.ReasonNoInterpreter, report.ReasonExit,
		report.ReasonMismatch, report.ReasonNoExpect, report.ReasonManyExpect, report.ReasonSkip, report.ReasonLimit,
		report.ReasonNoSandbox, report.ReasonSlurm, report.ReasonTimeout, report.ReasonCrash, report.ReasonTruncated, report.ReasonEngine,
		report.ReasonBroken, report.ReasonUnmet, report.ReasonWrong, report.ReasonMeasure,
	} {
		seen := map[string]bool{}
		for _, language := range []string{"en", "es", "pt"} {
			got := wordsOf(language).because(&report.Reason{Code: code, Detail: "D", Need: "N", Found: "F"})
			if got == code || strings.ContainsAny(got, "[{}]") {
				t.Errorf("%s in %s: %q", code, language, got)
			}
			seen[got] = true
		}
		if len(seen) < 3 && code != report.ReasonSlurm {
			t.Errorf("%s is not translated: %v", code, seen)
		}
	}
	if got := inEnglish().because(&report.Reason{Code: "of-later", Place: &report.Place{File: "a.md", Line: 2}}); got != "a.md:2: of-later" {
		t.Errorf("a later code: %q", got)
	}
}

func TestLanguageOfReader(t *testing.T) {
	for _, k := range []string{"LC_ALL", "LC_MESSAGES", "LANG", "LANGUAGE"} {
		t.Setenv(k, "")
	}
	for lang, want := range map[string]string{"": "passed", "C": "passed", "de_DE.UTF-8": "passed", "pt_PT.UTF-8": "passou", "es": "pasó"} {
		t.Setenv("LANG", lang)
		if got := ofReader().outcome(report.Passed); got != want {
			t.Errorf("%q: %s, want %s", lang, got, want)
		}
	}
}
