package content

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// liveParser reads {live}`machine.fact`.
type liveParser struct{}

var liveForm = regexp.MustCompile("^\\{live\\}`([^`\n]*)`")

func (liveParser) Trigger() []byte { return []byte{'{'} }

func (liveParser) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, segment := block.PeekLine()
	m := liveForm.FindSubmatch(line)
	if m == nil {
		return nil
	}
	block.Advance(len(m[0]))
	// The fact is behind the last dot: a machine's name may hold dots.
	value := string(m[1])
	dot := strings.LastIndexByte(value, '.')
	n := &Live{Machine: value, Start: segment.Start, Stop: segment.Start + len(m[0])}
	if dot >= 0 {
		n.Machine, n.Fact = value[:dot], value[dot+1:]
	}
	return n
}

// embedParser reads ![[file]] and ![[file|300]].
type embedParser struct{}

func (embedParser) Trigger() []byte { return []byte{'!'} }

func (embedParser) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, segment := block.PeekLine()
	if !bytes.HasPrefix(line, []byte("![[")) {
		return nil
	}
	end := bytes.Index(line, []byte("]]"))
	if end < 4 {
		return nil
	}
	file, size, _ := strings.Cut(string(line[3:end]), "|")
	n := &Embed{File: strings.TrimSpace(file), Start: segment.Start, Stop: segment.Start + end + 2}
	n.Width, _ = strconv.Atoi(strings.TrimSpace(size))
	block.Advance(end + 2)
	return n
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
	node := &Container{Name: name, colons: n}
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
	if n, name := colons(line); innermost && !inFence && n == c.colons && name == "" {
		reader.AdvanceToEOL()
		c.closed = true
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
