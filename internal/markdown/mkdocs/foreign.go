package mkdocs

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// foreignInclude reads lines that other plugins replace by files, {* a.py ln[1:5] *} and {! a.md !}.
// They are shown as code, and told once for each page.
type foreignInclude struct{}

var foreignForm = lazyregexp.New(`^(\{(?:\*[ \t]*[^\s*].*\*|![ \t]*[^\s!].*!)\})[ \t]*\r?\n?$`)

// Trigger implements parser.InlineParser.
func (foreignInclude) Trigger() []byte { return []byte{'{'} }

// Parse implements parser.InlineParser.
func (foreignInclude) Parse(_ ast.Node, block text.Reader, pc parser.Context) ast.Node {
	line, segment := block.PeekLine()
	if block.PrecendingCharacter() != '\n' { // looks at one line once
		return nil
	}
	m := foreignForm.FindSubmatchIndex(line)
	if m == nil {
		return nil
	}
	at := markdown.Span{Start: segment.Start, Stop: segment.Start + m[3]}
	markdown.ReportOnce(pc, "include", markdown.Fault{Span: at,
		Message: diag.Say("markdown.include-foreign"), Hint: diag.Say("markdown.include-foreign-hint")})
	block.Advance(m[3])
	return codeOf(at.Start, at.Stop)
}
