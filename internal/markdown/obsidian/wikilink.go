package obsidian

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/gpudocs/gpudocs/internal/markdown"
)

// WikiLink is [[page#heading|text]]. Its children are shown: the text, or page and heading as
// written.
type WikiLink struct {
	markdown.InlineNode
	markdown.NotePath
	markdown.Span
	// Named is set if the author gave a text.
	Named bool
}

// KindWikiLink is the kind of [WikiLink].
var KindWikiLink = ast.NewNodeKind("GpudocsWikiLink")

// Kind implements ast.Node.
func (*WikiLink) Kind() ast.NodeKind { return KindWikiLink }

type wikiLinkParser struct{}

func (wikiLinkParser) Trigger() []byte { return []byte{'['} }

func (wikiLinkParser) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, segment := block.PeekLine()
	b, ok := readBrackets(line)
	if !ok || isMarkdownLink(line[b.end+2:]) {
		return nil
	}
	n := &WikiLink{NotePath: parseNotePath(b.target), Span: markdown.Span{Start: segment.Start, Stop: segment.Start + b.end + 2}, Named: b.bar}
	if n.Subpath() == "" && n.File == "" {
		return nil
	}
	n.show(segment, line, b)
	n.SetPos(segment.Start)
	block.Advance(b.end + 2)
	return n
}

// isMarkdownLink reports whether an address follows the brackets: [[1]](url) is a common form for
// the number of a source.
func isMarkdownLink(rest []byte) bool {
	return len(rest) > 2 && rest[0] == '(' && rest[1] != ' ' && bytes.IndexByte(rest[:min(len(rest), 2000)], ')') > 1
}

// show adds the children. Obsidian shows page#heading as "page > heading".
func (n *WikiLink) show(segment text.Segment, line []byte, b brackets) {
	piece := func(from, to int) {
		for from < to && util.IsSpace(line[from]) {
			from++
		}
		for to > from && util.IsSpace(line[to-1]) {
			to--
		}
		if from < to {
			n.AppendChild(n, ast.NewTextSegment(text.NewSegment(segment.Start+from, segment.Start+to)))
		}
	}
	if b.bar && len(bytes.TrimSpace(line[b.from:b.end])) > 0 {
		piece(b.from, b.end)
		return
	}
	stop := 2 + len(b.target)
	at := 2
	for i := 2; i <= stop; i++ {
		if i < stop && line[i] != '#' && (line[i] != '^' || n.Block == "") {
			continue
		}
		if shown := bytes.TrimSpace(line[at:i]); len(shown) > 0 && string(shown) != "^" {
			if n.HasChildren() {
				n.AppendChild(n, ast.NewString([]byte(" > ")))
			}
			piece(at, i)
		}
		at = i
		if i < stop && line[i] == '#' {
			at++
		}
	}
}
