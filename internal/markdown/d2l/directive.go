package d2l

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// A Directive is :name:`argument`, d2lbook's syntax for a property of something else: the label of
// a heading, the width of a figure. It shows nothing. A label that follows nothing
// becomes a [markdown.Anchor].
type Directive struct {
	markdown.InlineNode
	Name, Argument string
	// Placed is set if the thing that the directive belongs to was found.
	Placed bool
	markdown.Span
}

// KindDirective is the kind of [Directive].
var KindDirective = ast.NewNodeKind("GpudocsDirective")

// Kind implements ast.Node.
func (*Directive) Kind() ast.NodeKind { return KindDirective }

// Names of directives that show nothing.
const (
	labelName   = "label"
	eqlabelName = "eqlabel"
	widthName   = "width"
	heightName  = "height"
)

// directives reads :name:`argument`: directives, references, citations, and names of code. Other
// names stay text: they can be an emoji before code.
type directives struct{}

// Trigger implements parser.InlineParser.
func (directives) Trigger() []byte { return []byte{':'} }

// directiveForm bounds the argument, so that a page of opening marks takes linear time. Translators
// leave a blank before it, or after the first colon of a reference.
var (
	directiveForm = lazyregexp.New("^:([a-z]{2,16}): ?`([^`\n]{1,1000})`")
	blankForm     = lazyregexp.New("^: (numref|eqref|ref|citet?|citep): ?`([^`\\s]{1,1000})`")
	// unclosedForm matches one whose closing backquote is missing, up to the end of the label.
	unclosedForm = lazyregexp.New("^:(label|eqlabel|numref|ref|eqref|citet?|citep): ?`([\\pL\\pN_][\\pL\\pN_:./-]{0,200})")
	// labelForm matches the labels and keys of directives.
	labelForm = lazyregexp.New(`^\S*(?:,\s*\S+)*$`)
)

// Parse implements parser.InlineParser.
func (directives) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	line, segment := block.PeekLine()
	if len(line) < 6 || (line[1] < 'a' || line[1] > 'z') && line[1] != ' ' {
		return nil
	}
	m := directiveForm.FindSubmatchIndex(line)
	if m == nil {
		if m = blankForm.FindSubmatchIndex(line); m != nil { // the blank stays
			parent.AppendChild(parent, ast.NewTextSegment(text.NewSegment(segment.Start+1, segment.Start+2)))
		}
	}
	if unclosed := unclosedForm.FindSubmatchIndex(line); unclosed != nil && (m == nil || !labelForm.Match(bytes.TrimSpace(line[m[4]:m[5]]))) {
		end := unclosed[4] + len(bytes.TrimRight(line[unclosed[4]:unclosed[5]], ".:"))
		m = append(unclosed[:4:4], unclosed[4], end)
		m[1] = end
		name := string(line[m[2]:m[3]])
		warn(pc, markdown.Span{Start: segment.Start, Stop: segment.Start + end}, diag.Say("markdown.role-not-closed", "name", name),
			diag.Say("markdown.role-without-backquotes-hint", "name", name, "other", string(line[m[4]:end])))
	}
	if m == nil {
		reportUnquoted(pc, line, segment.Start)
		return nil
	}
	span := markdown.Span{Start: segment.Start, Stop: segment.Start + m[1]}
	name, argument := string(line[m[2]:m[3]]), strings.TrimSpace(string(line[m[4]:m[5]]))
	n := directive(name, argument, span)
	if n == nil {
		n = codeRole(name, text.NewSegment(segment.Start+m[4], segment.Start+m[5]), block.Source())
	}
	if n == nil || argument == "" {
		reportMisspelt(pc, name, span)
		return nil
	}
	block.Advance(m[1])
	return n
}

// directive returns nil for an unknown name.
func directive(name, argument string, span markdown.Span) ast.Node {
	switch name {
	case labelName, eqlabelName, widthName, heightName:
		return &Directive{Name: name, Argument: argument, Span: span}
	case "bibliography":
		return &markdown.Bibliography{Span: span}
	case "numref":
		return &markdown.Reference{Destination: ":" + argument, Span: span}
	case "ref":
		return &markdown.Reference{Destination: ":" + argument, Title: true, Span: span}
	case "eqref":
		return &markdown.Reference{Destination: ":" + argument, Parentheses: true, Span: span}
	case "cite", "citep", "citet":
		c := &markdown.Citation{Span: span, Textual: name == "citet"}
		for key := range strings.SplitSeq(argument, ",") {
			c.Works = append(c.Works, markdown.Work{Key: strings.TrimSpace(key)})
		}
		return c
	}
	return nil
}

// codeRole returns the name of a function, a class or a file as code. After a tilde only the last
// part is shown, as in Sphinx,
// https://www.sphinx-doc.org/en/master/usage/domains/python.html#cross-referencing-python-objects.
func codeRole(name string, s text.Segment, source []byte) ast.Node {
	switch name {
	case "func", "class", "mod", "meth", "attr", "data", "exc", "obj", "file", "samp", "code", "command", "program":
	default:
		return nil
	}
	s = s.TrimLeftSpace(source)
	s = s.TrimRightSpace(source)
	if value := s.Value(source); bytes.HasPrefix(value, []byte("~")) {
		s = s.WithStart(s.Start + 1 + bytes.LastIndexByte(value[1:], '.') + 1)
	}
	code := ast.NewCodeSpan()
	code.AppendChild(code, ast.NewRawTextSegment(s))
	return code
}

var unquotedForm = lazyregexp.New(`^:(label|eqlabel|numref|ref|eqref|citet?|citep):([\pL\pN_][\pL\pN_.-]*[\pL\pN_])`)

// reportUnquoted reports :numref:label, which d2lbook does not support either.
func reportUnquoted(pc parser.Context, line []byte, at int) {
	if m := unquotedForm.FindSubmatch(line); m != nil && len(m[0]) <= 1000 {
		warn(pc, markdown.Span{Start: at, Stop: at + len(m[0])},
			diag.Say("markdown.role-without-backquotes", "name", string(m[1])),
			diag.Say("markdown.role-without-backquotes-hint", "name", string(m[1]), "other", string(m[2])))
	}
}

var directiveNames = []string{
	labelName, eqlabelName, widthName, heightName, "bibliography",
	"numref", "ref", "eqref", "cite", "citep", "citet", "func", "class", "mod", "meth",
}

// reportMisspelt reports a name that is similar to a known one. Other names can be an emoji before code.
func reportMisspelt(pc parser.Context, name string, span markdown.Span) {
	if near := diag.Nearest(name, directiveNames); near != "" && near != name {
		warn(pc, span,
			diag.Say("markdown.directive-unknown", "name", name), diag.Say("markdown.directive-unknown-hint", "near", near))
	}
}
