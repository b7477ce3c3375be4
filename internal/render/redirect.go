package render

import (
	"cmp"

	"github.com/gpudocs/gpudocs/internal/render/nav"
	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/site"
)

// redirectClaims are a page at each former address of a page, unless there is another file. Package resolve
// has a diagnostic for that.
func redirectClaims(in *inputs) (claims []claim) {
	for _, r := range in.content.Redirects {
		c := redirectClaim(r)
		c.authors, c.former = true, true
		claims = append(claims, c)
	}
	return claims
}

func redirectClaim(r site.Redirect) claim {
	return claim{
		name: r.File(),
		make: func(p *Plan) ([]byte, error) { return p.renderRedirect(r) },
		to:   nav.Placed{Page: r.Page, Language: r.Language}.URL(),
	}
}

// renderRedirect makes the page at a former address. Any static server can serve a page, but there is no
// file of redirects that all of them read. Search engines treat an immediate refresh as a permanent redirect:
// https://developers.google.com/search/docs/crawling-indexing/301-redirects.
func (in *inputs) renderRedirect(r site.Redirect) ([]byte, error) {
	to := nav.Placed{Page: r.Page, Language: r.Language}.URL()
	from := folderOf(r.File())
	v := theme.RedirectView{
		Site:  in.site(),
		T:     in.theme.Text(r.Language.Code),
		Lang:  r.Language.Code,
		Title: r.Page.Title,
		URL:   nav.Href(from, to),
		Theme: nav.Href(from, in.theme.Folder),
	}
	if in.options.BaseURL != "" {
		v.Canonical = cmp.Or(in.options.Editions.Canonical(r.Page.URL), in.nav.Absolute(r.Page.URL))
	}
	if r.Page.Language != r.Language {
		v.TitleLang = r.Page.Language.Code
	}
	return in.theme.Execute("redirect.html", v)
}
