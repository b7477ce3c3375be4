package page

import (
	"path"

	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/frontmatter"
	"github.com/gpudocs/gpudocs/internal/site/sitefile"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

var redirectHint = diag.Say("links.write-redirect-old")

// addRedirects resolves the old addresses, which are relative to the folder of the page's file.
func (p *pageParser) addRedirects(fm frontmatter.FrontMatter) {
	folder := p.page.Language.Code + "/" + sitefile.URLPath(path.Dir(p.page.Path))
	for _, o := range fm.Redirects {
		var fault diag.Text
		if o.Address, fault = site.ParseOldAddress(folder, o.Text); !fault.IsZero() {
			p.diags.Add(p.file.Error(o.Start, o.End, fault, redirectHint))
			continue
		}
		p.page.Redirects = append(p.page.Redirects, o)
	}
}

// applySlug sets the address of a page with a slug. Links name its file and stay valid.
func (p *pageParser) applySlug(fm frontmatter.FrontMatter) {
	if fm.Slug == "" {
		return
	}
	dir, base := path.Split(p.page.Path)
	if base == "index"+path.Ext(base) {
		p.diags.Add(p.file.Error(fm.SlugAt, fm.SlugAt+len(fm.Slug), diag.Say("links.index-page-address"), diag.Say("links.index-page-address-hint")))
		return
	}
	p.page.URL = p.page.Language.Code + "/" + sitefile.URLPath(dir) + fm.Slug + "/"
}
