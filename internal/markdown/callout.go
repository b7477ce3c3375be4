package markdown

import (
	"maps"
	"slices"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// A Fold is whether a reader can fold a callout, and its initial state.
type Fold int

// The folds.
const (
	NoFold Fold = iota
	Folded
	Unfolded
)

// A Callout is a box in the text: a note, a warning. Its first child is a
// [CalloutTitle] if the author gave a title.
type Callout struct {
	BlockNode
	// Name is its kind in lower case, as in the theme's texts: "note", "tip". It may be a kind that
	// the author made up. "details" only folds.
	Name string
	Fold Fold
	// Plain is set if the author wants no title at all: !!! note "".
	Plain bool
	// Statement is set for a theorem, an exercise, a proof: its Name is one of [Statement]'s, and is
	// shown with the title in parentheses. A [Reference] that begins the title of a solution is what it
	// solves.
	Statement bool
	// Counted gives a statement a number in the series of its Name: "Theorem 2".
	Counted bool
	// Solves is the address or the label of what a solution solves, if its author names it, until the
	// page is numbered and its title begins with the [Reference].
	Solves *Reference
	// Solutions are the ids of the solutions of an exercise on its page that are not in it.
	Solutions []string
	// Withheld is set for a solution that is not published yet, and has no content.
	Withheld bool
	// Opening and Closing are the extents of the lines or marks that open and close it. Closing is
	// empty if the syntax has no closing mark, and at the end of the page if the author forgot it.
	Opening, Closing Span
}

// CalloutTitle is the title of a callout, with inline children.
type CalloutTitle struct{ BlockNode }

// Kinds of the nodes above.
var (
	KindCallout      = ast.NewNodeKind("GpudocsCallout")
	KindCalloutTitle = ast.NewNodeKind("GpudocsCalloutTitle")
)

// Kind implements ast.Node.
func (*Callout) Kind() ast.NodeKind { return KindCallout }

// Kind implements ast.Node.
func (*CalloutTitle) Kind() ast.NodeKind { return KindCalloutTitle }

// CalloutNames returns the kinds that gpudocs has an icon and a title for, in the order of the
// documentation, and "details".
func CalloutNames() []string { return slices.Clone(calloutNames) }

var calloutNames = []string{"note", "tip", "important", "warning", "caution", "danger", "info", "success", "question", "failure",
	"bug", "example", "quote", "abstract", "todo", "details"}

// calloutAliases are other names of the kinds in Obsidian, Material and Python-Markdown:
// https://help.obsidian.md/callouts,
// https://squidfunk.github.io/mkdocs-material/reference/admonitions/.
var calloutAliases = map[string]string{
	"summary": "abstract", "tldr": "abstract", "hint": "tip", "check": "success", "done": "success", "help": "question", "faq": "question",
	"attention": "warning", "fail": "failure", "missing": "failure", "error": "danger", "cite": "quote", "snippet": "example",
	"seealso":    "note",
	"admonition": "note",
}

// CalloutKind returns the kind that a name in lower case means in any dialect. An unknown name is
// returned as it is.
func CalloutKind(name string) string {
	if kind, ok := calloutAliases[name]; ok {
		return kind
	}
	return name
}

// The statements that belong to each other.
const Exercise, Solution = "exercise", "solution"

// statements are the names of statements, each with the callout that it looks like.
var statements = map[string]string{
	"algorithm": "abstract", "assumption": "abstract", "axiom": "abstract", "conjecture": "abstract", "corollary": "abstract",
	"criterion":  "abstract",
	"definition": "abstract", "example": "example", "exercise": "todo", "lemma": "abstract", "observation": "info", "proof": "abstract",
	"property": "abstract", "proposition": "abstract", "remark": "info", "solution": "success", "theorem": "abstract",
}

// Statements returns the names of statements, in lower case and sorted.
func Statements() []string { return slices.Sorted(maps.Keys(statements)) }

// Statement returns the callout that a statement of a name in lower case looks like, or "" if there is no
// such statement.
func Statement(name string) (kind string) { return statements[name] }

// lessonKinds are the kinds of boxes of a lesson, which have titles, and the kinds that they look like.
var lessonKinds = map[string]string{
	"lesson-checklist": "todo", "lesson-discussion": "question", "lesson-hint": "tip", "lesson-instructor": "info",
	"lesson-keypoints": "abstract", "lesson-objectives": "abstract", "lesson-prereq": "info", "lesson-questions": "question",
}

// Display returns the kind that a callout looks like, and whether its name has a title among the theme's texts.
func (n *Callout) Display() (kind string, titled bool) {
	if kind, ok := lessonKinds[n.Name]; ok {
		return kind, true
	}
	if slices.Contains(calloutNames, n.Name) {
		return n.Name, true
	}
	return "note", false
}

// NewStatement returns a statement of a name. A solution is folded.
func NewStatement(name string, opening, closing Span) *Callout {
	n := &Callout{Name: name, Statement: true, Opening: opening, Closing: closing}
	if name == Solution {
		n.Fold = Folded
	} else {
		n.Counted = name != "proof"
	}
	return n
}

// Exercise returns what a solution solves, once the page is numbered, or nil.
func (n *Callout) Exercise() *Reference {
	title, ok := n.FirstChild().(*CalloutTitle)
	if !ok || n.Name != Solution {
		return nil
	}
	r, _ := title.FirstChild().(*Reference)
	return r
}

// NamesExercise reports whether the reference only says to which exercise a solution belongs. It is not
// shown as a link: that cannot be in what folds.
func (n *Reference) NamesExercise() bool {
	if n.Parent() == nil || n.Parent().Kind() != KindCalloutTitle {
		return false
	}
	c, ok := n.Parent().Parent().(*Callout)
	return ok && c.Exercise() == n
}

// SetTitle makes a part of the source the title of a callout.
func (n *Callout) SetTitle(s Span) {
	if s.Start >= s.Stop {
		return
	}
	t := &CalloutTitle{}
	t.Lines().Append(text.NewSegment(s.Start, s.Stop))
	t.SetPos(s.Start)
	n.InsertBefore(n, n.FirstChild(), t)
}
