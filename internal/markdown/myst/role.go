package myst

import (
	"bytes"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// roles reads {name}`text` and {{ name }}.
type roles struct{}

// A role is one while it is read.
type role struct {
	markdown.Span
	name string
	// parts are the places of the text, and content is the text in one line. It may be split into
	// label and target: "label <target>".
	parts         []text.Segment
	content       string
	label, target string
	hasLabel      bool
	source        []byte
	pc            parser.Context
}

// roleKinds are the roles by name. An unknown one is its text.
var roleKinds = map[string]func(*role) ast.Node{
	"ref": refRole, "any": refRole, "numref": numrefRole, "prf:ref": numrefRole, "proof:ref": numrefRole,
	"eq": func(r *role) ast.Node {
		return &markdown.Reference{Destination: ":" + labelOf(r.target), Parentheses: true, Span: r.Span}
	},
	"doc": func(r *role) ast.Node {
		switch {
		case strings.Contains(r.target, ":"): // of another project
			return r.text()
		case r.hasLabel:
			return r.link(r.target)
		}
		return &markdown.Reference{Destination: r.target, Title: true, Span: r.Span}
	},
	"term":     func(r *role) ast.Node { return r.link("#" + markdown.TermID(r.target)) },
	"download": func(r *role) ast.Node { return r.link(r.target) },
	"button":   func(r *role) ast.Node { return r.link(r.target) },
	"math": func(r *role) ast.Node {
		return &markdown.Math{Formula: markdown.NewFormula(r.source, r.parts, "$", "$", false, r.Span)}
	},
	"abbr": abbrRole, "index": func(r *role) ast.Node { return r.text() },
	"sub": styleRole("sub"), "subscript": styleRole("sub"), "sup": styleRole("sup"), "superscript": styleRole("sup"), "kbd": styleRole("kbd"),
	"u": styleRole("u"), "underline": styleRole("u"), "del": styleRole("del"), "delete": styleRole("del"), "strike": styleRole("del"),
	"sc": func(r *role) ast.Node { return r.text() }, "smallcaps": func(r *role) ast.Node { return r.text() },
	"raw": nothingRole, "raw:html": nothingRole, "raw:latex": nothingRole, "raw:tex": nothingRole, "raw:typst": nothingRole,
	"raw:typ": nothingRole,
}

// codeRoles are names of code, which may have a domain before them: py:func.
var codeRoles = []string{"code", "literal", "lit", "command", "file", "program", "samp", "func", "class", "meth", "mod", "attr",
	"data", "exc", "obj", "const",
	"envvar", "option", "guilabel", "menuselection"}

// iconRoles are names of icons, which show nothing.
var iconRoles = lazyregexp.New(`^(octicon|fa[bsr]?|material-[a-z]+|icon)$`)

// Trigger implements parser.InlineParser.
func (roles) Trigger() []byte { return []byte{'{'} }

// maxRole bounds the text of a role, and maxRoleLines its lines.
const (
	maxRole      = 2000
	maxRoleLines = 8
)

var (
	roleForm         = lazyregexp.New("^\\{([A-Za-z][\\w:.+-]{0,60})(?: [^{}`\n]{0,200})?\\}(`+)")
	substitutionForm = lazyregexp.New(`^\{\{ *([A-Za-z_][\w-]{0,60}) *\}\}`)
	labelledForm     = lazyregexp.New(`^(.*\S)\s*<([^<>]+)>$`)
)

// Parse implements parser.InlineParser.
func (roles) Parse(_ ast.Node, block text.Reader, pc parser.Context) ast.Node {
	line, segment := block.PeekLine()
	if m := substitutionForm.FindSubmatch(line); m != nil {
		value, known := markdown.FrontMatterOf(pc).Substitutions[string(m[1])]
		if !known {
			return nil
		}
		block.Advance(len(m[0]))
		return ast.NewString([]byte(value))
	}
	m := roleForm.FindSubmatchIndex(line)
	if m == nil {
		return nil
	}
	r := &role{name: strings.ToLower(string(line[m[2]:m[3]])), source: block.Source(), pc: pc, Span: markdown.Span{Start: segment.Start}}
	nameAt := markdown.Span{Start: segment.Start + m[2], Stop: segment.Start + m[3]}
	if !r.read(block, m[1], string(line[m[4]:m[5]])) {
		return nil
	}
	if make := roleKinds[r.name]; make != nil {
		return make(r)
	}
	_, last, domain := strings.Cut(r.name, ":")
	if !domain {
		last = r.name
	}
	switch {
	case strings.HasPrefix(r.name, "cite"), strings.HasPrefix(r.name, "footcite"):
		return r.citation()
	case slices.Contains(codeRoles, last):
		return r.code()
	case iconRoles.MatchString(r.name):
		return nothingRole(r)
	}
	tellOnce(pc, "role "+r.name, nameAt, diag.Say("markdown.myst-role-unknown", "name", r.name),
		diag.Suggest(r.name, roleNames(), diag.Say("markdown.myst-role-unknown-hint")))
	return r.text()
}

// roleNames returns the names of all roles, sorted.
func roleNames() []string {
	names := slices.Clone(codeRoles)
	for name := range roleKinds {
		names = append(names, name)
	}
	slices.Sort(names)
	return append(names, "cite", "cite:p", "cite:t")
}

// read reads the text up to as many backquotes as open it, and reports whether there are.
func (r *role) read(block text.Reader, from int, marks string) bool {
	block.Advance(from)
	for size := 0; len(r.parts) < maxRoleLines && size < maxRole; {
		line, segment := block.PeekLine()
		if line == nil {
			return false
		}
		if end := markdown.CodeEnd(line[:min(len(line), maxRole)], 0, len(marks)); end >= 0 {
			r.parts = append(r.parts, segment.WithStop(segment.Start+end))
			r.Stop = segment.Start + end + len(marks)
			block.Advance(end + len(marks))
			return r.split()
		}
		r.parts = append(r.parts, segment)
		size += len(line)
		block.AdvanceLine()
	}
	return false
}

// split splits "label <target>". It reports whether there is a text.
func (r *role) split() bool {
	var all []byte
	for _, p := range r.parts {
		all = append(append(all, p.Value(r.source)...), ' ')
	}
	r.content = strings.Join(strings.Fields(string(all)), " ")
	r.target = r.content
	if m := labelledForm.FindStringSubmatch(r.content); m != nil {
		r.label, r.target, r.hasLabel = m[1], strings.TrimSpace(m[2]), true
	}
	return r.content != ""
}

// text returns the text of the role.
func (r *role) text() ast.Node {
	if r.hasLabel || len(r.parts) > 1 {
		label := r.content
		if r.hasLabel {
			label = r.label
		}
		return ast.NewString([]byte(label))
	}
	return ast.NewTextSegment(r.parts[0])
}

// link returns a link whose text is the label, or else the target.
func (r *role) link(address string) ast.Node {
	n := ast.NewLink()
	n.Destination = []byte(address)
	n.SetPos(r.Start)
	n.AppendChild(n, r.text())
	return n
}

// refRole returns a reference to what a label names, by its title or by a text.
func refRole(r *role) ast.Node {
	if r.hasLabel {
		return r.link("#" + labelOf(r.target))
	}
	return &markdown.Reference{Destination: ":" + labelOf(r.target), Title: true, Span: r.Span}
}

// numrefRole returns a reference with a number. A text with %s or {number} is a format.
func numrefRole(r *role) ast.Node {
	return &markdown.Reference{Destination: ":" + labelOf(r.target), Format: r.label, Span: r.Span}
}

// citation returns the works that the role cites.
func (r *role) citation() ast.Node {
	c := &markdown.Citation{Span: r.Span}
	for _, name := range []string{":t", ":ts", ":ct", ":cts", ":author", "citet"} {
		c.Textual = c.Textual || strings.HasSuffix(r.name, name)
	}
	for key := range strings.SplitSeq(strings.ReplaceAll(r.content, ";", ","), ",") {
		if key = strings.TrimSpace(key); key != "" {
			c.Works = append(c.Works, markdown.Work{Key: key})
		}
	}
	if len(c.Works) == 0 {
		return r.text()
	}
	return c
}

// code returns the name of a function, a class or a file as code. After a tilde only the last part is shown.
func (r *role) code() ast.Node {
	n := ast.NewCodeSpan()
	for _, p := range r.parts {
		if value := p.Value(r.source); bytes.HasPrefix(value, []byte("~")) {
			p = p.WithStart(p.Start + 1 + bytes.LastIndexByte(value[1:], '.') + 1)
		}
		n.AppendChild(n, ast.NewRawTextSegment(p))
	}
	return n
}

// nothingRole shows nothing.
func nothingRole(r *role) ast.Node {
	return ast.NewTextSegment(text.NewSegment(r.Stop, r.Stop))
}

// A Styled is text in an HTML element.
type Styled struct {
	markdown.InlineNode
	Element, Title string
}

// KindStyled is the kind of [Styled].
var KindStyled = ast.NewNodeKind("GpudocsStyled")

// Kind implements ast.Node.
func (*Styled) Kind() ast.NodeKind { return KindStyled }

func styleRole(element string) func(*role) ast.Node {
	return func(r *role) ast.Node {
		n := &Styled{Element: element}
		n.AppendChild(n, r.text())
		return n
	}
}

var abbrForm = lazyregexp.New(`^(.*\S)\s*\(([^()]+)\)$`)

// abbrRole returns an abbreviation with what it stands for: {abbr}`PTX (Parallel Thread Execution)`.
func abbrRole(r *role) ast.Node {
	n := &Styled{Element: "abbr"}
	m := abbrForm.FindStringSubmatch(r.content)
	if m == nil {
		n.AppendChild(n, r.text())
		return n
	}
	n.Title = m[2]
	n.AppendChild(n, ast.NewString([]byte(m[1])))
	return n
}

// writeStyled writes text in its element.
func writeStyled(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	n := node.(*Styled)
	if !entering || n.Title == "" {
		return markdown.WriteElement(w, n.Element, entering)
	}
	_, _ = w.WriteString("<" + n.Element + ` title="`)
	_, _ = w.Write(util.EscapeHTML([]byte(n.Title)))
	_, err := w.WriteString(`">`)
	return ast.WalkContinue, err
}
