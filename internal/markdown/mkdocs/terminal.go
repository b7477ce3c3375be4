package mkdocs

import (
	"html"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
)

var (
	// terminalTags are those that colour what a program printed.
	terminalTags = lazyregexp.New(`(?i)</?(?:a|b|br|code|em|font|i|small|span|strong|u)(?:\s[^<>]*)?/?>`)
	termyClass   = lazyregexp.New(`<div[^<>]*\sclass="([^"]*)"[^<>]*>\s*$`)
)

// InTerminal reports whether a fence stands in <div class="termy">, as FastAPI's pages
// write a session in a terminal: a script of theirs shows its colours, which are
// written in HTML.
func InTerminal(n *ast.FencedCodeBlock, source []byte) bool {
	before, ok := n.PreviousSibling().(*ast.HTMLBlock)
	if !ok {
		return false
	}
	var raw []byte
	for i := range before.Lines().Len() {
		l := before.Lines().At(i)
		raw = append(raw, l.Value(source)...)
	}
	if before.HasClosure() {
		raw = append(raw, before.ClosureLine.Value(source)...)
	}
	m := termyClass.FindSubmatch(raw)
	return m != nil && slices.Contains(strings.Fields(string(m[1])), "termy")
}

// TerminalText is what a reader of such a session sees. Other words in angle
// brackets stay.
func TerminalText(code string) string {
	return html.UnescapeString(terminalTags.ReplaceAllString(code, ""))
}
