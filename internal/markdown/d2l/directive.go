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

// directiveForm bounds the argument, so that a page of opening marks takes linear time.
var directiveForm = lazyregexp.New("^:([a-z]{2,16}):`([^`\n]{1,1000})`")

// Parse implements parser.InlineParser.
func (directives) Parse(_ ast.Node, block text.Reader, pc parser.Context) ast.Node {
	line, segment := block.PeekLine()
	if len(line) < 6 || line[1] < 'a' || line[1] > 'z' {
		return nil
	}
	m := directiveForm.FindSubmatchIndex(line)
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
	labelName, eqlabelName, widthName, heightName, "bibliography", "numref", "ref", "eqref", "cite", "citep", "citet", "func", "class", "mod", "meth",
}

// reportMisspelt reports a name that is similar to a known one. Other names can be an emoji before code.
func reportMisspelt(pc parser.Context, name string, span markdown.Span) {
	if near := diag.Nearest(name, directiveNames); near != "" && near != name {
		warn(pc, span,
			diag.Say("markdown.directive-unknown", "name", name), diag.Say("markdown.directive-unknown-hint", "near", near))
	}
}
