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

// Dump implements ast.Node.
func (n *Citation) Dump(source []byte, level int) {
	var keys []string
	for _, w := range n.Works {
		keys = append(keys, w.Key)
	}
	ast.DumpHelper(n, source, level, map[string]string{"Keys": strings.Join(keys, ",")}, nil)
}
