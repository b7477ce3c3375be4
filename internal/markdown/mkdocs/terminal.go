package mkdocs

import (
	"html"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
)

var (
	// terminalTags match the tags that colour a program's output.
	terminalTags = lazyregexp.New(`(?i)</?(?:a|b|br|code|em|font|i|small|span|strong|u)(?:\s[^<>]*)?/?>`)
	termyClass   = lazyregexp.New(`<div[^<>]*\sclass="([^"]*)"[^<>]*>\s*$`)
)

// InTerminal reports whether a fence is in <div class="termy">, which marks a terminal session in
// FastAPI's pages. Its colours are written in HTML and shown by a script.
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

// TerminalText returns the text of such a session without its tags. Other words in angle brackets
// stay.
func TerminalText(code string) string {
	return html.UnescapeString(terminalTags.ReplaceAllString(code, ""))
}
