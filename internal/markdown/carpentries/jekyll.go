package carpentries

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/pandoc"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// attributeLine reads lines of older lessons, which are pages of Jekyll, https://carpentries.github.io/lesson-example/: the
// attributes after a quote or a fence that say what it is, {: .challenge}, {: .language-bash}, and tags of Liquid. They
// are not shown. Tags with texts in quotation marks are.
type attributeLine struct{ markdown.HiddenLines }

var attributeLines = attributeLine{markdown.HiddenLines{First: "{", Form: lazyregexp.New(`^\{:[^{}%]*\}$|^\{%[^"%]*%\}$`)}}

// Close implements parser.BlockParser.
func (attributeLine) Close(node ast.Node, reader text.Reader, pc parser.Context) {
	n := node.(*markdown.Container)
	line := reader.Source()[n.Opening.Start:n.Opening.Stop]
	if line[1] == '%' {
		pandoc.WarnOnce(pc, n.Opening, diag.Say("markdown.liquid-kept"), diag.Say("markdown.liquid-kept-hint"))
	}
	if line[1] == '%' || afterBlank(reader.Source()[:n.Opening.Start]) {
		return
	}
	for class := range strings.FieldsSeq(string(bytes.Trim(line, "{:}"))) {
		class = strings.TrimPrefix(class, ".")
		switch before := n.PreviousSibling().(type) {
		case *ast.FencedCodeBlock:
			pandoc.ShowAs(before, strings.TrimPrefix(class, "language-"), n.Opening)
		case *ast.Blockquote:
			if b, ok := boxes[class]; ok {
				callout(before, b)
			}
		}
	}
}

// afterBlank reports whether the line before the end of a text is blank, but for the marks of quotes.
func afterBlank(source []byte) bool {
	end := max(bytes.LastIndexByte(source, '\n'), 0)
	start := bytes.LastIndexByte(source[:end], '\n') + 1
	return len(bytes.Trim(source[start:end], " \t\r>")) == 0
}

// callout replaces a quote by a callout. The heading that begins it is the title.
func callout(quote *ast.Blockquote, b box) {
	at := markdown.Span{Start: quote.Pos(), Stop: quote.Pos() + 1}
	c := &markdown.Callout{Name: b.name, Fold: b.fold, Opening: at}
	if markdown.Statement(b.name) != "" {
		c = markdown.NewStatement(b.name, at, markdown.Span{})
	}
	pandoc.TakeTitle(quote, c)
	markdown.Replace(quote, c)
}
