package load

import (
	"io/fs"

	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// Options for [Load].
type Options struct {
	// Drafts keeps pages with draft: true in their front matter.
	Drafts bool
	// Editing reports code that differs between translations as a warning, since authors edit one
	// language after the other.
	Editing bool
}

// Load reads a site. If there are errors among the diagnostics, the site is incomplete or nil, and
// must not be published.
func Load(fsys fs.FS, o Options) (*site.Site, diag.List) {
	return NewLoader(fsys, o).Load(nil)
}
