package page

import (
	"path"
	"strings"

	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/frontmatter"
	"github.com/gpudocs/gpudocs/internal/site/sitefile"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// applySlug sets the address of a page with a slug. Links name its file and stay valid.
func applySlug(p *site.Page, fm frontmatter.FrontMatter) (diags diag.List) {
	dir, base := path.Split(p.Path)
	if base == "index"+path.Ext(base) {
		diags.Add(p.Source.Error(fm.SlugAt, fm.SlugAt+len(fm.Slug), diag.Say("links.index-slug")))
		return diags
	}
	p.URL = p.Language.Code + "/" + sitefile.URLPath(dir) + fm.Slug + "/"
	return nil
}

// addRedirects resolves the old addresses, which are relative to the folder of the page's file.
func addRedirects(p *site.Page, fm frontmatter.FrontMatter) (diags diag.List) {
	folder := p.Language.Code + "/" + sitefile.PlainURLPath(path.Dir(p.Path))
	before := addressOf(p.Language, p.Path, sitefile.PlainURLPath)
	if fm.Slug != "" {
		before = path.Join(folder, fm.Slug) + "/"
	}
	if before != p.URL {
		p.Redirects = append(p.Redirects, site.OldAddress{Address: before})
	}
	for _, o := range fm.Redirects {
		if site.OneLine(o.Text) != o.Text {
			continue // an invisible character, which is reported
		}
		var fault diag.Text
		if o.Address, fault = site.ParseOldAddress(folder, o.Text); !fault.IsZero() {
			diags.Add(p.Source.Error(o.Start, o.End, fault.WithHint(diag.Say("links.redirect-hint"))))
			continue
		}
		p.Redirects = append(p.Redirects, o)
	}
	return diags
}

// addressOf returns the address of a page by its path, which is converted by a function.
func addressOf(l *site.Language, file string, convert func(string) string) string {
	dir, base := path.Split(strings.TrimSuffix(file, path.Ext(file)))
	if base == "index" {
		return l.Code + "/" + convert(dir)
	}
	return l.Code + "/" + convert(dir+base) + "/"
}
