package markdown

import (
	"github.com/yuin/goldmark/ast"
)

// A Citation names works of the site's bibliography: [@key], [@a; @b, p. 7],
// :cite:`a,b`.
type Citation struct {
	InlineNode
	Works []Work
	// Textual makes the authors part of the sentence, with only the year in parentheses: :citet:.
	Textual bool
	Span
}

// A Work is one work of a [Citation]. Before and After are the text around its key: "see", "p. 7".
type Work struct{ Key, Before, After string }

// KindCitation is the kind of [Citation].
var KindCitation = ast.NewNodeKind("GpudocsCitation")

// Kind implements ast.Node.
func (*Citation) Kind() ast.NodeKind { return KindCitation }
