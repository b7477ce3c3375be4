package render

import (
	"cmp"
	"path"
	"strings"

	"github.com/gpudocs/gpudocs/internal/render/nav"
	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/site"
)

// planRedirects adds a page at each former address of a page, unless there is another file. Package resolve
// has a diagnostic for that.
func (s *planner) planRedirects() {
	for _, r := range s.content.Redirects {
		if s.files[r.File()] != nil || isOurs(r.File()) {
			continue
		}
		s.add(r.File(), func() ([]byte, error) { return s.renderRedirect(r) })
		to := nav.Placed{Page: r.Page, Language: r.Language}.URL()
		s.redirects[r.File()] = to
		s.formerly[to] = append(s.formerly[to], strings.TrimSuffix(r.File(), "index.html"))
	}
}

// Redirect returns the address below the site's root to which a file redirects.
func (s *Site) Redirect(name string) (to string, ok bool) {
	to, ok = s.redirects[name]
	return to, ok
}

// renderRedirect makes the page at a former address. Any static server can serve a page, but there is no
// file of redirects that all of them read. Search engines treat an immediate refresh as a permanent redirect:
// https://developers.google.com/search/docs/crawling-indexing/301-redirects.
func (s *Site) renderRedirect(r site.Redirect) ([]byte, error) {
	to := nav.Placed{Page: r.Page, Language: r.Language}.URL()
	from, _ := path.Split(r.File())
	v := theme.RedirectView{Site: s.site(), T: s.theme.Text(r.Language.Code), Lang: r.Language.Code, Title: r.Page.Title,
		URL: nav.Href(from, to), Theme: nav.Href(from, s.theme.Folder)}
	if s.options.BaseURL != "" {
		v.Canonical = cmp.Or(s.options.Editions.Canonical(r.Page.URL), s.nav.Absolute(r.Page.URL))
	}
	if r.Page.Language != r.Language {
		v.TitleLang = r.Page.Language.Code
	}
	return s.theme.Execute("redirect.html", v)
}
