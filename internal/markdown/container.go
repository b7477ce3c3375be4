package markdown

import (
	"bytes"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/gpudocs/gpudocs/internal/diag"
	"github.com/gpudocs/gpudocs/internal/lazyregexp"
)

// Container is a block between two lines of marks, as it is while it is read:
//
//	:::name Title {attributes}
//	any Markdown
//	:::
//
// When it ends, one whose name has a node of its own becomes that ([Callout],
// [Tab]); see become. More marks let one container stand in another.
type Container struct {
	ast.BaseBlock
	// Name is what follows the marks, in lower case.
	Name string
	// Colons is how many marks open it, and Closed tells whether as many close it.
	Colons int
	Closed bool
	// Slashes is set where the marks are slashes, as in the dialect MkDocs.
	Slashes bool
	// Title is what stands behind the name, without the attributes in braces; those
	// are Given.
	Title Span
	Given Attributes
	// Tag opens the Element of /// html, where it names one.
	Tag, Element string
	// Opening and Closing are the extents of the marks and what is on their lines.
	Opening, Closing Span

	name Span
	// kind is that of a callout, and mode how an element's text is read, where an
	// option gives it.
	kind, mode string
	// options are the lines below /// that may say more; unread until the block ends.
	options *optionLines
}

// KindContainer is the kind of [Container].
var KindContainer = ast.NewNodeKind("GpudocsContainer")

// Kind implements ast.Node.
func (*Container) Kind() ast.NodeKind { return KindContainer }

// Dump implements ast.Node.
func (n *Container) Dump(source []byte, level int) {
	ast.DumpHelper(n, source, level, map[string]string{"Name": n.Name}, nil)
}

// openContainers holds the containers that are open, the innermost last: a line
// of marks closes the innermost of its length.
var openContainers = parser.NewContextKey()

// EndContainers forgets the containers that are open: a notebook's cell ends them.
func EndContainers(pc parser.Context) { pc.Set(openContainers, []*Container(nil)) }

// maxNesting is how many containers and elements stand in one another at most: each
// line asks all that are open whether it is theirs, so that a page with nothing but
// opening marks would take for ever. One more is text.
const maxNesting = 32

var nestingKey = parser.NewContextKey()

// nest counts a block that begins (+1) or ends (-1), and tells whether it may begin.
func nest(pc parser.Context, n int) bool {
	now, _ := pc.Get(nestingKey).(int)
	if now+n > maxNesting {
		return false
	}
	pc.Set(nestingKey, now+n)
	return true
}

// containerParser reads containers of one mark.
type containerParser struct{ slashes bool }

func markOf(slashes bool) byte {
	if slashes {
		return '/'
	}
	return ':'
}

// containerLine is what opens one: marks, a name, the rest.
var containerLine = lazyregexp.New(`^[:/]{3,}[ \t]*([\p{L}\p{N}][\p{L}\p{N}_-]*)(.*)$`)

// attributeName is what the name of an attribute looks like; braces with other words in
// them are the title's.
var attributeName = lazyregexp.New(`^[\p{L}_][\p{L}\p{N}_-]*$`)

func (p containerParser) Trigger() []byte { return []byte{markOf(p.slashes)} }

func (p containerParser) Open(_ ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, from := restOfLine(reader, pc)
	m := containerLine.FindSubmatchIndex(line)
	if m == nil || leading(line, markOf(p.slashes)) != bytes.IndexFunc(line, notMark) {
		p.stray(line, from, pc)
		return nil, parser.NoChildren
	}
	c := &Container{Name: strings.ToLower(string(line[m[2]:m[3]])), Slashes: p.slashes, Colons: leading(line, markOf(p.slashes))}
	c.name = Span{from + m[2], from + m[3]}
	c.Opening = Span{from, from + len(line)}
	if !c.header(line[m[4]:m[5]], from+m[4]) {
		return nil, parser.NoChildren
	}
	if !nest(pc, +1) {
		return nil, parser.NoChildren
	}
	open, _ := pc.Get(openContainers).([]*Container)
	pc.Set(openContainers, append(open, c))
	reader.AdvanceToEOL()
	return c, parser.HasChildren
}

// stray reports a line of marks alone that is the end of nothing.
func (p containerParser) stray(line []byte, from int, pc parser.Context) {
	marks := bytes.TrimRight(line, " \t\r\n")
	if n := leading(line, markOf(p.slashes)); n >= 3 && n == len(marks) {
		report(pc, Fault{Span: Span{from, from + n}, Message: diag.Say("this line ends nothing, and is shown as text"), Hint: diag.Say("remove it, or write as many marks as the line that it is to end")})
	}
}

// header reads what stands behind the name, from the offset at on, and tells
// whether that can be a container at all.
func (c *Container) header(rest []byte, at int) bool {
	if len(rest) > 0 && !bytes.ContainsAny(rest[:1], " \t|{") {
		return false
	}
	if !c.Slashes {
		if before, given := trailingBraces(rest); !slices.ContainsFunc(given.Items, func(a Attribute) bool { return !attributeName.MatchString(a.Name) }) {
			rest, c.Given = before, given
		}
		for i := range c.Given.Items {
			c.Given.Items[i].Start += at
			c.Given.Items[i].Stop += at
		}
		c.Title = extent(string(rest), at)
		return true
	}
	bar := bytes.TrimLeft(rest, " \t")
	if len(bar) > 0 && bar[0] != '|' {
		return false
	}
	c.options = &optionLines{}
	if len(bar) > 0 {
		c.Title = extent(string(bar[1:]), at+len(rest)-len(bar)+1)
	}
	return true
}

