package markdown

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// Container is a ::: block. Name is what follows the colons.
type Container struct {
	ast.BaseBlock
	Name string
	// Colons is how many open it, and Closed tells whether as many close it.
	Colons int
	Closed bool
}

// KindContainer is the kind of [Container].
var KindContainer = ast.NewNodeKind("GpudocsContainer")

// Kind implements ast.Node.
func (*Container) Kind() ast.NodeKind { return KindContainer }

// Dump implements ast.Node.
func (n *Container) Dump(source []byte, level int) {
	ast.DumpHelper(n, source, level, map[string]string{"Name": n.Name}, nil)
}

// containerParser reads
//
//	:::name
//	any Markdown
//	:::
//
// More colons let one container stand in another.
type containerParser struct{}

// openContainers holds the containers that are open, the innermost last: a line
// of colons closes that one only.
var openContainers = parser.NewContextKey()

// EndContainers forgets the containers that are open: a notebook's cell ends them.
func EndContainers(pc parser.Context) { pc.Set(openContainers, []*Container(nil)) }

func (containerParser) Trigger() []byte { return []byte{':'} }

func colons(line []byte) (n int, rest string) {
	line = bytes.TrimSpace(line)
	for n < len(line) && line[n] == ':' {
		n++
	}
	return n, strings.TrimSpace(string(line[n:]))
}

func (containerParser) Open(_ ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, segment := reader.PeekLine()
	n, name := colons(line)
	if n < 3 || name == "" || strings.ContainsRune(name, ':') {
		return nil, parser.NoChildren
	}
	node := &Container{Name: name, Colons: n}
	node.SetPos(segment.Start)
	open, _ := pc.Get(openContainers).([]*Container)
	pc.Set(openContainers, append(open, node))
	reader.AdvanceToEOL()
	return node, parser.HasChildren
}

func (containerParser) Continue(node ast.Node, reader text.Reader, pc parser.Context) parser.State {
	line, _ := reader.PeekLine()
	c := node.(*Container)
	open, _ := pc.Get(openContainers).([]*Container)
	innermost := len(open) > 0 && open[len(open)-1] == c
	inFence := pc.LastOpenedBlock().Node != nil && pc.LastOpenedBlock().Node.Kind() == ast.KindFencedCodeBlock
	if n, name := colons(line); innermost && !inFence && n == c.Colons && name == "" {
		reader.AdvanceToEOL()
		c.Closed = true
		return parser.Close
	}
	return parser.Continue | parser.HasChildren
}

func (containerParser) Close(node ast.Node, _ text.Reader, pc parser.Context) {
	open, _ := pc.Get(openContainers).([]*Container)
	if n := len(open); n > 0 && open[n-1] == node.(*Container) {
		pc.Set(openContainers, open[:n-1])
	}
}

func (containerParser) CanInterruptParagraph() bool { return true }
func (containerParser) CanAcceptIndentedLine() bool { return false }
