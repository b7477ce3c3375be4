package workspace

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/gpudocs/gpudocs/internal/cli/env"
	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/site"
)

// Recognised returns a line for each dialect that was recognised, and one for each configuration of another
// tool that leaves out pages.
func Recognised(t env.Catalog, s *site.Site) (lines []string) {
	for _, name := range markdown.DialectNames() {
		d, _ := markdown.ParseDialect(name)
		pages, by := 0, map[string]int{}
		for _, p := range s.Pages {
			if p.RecognisedBy != "" && p.Dialects.Has(d) {
				pages++
				by[p.RecognisedBy]++
			}
		}
		if pages == 0 {
			continue
		}
		signs := slices.SortedFunc(maps.Keys(by), func(a, b string) int { return cmp.Or(by[b]-by[a], strings.Compare(a, b)) })
		if len(signs) > 3 {
			signs = append(signs[:3], "...")
		}
		lines = append(lines, t.Get("recognised", "dialect", name, "pages", t.Count("pages", pages), "signs", strings.Join(signs, ", ")))
	}
	for _, c := range s.Courses {
		if c.LeftOut > 0 {
			lines = append(lines, t.Get("left_out", "pages", t.Count("pages", c.LeftOut), "file", c.File))
		}
	}
	return lines
}