func (p containerParser) Continue(node ast.Node, reader text.Reader, pc parser.Context) parser.State {
	c := node.(*Container)
	line, segment := reader.PeekLine()
	if c.options.take(line, segment, reader) {
		c.Opening.Stop = segment.Stop - len(line) + len(bytes.TrimRight(line, " \t\r\n"))
		reader.AdvanceToEOL()
		return parser.Continue
	}
	if !c.ends(line, reader.LineOffset(), pc) {
		return parser.Continue | parser.HasChildren
	}
	c.Closed = true
	c.Closing = extent(string(line), segment.Start-segment.Padding)
	reader.AdvanceToEOL()
	return parser.Close
}

// ends tells whether a line of marks closes this container.
func (c *Container) ends(line []byte, offset int, pc parser.Context) bool {
	if width, _ := util.IndentWidth(line, offset); width > 3 {
		return false
	}
	line = bytes.TrimSpace(line)
	if n := leading(line, markOf(c.Slashes)); n != c.Colons || n != len(line) {
		return false
	}
	if last := pc.LastOpenedBlock().Node; last != nil && last.Kind() == ast.KindFencedCodeBlock {
		return false
	}
	open, _ := pc.Get(openContainers).([]*Container)
	for i := len(open) - 1; i >= 0; i-- {
		if open[i].Slashes == c.Slashes && open[i].Colons == c.Colons {
			return open[i] == c
		}
	}
	return false
}

func (p containerParser) Close(node ast.Node, reader text.Reader, pc parser.Context) {
	c := node.(*Container)
	nest(pc, -1)
	open, _ := pc.Get(openContainers).([]*Container)
	if n := len(open); n > 0 && open[n-1] == c {
		pc.Set(openContainers, open[:n-1])
	}
	if c.Parent() == nil { // another node's, which has its own end
		return
	}
	c.SetPos(c.Opening.Start)
	if !c.Closed {
		line := strings.Repeat(string(markOf(c.Slashes)), c.Colons)
		report(pc, Fault{Span: c.Opening, Error: !c.Slashes, Message: diag.Say("the %s container is not closed", line[:3]), Hint: diag.Say("end it with a line of %s", line)})
	}
	c.options.read(c, reader.Source(), pc)
	if n := c.become(reader.Source(), pc); n != ast.Node(c) {
		n.SetPos(c.Pos())
		n.(blankBefore).SetBlankPreviousLines(c.HasBlankPreviousLines())
		for child := c.FirstChild(); child != nil; child = c.FirstChild() {
			n.AppendChild(n, child)
		}
		c.Parent().ReplaceChild(c.Parent(), c, n)
	}
}

type blankBefore interface{ SetBlankPreviousLines(bool) }

// become returns the node that a container of its name is; it has the children
// that come before those of the container.
func (c *Container) become(source []byte, pc parser.Context) ast.Node {
	switch c.Name {
	case "machines":
		if !c.Slashes {
			c.known(pc)
			return c
		}
	case "html":
		if c.Slashes {
			c.element(source, pc)
			return c
		}
	case "caption", "figure-caption", "table-caption":
		if c.Slashes {
			return c.captioned(source, pc)
		}
	case "tab":
		return c.tab(source, pc)
	case "tabs":
		if !c.Slashes {
			c.known(pc)
			n := &Tabs{}
			c.identify(n)
			return n
		}
	}
	return c.callout(pc)
}

// known reports the attributes that are not among those given. Ids and classes
// are good everywhere.
func (c *Container) known(pc parser.Context, names ...string) {
	for _, a := range c.Given.Items {
		if !slices.Contains(names, a.Name) {
			report(pc, Fault{Span: a.Span, Message: diag.Say("unknown attribute %q", a.Name), Hint: diag.Suggest(a.Name, names, diag.Say("it has no meaning here"))})
		}
	}
}

// attribute returns the attribute of a name.
func (c *Container) attribute(name string) (a Attribute, has bool) {
	i := slices.IndexFunc(c.Given.Items, func(a Attribute) bool { return a.Name == name })
	if i < 0 {
		return a, false
	}
	return c.Given.Items[i], true
}

// identify gives a node the id and the classes of the container, as goldmark keeps
// those of a heading.
func (c *Container) identify(n ast.Node) {
	if c.Given.ID != "" {
		n.SetAttributeString("id", []byte(c.Given.ID))
	}
	if c.Given.Classes != nil {
		n.SetAttributeString("class", []byte(strings.Join(c.Given.Classes, " ")))
	}
}

func (containerParser) CanInterruptParagraph() bool { return true }
func (containerParser) CanAcceptIndentedLine() bool { return false }

// restOfLine is the line from its first letter to its last, and where that is in
// the source.
func restOfLine(reader text.Reader, pc parser.Context) (line []byte, at int) {
	line, segment := reader.PeekLine()
	from := max(pc.BlockOffset(), 0)
	return bytes.TrimRight(line[from:], " \t\r\n"), segment.Start - segment.Padding + from
}

// extent is the extent of a text at an offset, without the blanks around it.
func extent(s string, at int) Span {
	rest := strings.TrimLeft(s, " \t\r\n")
	at += len(s) - len(rest)
	return Span{at, at + len(strings.TrimRight(rest, " \t\r\n"))}
}

func leading(line []byte, mark byte) (n int) {
	for n < len(line) && line[n] == mark {
		n++
	}
	return n
}

func notMark(r rune) bool { return r != ':' && r != '/' }
