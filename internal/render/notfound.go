package render

import (
	"net/url"

	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/site"
)

// notFoundFile is the page that hosts show for an unknown address. Each language has one in its folder, and
// the one at the root is for hosts that support only one.
const notFoundFile = "404.html"

// maxSuggested bounds the pages to which it links.
const maxSuggested = 12

// planNotFound adds these pages, unless the site opens from a folder. Their links begin at the server's
// root, because a host shows them at any depth.
func (s *planner) planNotFound() {
	if s.options.Offline || len(s.content.Languages) == 0 {
		return
	}
	o := generatedPage{path: notFoundFile, title: "notfound", template: "notfound", hidden: true, absolute: true,
		data: func(_ *site.Language, v theme.PageView) any {
			view := theme.NotFoundView{PageView: v}
			for _, item := range v.Nav {
				if item.URL != "" && item.URL != v.Home && len(view.Pages) < maxSuggested {
					view.Pages = append(view.Pages, item)
				}
			}
			return view
		}}
	s.planGenerated(o)
	if s.theme.HasTemplate(o.template) {
		s.publish(notFoundFile, func() ([]byte, error) { return s.renderGenerated(o, s.content.Languages[0]) })
	}
}

// rootPath returns the path of the site on its server.
func (s *Site) rootPath() string {
	if s.options.Root != "" {
		return s.options.Root
	}
	if u, err := url.Parse(s.options.BaseURL); err == nil && u.Path != "" {
		return u.Path
	}
	return "/"
}
