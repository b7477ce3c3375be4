package load

import (
	"io/fs"

	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/page"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// Options for [Load].
type Options struct {
	// Drafts keeps pages with draft: true in their front matter.
	Drafts bool
	// Editing reports code that differs between translations as a warning, since authors edit one
	// language after the other.
	Editing bool
	// Withheld are the pages whose solutions are left out, by the names of their files.
	Withheld map[string]page.Withheld
}

// Load reads a site. An error of a page costs that page or what is wrong on it. If an error concerns
// the whole site, the site is nil or [site.Site.Unusable].
func Load(fsys fs.FS, o Options) (*site.Site, diag.List) {
	return NewLoader(fsys, o).Load(nil)
}
