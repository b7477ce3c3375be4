package markdown

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// A Contents is a list of other pages: D2L's ```toc, a toctree.
type Contents struct {
	BlockNode
	Entries []ContentsEntry
	// Opening is the line that begins it.
	Opening Span
}

// A ContentsEntry names a page, without its extension, relative to the page's folder.
type ContentsEntry struct {
	Page string
	Span
}

// AddLine adds the page of a line, "page" or "A title <page>", unless it is blank.
func (n *Contents) AddLine(s text.Segment, source []byte) {
	s.Padding = 0
	s = s.TrimLeftSpace(source)
	s = s.TrimRightSpace(source)
	name := string(s.Value(source))
	if open := strings.LastIndexByte(name, '<'); open >= 0 && strings.HasSuffix(name, ">") {
		s = text.NewSegment(s.Start+open+1, s.Stop-1)
		name = string(s.Value(source))
	}
	if name != "" && name != "self" && !strings.Contains(name, "://") {
		n.Entries = append(n.Entries, ContentsEntry{Page: name, Span: Span{Start: s.Start, Stop: s.Stop}})
	}
}

// KindContents is the kind of [Contents].
var KindContents = ast.NewNodeKind("GpudocsContents")

// Kind implements ast.Node.
func (*Contents) Kind() ast.NodeKind { return KindContents }

// IsRaw implements ast.Node.
func (*Contents) IsRaw() bool { return true }
