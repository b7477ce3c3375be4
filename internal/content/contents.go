package content

import (
	"cmp"
	"maps"
	"slices"

	"github.com/gpudocs/gpudocs/internal/diag"
	"github.com/gpudocs/gpudocs/internal/markdown"
)

// ContentsTargets are where the entries of a list of pages lead.
func (p *Page) ContentsTargets(n *markdown.Contents) []Target { return p.contents[p.place(n)] }

// orderByContents gives the pages that a page lists the order of its list, where
// no weight says otherwise: a toc fence is how d2lbook orders a book.
func (r *resolver) orderByContents() {
	weights := map[*diag.File]int{}
	for _, p := range r.site.Pages {
		if len(p.contents) == 0 {
			continue
		}
		weight := 0
		for _, list := range slices.Sorted(maps.Keys(p.contents)) {
			for _, t := range p.contents[list] {
				weight++
				if t.Page == nil || t.Page.Source == p.Source || t.Page.weight != 0 || t.Page.Language != p.Language {
					continue
				}
				if of := t.Page.Source; weights[of] == 0 {
					weights[of] = weight
				}
			}
		}
	}
	for i, p := range r.site.Pages {
		if want := cmp.Or(p.weight, weights[p.Source]); p.Weight != want {
			r.own(i).Weight = want
		}
	}
}
