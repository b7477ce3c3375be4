package content

import (
	"html"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/gpudocs/gpudocs/internal/markdown"
)

// terminalTags are those that colour what a program printed.
var terminalTags = regexp.MustCompile(`(?i)</?(?:a|b|br|code|em|font|i|small|span|strong|u)(?:\s[^<>]*)?/?>`)

// terminal takes the HTML out of a block that stands in <div class="termy">, as
// FastAPI's pages write a session in a terminal: a script of theirs shows its colours,
// and without it a reader would see the tags. Other words in angle brackets stay.
func (p *pageParser) terminal(n *ast.FencedCodeBlock, f *Fence) {
	before, ok := n.PreviousSibling().(*ast.HTMLBlock)
	if !ok || f.Block != nil || f.Expect != nil || !p.page.Dialects.Has(markdown.MkDocs) {
		return
	}
	if termy := termyClass.FindSubmatch(rawHTML(before, p.file.Data)); termy != nil && slices.Contains(strings.Fields(string(termy[1])), "termy") {
		f.Code = html.UnescapeString(terminalTags.ReplaceAllString(f.Code, ""))
	}
}

var termyClass = regexp.MustCompile(`<div[^<>]*\sclass="([^"]*)"[^<>]*>\s*$`)
