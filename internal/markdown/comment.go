package markdown

import (
	"bytes"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// Comment is %%text%% in lines of its own, or the part of one that goes on behind
// its paragraph. Nothing of it reaches the page.
type Comment struct {
	ast.BaseBlock
	Span
	// Closed is set where the mark at its end was found.
	Closed bool
	// continues is the paragraph in which it began.
	continues ast.Node
}

// InlineComment is %%text%% in a sentence.
type InlineComment struct {
	ast.BaseInline
	Span
}

// Kinds of the nodes above.
var (
	KindComment       = ast.NewNodeKind("GpudocsComment")
	KindInlineComment = ast.NewNodeKind("GpudocsInlineComment")
)

// Kind implements ast.Node.
func (*Comment) Kind() ast.NodeKind { return KindComment }

// IsRaw implements ast.Node: what is within is not read.
func (*Comment) IsRaw() bool { return true }

// Dump implements ast.Node.
func (n *Comment) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// Kind implements ast.Node.
func (*InlineComment) Kind() ast.NodeKind { return KindInlineComment }

// Dump implements ast.Node.
func (n *InlineComment) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

var percents = []byte("%%")

// commentFeature reads comments, https://help.obsidian.md/syntax#Comments.
type commentFeature struct{}

// Extend implements goldmark.Extender. Blocks come before all others, for a comment
// holds whatever it likes.
func (commentFeature) Extend(md goldmark.Markdown) {
	md.Parser().AddOptions(
		parser.WithBlockParsers(util.Prioritized(commentBlockParser{}, 20)),
		parser.WithInlineParsers(util.Prioritized(inlineCommentParser{}, 95)))
}

type commentBlockParser struct{}

// Trigger names every byte: a comment that began in a paragraph takes any line. A
// parser without triggers would come after those that have some.
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
	n := &Comment{Span: Span{segment.Start, segment.Stop}}
	if p, ok := parent.LastChild().(*ast.Paragraph); ok && !inParagraph && leavesOpen(p, reader.Source()) {
		if !bytes.Contains(reader.Source()[segment.Start:], percents) {
			return nil, parser.NoChildren
		}
		n.continues = p
		if n.line(reader) {
			return nil, parser.NoChildren // the paragraph ends within this very line: cannot be
		}
		return n, parser.NoChildren
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
		report(pc, Fault{Span: Span{n.Start, n.Start + 2}, Message: "the comment %% is not closed, and its text is shown",
			Hint: `end it with %%; where %% is meant, write \%%`})
		return nil, parser.NoChildren
	}
	reader.AdvanceToEOL()
	return n, parser.NoChildren
}

func (commentBlockParser) Continue(node ast.Node, reader text.Reader, _ parser.Context) parser.State {
	n := node.(*Comment)
	if n.Closed || n.line(reader) {
		return parser.Close
	}
	return parser.Continue
}

// line takes a line of the comment, and tells whether the comment ends in it. What
// follows its end stays to be read.
func (n *Comment) line(reader text.Reader) (ends bool) {
	line, segment := reader.PeekLine()
	end := bytes.Index(line, percents)
	if end < 0 {
		n.Stop = segment.Stop
		reader.AdvanceToEOL()
		return false
	}
	n.Closed, n.Stop = true, segment.Start-segment.Padding+end+2
	if len(bytes.TrimSpace(line[end+2:])) == 0 {
		reader.AdvanceToEOL()
	} else {
		reader.Advance(end + 2)
	}
	return true
}

func (commentBlockParser) Close(node ast.Node, _ text.Reader, pc parser.Context) {
	if n := node.(*Comment); !n.Closed {
		report(pc, Fault{Span: Span{n.Start, n.Start + 2}, Message: "the list or quote that holds this comment ends before it does",
			Hint: "end the comment with %% in the same list or quote"})
	}
}

func (commentBlockParser) CanInterruptParagraph() bool { return true }
func (commentBlockParser) CanAcceptIndentedLine() bool { return true }

// leavesOpen tells whether a comment begins in the paragraph and does not end in it.
func leavesOpen(p *ast.Paragraph, source []byte) bool {
	lines := p.Lines()
	if lines.Len() == 0 {
		return false
	}
	return false
}

type inlineCommentParser struct{}

func (inlineCommentParser) Trigger() []byte { return []byte{'%'} }
