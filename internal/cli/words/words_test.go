package words

import (
	"os"
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/report/compare"
	"github.com/gpudocs/gpudocs/internal/report/standing"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text"
)

// TestTexts: the catalog has the texts whose keys are put together from codes. TestCalls of
// package text checks the keys that are written in full.
func TestTexts(t *testing.T) {
	catalog := English()
	var names []string
	for _, w := range Outcomes {
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

func TestLanguageOfReader(t *testing.T) {
	for _, k := range []string{"LC_ALL", "LC_MESSAGES", "LANG", "LANGUAGE"} {
		t.Setenv(k, "")
	}
	for lang, want := range map[string]string{"": "passed", "C": "passed", "de_DE.UTF-8": "passed", "pt_PT.UTF-8": "passou", "es": "pasó"} {
		t.Setenv("LANG", lang)
		if got := Outcome(text.Of(text.FromEnv(os.Getenv), "cli"), "passed"); got != want {
			t.Errorf("%q: %s, want %s", lang, got, want)
		}
	}
}
