package markdown

import (
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/gpudocs/gpudocs/internal/diag"
)

// A Fold tells whether a reader can fold a callout.
type Fold int

// The folds: not at all, and folded or open at first.
const (
	NoFold Fold = iota
	Folded
	Unfolded
)

// A Callout is a box in the text: a note, a warning. Its first child is a
// [CalloutTitle] where the author gave a title.
type Callout struct {
	ast.BaseBlock
	// Name is its kind in lower case, as the theme's texts know it: "note", "tip".
	// An author's own kind passes as it is; "details" is a fold and nothing else.
	Name string
	Fold Fold
	// Plain is set where the author wants no title at all: !!! note "".
	Plain bool
	// Opening is the extent of the lines or marks that open it, Closing of those
	// that close it; an empty Closing belongs to a form that needs none.
	Opening, Closing Span

	indent int // of its marks, where its body is indented
}

// CalloutTitle is the line of text on a callout, with inline children.
type CalloutTitle struct{ ast.BaseBlock }

// Kinds of the nodes above.
var (
	KindCallout      = ast.NewNodeKind("GpudocsCallout")
	KindCalloutTitle = ast.NewNodeKind("GpudocsCalloutTitle")
)

// Kind implements ast.Node.
func (*Callout) Kind() ast.NodeKind { return KindCallout }

// Kind implements ast.Node.
func (*CalloutTitle) Kind() ast.NodeKind { return KindCalloutTitle }

// Dump implements ast.Node.
func (n *Callout) Dump(source []byte, level int) {
	ast.DumpHelper(n, source, level, map[string]string{"Name": n.Name}, nil)
}

// Dump implements ast.Node.
func (n *CalloutTitle) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// CalloutNames are the kinds that gpudocs has an icon and a title for, in the
// order of the documentation, and "details".
func CalloutNames() []string { return slices.Clone(calloutNames) }

var calloutNames = []string{"note", "tip", "important", "warning", "caution", "danger", "info", "success", "question", "failure",
	"bug", "example", "quote", "abstract", "todo", "details"}

// calloutAliases are further names of the kinds in Obsidian, Material and
// Python-Markdown: https://help.obsidian.md/callouts,
// https://squidfunk.github.io/mkdocs-material/reference/admonitions/.
var calloutAliases = map[string]string{
	"summary": "abstract", "tldr": "abstract", "hint": "tip", "check": "success", "done": "success", "help": "question", "faq": "question",
	"attention": "warning", "fail": "failure", "missing": "failure", "error": "danger", "cite": "quote", "snippet": "example", "seealso": "note",
	"admonition": "note",
}

// CalloutKind is the kind that a name in lower case means in any dialect; an author's
// own stays as it is.
func CalloutKind(name string) string {
	if kind, ok := calloutAliases[name]; ok {
		return kind
	}
	return name
}

// title gives a callout the text of a part of the source as its title.
func (n *Callout) title(s Span) {
	if s.Start >= s.Stop {
		return
	}
	t := &CalloutTitle{}
	t.Lines().Append(text.NewSegment(s.Start, s.Stop))
	t.SetPos(s.Start)
	n.InsertBefore(n, n.FirstChild(), t)
}

// callout is the one that a container is. One of an unknown name is shown as a
// note, its line as the title.
func (c *Container) callout(pc parser.Context) ast.Node {
	n := &Callout{Name: c.Name, Opening: c.Opening, Closing: c.Closing}
	kind := CalloutKind(c.Name)
	known := slices.Contains(calloutNames, c.Name)
	switch {
	case known, c.Slashes && kind != c.Name:
		n.Name = kind
		n.title(c.Title)
	default:
		hint := diag.Suggest(c.Name, containerNames, diag.Say("known are %s", strings.Join(containerNames, ", ")))
		if kind != c.Name {
			hint = diag.Say("write %s", kind)
		}
		report(pc, Fault{Span: c.name, Message: diag.Say("unknown container %q", c.Name), Hint: hint})
		n.Name = "note"
		n.title(Span{c.name.Start, max(c.name.Stop, c.Title.Stop)})
	}
	if n.Name == "details" {
		n.Fold = Folded
	}
	if c.kind != "" {
		n.Name = CalloutKind(c.kind)
	}
	fold, has := c.attribute("fold")
	switch {
	case has && fold.Value == "":
		n.Fold = Folded
	case has && fold.Value == "open":
		n.Fold = Unfolded
	case has:
		report(pc, Fault{Span: fold.Span, Message: diag.Say("fold cannot be %q", fold.Value), Hint: diag.Say("write fold, or fold=open")})
	}
	c.known(pc, "fold")
	c.identify(n)
	return n
}

// containerNames are those that authors may write behind :::.
var containerNames = append([]string{"figure", "include", "machines", "tab", "tabs"}, calloutNames...)
