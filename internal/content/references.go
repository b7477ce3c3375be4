package content

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

	"github.com/gpudocs/gpudocs/internal/diag"
	"github.com/gpudocs/gpudocs/internal/lazyregexp"
)

// Rules of diagnostics that this package makes; docs/check.md lists them.
const (
	RuleLink      = "link"      // a link, or an address that cannot be read
	RuleAnchor    = "anchor"    // a heading or an id that is not there
	RuleImage     = "image"     // an image that is not there, or cannot be shown
	RuleAlt       = "alt"       // an image without a text
	RuleFootnote  = "footnote"  // a reference without a definition
	RuleReference = "reference" // [text][label] without a definition
	RuleUnused    = "unused"    // a definition that nothing refers to, or a second one
	RuleID        = "id"        // an id that stands twice
)

// A note is the definition of a footnote.
type note struct {
	label string
	pos   int // of its bracket
	used  bool
}

// notesKey is where the definitions stand in the document's metadata.
const notesKey = "gpudocs.notes"

// noteKeeper keeps the definitions of footnotes before goldmark's own transformer,
// of priority 999, drops those that nothing refers to.
type noteKeeper struct{}

func (noteKeeper) Transform(doc *ast.Document, reader text.Reader, _ parser.Context) {
	var notes []note
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if f, ok := n.(*extast.Footnote); ok && entering {
			label := string(f.Ref)
			notes = append(notes, note{label, definition(reader.Source(), f, label), f.Index >= 0})
		}
		return ast.WalkContinue, nil
	})
	if notes != nil {
		slices.SortStableFunc(notes, func(a, b note) int { return cmp.Compare(a.pos, b.pos) })
		doc.AddMeta(notesKey, notes)
	}
}

// definition finds where a footnote's definition begins: its own place, or else the
// last such bracket before its text.
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

// referenceMarks are what a page has at least one of that defines or refers to something.
var referenceMarks = [][]byte{[]byte("[^"), []byte("]["), []byte("]:")}

// references reports the footnotes and the link reference definitions of a page
// that do not find each other.
func references(file *diag.File, doc *ast.Document) diag.List {
	if !slices.ContainsFunc(referenceMarks, func(mark []byte) bool { return bytes.Contains(file.Data, mark) }) {
		return nil
	}
	r := &referenceChecker{file: file, prose: make([]byte, len(file.Data)), used: map[string]bool{}}
	r.notes, _ = doc.Meta()[notesKey].([]note)
	_ = ast.Walk(doc, r.visit)
	r.definitions()
	r.footnotes()
	r.undefined()
	return r.diags
}

type referenceChecker struct {
	file *diag.File
	// prose is the file with all but its plain text blanked: what goldmark could
	// not read as a link has stayed text.
	prose   []byte
	notes   []note
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

// definitions reports those that nothing uses, and those that come too late. One
// such as [//]: # (text) is how authors write a comment.
func (r *referenceChecker) definitions() {
	seen := map[string]int{}
	for _, d := range r.defined {
		label, start := util.ToLinkReference(d.Label), d.Pos()
		if string(d.Destination) == "#" || start < 0 {
			continue
		}
		end := start + len(d.Label) + 2
		if first, twice := seen[label]; twice {
			r.warn(RuleUnused, start, end, diag.Say("[%s] is defined already in %s, and this definition is not used", d.Label, r.file.Where(first, start)), diag.Say("keep one of the two"))
		} else if !r.used[label] {
			r.warn(RuleUnused, start, end, diag.Say("nothing refers to [%s]", d.Label), diag.Say("refer to it as [text][%s], or remove it", string(d.Label)))
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
			r.warn(RuleUnused, n.pos, end, diag.Say("the footnote [^%s] is defined already in %s, and this text is not shown", n.label, r.file.Where(first, n.pos)), diag.Say("give it another label, or remove it"))
		case !n.used:
			r.warn(RuleUnused, n.pos, end, diag.Say("nothing refers to the footnote [^%s], so it is not shown", n.label), diag.Say("refer to it as [^%s], or remove it", n.label))
		}
		if !twice {
			seen[n.label] = n.pos
		}
	}
}

// noteForm and linkForm are what references look like that stayed text.
var (
	noteForm = lazyregexp.New(`\[\^([^\]\[\s\x00^]{1,64})\]`)
	linkForm = lazyregexp.New(`\[([^\[\]\x00]{1,500})\]\[([^\[\]\x00]{0,500})\]`)
	digits   = lazyregexp.New(`^[0-9]+$`)
)

// escaped tells whether a backslash stands before the bracket, and indexed whether
// it is that of an index: a[i][j].
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
	for _, m := range noteForm.FindAllSubmatchIndex(r.prose, -1) {
		label := string(r.prose[m[2]:m[3]])
		if r.escaped(m[0]) {
			continue
		}
		r.warn(RuleFootnote, m[2]-2, m[3]+1, diag.Say("there is no footnote [^%s]", label),
			suggest.Suggest(label, func() []string { return notes }, diag.Say("define it with a line [^%s]: text", label)))
	}
	for _, m := range linkForm.FindAllSubmatchIndex(r.prose, -1) {
		label := string(r.prose[m[4]:m[5]])
		if label == "" { // [label][]
			label = string(r.prose[m[2]:m[3]])
		}
		// [text][^note] is a bracket and a footnote, [1][2] are two sources in a row.
		if label[0] == '^' || digits.MatchString(label) || r.escaped(m[0]) || r.indexed(m[0]) {
			continue
		}
		r.warn(RuleReference, m[2]-1, m[5]+1, diag.Say("the reference [%s] is not defined", label),
			suggest.Suggest(label, func() []string { return labels }, diag.Say("define it with a line [%s]: address; brackets that are text are written \\[", label)))
	}
}

func (r *referenceChecker) warn(rule string, start, end int, message, hint diag.Text) {
	d := r.file.Warning(start, end, message, hint)
	d.Rule = rule
	r.diags.Add(d)
}
