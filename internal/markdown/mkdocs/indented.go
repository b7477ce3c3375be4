package mkdocs

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/container"
)

// indentedParser parses the blocks of Python-Markdown and pymdownx whose body is indented by four:
//
//	!!! note inline end "Title"     a callout; "" leaves the title out
//	??? note                        one that is folded
//	???+ note                       and one that can be folded
//	=== "Tab"                       a tab; ===! begins a group, ===+ is seen first
//
// https://python-markdown.github.io/extensions/admonition/,
// https://facelessuser.github.io/pymdown-extensions/extensions/details/,
// https://facelessuser.github.io/pymdown-extensions/extensions/tabbed/
type indentedParser struct{ markdown.BlockParser }

var (
	admonitionLine = lazyregexp.New(`^!!! ?([\p{L}\p{N}_-]+(?: +[\p{L}\p{N}_-]+)*)(?: +"(.*)")?$`)
	detailsLine    = lazyregexp.New(`^\?\?\?\+? ?([\p{L}\p{N}_-]+(?: +[\p{L}\p{N}_-]+)*)?(?: *"(.*)")?$`)
	tabbedLine     = lazyregexp.New(`^===(\+!?|!\+?)? +"(.*)"$`)
)

func (indentedParser) Trigger() []byte { return []byte{'!', '?', '='} }

func (indentedParser) Open(_ ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, from := markdown.RestOfLine(reader, pc)
	var n ast.Node
	if line[0] == '=' {
		n = newTab(line, from, reader.Source())
	} else {
		n = newCallout(line, from)
	}
	if n == nil || !container.Nest(pc, +1) {
		return nil, parser.NoChildren
	}
	if indent := pc.BlockIndent(); indent > 0 {
		all, _ := pc.Get(indentKey).(map[ast.Node]int)
		if all == nil {
			all = map[ast.Node]int{}
			pc.Set(indentKey, all)
		}
		all[n] = indent
	}
	reader.AdvanceToEOL()
	return n, parser.HasChildren
}

// newCallout returns the callout that a line opens, or nil.
func newCallout(line []byte, from int) ast.Node {
	m := admonitionLine.FindSubmatchIndex(line)
	fold := markdown.NoFold
	if line[0] == '?' {
		m, fold = detailsLine.FindSubmatchIndex(line), markdown.Folded
		if strings.HasPrefix(string(line), "???+") {
			fold = markdown.Unfolded
		}
	}
	if m == nil || m[2] < 0 && m[4] < 0 {
		return nil
	}
	n := &markdown.Callout{Name: "details", Fold: fold, Opening: markdown.Span{Start: from, Stop: from + len(line)}}
	if m[2] >= 0 {
		words := strings.Fields(strings.ToLower(string(line[m[2]:m[3]])))
		n.Name = markdown.CalloutKind(words[0])
		markdown.Identify(n, "", words[1:])
	}
	if m[4] >= 0 {
		n.SetTitle(markdown.Span{Start: from + m[4], Stop: from + m[5]})
		n.Plain = m[4] == m[5] && fold == markdown.NoFold // a reader opens a fold by its title
	}
	return n
}

// newTab returns the tab that a line opens, or nil.
func newTab(line []byte, from int, source []byte) ast.Node {
	m := tabbedLine.FindSubmatchIndex(line)
	if m == nil {
		return nil
	}
	n := &markdown.Tab{Opening: markdown.Span{Start: from, Stop: from + len(line)}}
	if m[2] >= 0 {
		marks := string(line[m[2]:m[3]])
		n.Selected, n.Apart = strings.Contains(marks, "+"), strings.Contains(marks, "!")
	}
	n.SetTitle(markdown.Span{Start: from + m[4], Stop: from + m[5]}, source)
	return n
}

// indentKey is the key of the columns, at most three, by which blocks are indented from the margin
// of their parents.
var indentKey = parser.NewContextKey()

// Continue accepts lines that are indented by four or more, and blank ones. The body of a block
// that does not begin at the margin, for example in a list, is indented relative to the block.
func (indentedParser) Continue(node ast.Node, reader text.Reader, pc parser.Context) parser.State {
	line, _ := reader.PeekLine()
	width, _ := util.IndentWidth(line, reader.LineOffset())
	switch {
	case width >= 4:
	case util.IsBlank(line):
		reader.AdvanceToEOL()
		return parser.Continue | parser.HasChildren
	default:
		endParagraph(reader, pc)
		return parser.Close
	}
	indents, _ := pc.Get(indentKey).(map[ast.Node]int)
	pos, padding := util.IndentPosition(line, reader.LineOffset(), min(width, 4+indents[node]))
	reader.AdvanceAndSetPadding(pos, padding)
	return parser.Continue | parser.HasChildren
}

func (indentedParser) Close(node ast.Node, _ text.Reader, pc parser.Context) {
	container.Nest(pc, -1)
	switch n := node.(type) {
	case *markdown.Tab:
		n.SetPos(n.Opening.Start)
	case *markdown.Callout:
		n.SetPos(n.Opening.Start)
	}
}

// endedKey is the key of the line before which the block of the last paragraph ended, although
// CommonMark would let the line continue the paragraph.
var endedKey = parser.NewContextKey()

// endParagraph prevents the open paragraph from continuing with the current line.
func endParagraph(reader text.Reader, pc parser.Context) {
	line, _ := reader.Position()
	pc.Set(endedKey, line)
}

// newParagraph opens a paragraph where endParagraph requires one. It comes after all other parsers,
// because a line that opens a block ends a paragraph by itself.
type newParagraph struct{ parser.BlockParser }

func (p newParagraph) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, _ := reader.Position()
	if ended, ok := pc.Get(endedKey).(int); !ok || ended != line {
		return nil, parser.NoChildren
	}
	pc.Set(endedKey, nil)
	return p.BlockParser.Open(parent, reader, pc)
}

func (newParagraph) CanInterruptParagraph() bool { return true }
