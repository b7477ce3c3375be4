package obsidian

import (
	"unicode"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown"
)

// Tag is #name or #name/part in a sentence. Its child is the text, including #.
type Tag struct {
	markdown.InlineNode
	// Name is the tag without #.
	Name string
	markdown.Span
}

// KindTag is the kind of [Tag].
var KindTag = ast.NewNodeKind("GpudocsTag")

// Kind implements ast.Node.
func (*Tag) Kind() ast.NodeKind { return KindTag }

// tagParser parses tags, https://help.obsidian.md/tags: letters, digits, _ - / and signs such as
// emoji, but not only digits, at the beginning of a line or after a blank.
type tagParser struct{}

func (tagParser) Trigger() []byte { return []byte{'#'} }

var tagForm = lazyregexp.New(`^#([\p{L}\p{M}\p{N}\p{So}_/-]*[\p{L}\p{M}\p{N}\p{So}_])`)

func (tagParser) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	if before := block.PrecendingCharacter(); !unicode.IsSpace(before) {
		return nil
	}
	line, segment := block.PeekLine()
	m := tagForm.FindSubmatch(line)
	if m == nil || !isName(string(m[1])) {
		return nil
	}
	n := &Tag{Name: string(m[1]), Span: markdown.Span{Start: segment.Start, Stop: segment.Start + len(m[0])}}
	n.AppendChild(n, ast.NewTextSegment(text.NewSegment(n.Start, n.Stop)))
	n.SetPos(n.Start)
	block.Advance(len(m[0]))
	return n
}

// isName reports whether a tag contains more than digits and marks.
func isName(tag string) bool {
	for _, r := range tag {
		if unicode.IsLetter(r) || unicode.Is(unicode.So, r) || r == '_' {
			return true
		}
	}
	return false
}
