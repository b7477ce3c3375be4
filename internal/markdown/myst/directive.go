package myst

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/container"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// A Directive is a directive while it is read, and what its [directive] makes a node of:
//
//	```{name} argument
//	:option: value
//
//	body
//	```
//
// Colons and tildes are marks, too. The body ends at the first line of at least as many marks.
type Directive struct {
	markdown.BlockNode
	// Name is in lower case, and NameAt its place.
	Name   string
	NameAt markdown.Span
	// Given are the id, the classes and the words after the name, in the braces: {note .dropdown}.
	Given markdown.Attributes
	// Argument is the text after the braces.
	Argument markdown.Span
	// Options are those of the lines :key: value, or of a block of YAML between lines of ---.
	Options []markdown.Option
	// Opening and Closing are the extents of the lines of marks. Closing is empty if the directive is
	// not closed.
	Opening, Closing markdown.Span

	kind   directive
	mark   byte
	marks  int
	indent int
	part   part
	yaml   []text.Segment
	// tooDeep is set for a directive in too many others, whose text is shown as code.
	tooDeep bool
	// fenced is set if the directive becomes a fence of code.
	fenced bool

	// source and pc are those of the page, when the directive ends.
	source []byte
	pc     parser.Context
}

// A part is where in a directive a line is.
type part int

const (
	atOptions part = iota // directly below the first line
	inYAML
	inBody
)

// A directive is what the directives of a name become.
type directive struct {
	// text is set if the body is text, such as code, of which the lines are the Lines of the
	// Directive. Otherwise it is Markdown, and its blocks are the children.
	text bool
	// node returns the node that replaces a directive, and gets its children after its own. If it is
	// nil or returns nil, the children stand in place of the directive.
	node func(d *Directive) ast.Node
}

// kindDirective is the kind of [Directive].
var kindDirective = ast.NewNodeKind("GpudocsOpenDirective")

// Kind implements ast.Node.
func (*Directive) Kind() ast.NodeKind { return kindDirective }

// directives parses directives.
type directives struct{ markdown.BlockParser }

// Trigger implements parser.BlockParser.
func (directives) Trigger() []byte { return []byte{'`', ':', '~'} }

var directiveName = lazyregexp.New(`^[A-Za-z][\w:+.-]*$`)

// maxOpening bounds the first line of a directive.
const maxOpening = 4 << 10

// Open implements parser.BlockParser.
func (directives) Open(_ ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, from := markdown.RestOfLine(reader, pc)
	marks := container.Leading(line, line[0])
	if marks < 3 || len(line) > maxOpening {
		return nil, parser.NoChildren
	}
	at := marks + len(line[marks:]) - len(bytes.TrimLeft(line[marks:], " \t"))
	given, ok := markdown.ParseAttributes(line, at)
	if !ok || len(given.Items) == 0 || given.Items[0].HasValue || line[0] == '`' && bytes.IndexByte(line[at:], '`') >= 0 {
		return nil, parser.NoChildren
	}
	name := given.Items[0]
	name.Name = strings.TrimSuffix(name.Name, ",") // of knitr: {r, echo=FALSE}
	if !directiveName.MatchString(name.Name) {
		return nil, parser.NoChildren
	}
	d := &Directive{Name: strings.ToLower(name.Name), mark: line[0], marks: marks, indent: max(pc.BlockOffset(), 0)}
	d.NameAt = markdown.Span{Start: from + name.Start, Stop: from + name.Start + len(name.Name)}
	d.Opening = markdown.Span{Start: from, Stop: from + len(line)}
	if !container.Nest(pc, +1) {
		tellOnce(pc, "nesting", d.Opening, diag.Say("markdown.directive-too-deep"), diag.Say("markdown.directive-too-deep-hint"))
		d.kind, d.tooDeep = directive{true, codeBlock}, true
	}
	d.Argument = markdown.Extent(string(line[given.Stop:]), from+given.Stop)
	given.Items = given.Items[1:]
	given.Move(from)
	d.Given = given
	var known bool
	if d.tooDeep {
		known = true
	} else if d.kind, known = directiveOf(d.Name); !known {
		d.kind = directive{node: unknownDirective}
	}
	reader.AdvanceToEOL()
	if d.kind.text {
		return d, parser.NoChildren
	}
	return d, parser.HasChildren
}

