package page

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/container"
	"github.com/gpudocs/gpudocs/internal/markdown/d2l"
	"github.com/gpudocs/gpudocs/internal/markdown/notebook"
	"github.com/gpudocs/gpudocs/internal/site"
)

// A cell is a cell of a notebook while its page is parsed.
type cell struct{ ast.BaseBlock }

// Kind implements ast.Node.
func (*cell) Kind() ast.NodeKind { return markdown.KindCell }

// Dump implements ast.Node.
func (n *cell) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// A cellParser begins a cell at its mark, and ends it at the next.
type cellParser struct{ markdown.BlockParser }

func (cellParser) Trigger() []byte { return []byte{notebook.Mark} }

func (cellParser) Open(_ ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, segment := reader.PeekLine()
	if line[0] != notebook.Mark {
		return nil, parser.NoChildren
	}
	n := &cell{}
	n.SetPos(segment.Start)
	container.EndAll(pc)
	reader.AdvanceToEOL()
	return n, parser.HasChildren
}

func (cellParser) Continue(_ ast.Node, reader text.Reader, _ parser.Context) parser.State {
	if line, _ := reader.PeekLine(); len(line) > 0 && line[0] == notebook.Mark {
		return parser.Close
	}
	return parser.Continue | parser.HasChildren
}

// openCells moves the blocks of all cells into the page, or into the solution that they are in, and sets the cell of
// each code block.
func openCells(p *site.Page, doc ast.Node) {
	for n := doc.FirstChild(); n != nil; {
		next := n.NextSibling()
		switch c := n.(type) {
		case *markdown.Callout:
			openCells(p, c)
		case *cell:
			number, _ := p.Source.Cell(p.Source.Line(c.Pos()))
			of := &p.Notebook.Cells[number-1]
			for child := c.FirstChild(); child != nil; child = c.FirstChild() {
				if f := fenceIn(child); f != nil && of.Kind == notebook.Code {
					f.Cell = of
				}
				doc.InsertBefore(doc, c, child)
				if callout, ok := child.(*markdown.Callout); ok {
					openCells(p, callout)
				}
			}
			doc.RemoveChild(doc, c)
		}
		n = next
	}
	joinFrameworks(doc)
}

// fenceIn returns the fence that a block is, or that is in its tab.
func fenceIn(n ast.Node) (found *site.Fence) {
	_ = ast.Walk(n, func(n ast.Node, _ bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *site.Fence:
			found = n
			return ast.WalkStop, nil
		case *markdown.Tabs, *markdown.Tab:
			return ast.WalkContinue, nil
		}
		return ast.WalkSkipChildren, nil
	})
	return found
}

// joinFrameworks merges neighbouring groups of tabs for frameworks.
func joinFrameworks(doc ast.Node) {
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		group, ok := n.(*markdown.Tabs)
		for ok {
			more, another := n.NextSibling().(*markdown.Tabs)
			if ok = another && d2l.JoinFrameworks(group, more); ok {
				doc.RemoveChild(doc, more)
			}
		}
	}
}
