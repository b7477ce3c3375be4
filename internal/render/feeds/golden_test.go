package feeds

import (
	"fmt"
	"html/template"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gpudocs/gpudocs/internal/render/nav"
	"github.com/gpudocs/gpudocs/internal/render/results"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/text/diag"
	"github.com/gpudocs/gpudocs/test/rendertest"
)

// feedsOf returns the feeds of a lab.
func feedsOf(t testing.TB, lab *rendertest.Lab, baseURL string) *Site {
	t.Helper()
	var sources []results.Source
	for _, r := range lab.Reports {
		sources = append(sources, results.Source{
			Report:    r.Report,
			Signature: results.Signature{State: results.SignatureState(r.Signature), By: r.Signer},
		})
	}
	m := &nav.Map{Content: lab.Site, BaseURL: baseURL, Changed: map[string]time.Time{"content/pt/gpu/b.md": time.Date(2026, 11, 3, 0, 0, 0, 0, time.UTC)}}
	m.Build()
	return &Site{
		Content:   lab.Site,
		Nav:       m,
		Reports:   results.NewIndex(lab.Site, sources, []string{"unread"}, &results.Cache{}),
		Theme:     compiledTheme(t),
		Display:   func(report.Figure) template.HTML { return "<b>shown</b>" },
		Generator: "gpudocs (test)",
		Generated: []string{"_status/"},
	}
}

// planned returns the files of all plans.
func planned(t testing.TB, s *Site) map[string]string {
	t.Helper()
	files := map[string]string{}
	add := func(name string, make func() ([]byte, error)) {
		data, err := make()
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		files[name] = string(data)
	}
	s.PlanFeeds(add)
	s.PlanExports(add)
	s.PlanLLMs(add)
	s.PlanSitemap(add)
	s.PlanBadges(func(name string, make func() ([]byte, error), _ func(string) diag.Diagnostic) { add(name, make) })
	return files
}

// TestDetails checks what the file of a machine has in addition if pages do not include all machines.
func TestDetails(t *testing.T) {
	lab := rendertest.Read(t, "testdata/details.txtar")
	for i := range results.MaxIncluded {
		r := *lab.Reports[0].Report
		r.Machine.Name = fmt.Sprintf("n%d", i)
		lab.Reports = append(lab.Reports, rendertest.Report{Report: &r})
	}
	s := feedsOf(t, lab, "")
	s.Display = func(f report.Figure) template.HTML {
		if f.Form() == report.HTML {
			return "<b>shown</b>"
		}
		return ""
	}
	lab.Golden(t, map[string]string{"n3": planned(t, s)["_results/n3.json"]})
}

// TestGolden compares the files beside the pages of a site, badges by their titles and colours.
func TestGolden(t *testing.T) {
	lab := rendertest.Read(t, "testdata/feeds.txtar")
	got, badges := planned(t, feedsOf(t, lab, "https://example.org/docs/")), ""
	for _, name := range slices.Sorted(maps.Keys(got)) {
		if !strings.HasSuffix(name, ".svg") {
			continue
		}
		_, rest, _ := strings.Cut(got[name], "<title>")
		title, rest, _ := strings.Cut(rest, "</title>")
		colour := ""
		for of, code := range colours {
			if strings.Contains(rest, code) {
				colour += " " + [...]string{unknown: "grey", good: "green", doubtful: "amber", bad: "red"}[of]
			}
		}
		badges += name + ":" + colour + ", " + title + "\n"
		delete(got, name)
	}
	if got["llms-full.txt"] != got["pt/llms-full.txt"] {
		t.Error("the text of the site is not that of its first language")
	}
	delete(got, "llms-full.txt")
	got["badges"] = badges
	lab.Golden(t, got)
}
