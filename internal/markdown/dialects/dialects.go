// Package dialects has the list of all syntaxes. It assembles the Markdown parser of a page (dialects.go),
// recognises the dialects of a page (recognise.go), and surveys which features a file uses (survey.go).
package dialects

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

// all are the syntaxes: those of every page, and the dialects. Each gets the tree as the ones before left it.
var all = []markdown.Syntax{
	native.Syntax, formula.Syntax, figure.Syntax, typography.Syntax,
	obsidian.Syntax, d2l.Syntax, mkdocs.Syntax, myst.Syntax, quarto.Syntax, carpentries.Syntax,
}

// New returns a parser for all pages of the same options.
func New(o markdown.Options) goldmark.Markdown {
	md := commonmark.New()
	if !o.Dialects.Has(markdown.Obsidian) {
		md.Parser().AddOptions(obsidian.ImageEmbeds)
	}
	for _, s := range all {
		if o.Dialects.Has(s.Dialect) {
			md.Parser().AddOptions(s.Parsers(o)...)
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
	for _, s := range all {
		s.HTML.RegisterFuncs(reg)
	}
}
