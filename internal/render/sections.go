package render

import (
	"strings"

	"github.com/gpudocs/gpudocs/internal/render/nav"
	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/site"
)

// indexClaims are an index page in each folder without a page. The first page of a language is that of a
// course, to which its address leads, or else such an index.
func indexClaims(in *inputs) (claims []claim) {
	for _, l := range in.content.Languages {
		tree := in.nav.Trees[l.Code]
		if tree == nil {
			continue
		}
		if p := in.content.FirstListed(l); p != nil && tree.Top.Placed == nil {
			c := redirectClaim(site.Redirect{From: l.Code + "/", Page: p, Language: l})
			c.to = p.URL
			claims = append(claims, c)
		}
		for _, e := range tree.Indexes() {
			o := generatedPage{path: strings.TrimPrefix(e.Index, l.Code+"/"), in: l, given: e.Title(), template: "index", hidden: true}
			if e == tree.Top {
				o.given = in.nav.Title(l)
			}
			o.data = func(p *Plan, l *site.Language, v theme.PageView) any {
				view := theme.IndexView{PageView: v}
				for _, c := range e.Children {
					if c.First() == nil {
						continue
					}
					view.Pages = append(view.Pages, indexed(c, e.Index))
				}
				p.sectionLanguages(&view.PageView, e.Index, l)
				return view
			}
			claims = append(claims, o.claims(in)...)
		}
	}
	return claims
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