// Continue implements parser.BlockParser.
func (directives) Continue(node ast.Node, reader text.Reader, _ parser.Context) parser.State {
	d := node.(*Directive)
	line, segment := reader.PeekLine()
	if d.ends(line, reader.LineOffset()) {
		d.Closing = markdown.Extent(string(line), segment.Start-segment.Padding)
		reader.AdvanceToEOL()
		return parser.Close
	}
	if d.part != inBody && d.optionLine(line, segment, reader.Source()) {
		reader.AdvanceToEOL()
		return parser.Continue | parser.NoChildren
	}
	blank := d.part == atOptions && len(d.Options) > 0 && util.IsBlank(line)
	d.part = inBody
	if blank { // between the options and the body
		reader.AdvanceToEOL()
		return parser.Continue | parser.NoChildren
	}
	if !d.kind.text {
		return parser.Continue | parser.HasChildren
	}
	pos, padding := util.IndentPositionPadding(line, reader.LineOffset(), segment.Padding, d.indent)
	if pos < 0 { // indented less than the first line
		pos, padding = max(0, util.FirstNonSpacePosition(line))-segment.Padding, 0
	}
	s := text.NewSegmentPadding(segment.Start+pos, segment.Stop, padding)
	s.ForceNewline = true // the end of the file is one
	d.Lines().Append(s)
	reader.AdvanceToEOL()
	return parser.Continue | parser.NoChildren
}

// ends reports whether a line closes the directive.
func (d *Directive) ends(line []byte, offset int) bool {
	if width, _ := util.IndentWidth(line, offset); width > 3 {
		return false
	}
	line = bytes.TrimSpace(line)
	n := container.Leading(line, d.mark)
	return n >= d.marks && n == len(line)
}

// Close implements parser.BlockParser.
func (directives) Close(node ast.Node, reader text.Reader, pc parser.Context) {
	d := node.(*Directive)
	if !d.tooDeep {
		container.Nest(pc, -1)
	}
	d.SetPos(d.Opening.Start)
	d.source, d.pc = reader.Source(), pc
	d.readYAML()
	var n ast.Node
	if d.kind.node != nil {
		n = d.kind.node(d)
	}
	if d.Closing.Stop == 0 && !d.fenced { // of fences it is said where they are checked
		line := strings.Repeat(string(d.mark), d.marks)
		d.warn(d.Opening, diag.Say("markdown.container-not-closed", "line", line[:3]), diag.Say("markdown.container-end-hint", "line", line))
	}
	if n != nil {
		markdown.Replace(d, n)
		return
	}
	parent := d.Parent()
	for c := d.FirstChild(); c != nil; c = d.FirstChild() {
		parent.InsertBefore(parent, d, c)
	}
	parent.RemoveChild(parent, d)
}

// value returns a part of the source.
func (d *Directive) value(s markdown.Span) string { return string(d.source[s.Start:s.Stop]) }

// argument returns the text after the name.
func (d *Directive) argument() string { return d.value(d.Argument) }

// warn reports a mistake in a directive.
func (d *Directive) warn(at markdown.Span, message, hint diag.Text) {
	markdown.Report(d.pc, markdown.Fault{Span: at, Rule: "directive", Message: message, Hint: hint})
}

// label returns the label of the directive, or "": the option label or name, or the id in the braces.
func (d *Directive) label() string {
	for _, name := range []string{"label", "name"} {
		if v := d.option(name); v != "" {
			return labelOf(v)
		}
	}
	return d.Given.ID
}

// labelOf returns a label as references name it: blanks become hyphens.
func labelOf(s string) string { return strings.Join(strings.Fields(s), "-") }

// classes returns the classes of the option class and of the braces.
func (d *Directive) classes() []string {
	return append(strings.Fields(strings.ReplaceAll(d.option("class"), ",", " ")), d.Given.Classes...)
}

// tellOnce warns of something once on the page.
func tellOnce(pc parser.Context, key string, at markdown.Span, message, hint diag.Text) {
	markdown.ReportOnce(pc, key, markdown.Fault{Span: at, Rule: "directive", Message: message, Hint: hint})
}

// unknownDirective keeps the text of a directive: its argument as a paragraph, and its body.
func unknownDirective(d *Directive) ast.Node {
	tellOnce(d.pc, "directive "+d.Name, d.NameAt,
		diag.Say("markdown.myst-directive-unknown", "name", d.Name),
		diag.Suggest(d.Name, directiveNames(), diag.Say("markdown.myst-directive-unknown-hint")))
	if d.Argument.Start < d.Argument.Stop {
		d.InsertBefore(d, d.FirstChild(), paragraph(d.Argument))
	}
	return nil
}

func segment(s markdown.Span) text.Segment { return text.NewSegment(s.Start, s.Stop) }

// paragraph returns a part of the source as a paragraph.
func paragraph(s markdown.Span) *ast.Paragraph {
	p := ast.NewParagraph()
	p.SetPos(s.Start)
	if s.Start < s.Stop {
		p.Lines().Append(segment(s))
	}
	return p
}
