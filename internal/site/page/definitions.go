package page

import (
	"bytes"
	"cmp"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// A footnote is the definition of a footnote.
type footnote struct {
	label string
	pos   int // of its bracket
	used  bool
}

// footnotesKey is the key of the definitions in the document's metadata.
const footnotesKey = "gpudocs.notes"

// A footnoteRecorder records the definitions of footnotes before goldmark's transformer, of
// priority 999, removes unused ones.
type footnoteRecorder struct{}

func (footnoteRecorder) Transform(doc *ast.Document, reader text.Reader, _ parser.Context) {
	var notes []footnote
	for n := range markdown.Nodes(doc) {
		if f, ok := n.(*extast.Footnote); ok {
			label := string(f.Ref)
			notes = append(notes, footnote{label, definition(reader.Source(), f, label), f.Index >= 0})
		}
	}
	if notes != nil {
		slices.SortStableFunc(notes, func(a, b footnote) int { return cmp.Compare(a.pos, b.pos) })
		doc.AddMeta(footnotesKey, notes)
	}
}

// definition returns the offset of a footnote's definition: the position of its node, or else of
// the last matching bracket before its text.
func definition(source []byte, f *extast.Footnote, label string) int {
	if at := f.Pos(); at >= 0 && at < len(source) && bytes.HasPrefix(source[at:], []byte("[^"+label+"]:")) {
		return at
	}
	end := len(source)
	for c := f.FirstChild(); c != nil; c = c.FirstChild() {
		if c.Type() == ast.TypeBlock && c.Lines().Len() > 0 {
			end = c.Lines().At(0).Start
			break
		}
	}
	return max(0, bytes.LastIndex(source[:end], []byte("[^"+label+"]:")))
}

// referenceMarks occur in every page that defines or refers to something.
var referenceMarks = [][]byte{[]byte("[^"), []byte("]["), []byte("]:")}

// checkReferences reports undefined references and unused definitions of footnotes and links.
func checkReferences(file *diag.File, doc *ast.Document) diag.List {
	if !slices.ContainsFunc(referenceMarks, func(mark []byte) bool { return bytes.Contains(file.Data, mark) }) {
		return nil
	}
	r := &referenceChecker{file: file, prose: make([]byte, len(file.Data)), used: map[string]bool{}}
	r.notes, _ = doc.Meta()[footnotesKey].([]footnote)
	_ = ast.Walk(doc, r.visit)
	r.definitions()
	r.footnotes()
	r.undefined()
	return r.diags
}

type referenceChecker struct {
	file *diag.File
	// prose is the file with everything but plain text blanked. References that goldmark did not
	// resolve are still text.
	prose   []byte
	notes   []footnote
	defined []*ast.LinkReferenceDefinition
	used    map[string]bool
	diags   diag.List
}

func (r *referenceChecker) visit(n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	switch n := n.(type) {
	case *ast.CodeSpan:
		return ast.WalkSkipChildren, nil
	case *ast.Text:
		copy(r.prose[n.Segment.Start:n.Segment.Stop], r.file.Data[n.Segment.Start:n.Segment.Stop])
		if n.SoftLineBreak() && n.Segment.Stop < len(r.prose) {
			r.prose[n.Segment.Stop] = '\n'
		}
	case *ast.LinkReferenceDefinition:
		r.defined = append(r.defined, n)
	case *ast.Link:
		r.uses(n.Reference)
	case *ast.Image:
		r.uses(n.Reference)
	}
	return ast.WalkContinue, nil
}

func (r *referenceChecker) uses(l *ast.ReferenceLink) {
	if l != nil {
		r.used[util.ToLinkReference(l.Value)] = true
	}
}

// definitions reports unused and repeated definitions. Those such as [//]: # (text) are comments.
func (r *referenceChecker) definitions() {
	seen := map[string]int{}
	for _, d := range r.defined {
		label, start := util.ToLinkReference(d.Label), d.Pos()
		if string(d.Destination) == "#" || start < 0 {
			continue
		}
		end := start + len(d.Label) + 2
		if first, twice := seen[label]; twice {
			message := diag.Say("links.definition-duplicate", "label", string(d.Label), "where", r.file.Where(first, start))
			r.warn(site.RuleUnused, start, end, message.WithHint(diag.Say("markdown.duplicate-hint")))
		} else if !r.used[label] {
			r.warn(site.RuleUnused, start, end, diag.Say("links.definition-unused", "label", string(d.Label)))
		}
		if _, twice := seen[label]; !twice {
			seen[label] = start
		}
	}
}

func (r *referenceChecker) footnotes() {
	seen := map[string]int{}
	for _, n := range r.notes {
		end := n.pos + len(n.label) + 3
		first, twice := seen[n.label]
		switch {
		case twice:
			r.warn(site.RuleUnused, n.pos, end, diag.Say("links.footnote-duplicate", "label", n.label, "where", r.file.Where(first, n.pos)))
		case !n.used:
			r.warn(site.RuleUnused, n.pos, end, diag.Say("links.footnote-unused", "label", n.label))
		}
		if !twice {
			seen[n.label] = n.pos
		}
	}
}

// footnoteForm and linkForm match references that were not resolved and stayed text.
var (
	footnoteForm = lazyregexp.New(`\[\^([^\]\[\s\x00^]{1,64})\]`)
	linkForm     = lazyregexp.New(`\[([^\[\]\x00]{1,500})\]\[([^\[\]\x00]{0,500})\]`)
	digits       = lazyregexp.New(`^[0-9]+$`)
)

// escaped reports whether a backslash precedes the bracket. indexed reports whether it is that of
// an index: a[i][j].
func (r *referenceChecker) escaped(at int) bool { return at > 0 && r.prose[at-1] == '\\' }

func (r *referenceChecker) indexed(at int) bool {
	before, _ := utf8.DecodeLastRune(r.prose[:at])
	return unicode.IsLetter(before) || unicode.IsDigit(before) || before == '_' || before == ']' || before == ')'
}

func (r *referenceChecker) undefined() {
	var labels, notes []string
	var suggest diag.Suggester
	for _, d := range r.defined {
		labels = append(labels, string(d.Label))
	}
	for _, n := range r.notes {
		notes = append(notes, n.label)
	}
	for _, m := range footnoteForm.FindAllSubmatchIndex(r.prose, -1) {
		label := string(r.prose[m[2]:m[3]])
		if r.escaped(m[0]) {
			continue
		}
		hint := suggest.Suggest(label, func() []string { return notes }, diag.Say("links.footnote-define-hint", "label", label))
		r.warn(site.RuleFootnote, m[2]-2, m[3]+1, diag.Say("links.footnote-missing", "label", label).WithHint(hint))
	}
	for _, m := range linkForm.FindAllSubmatchIndex(r.prose, -1) {
		label := string(r.prose[m[4]:m[5]])
		if label == "" { // [label][]
			label = string(r.prose[m[2]:m[3]])
		}
		// [text][^note] is brackets and a footnote, and [1][2] are two sources in a row.
		if label[0] == '^' || digits.MatchString(label) || r.escaped(m[0]) || r.indexed(m[0]) {
			continue
		}
		hint := suggest.Suggest(label, func() []string { return labels }, diag.Say("links.reference-define-hint", "label", label))
		r.warn(site.RuleReference, m[2]-1, m[5]+1, diag.Say("links.reference-undefined", "label", label).WithHint(hint))
	}
}

func (r *referenceChecker) warn(rule string, start, end int, message diag.Text) {
	r.diags.Add(r.file.Warning(start, end, message).WithRule(rule))
}
