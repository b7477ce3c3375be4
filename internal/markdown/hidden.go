package markdown

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
)

// HiddenLines reads lines of their own that show nothing.
type HiddenLines struct {
	BlockParser
	// First are the characters that begin the lines, and Form matches them whole.
	First string
	Form  *lazyregexp.Regexp
}

// Trigger implements parser.BlockParser.
func (h HiddenLines) Trigger() []byte { return []byte(h.First) }

// Open implements parser.BlockParser.
func (h HiddenLines) Open(_ ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, from := RestOfLine(reader, pc)
	if !h.Form.Match(line) {
		return nil, parser.NoChildren
	}
	n := &Container{Name: "hidden", Opening: Span{Start: from, Stop: from + len(line)}}
	n.SetPos(from)
	reader.AdvanceToEOL()
	return n, parser.NoChildren
}
