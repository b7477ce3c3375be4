package mkdocs

import (
	"html"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown"
)

var (
	// terminalTags match the tags that colour a program's output.
	terminalTags = lazyregexp.New(`(?i)</?(?:a|b|br|code|em|font|i|small|span|strong|u)(?:\s[^<>]*)?/?>`)
	termyClass   = lazyregexp.New(`<div[^<>]*\sclass="([^"]*)"[^<>]*>\s*$`)
)

// InTerminal reports whether a fence is in <div class="termy">, which marks a terminal session whose
// colours are written in HTML and shown by a script, https://github.com/ines/termynal.
func InTerminal(n *ast.FencedCodeBlock, source []byte) bool {
	before, ok := n.PreviousSibling().(*ast.HTMLBlock)
	if !ok {
		return false
	}
	m := termyClass.FindSubmatch(markdown.RawHTML(before, source))
	return m != nil && slices.Contains(strings.Fields(string(m[1])), "termy")
}

// TerminalText returns the text of such a session without its tags. Other words in angle brackets
// stay.
func TerminalText(code string) string {
	return html.UnescapeString(terminalTags.ReplaceAllString(code, ""))
}
