package frontmatter

import (
	"github.com/goccy/go-yaml/ast"
	"golang.org/x/text/unicode/norm"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// redirects reads a list of addresses. A single one needs no brackets.
func (r *reader) redirects(n ast.Node) {
	for _, n := range items(n) {
		var text string
		if r.text(n, &text) && text != "" {
			begin, end := r.place(n.GetToken())
			r.fm.Redirects = append(r.fm.Redirects, site.OldAddress{Text: text, Start: begin, End: end})
		}
	}
}

// pageSlug matches the last part of a page's address that its front matter may set: letters of any
// language, as in file names.
var pageSlug = site.Pattern{Regexp: lazyregexp.New(`^[\p{L}\p{N}][\p{L}\p{M}\p{N}_-]*$`), Max: 100}

// slug reads the last part of the page's address.
func (r *reader) slug(n ast.Node) {
	var s string
	if !r.text(n, &s) || s == "" {
		return
	}
	if s = norm.NFC.String(s); !pageSlug.MatchString(s) {
		r.fault(n, diag.Say("links.address-part-invalid", "name", s).WithHint(diag.Say("blocks.name-characters-hint")))
		return
	}
	r.fm.Slug = s
	r.fm.SlugAt, _ = r.place(n.GetToken())
}
