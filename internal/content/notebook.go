package content

import (
	"net/url"
	"path"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/gpudocs/gpudocs/internal/diag"
	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/notebook"
)

// A notebook is parsed like any page, from the Markdown that is made of it. All
// that differs stands here: its cells are containers while it is parsed, so that
// what a cell leaves open ends with it; afterwards their blocks are the page's.

func isNotebook(name string) bool { return strings.EqualFold(path.Ext(name), ".ipynb") }

// isPage tells whether a file below a language's folder is a page.
func isPage(name string) bool { return isMarkdown(name) || isNotebook(name) }

// cell is a cell of a notebook, while its page is parsed.
type cell struct{ ast.BaseBlock }

var kindCell = ast.NewNodeKind("GpudocsCell")

// Kind implements ast.Node.
func (*cell) Kind() ast.NodeKind { return kindCell }

// Dump implements ast.Node.
func (n *cell) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// cellParser opens a cell at its mark, and ends it at the next.
type cellParser struct{}

func (cellParser) Trigger() []byte { return []byte{notebook.Mark} }

func (cellParser) Open(_ ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, segment := reader.PeekLine()
	if line[0] != notebook.Mark {
		return nil, parser.NoChildren
	}
	n := &cell{}
	n.SetPos(segment.Start)
	markdown.EndContainers(pc)
	reader.AdvanceToEOL()
	return n, parser.HasChildren
}

func (cellParser) Continue(_ ast.Node, reader text.Reader, _ parser.Context) parser.State {
	if line, _ := reader.PeekLine(); len(line) > 0 && line[0] == notebook.Mark {
		return parser.Close
	}
	return parser.Continue | parser.HasChildren
}

func (cellParser) Close(ast.Node, text.Reader, parser.Context) {}
func (cellParser) CanInterruptParagraph() bool                 { return true }
func (cellParser) CanAcceptIndentedLine() bool                 { return false }

// openCells puts the blocks of all cells into the page, and beside the code of a
// cell what the notebook says of it.
func (p *pageParser) openCells() {
	doc := p.doc
	for n := doc.FirstChild(); n != nil; {
		next := n.NextSibling()
		if c, ok := n.(*cell); ok {
			number, _ := p.file.Cell(p.file.Line(c.Pos()))
			of := &p.page.Notebook.Cells[number-1]
			for child := c.FirstChild(); child != nil; child = c.FirstChild() {
				if f := fenceIn(child); f != nil && of.Kind == notebook.Code {
					f.Cell = of
				}
				doc.InsertBefore(doc, c, child)
			}
			doc.RemoveChild(doc, c)
		}
		n = next
	}
	joinFrameworks(doc)
}

// fenceIn is the fence that a block is, or that is in its tab.
func fenceIn(n ast.Node) (found *Fence) {
	_ = ast.Walk(n, func(n ast.Node, _ bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *Fence:
			found = n
			return ast.WalkStop, nil
		case *markdown.Tabs, *markdown.Tab:
			return ast.WalkContinue, nil
		}
		return ast.WalkSkipChildren, nil
	})
	return found
}

// joinFrameworks makes one group of neighbouring tabs of frameworks.
func joinFrameworks(doc ast.Node) {
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		group, ok := n.(*markdown.Tabs)
		for ok {
			more, another := n.NextSibling().(*markdown.Tabs)
			if ok = another && markdown.JoinFrameworks(group, more); ok {
				doc.RemoveChild(doc, more)
			}
		}
	}
}

// attachment resolves attachment:name, as Jupyter writes an image that a cell
// holds itself.
func (l *pageLinks) attachment(escaped, destination string, pos int) Target {
	file := l.page.Source
	number, _ := file.Cell(file.Line(pos))
	name, err := url.PathUnescape(escaped)
	if err != nil {
		name = escaped
	}
	if number > 0 {
		if p := l.page.Notebook.Cells[number-1].Attachments[name]; p != nil {
			return Target{Picture: p}
		}
	}
	l.missing(RuleImage, destination, pos, diag.Say(`the cell has no attachment "%s"`, name), diag.Say("put the image into the cell again, or beside the notebook as a file"))
	return Target{Missing: true}
}
