package markdown

import (
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/gpudocs/gpudocs/internal/diag"
	"github.com/gpudocs/gpudocs/internal/lazyregexp"
)

// tabBlocks reads
//
//	:begin_tab:`mxnet, pytorch`
//	any Markdown
//	:end_tab:
//
// https://book.d2l.ai/user/code_tabs.html.
type tabBlocks struct{}

// Extend implements goldmark.Extender.
func (t tabBlocks) Extend(md goldmark.Markdown) { blockParsers(md, t) }

// Trigger implements parser.BlockParser.
func (tabBlocks) Trigger() []byte { return []byte{':'} }

var (
	beginTab = lazyregexp.New("^:begin_tab:[ \t]*(?:`([^`\n]{1,200})`|([\\w,]{1,200}[ \t]*\r?(?:\n|$)))")
	endTab   = lazyregexp.New("^:end_tab:[ \t]*\r?\n?$")
)

// Open implements parser.BlockParser.
func (tabBlocks) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, segment := reader.PeekLine()
	at := segment.Start + len(line) - len(strings.TrimLeft(string(line), " "))
	mark := strings.TrimLeft(string(line), " ")
	if endTab.MatchString(mark) {
		report(pc, Fault{Span: Span{at, at + len(":end_tab:")}, Rule: "directive", Message: diag.Say(":end_tab: ends no tab"), Hint: diag.Say("remove it, or write :begin_tab:`name` before the text")})
		return nil, parser.NoChildren
	}
	m := beginTab.FindStringSubmatch(mark)
	if m == nil {
		return nil, parser.NoChildren
	}
	if within(parent, KindTab) || parent.Kind() == KindTab {
		report(pc, Fault{Span: Span{at, at + len(":begin_tab:")}, Rule: "directive", Message: diag.Say("a tab cannot stand in a tab"), Hint: diag.Say("end the other one before with a line :end_tab:")})
		return nil, parser.NoChildren
	}
	opening := strings.TrimRight(m[0], " \t\r\n")
	n := &Tab{Opening: Span{at, at + len(opening)}}
	n.name(frameworkNames(m[1] + m[2]))
	n.SetPos(at)
	if n.paragraph = !closed(reader.Source()[at+len(opening):]); n.paragraph {
		report(pc, Fault{Span: n.Opening, Rule: "directive", Message: diag.Say("the tab is not closed, and ends with its paragraph"), Hint: diag.Say("end it with a line :end_tab:")})
	}
	if behind := mark[len(opening):]; strings.TrimSpace(behind) == "" {
		reader.AdvanceToEOL()
	} else { // text that begins on the same line
		reader.Advance(at - segment.Start + len(opening))
	}
	return n, parser.HasChildren
}

// tabMarks begin the lines that end a tab, and such as it cannot hold.
var tabMarks = lazyregexp.New(`(?m)^[ \t>]*:(begin|end)_tab:`)

// closed tells whether a tab ends before the next begins.
func closed(rest []byte) bool {
	m := tabMarks.FindSubmatch(rest)
	return m != nil && string(m[1]) == "end"
}

// Continue implements parser.BlockParser.
func (tabBlocks) Continue(node ast.Node, reader text.Reader, pc parser.Context) parser.State {
	line, segment := reader.PeekLine()
	mark := strings.TrimLeft(string(line), " ")
	inFence := pc.LastOpenedBlock().Node != nil && pc.LastOpenedBlock().Node.Kind() == ast.KindFencedCodeBlock
	if t := node.(*Tab); t.paragraph && (strings.TrimSpace(mark) == "" || beginTab.MatchString(mark)) {
		t.Closing = Span{segment.Start, segment.Start}
		return parser.Close
	}
	if inFence || !endTab.MatchString(mark) {
		return parser.Continue | parser.HasChildren
	}
	at := segment.Start + len(line) - len(mark)
	node.(*Tab).Closing = Span{at, at + len(":end_tab:")}
	reader.AdvanceToEOL()
	return parser.Close
}

// Close implements parser.BlockParser.
func (tabBlocks) Close(node ast.Node, _ text.Reader, pc parser.Context) {
	if t := node.(*Tab); t.Closing == (Span{}) && !t.paragraph { // :end_tab: stands in another quote or list
		report(pc, Fault{Span: t.Opening, Rule: "directive", Message: diag.Say("the tab is not closed"), Hint: diag.Say("end it with a line :end_tab: in the same quote or list item")})
	}
}

// CanInterruptParagraph implements parser.BlockParser.
func (tabBlocks) CanInterruptParagraph() bool { return true }

// CanAcceptIndentedLine implements parser.BlockParser.
func (tabBlocks) CanAcceptIndentedLine() bool { return false }

// frameworkNames reads "pytorch, tensorflow". Case does not count.
func frameworkNames(s string) (names []string) {
	for name := range strings.SplitSeq(s, ",") {
		if name = strings.ToLower(strings.TrimSpace(name)); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// frameworkTitles are the names as their makers write them.
var frameworkTitles = map[string]string{
	"mxnet": "MXNet", "pytorch": "PyTorch", "tensorflow": "TensorFlow", "jax": "JAX", "paddle": "PaddlePaddle",
	"numpy": "NumPy", "cupy": "CuPy", "cuda": "CUDA", "python": "Python", "keras": "Keras",
}

// name gives a tab its names and, of them, its title.
func (t *Tab) name(names []string) {
	t.Names, t.Title = names, FrameworkTitle(names)
}

// FrameworkTitle is the title of a tab for the frameworks of these names.
func FrameworkTitle(names []string) string {
	var titles []string
	for _, n := range names {
		if title := frameworkTitles[n]; title != "" {
			n = title
		}
		titles = append(titles, n)
	}
	return strings.Join(titles, ", ")
}
