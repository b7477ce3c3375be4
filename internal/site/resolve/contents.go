package resolve

import (
	"maps"
	"slices"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/site"
)

// resolveContents resolves the entries of a list of pages.
func (l *pageLinks) resolveContents(n *markdown.Contents, place int) {
	var targets []site.Target
	for _, e := range n.Entries {
		targets = append(targets, l.resolve(e.Page, e.Start, "page"))
	}
	set(&l.links.ContentsLists, place, targets)
}

// orderByContents orders pages without a weight like the lists that name them: those of courses, and
// those on pages. A toc fence determines the order of a book in d2lbook.
func orderByContents(s *site.Site) {
	s.ListPositions = map[*site.Page]int{}
	if len(s.Courses) > 0 {
		byFile := s.PagesByFile()
		position := 0
		for _, c := range s.Courses {
			for _, l := range c.Listed {
				if p := byFile[l.File]; p != nil && s.ListPositions[p] == 0 {
					position++
					s.ListPositions[p] = position
				}
			}
		}
	}
	for i, p := range s.Pages {
		l := s.LinksByPage[i]
		weight := 0
		for _, list := range slices.Sorted(maps.Keys(l.ContentsLists)) {
			for _, t := range l.ContentsLists[list] {
				weight++
				if t.Page == nil || t.Page == p || t.Page.Language != p.Language {
					continue
				}
				if s.ListPositions[t.Page] == 0 {
					s.ListPositions[t.Page] = weight
				}
			}
		}
	}
}
