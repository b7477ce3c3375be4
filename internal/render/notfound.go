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

// notFoundClaims are these pages, unless the site opens from a folder. Their links begin at the server's
// root, because a host shows them at any depth.
func notFoundClaims(in *inputs) []claim {
	if in.options.Offline || len(in.content.Languages) == 0 {
		return nil
	}
	o := generatedPage{path: notFoundFile, title: "notfound", template: "notfound", hidden: true, absolute: true,
		data: func(_ *Plan, _ *site.Language, v theme.PageView) any {
			view := theme.NotFoundView{PageView: v}
			for _, item := range v.Nav {
				if item.URL != "" && item.URL != v.Home && len(view.Pages) < maxSuggested {
					view.Pages = append(view.Pages, item)
				}
			}
			return view
		}}
	claims := o.claims(in)
	if len(claims) > 0 {
		claims = append(claims, claim{name: notFoundFile, make: claims[0].make}) // of the first language
	}
	return claims
}

// rootPath returns the path of the site on its server.
func (in *inputs) rootPath() string {
	if in.options.Root != "" {
		return in.options.Root
	}
	if u, err := url.Parse(in.options.BaseURL); err == nil && u.Path != "" {
		return u.Path
	}
	return "/"
}
