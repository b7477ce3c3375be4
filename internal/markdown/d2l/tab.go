package d2l

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// tabBlocks reads
//
//	:begin_tab:`mxnet, pytorch`
//	any Markdown
//	:end_tab:
//
// https://book.d2l.ai/user/code_tabs.html.
type tabBlocks struct{ markdown.BlockParser }

// Trigger implements parser.BlockParser.
func (tabBlocks) Trigger() []byte { return []byte{':'} }

var (
	beginTab = lazyregexp.New("^:begin_tab:[ \t]*(?:`([^`\n]{1,200})`|([\\w,]{1,200}[ \t]*\r?(?:\n|$)))")
	endTab   = lazyregexp.New("^:end_tab:[ \t]*\r?\n?$")
)

// unclosedKey is the key of the tabs that are not closed. They end with their paragraph.
var unclosedKey = parser.NewContextKey()

// unclosed reports whether a tab is not closed.
func unclosed(t *markdown.Tab, pc parser.Context) bool {
	tabs, _ := pc.Get(unclosedKey).(map[*markdown.Tab]bool)
	return tabs[t]
}

// Open implements parser.BlockParser.
func (tabBlocks) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, segment := reader.PeekLine()
	at := segment.Start + len(line) - len(strings.TrimLeft(string(line), " "))
	mark := strings.TrimLeft(string(line), " ")
	if endTab.MatchString(mark) {
		warn(pc, markdown.Span{Start: at, Stop: at + len(":end_tab:")},
			diag.Say("markdown.end-tab-alone"), diag.Say("markdown.end-tab-alone-hint"))
		return nil, parser.NoChildren
	}
	m := beginTab.FindStringSubmatch(mark)
	if m == nil {
		return nil, parser.NoChildren
	}
	if markdown.Within(parent, markdown.KindTab) || parent.Kind() == markdown.KindTab {
		warn(pc, markdown.Span{Start: at, Stop: at + len(":begin_tab:")},
			diag.Say("markdown.tab-in-tab"), diag.Say("markdown.tab-in-tab-hint"))
		return nil, parser.NoChildren
	}
	opening := strings.TrimRight(m[0], " \t\r\n")
	n := &markdown.Tab{Opening: markdown.Span{Start: at, Stop: at + len(opening)}}
	setFrameworks(n, frameworkNames(m[1]+m[2]))
	n.SetPos(at)
	if m := tabMarks.FindSubmatch(reader.Source()[at+len(opening):]); m == nil || string(m[1]) != "end" { // before the next begins
		tabs, _ := pc.Get(unclosedKey).(map[*markdown.Tab]bool)
		if tabs == nil {
			tabs = map[*markdown.Tab]bool{}
			pc.Set(unclosedKey, tabs)
		}
		tabs[n] = true
		warn(pc, n.Opening, diag.Say("markdown.tab-not-closed"), diag.Say("markdown.tab-not-closed-hint"))
	}
	if rest := mark[len(opening):]; strings.TrimSpace(rest) == "" {
		reader.AdvanceToEOL()
	} else { // text that begins on the same line
		reader.Advance(at - segment.Start + len(opening))
	}
	return n, parser.HasChildren
}

// tabMarks begin the lines that end a tab, and those that it cannot contain.
var tabMarks = lazyregexp.New(`(?m)^[ \t>]*:(begin|end)_tab:`)

// Continue implements parser.BlockParser.
func (tabBlocks) Continue(node ast.Node, reader text.Reader, pc parser.Context) parser.State {
	line, segment := reader.PeekLine()
	mark := strings.TrimLeft(string(line), " ")
	inFence := pc.LastOpenedBlock().Node != nil && pc.LastOpenedBlock().Node.Kind() == ast.KindFencedCodeBlock
	if t := node.(*markdown.Tab); unclosed(t, pc) && (strings.TrimSpace(mark) == "" || beginTab.MatchString(mark)) {
		t.Closing = markdown.Span{Start: segment.Start, Stop: segment.Start}
		return parser.Close
	}
	if inFence || !endTab.MatchString(mark) {
		return parser.Continue | parser.HasChildren
	}
	at := segment.Start + len(line) - len(mark)
	node.(*markdown.Tab).Closing = markdown.Span{Start: at, Stop: at + len(":end_tab:")}
	reader.AdvanceToEOL()
	return parser.Close
}

// Close implements parser.BlockParser.
func (tabBlocks) Close(node ast.Node, _ text.Reader, pc parser.Context) {
	if t := node.(*markdown.Tab); t.Closing == (markdown.Span{}) && !unclosed(t, pc) { // :end_tab: is in another quote or list
		warn(pc, t.Opening,
			diag.Say("markdown.tab-in-container-not-closed"), diag.Say("markdown.tab-in-container-not-closed-hint"))
	}
}

// frameworkNames reads "pytorch, tensorflow". Case does not count.
func frameworkNames(s string) (names []string) {
	for name := range strings.SplitSeq(s, ",") {
		if name = strings.ToLower(strings.TrimSpace(name)); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// frameworkTitles are the official names.
var frameworkTitles = map[string]string{
	"mxnet": "MXNet", "pytorch": "PyTorch", "tensorflow": "TensorFlow", "jax": "JAX", "paddle": "PaddlePaddle",
	"numpy": "NumPy", "cupy": "CuPy", "cuda": "CUDA", "python": "Python", "keras": "Keras",
}

// setFrameworks sets the names of a tab, and its title.
func setFrameworks(t *markdown.Tab, names []string) {
	t.Names, t.Title = names, FrameworkTitle(names)
}

// FrameworkTitle returns the title of a tab for the frameworks of these names.
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
