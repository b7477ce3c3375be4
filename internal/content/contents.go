package content

import (
	"slices"

	"github.com/gpudocs/gpudocs/internal/markdown"
)

// ContentsTargets are where the entries of a list of pages lead.
func (p *Page) ContentsTargets(n *markdown.Contents) []Target { return p.contents[n] }

// orderByContents gives the pages that a page lists the order of its list, where
// no weight says otherwise: a toc fence is how d2lbook orders a book.
func (s *Site) orderByContents() {
	for _, p := range s.Pages {
		lists := make([]*markdown.Contents, 0, len(p.contents))
		for n := range p.contents {
			lists = append(lists, n)
		}
		slices.SortFunc(lists, func(a, b *markdown.Contents) int { return a.Pos() - b.Pos() })
		weight := 0
		for _, n := range lists {
			for _, t := range p.contents[n] {
				if weight++; t.Page != nil && t.Page != p && t.Page.Weight == 0 && t.Page.Language == p.Language {
					t.Page.Weight = weight
				}
			}
		}
	}
}
