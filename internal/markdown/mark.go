package markdown

import (
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// Marked is inline text between two equal pairs of marks, ==so== or ^^so^^, in an
// element of HTML. It begins at its position.
type Marked struct {
	ast.BaseInline
	// Element is "mark" or "ins", and Marks are what stands on either side.
	Element, Marks string
}

// KindMarked is the kind of [Marked].
var KindMarked = ast.NewNodeKind("GpudocsMarked")

// Kind implements ast.Node.
func (*Marked) Kind() ast.NodeKind { return KindMarked }

// Dump implements ast.Node.
func (n *Marked) Dump(source []byte, level int) {
	ast.DumpHelper(n, source, level, map[string]string{"Element": n.Element}, nil)
}

// markFeature reads ==marked text==, as Obsidian and pymdownx.mark have it:
// https://help.obsidian.md/syntax, https://facelessuser.github.io/pymdown-extensions/extensions/mark/.
// A mark within a word is none, as with pymdownx's "smart" logic: x==1 or y==2.
var markFeature = pairs{char: '=', element: "mark"}

// insertFeature reads ^^inserted text^^ of pymdownx.caret:
// https://facelessuser.github.io/pymdown-extensions/extensions/caret/.
var insertFeature = pairs{char: '^', element: "ins"}

// pairs reads text between two pairs of a character.
type pairs struct {
	char    byte
	element string
}

// Extend implements goldmark.Extender.
func (p pairs) Extend(md goldmark.Markdown) {
	md.Parser().AddOptions(parser.WithInlineParsers(util.Prioritized(p, 480))) // beside emphasis (500)
}

// Trigger implements parser.InlineParser.
func (p pairs) Trigger() []byte { return []byte{p.char} }

// Parse implements parser.InlineParser.
func (p pairs) Parse(_ ast.Node, block text.Reader, pc parser.Context) ast.Node {
	before := block.PrecendingCharacter()
	line, segment := block.PeekLine()
	d := parser.ScanDelimiter(line, before, 2, p)
	if d == nil || d.OriginalLength != 2 || before == rune(p.char) {
		return nil
	}
	if d.CanOpen && d.CanClose { // within a word, or beside punctuation, as _ is
		after := rune(' ')
		if len(line) > 2 {
			after = util.ToRune(line, 2)
		}
		d.CanOpen, d.CanClose = util.IsPunctRune(before), util.IsPunctRune(after)
	}
	d.Segment = segment.WithStop(segment.Start + 2)
	block.Advance(2)
	pc.PushDelimiter(d)
	return d
}

// IsDelimiter implements parser.DelimiterProcessor.
func (p pairs) IsDelimiter(b byte) bool { return b == p.char }

// CanOpenCloser implements parser.DelimiterProcessor.
func (p pairs) CanOpenCloser(opener, closer *parser.Delimiter) bool {
	return opener.Char == closer.Char && opener.Length == closer.Length
}

// OnMatch implements parser.DelimiterProcessor.
func (p pairs) OnMatch(int) ast.Node {
	return &Marked{Element: p.element, Marks: string([]byte{p.char, p.char})}
}
