package markdown

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// BlockParser is the base of parsers of blocks that can end a paragraph and are indented by less than
// four columns. By itself it ends a block with its first line.
type BlockParser struct{}

// Continue implements parser.BlockParser.
func (BlockParser) Continue(ast.Node, text.Reader, parser.Context) parser.State { return parser.Close }

// Close implements parser.BlockParser.
func (BlockParser) Close(ast.Node, text.Reader, parser.Context) {}

// CanInterruptParagraph implements parser.BlockParser.
func (BlockParser) CanInterruptParagraph() bool { return true }

// CanAcceptIndentedLine implements parser.BlockParser.
func (BlockParser) CanAcceptIndentedLine() bool { return false }
