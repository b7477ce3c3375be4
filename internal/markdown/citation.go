package markdown

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
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

// citations reads [@key], with several parted by semicolons, as Pandoc does,
// https://pandoc.org/MANUAL.html#extension-citations.
type citations struct{}

// Extend implements goldmark.Extender.
func (c citations) Extend(md goldmark.Markdown) { inlineParsers(md, c) }

// Trigger implements parser.InlineParser.
func (citations) Trigger() []byte { return []byte{'['} }

// maxCitation bounds what is looked through for the closing bracket.
const maxCitation = 1000

var workForm = lazyregexp.New(`^([^@]*)@([\pL\pN_](?:[\pL\pN_:.#$%&+?<>~/-]*[\pL\pN_/])?)(?:[\s,]+(.*))?$`)

// Parse implements parser.InlineParser.
func (citations) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, segment := block.PeekLine()
	line = line[:min(len(line), maxCitation)]
	end := bytes.IndexByte(line, ']')
	if end < 3 || !bytes.ContainsRune(line[:end], '@') || bytes.ContainsAny(line[1:end], "[`") {
		return nil
	}
	if end+1 < len(line) && (line[end+1] == '(' || line[end+1] == '[' || line[end+1] == ':') {
		return nil // a link, or the definition of one
	}
	c := &Citation{Span: Span{segment.Start, segment.Start + end + 1}}
	for part := range strings.SplitSeq(string(line[1:end]), ";") {
		m := workForm.FindStringSubmatch(strings.TrimSpace(part))
		if m == nil || strings.HasSuffix(m[1], ".") || m[1] != "" && !strings.HasSuffix(m[1], " ") {
			return nil // an address: ana@example.org
		}
		c.Works = append(c.Works, Work{Key: m[2], Before: strings.TrimSpace(m[1]), After: strings.TrimSpace(m[3])})
	}
	block.Advance(end + 1)
	return c
}
