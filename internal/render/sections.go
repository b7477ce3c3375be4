package render

import (
	"strings"

	"github.com/gpudocs/gpudocs/internal/render/nav"
	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/site"
)

// planIndexes adds an index page to each folder without a page. The first page of a language is that of a
// course, to which its address leads, or else such an index.
func (s *planner) planIndexes() {
	for _, l := range s.content.Languages {
		tree := s.nav.Trees[l.Code]
		if tree == nil {
			continue
		}
		first := l.Code + "/index.html"
		if p := s.content.FirstListed(l); p != nil && tree.Top.Placed == nil && s.files[first] == nil {
			r := site.Redirect{From: l.Code + "/", Page: p, Language: l}
			s.add(first, func() ([]byte, error) { return s.renderRedirect(r) })
			s.redirects[first] = p.URL
		}
		for _, e := range tree.Indexes() {
			o := generatedPage{path: strings.TrimPrefix(e.Index, l.Code+"/"), in: l, given: e.Title(), template: "index", hidden: true}
			if e == tree.Top {
				o.given = s.nav.Title(l)
			}
			o.data = func(l *site.Language, v theme.PageView) any {
				view := theme.IndexView{PageView: v}
				for _, c := range e.Children {
					if c.First() == nil {
						continue
					}
					view.Pages = append(view.Pages, indexed(c, e.Index))
				}
				s.sectionLanguages(&view.PageView, e.Index, l)
				return view
			}
			s.planGenerated(o)
		}
	}
}

// indexed returns an entry for the index page at an address.
func indexed(e *nav.Entry, from string) theme.IndexedPage {
	page := theme.IndexedPage{Link: e.Link(from)}
	if page.URL == "" {
		page.URL = nav.Href(from, e.First().Placed.URL())
	}
	if e.Placed != nil {
		page.Lang, page.Description = e.Placed.Foreign(), e.Placed.Page.Description
	}
	return page
}
