package content

import (
	"path"

	"github.com/goccy/go-yaml/ast"
	"golang.org/x/text/unicode/norm"

	"github.com/gpudocs/gpudocs/internal/diag"
	"github.com/gpudocs/gpudocs/internal/lazyregexp"
)

// pageSlug is the form of a page's own name in its address: letters of any language, as
// in names of files.
var pageSlug = form{lazyregexp.New(`^[\p{L}\p{N}][\p{L}\p{M}\p{N}_-]*$`), 100}

// slug reads the page's name in its address.
func (r *frontMatterReader) slug(n ast.Node) {
	var s string
	if !r.text(n, &s) || s == "" {
		return
	}
	if s = norm.NFC.String(s); !pageSlug.MatchString(s) {
		r.fault(n, diag.Say("%q cannot stand in an address", s), diag.Say("use letters, digits, - and _, a letter or digit first"))
		return
	}
	t := n.GetToken()
	r.fm.slug, r.fm.slugAt = s, r.file.Offset(t.Position.Line+1, t.Position.Column)
}

// address gives the page the address that its slug asks for. Links name its file, and
// so go on to lead here.
func (p *pageParser) address(fm frontMatter) {
	if fm.slug == "" {
		return
	}
	dir, base := path.Split(p.page.Path)
	if base == "index"+path.Ext(base) {
		p.diags.Add(p.file.Error(fm.slugAt, fm.slugAt+len(fm.slug), diag.Say("an index page has the address of its folder, and takes no slug"), diag.Say("rename the folder in this language; the key translation joins the pages")))
		return
	}
	p.page.URL = p.page.Language.Code + "/" + urlPath(dir) + fm.slug + "/"
}
