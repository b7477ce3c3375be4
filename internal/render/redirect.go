package render

import (
	"path"

	"github.com/gpudocs/gpudocs/internal/render/nav"
	"github.com/gpudocs/gpudocs/internal/render/step"
	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/site"
)

// planRedirects leaves a page at each address that a page had. What stands there
// already goes before; content has told of it.
func (s *Site) planRedirects() {
	for _, r := range s.content.Redirects {
		if s.files[r.File()] != nil || isOurs(r.File()) {
			continue
		}
		s.add(r.File(), func(*step.Step) ([]byte, error) { return s.renderRedirect(r) })
		s.redirects[r.File()] = nav.Placed{Page: r.Page, Language: r.Language}.URL()
	}
}

// Redirect is the address below the site's root to which a file sends its readers.
func (s *Site) Redirect(name string) (to string, ok bool) {
	to, ok = s.redirects[name]
	return to, ok
}

// renderRedirect makes a page for who comes to an old address. Any static server can
// answer with a page, and there is no file of redirects that all of them read. Search
// engines take a refresh at once for a permanent redirect:
// https://developers.google.com/search/docs/crawling-indexing/301-redirects.
func (s *Site) renderRedirect(r site.Redirect) ([]byte, error) {
	to := nav.Placed{Page: r.Page, Language: r.Language}.URL()
	from, _ := path.Split(r.File())
	v := theme.RedirectView{Site: s.site(), T: s.theme.Text(r.Language.Code), Lang: r.Language.Code, Title: r.Page.Title,
		URL: nav.Href(from, to), Theme: nav.Href(from, s.theme.Folder)}
	if s.options.BaseURL != "" {
		v.Canonical = s.nav.Absolute(r.Page.URL)
	}
	if r.Page.Language != r.Language {
		v.TitleLang = r.Page.Language.Code
	}
	return s.theme.Execute("redirect.html", v)
}
