package markdown

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// Marked is inline text between two equal pairs of marks, ==so== or ^^so^^. It begins at its
// position.
type Marked struct {
	InlineNode
	// Element is the HTML element, "mark" or "ins", and Marks the pair on either side.
	Element, Marks string
}

// KindMarked is the kind of [Marked].
var KindMarked = ast.NewNodeKind("GpudocsMarked")

// Kind implements ast.Node.
func (*Marked) Kind() ast.NodeKind { return KindMarked }

// Pairs parses text between two pairs of a character as [Marked]. A pair within a word is text, as
// with the "smart" option of pymdownx: x==1 or y==2.
type Pairs struct {
	// Char is the character, and Element the HTML element.
	Char    byte
	Element string
}

// Mark reads ==marked text==, as Obsidian and pymdownx.mark have it:
// https://help.obsidian.md/syntax, https://facelessuser.github.io/pymdown-extensions/extensions/mark/.
var Mark = Pairs{'=', "mark"}

// Trigger implements parser.InlineParser.
func (p Pairs) Trigger() []byte { return []byte{p.Char} }

// Parse implements parser.InlineParser.
func (p Pairs) Parse(_ ast.Node, block text.Reader, pc parser.Context) ast.Node {
	before := block.PrecendingCharacter()
	line, segment := block.PeekLine()
	if before == rune(p.Char) || len(line) < 2 || line[1] != p.Char || (len(line) > 2 && line[2] == p.Char) {
		return nil // checked first, because the scanner reads a whole run
	}
	d := parser.ScanDelimiter(line, before, 2, p)
	if d == nil {
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
func (p Pairs) IsDelimiter(b byte) bool { return b == p.Char }

// CanOpenCloser implements parser.DelimiterProcessor.
func (p Pairs) CanOpenCloser(opener, closer *parser.Delimiter) bool {
	return opener.Char == closer.Char && opener.Length == closer.Length
}

// OnMatch implements parser.DelimiterProcessor.
func (p Pairs) OnMatch(int) ast.Node {
	return &Marked{Element: p.Element, Marks: string([]byte{p.Char, p.Char})}
}

// WriteMarked writes a [Marked] as HTML.
func WriteMarked(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	return WriteElement(w, n.(*Marked).Element, entering)
}
