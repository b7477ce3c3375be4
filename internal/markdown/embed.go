package markdown

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// Embed is ![[file|width]], as Obsidian writes an image.
type Embed struct {
	ast.BaseInline
	File string
	// Width is in pixels, and 0 where none is given.
	Width       int
	Start, Stop int
}

// KindEmbed is the kind of [Embed].
var KindEmbed = ast.NewNodeKind("GpudocsEmbed")

// Kind implements ast.Node.
func (*Embed) Kind() ast.NodeKind { return KindEmbed }

// Dump implements ast.Node.
func (n *Embed) Dump(source []byte, level int) {
	ast.DumpHelper(n, source, level, map[string]string{"File": n.File}, nil)
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
