package d2l

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown"
)

// A SlideMark is a mark of d2lbook's slides, https://book.d2l.ai/user/slides.html: [**text**] and
// (**text**) are also text of the page, [~~text~~] and (~~text~~) are only on slides. The marks
// show nothing. Each is a node; text that stays is between them as siblings.
type SlideMark struct {
	markdown.InlineNode
	markdown.Span
}

// KindSlideMark is the kind of [SlideMark].
var KindSlideMark = ast.NewNodeKind("GpudocsSlideMark")

// Kind implements ast.Node.
func (*SlideMark) Kind() ast.NodeKind { return KindSlideMark }

// slideMarks reads the marks. One that is not closed stays text.
type slideMarks struct{}

// Trigger implements parser.InlineParser.
func (slideMarks) Trigger() []byte { return []byte("[(*") }

// maxSlide bounds the search for the closing mark. slideEnd is the key of the offset of the mark
// that closes the open one. Marks do not nest.
const maxSlide = 4000

var slideEnd = parser.NewContextKey()

// Parse implements parser.InlineParser.
func (slideMarks) Parse(_ ast.Node, block text.Reader, pc parser.Context) ast.Node {
	line, segment := block.PeekLine()
	if len(line) < 3 {
		return nil
	}
	open, _ := pc.Get(slideEnd).(int)
	switch {
	case segment.Start == open && open > 0:
		block.Advance(3)
		return &SlideMark{Span: markdown.Span{Start: segment.Start, Stop: segment.Start + 3}}
	case segment.Start < open:
		return starsBefore(line, segment, block, pc, open-segment.Start)
	}
	var closing string
	switch string(line[:3]) {
	case "[**":
		closing = "**]"
	case "(**":
		closing = "**)"
	case "[~~":
		closing = "~~]"
	case "(~~":
		closing = "~~)"
	default:
		return nil
	}
	end := closingSlide(block, closing)
	if end < 0 {
		return nil
	}
	n := &SlideMark{Span: markdown.Span{Start: segment.Start, Stop: segment.Start + 3}}
	if closing[0] == '~' {
		n.Stop = end + 3
		skipTo(block, n.Stop)
		return n
	}
	block.Advance(3)
	pc.Set(slideEnd, end)
	return n
}

// starsBefore reads the stars of [**a *b***] that precede the closing mark. For Markdown they are
// one run.
func starsBefore(line []byte, s text.Segment, block text.Reader, pc parser.Context, n int) ast.Node {
	if n > 2 || len(bytes.Trim(line[:n], "*")) > 0 {
		return nil
	}
	d := parser.ScanDelimiter(line[:n], block.PrecendingCharacter(), 1, slideStars{})
	if d == nil {
		return nil
	}
	d.Segment = s.WithStop(s.Start + n)
	block.Advance(n)
	pc.PushDelimiter(d)
	return d
}

// slideStars makes emphasis of stars as Markdown does.
type slideStars struct{}

// IsDelimiter implements parser.DelimiterProcessor.
func (slideStars) IsDelimiter(b byte) bool { return b == '*' }

// CanOpenCloser implements parser.DelimiterProcessor.
func (slideStars) CanOpenCloser(opener, closer *parser.Delimiter) bool {
	return opener.Char == closer.Char
}

// OnMatch implements parser.DelimiterProcessor.
func (slideStars) OnMatch(consumes int) ast.Node { return ast.NewEmphasis(consumes) }

// closingSlide returns the offset of the closing mark in the same paragraph, or -1. **] must not be
// followed by an address, because [**text**](address) is a link.
func closingSlide(block text.Reader, closing string) int {
	line, at := block.Position()
	defer block.SetPosition(line, at)
	block.Advance(3)
	_, segment := block.PeekLine()
	stop := segment.Start // of the paragraph
	for searched := 0; searched < maxSlide; {
		rest, segment := block.PeekLine()
		if rest == nil {
			return behindFormula(block.Source(), stop, closing)
		}
		stop = segment.Stop
		if i := bytes.Index(rest[:min(len(rest), maxSlide)], []byte(closing)); i >= 0 {
			if after := rest[i+3:]; closing == "**]" && len(after) > 0 && (after[0] == '(' || after[0] == '[') {
				return -1
			}
			return segment.Start + i
		}
		searched += len(rest)
		block.AdvanceLine()
	}
	return -1
}

// displayForm matches a formula on lines of its own.
var displayForm = lazyregexp.New(`^\s*(?:\$\$(?s:.+?)\$\$|\\begin\{(?s:.+?)\\end\{[a-z*]+\})[ \t]*\r?\n(?:[ \t]*:eqlabel:[^\n]*\n)?\s*`)

// behindFormula returns the offset of the closing mark behind a formula that follows the paragraph,
// or -1.
func behindFormula(source []byte, at int, closing string) int {
	rest := source[at:min(len(source), at+maxSlide)]
	if m := displayForm.Find(rest); m != nil && bytes.HasPrefix(rest[len(m):], []byte(closing)) {
		return at + len(m)
	}
	return -1
}

// skipTo advances to an offset of the file.
func skipTo(block text.Reader, offset int) {
	for {
		rest, segment := block.PeekLine()
		if rest == nil {
			return
		}
		if offset <= segment.Stop {
			block.Advance(offset - segment.Start)
			return
		}
		block.AdvanceLine()
	}
}
