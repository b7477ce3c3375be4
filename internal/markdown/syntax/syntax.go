// Package syntax assembles the Markdown parser of a page: what every page may use, and the dialects
// of the page.
package syntax

import (
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/renderer"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/carpentries"
	"github.com/gpudocs/gpudocs/internal/markdown/commonmark"
	"github.com/gpudocs/gpudocs/internal/markdown/d2l"
	"github.com/gpudocs/gpudocs/internal/markdown/figure"
	"github.com/gpudocs/gpudocs/internal/markdown/formula"
	"github.com/gpudocs/gpudocs/internal/markdown/mkdocs"
	"github.com/gpudocs/gpudocs/internal/markdown/myst"
	"github.com/gpudocs/gpudocs/internal/markdown/native"
	"github.com/gpudocs/gpudocs/internal/markdown/obsidian"
	"github.com/gpudocs/gpudocs/internal/markdown/quarto"
	"github.com/gpudocs/gpudocs/internal/markdown/typography"
)

// everywhere are the syntaxes of every page. Each gets the tree as the ones before left it.
var everywhere = []markdown.Syntax{native.Syntax, formula.Syntax, figure.Syntax, typography.Syntax}

// dialects are the syntaxes of the dialects.
var dialects = []struct {
	markdown.Dialect
	markdown.Syntax
}{
	{markdown.Obsidian, obsidian.Syntax},
	{markdown.D2L, d2l.Syntax},
	{markdown.MkDocs, mkdocs.Syntax},
	{markdown.MyST, myst.Syntax},
	{markdown.Quarto, quarto.Syntax},
	{markdown.Carpentries, carpentries.Syntax},
}

// New returns a parser for all pages of the same options.
func New(o markdown.Options) goldmark.Markdown {
	md := commonmark.New()
	for _, s := range everywhere {
		md.Parser().AddOptions(s.Parsers(o)...)
	}
	if !o.Dialects.Has(markdown.Obsidian) {
		md.Parser().AddOptions(obsidian.ImageEmbeds)
	}
	for _, d := range dialects {
		if o.Dialects.Has(d.Dialect) {
			md.Parser().AddOptions(d.Parsers(o)...)
		}
	}
	return md
}

// NewHTMLRenderer returns a renderer of the nodes that do not need the site.
func NewHTMLRenderer() renderer.NodeRenderer {
	return &htmlRenderer{TextRenderer: typography.NewTextRenderer()}
}

// htmlRenderer accepts goldmark's own options: XHTML, hard wraps.
type htmlRenderer struct{ *typography.TextRenderer }

// RegisterFuncs implements renderer.NodeRenderer.
func (r *htmlRenderer) RegisterFuncs(reg renderer.NodeRendererFuncRegisterer) {
	r.TextRenderer.RegisterFuncs(reg)
	for _, s := range everywhere {
		s.HTML.RegisterFuncs(reg)
	}
	for _, d := range dialects {
		d.HTML.RegisterFuncs(reg)
	}
}
