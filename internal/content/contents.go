package content

import (
	"maps"
	"slices"

	"github.com/gpudocs/gpudocs/internal/markdown"
)

// ContentsTargets are where the entries of a list of pages lead.
func (p *Page) ContentsTargets(n *markdown.Contents) []Target { return p.contents[p.place(n)] }

// orderByContents gives the pages that a page lists the order of its list, where
// no weight says otherwise: a toc fence is how d2lbook orders a book.
func (s *Site) orderByContents() {
	for _, p := range s.Pages {
		weight := 0
		for _, list := range slices.Sorted(maps.Keys(p.contents)) {
			for _, t := range p.contents[list] {
				if weight++; t.Page != nil && t.Page != p && t.Page.Weight == 0 && t.Page.Language == p.Language {
					t.Page.Weight = weight
				}
			}
		}
	}
}
