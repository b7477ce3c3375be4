package markdown

import (
	"strings"

	"github.com/yuin/goldmark/ast"
)

// A Citation names works of the site's bibliography: [@key], [@a; @b, p. 7],
// :cite:`a,b`.
type Citation struct {
	ast.BaseInline
	Works []Work
	// Textual puts the authors into the sentence, and the year alone in parentheses:
	// :citet:.
	Textual bool
	Span
}

// A Work is one that a [Citation] names. Before and After are what the author
// writes around it: "see", "p. 7".
type Work struct{ Key, Before, After string }

// KindCitation is the kind of [Citation].
var KindCitation = ast.NewNodeKind("GpudocsCitation")

// Kind implements ast.Node.
func (*Citation) Kind() ast.NodeKind { return KindCitation }

// Dump implements ast.Node.
func (n *Citation) Dump(source []byte, level int) {
	var keys []string
	for _, w := range n.Works {
		keys = append(keys, w.Key)
	}
	ast.DumpHelper(n, source, level, map[string]string{"Keys": strings.Join(keys, ",")}, nil)
}
