package mkdocs

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// apiParser reads the place of the documentation that mkdocstrings generates from code, with its
// indented options. gpudocs runs no code to build a page, and shows the name:
//
//	::: package.module.Class
//	    options:
//	        members: [run]
//
// https://mkdocstrings.github.io/usage/
type apiParser struct{ markdown.BlockParser }

var apiForm = lazyregexp.New(`^:::[ \t]*([A-Za-z_]\w*(?:\.\w+|::\w+)+)$`)

func (apiParser) Trigger() []byte { return []byte{':'} }

func (apiParser) Open(_ ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, from := markdown.RestOfLine(reader, pc)
	m := apiForm.FindSubmatchIndex(line)
	if m == nil {
		return nil, parser.NoChildren
	}
	n := ast.NewCodeBlock()
	n.SetPos(from)
	n.Lines().Append(text.NewSegment(from+m[2], from+m[3]))
	markdown.ReportOnce(pc, "mkdocstrings", markdown.Fault{Span: markdown.Span{Start: from, Stop: from + len(line)},
		Message: diag.Say("markdown.mkdocstrings-left-out", "name", string(line)), Hint: diag.Say("markdown.mkdocstrings-left-out-hint")})
	reader.AdvanceToEOL()
	return n, parser.NoChildren
}

func (apiParser) Continue(_ ast.Node, reader text.Reader, _ parser.Context) parser.State {
	line, _ := reader.PeekLine()
	if width, _ := util.IndentWidth(line, reader.LineOffset()); width < 4 || util.IsBlank(line) {
		return parser.Close
	}
	reader.AdvanceToEOL()
	return parser.Continue | parser.NoChildren
}
