package render

import (
	"net/url"

	"github.com/gpudocs/gpudocs/internal/render/step"
	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/site"
)

// notFoundFile is the page that hosts show where nothing is found, in the folder of each
// language and, for hosts that know one alone, at the root.
const notFoundFile = "404.html"

// maxSuggested bounds the pages that it leads to.
const maxSuggested = 12

// planNotFound adds it. A host shows it at any depth, so that its links begin at the
// server's root; a folder has no server.
func (s *Site) planNotFound() {
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
		s.publish(notFoundFile, func(*step.Step) ([]byte, error) { return s.renderGenerated(o, s.content.Languages[0]) })
	}
}

// rootPath is where the site begins on its server.
func (s *Site) rootPath() string {
	if s.options.Root != "" {
		return s.options.Root
	}
	if u, err := url.Parse(s.options.BaseURL); err == nil && u.Path != "" {
		return u.Path
	}
	return "/"
}
