package obsidian

import (
	"bytes"
	"unicode"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// Comment is %%text%% on separate lines, or the part of one that continues after its paragraph. It
// is not published.
type Comment struct {
	markdown.BlockNode
	markdown.Span
	// Closed is set if the mark at its end was found.
	Closed bool
	// continues is the paragraph in which it began.
	continues ast.Node
}

// InlineComment is %%text%% in a sentence.
type InlineComment struct {
	markdown.InlineNode
	markdown.Span
}

// Kinds of the nodes above.
var (
	KindComment       = ast.NewNodeKind("GpudocsComment")
	KindInlineComment = ast.NewNodeKind("GpudocsInlineComment")
)

// Kind implements ast.Node.
func (*Comment) Kind() ast.NodeKind { return KindComment }

// IsRaw implements ast.Node. The content is not parsed.
func (*Comment) IsRaw() bool { return true }

// Kind implements ast.Node.
func (*InlineComment) Kind() ast.NodeKind { return KindInlineComment }

var percents = []byte("%%")

// commentBlockParser reads comments on lines of their own,
// https://help.obsidian.md/syntax#Comments.
type commentBlockParser struct{}

// Trigger returns every byte, because a comment that began in a paragraph can continue with any
// line. A parser without triggers would come after those that have some.
func (commentBlockParser) Trigger() []byte {
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	return all
}

func (commentBlockParser) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, segment := reader.PeekLine()
	inParagraph := ast.IsParagraph(pc.LastOpenedBlock().Node)
	n := &Comment{Span: markdown.Span{Start: segment.Start, Stop: segment.Stop}}
	if p, ok := parent.LastChild().(*ast.Paragraph); ok && !inParagraph && endsInComment(p.Lines().Value(reader.Source())) {
		if !bytes.Contains(reader.Source()[segment.Start:], percents) {
			return nil, parser.NoChildren
		}
		n.continues = p
		n.line(reader)
		return n, parser.HasChildren // what follows its end; moveAnchors moves it after the comment
	}
	at := len(line) - len(bytes.TrimLeft(line, " \t"))
	if !bytes.HasPrefix(line[at:], percents) || pc.BlockIndent() > 3 {
		return nil, parser.NoChildren
	}
	n.Start = segment.Start + at - segment.Padding
	rest := line[at+2:]
	if end := bytes.Index(rest, percents); end >= 0 {
		if inParagraph || len(bytes.TrimSpace(rest[end+2:])) > 0 {
			return nil, parser.NoChildren // a comment in a sentence
		}
		n.Closed, n.Stop = true, n.Start+2+end+2
		reader.AdvanceToEOL()
		return n, parser.NoChildren
	}
	if !bytes.Contains(reader.Source()[n.Start+2:], percents) {
		return nil, parser.NoChildren
	}
	reader.AdvanceToEOL()
	return n, parser.NoChildren
}

func (commentBlockParser) Continue(node ast.Node, reader text.Reader, _ parser.Context) parser.State {
	n := node.(*Comment)
	if n.Closed {
		return parser.Close
	}
	if n.line(reader); n.Closed {
		return parser.Close
	}
	return parser.Continue
}

// line reads a line of the comment. What follows its end is left to be parsed.
func (n *Comment) line(reader text.Reader) {
	line, segment := reader.PeekLine()
	end := bytes.Index(line, percents)
	if end < 0 {
		n.Stop = segment.Stop
		reader.AdvanceToEOL()
		return
	}
	n.Closed, n.Stop = true, segment.Start-segment.Padding+end+2
	if len(bytes.TrimSpace(line[end+2:])) == 0 {
		reader.AdvanceToEOL()
	} else {
		reader.Advance(end + 2)
	}
}

func (commentBlockParser) Close(node ast.Node, _ text.Reader, pc parser.Context) {
	if n := node.(*Comment); !n.Closed {
		markdown.Warn(pc, markdown.Span{Start: n.Start, Stop: n.Start + 2},
			diag.Say("markdown.comment-cut-by-container"), diag.Say("markdown.comment-cut-by-container-hint"))
	}
}

func (commentBlockParser) CanInterruptParagraph() bool { return true }
func (commentBlockParser) CanAcceptIndentedLine() bool { return true }

// endsInComment reports whether the text of a paragraph ends inside a comment.
// Marks in code and escaped ones do not count.
func endsInComment(text []byte) bool {
	if !bytes.Contains(text, percents) {
		return false
	}
	for at := 0; at < len(text); {
		switch {
		case text[at] == '\\':
			at += 2
		case text[at] == '`':
			mark := len(text[at:]) - len(bytes.TrimLeft(text[at:], "`"))
			if end := markdown.CodeEnd(text, at+mark, mark); end >= 0 {
				at = end
			}
			at += mark
		case bytes.HasPrefix(text[at:], percents):
			end := bytes.Index(text[at+2:], percents)
			if end < 0 {
				return true
			}
			at += 2 + end + 2
		default:
			at++
		}
	}
	return false
}

// inlineCommentParser reads comments that begin in a sentence.
type inlineCommentParser struct{}

func (inlineCommentParser) Trigger() []byte { return []byte{'%'} }

func (inlineCommentParser) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	line, segment := block.PeekLine()
	if !bytes.HasPrefix(line, percents) {
		return nil
	}
	n := &InlineComment{Span: markdown.Span{Start: segment.Start, Stop: segment.Start + 2}}
	n.SetPos(segment.Start)
	afterDigit := unicode.IsDigit(block.PrecendingCharacter())
	for block.Advance(2); ; block.AdvanceLine() {
		line, segment := block.PeekLine()
		if line == nil {
			break
		}
		if end := bytes.Index(line, percents); end >= 0 {
			block.Advance(end + 2)
			n.Stop = segment.Start - segment.Padding + end + 2
			n.warnAfterDigit(afterDigit, pc)
			return n
		}
		n.Stop = segment.Stop
	}
	if c, ok := parent.NextSibling().(*Comment); ok && c.continues == parent {
		n.warnAfterDigit(afterDigit, pc)
		return n
	}
	markdown.Warn(pc, markdown.Span{Start: segment.Start, Stop: segment.Start + 2},
		diag.Say("markdown.comment-not-closed"), diag.Say("markdown.comment-not-closed-hint"))
	return nil
}

// warnAfterDigit warns of a comment that begins after a digit. 50%% is more likely a percentage, and
// hides what follows, in Obsidian too.
func (n *InlineComment) warnAfterDigit(afterDigit bool, pc parser.Context) {
	if afterDigit {
		markdown.Warn(pc, markdown.Span{Start: n.Start, Stop: n.Start + 2},
			diag.Say("markdown.comment-hides-text"), diag.Say("markdown.comment-hides-text-hint"))
	}
}
