package native

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown"
)

// Live is {live}`machine.fact`: a value of a machine in a sentence.
type Live struct {
	markdown.InlineNode
	Machine, Fact string
	// Start and Stop are the offsets of the whole text, for diagnostics.
	Start, Stop int
}

// KindLive is the kind of [Live].
var KindLive = ast.NewNodeKind("GpudocsLive")

// Kind implements ast.Node.
func (*Live) Kind() ast.NodeKind { return KindLive }

// liveParser reads {live}`machine.fact`.
type liveParser struct{}

var liveForm = lazyregexp.New("^\\{live\\}`([^`\n]*)`")

func (liveParser) Trigger() []byte { return []byte{'{'} }

func (liveParser) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, segment := block.PeekLine()
	m := liveForm.FindSubmatch(line)
	if m == nil {
		return nil
	}
	block.Advance(len(m[0]))
	// The fact is after the last dot, because a machine's name may contain dots.
	value := string(m[1])
	name, _, _ := strings.Cut(value, "[") // the values of a combination may have dots
	dot := strings.LastIndexByte(name, '.')
	n := &Live{Machine: value, Start: segment.Start, Stop: segment.Start + len(m[0])}
	if dot >= 0 {
		n.Machine, n.Fact = value[:dot], value[dot+1:]
	}
	return n
}
