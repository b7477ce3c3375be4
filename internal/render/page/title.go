package page

import (
	"github.com/yuin/goldmark/ast"

	"github.com/gpudocs/gpudocs/internal/markdown/obsidian"
	"github.com/gpudocs/gpudocs/internal/site"
)

// ShowsNothing reports whether a node is invisible to readers.
func ShowsNothing(n ast.Node) bool {
	switch n.Kind() {
	case ast.KindLinkReferenceDefinition, obsidian.KindComment, obsidian.KindAnchor:
		return true
	}
	return false
}

// Title returns the heading that is the title at the beginning of a page, apart from comments, or nil.
func Title(p *site.Page) *ast.Heading {
	n := p.Doc().FirstChild()
	for n != nil {
		block, ok := n.(*ast.HTMLBlock)
		if !(ok && block.HTMLBlockType == ast.HTMLBlockType2) && !ShowsNothing(n) {
			break
		}
		n = n.NextSibling()
	}
	if h, ok := n.(*ast.Heading); ok && h.Level == max(1, p.TitleLevel) {
		return h
	}
	return nil
}
