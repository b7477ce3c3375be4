package markdown

import "github.com/yuin/goldmark/ast"

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

// KindContents is the kind of [Contents].
var KindContents = ast.NewNodeKind("GpudocsContents")

// Kind implements ast.Node.
func (*Contents) Kind() ast.NodeKind { return KindContents }

// IsRaw implements ast.Node.
func (*Contents) IsRaw() bool { return true }
