package env

import (
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/compare"
	"github.com/gpudocs/gpudocs/internal/report/standing"
	"github.com/gpudocs/gpudocs/internal/site"
)

// TestTexts: the catalog has the texts whose keys are put together from codes. TestCalls of
// package text checks the keys that are written in full.
func TestTexts(t *testing.T) {
	catalog := English()
	var names []string
	for _, w := range words {
		names = append(names, "outcome_"+w)
	}
	for _, s := range standing.All()[1:] {
		names = append(names, "tally_"+s.String())
	}
	for _, k := range compare.Kinds {
		names = append(names, "diff_"+string(k))
	}
	for _, s := range []site.State{site.IsSource, site.Current, site.Outdated, site.Unstamped, site.Missing} {
		names = append(names, "state_"+string(s))
	}
	for _, n := range names {
		if !catalog.Has(n) && strings.HasPrefix(catalog.Count(n, 1), "[") {
			t.Errorf("the catalog has no text %q", n)
		}
	}
}

// TestReason: every code of a reason has a text in every language.
func TestReason(t *testing.T) {
	for _, code := range []string{
		report.ReasonNeeds, report.ReasonSoftware, report.ReasonNoGPU, report.ReasonSession, report.ReasonSessionSkip, report.ReasonNotReached, report.ReasonNoInterpreter, report.ReasonExit,
		report.ReasonMismatch, report.ReasonNoExpect, report.ReasonManyExpect, report.ReasonSkip, report.ReasonLimit,
		report.ReasonNoSandbox, report.ReasonSlurm, report.ReasonTimeout, report.ReasonCrash, report.ReasonTruncated, report.ReasonEngine,
		report.ReasonBroken, report.ReasonUnmet, report.ReasonBound, report.ReasonDrift, report.ReasonWrong, report.ReasonMeasure, report.ReasonBuild, report.ReasonBuilt,
	} {
		seen := map[string]bool{}
		for _, language := range []string{"en", "es", "pt"} {
			got := CatalogOf(language).Reason(&report.Check{Reason: &report.Reason{Code: code, Detail: "D", Need: "N", Found: "F"}})
			if got == code || strings.ContainsAny(got, "[{}]") {
				t.Errorf("%s in %s: %q", code, language, got)
			}
			seen[got] = true
		}
		if len(seen) < 3 && code != report.ReasonSlurm {
			t.Errorf("%s is not translated: %v", code, seen)
		}
	}
	if got := English().Reason(&report.Check{Reason: &report.Reason{Code: "of-later", Place: &report.Place{File: "a.md", Line: 2}}}); got != "a.md:2: of-later" {
		t.Errorf("unknown code: got %q", got)
	}
}

func TestLanguageOfReader(t *testing.T) {
	for _, k := range []string{"LC_ALL", "LC_MESSAGES", "LANG", "LANGUAGE"} {
		t.Setenv(k, "")
	}
	for lang, want := range map[string]string{"": "passed", "C": "passed", "de_DE.UTF-8": "passed", "pt_PT.UTF-8": "passou", "es": "pasó"} {
		t.Setenv("LANG", lang)
		if got := CatalogFromEnv().Outcome("passed"); got != want {
			t.Errorf("%q: %s, want %s", lang, got, want)
		}
	}
}
