package render

import (
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/render/results"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/themes"
)

// ledTo returns the addresses in a page, or in a list for programs.
var ledTo = regexp.MustCompile(`(?:\b(?:href|src|content|data-[a-z]+)="|\]\(|<loc>)([^"<)]*)`)

// If a site omits a generated file, all links to it are omitted, and nothing else.
func TestPublish(t *testing.T) {
	t.Parallel()
	files := maps.Clone(beside)
	files["content/pt/gpu/a.md"] += "\n```bash {run}\ntrue\n```\n"
	source := results.Source{Report: &report.Report{Schema: 1, Machine: report.Machine{Name: "m1"}}}
	options := Options{BaseURL: "https://example.org/docs/"}
	site := func(off string) *Site {
		files["gpudocs.toml"] = config + off
		return newSite(t, files, themes.Default(), options, source)
	}
	all := site("").Paths()
	gone := map[string]func(name string) bool{
		"search": func(p string) bool { return strings.Contains(p, "/_search/") },
		"print":  func(p string) bool { return strings.Contains(p, "/_print/") },
		"markdown": func(p string) bool {
			return strings.HasSuffix(p, ".html.md") || strings.HasPrefix(path.Base(p), "llms")
		},
		"feeds":  func(p string) bool { return strings.HasPrefix(p, "_results/") || strings.HasSuffix(p, "feed.xml") },
		"badges": func(p string) bool { return strings.HasPrefix(p, "badges/") },
	}
	toml := "\n[publish]\n"
	for key := range gone {
		toml += key + " = false\n"
	}
	check := func(key, toml string, out func(name string) bool) {
		s := site(toml)
		want := slices.DeleteFunc(slices.Clone(all), out)
		if len(want) == len(all) {
			t.Errorf("%s: the site has none", key)
		}
		if got := s.Paths(); !slices.Equal(got, want) {
			t.Errorf("%s: got  %q\nwant %q", key, got, want)
		}
		for _, name := range want {
			if ext := path.Ext(name); ext != ".html" && ext != ".txt" && ext != ".xml" && ext != ".md" && name != "_headers" {
				continue
			}
			text := get(t, s, name)
			if key == "search" && strings.Contains(text, "search-open") {
				t.Errorf("%s has the button for search", name)
			}
			for _, m := range ledTo.FindAllStringSubmatch(text, -1) {
				to, ok := strings.CutPrefix(m[1], options.BaseURL)
				if !ok && strings.Contains(m[1], ":") {
					continue
				}
				if !ok {
					to = path.Join(path.Dir(name), m[1])
				}
				if to, _, _ = strings.Cut(to, "#"); out(to) || out(to+"/index.html") {
					t.Errorf("%s: %s leads to %s", key, name, m[1])
				}
			}
		}
	}
	for key, out := range gone {
		check(key, "\n[publish]\n"+key+" = false\n", out)
	}
	check("all", toml, func(name string) bool {
		for _, out := range gone {
			if out(name) {
				return true
			}
		}
		return false
	})
}
