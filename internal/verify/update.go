package verify

import (
	"io/fs"
	"slices"
	"strings"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/compat"
	"github.com/gpudocs/gpudocs/internal/report/match"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text"
)

// An Update is what verify --update writes: it replaces expectations that were not met
// by the actual output, in every place and translation of the check.
//
// It is made from a finished run, and writes nothing itself. The new pages have been
// parsed as a site, and every block in them has been judged again by the output of that
// run. So an update changes nothing but expectations, and a changed block passes, or
// else its update is refused.
type Update struct {
	// Pages are those that change, by name.
	Pages []PageUpdate
	// Refused are the checks with an expectation that cannot be updated.
	Refused []Refusal

	site, next *site.Site
	report     *report.Report
	examples   map[report.ID][]Printed
	broken     map[string]bool // the pages of next with errors
	// chosen are the checks of the run, revised those that are updated, both by their
	// old IDs.
	chosen, revised map[report.ID]bool
}

// A PageUpdate is the content of a page's file before and after the update.
type PageUpdate struct {
	Name     string
	Old, New []byte
}

// A Refusal is why a block's expectation is not updated.
type Refusal struct {
	Block *site.Block
	Why   text.Message
	// Skipped: the block did not run on this machine.
	Skipped bool
}

// Printed is the result of an example of a pycon block.
type Printed struct {
	Output string
	// Exception is the last line of its traceback, or empty.
	Exception string
	// Cut: some of the output was left out.
	Cut bool
}

// NewUpdate makes the update for a run. examples are the results that the run passed to
// [Options].Examples. The pages are read from fsys again. It is an error if one of them
// has changed since the site was loaded.
func NewUpdate(s *site.Site, p *Plan, r *report.Report, examples map[report.ID][]Printed, fsys fs.FS) (*Update, error) {
	u := &updater{
		Update: &Update{site: s, report: r, examples: examples, chosen: map[report.ID]bool{}, revised: map[report.ID]bool{}},
		fsys:   fsys, checks: r.ByID(), edits: map[*site.Block]revision{},
	}
	var blocks []*site.Block
	for _, s := range p.Sessions {
		for _, b := range s.Chosen() {
			if !u.chosen[b.ID] {
				u.chosen[b.ID] = true
				blocks = append(blocks, b)
			}
		}
	}
	for _, b := range blocks {
		u.block(b)
	}
	u.share()
	return u.Update, u.validate()
}

// Failed reports whether a check of the plan still fails, or did not run and could not
// be updated.
func (u *Update) Failed(p *Plan) bool {
	left := *u.report
	left.Checks = slices.DeleteFunc(slices.Clone(left.Checks), func(c report.Check) bool { return u.revised[c.ID] })
	return p.Failed(&left)
}

type updater struct {
	*Update
	fsys   fs.FS
	checks map[report.ID]*report.Check
	edits  map[*site.Block]revision
}

// A revision is the new text of a block.
type revision struct {
	cause   *site.Block // the block that ran
	edits   []replacement
	code    string   // of a pycon block
	expects []string // the texts of all its expectations
}

// block decides whether to update a block of the run, and its other places.
func (u *updater) block(b *site.Block) {
	c := u.checks[b.ID]
	if c == nil || c.Outcome == report.Passed {
		return
	}
	if b.Page.Notebook != nil {
		u.refuse(b, text.Say("verify.update-notebook"), c.Outcome == report.Skipped)
		return
	}
	if b.Kind != site.Pycon && len(b.Expects) == 0 {
		return
	}
	if why := whyOtherFile(b); !why.IsZero() {
		u.refuse(b, why, c.Outcome == report.Skipped)
		return
	}
	if why := u.whyUnfit(b, c); !why.IsZero() {
		u.refuse(b, why, c.Outcome == report.Skipped)
		return
	}
	for _, t := range u.targets(b) {
		if t.Page.Notebook != nil {
			u.refuse(t, text.Say("verify.update-notebook"), false)
			continue
		}
		if why := whyOtherFile(t); !why.IsZero() {
			u.refuse(t, why, false)
			continue
		}
		if v := u.revise(t, c); len(v.edits) > 0 {
			v.cause = b
			u.edits[t] = v
		}
	}
}

// whyOtherFile returns why a block is not updated if its expectation is in another file
// than the page: other pages may include that file.
func whyOtherFile(b *site.Block) text.Message {
	page := b.Page.File.Name
	if b.Kind == site.Pycon && b.CodeFile != page {
		return text.Say("verify.update-output-included", "file", b.CodeFile)
	}
	for _, e := range b.Expects {
		if e.File != page {
			return text.Say("verify.update-expectation-included", "file", e.File)
		}
	}
	return text.Message{}
}

// whyUnfit returns why the outcome of a check cannot become an expectation.
func (u *updater) whyUnfit(b *site.Block, c *report.Check) text.Message {
	if c.Outcome == report.Skipped {
		return text.Say("verify.check-skipped")
	}
	switch c.Reason.Code {
	case report.ReasonMismatch:
	case report.ReasonException:
		if b.Kind != site.Pycon {
			return text.Say("verify.snippet-raised", "what", c.Reason.Detail)
		}
	case report.ReasonExit:
		return text.Say("verify.snippet-exit-code", "n", c.Reason.Detail)
	case report.ReasonTimeout:
		return text.Say("verify.snippet-timeout")
	case report.ReasonCrash:
		return text.Say("verify.snippet-crashed", "why", c.Reason.Detail)
	case report.ReasonTruncated:
		return text.Say("verify.output-cut")
	case report.ReasonNoExpect, report.ReasonManyExpect:
		return text.Say("verify.update-expectations-ambiguous")
	default:
		return text.Say("verify.snippet-unfinished", "why", c.Reason.Code)
	}
	cut := c.Stdout != nil && c.Stdout.Cut > 0 || c.Stderr != nil && c.Stderr.Cut > 0
	if b.Kind == site.Pycon {
		cut = slices.ContainsFunc(u.examples[b.ID], func(p Printed) bool { return p.Cut })
	}
	if cut {
		return text.Say("verify.output-cut")
	}
	return text.Message{}
}

func (u *updater) refuse(b *site.Block, why text.Message, skipped bool) {
	if slices.ContainsFunc(u.Refused, func(r Refusal) bool { return r.Block == b }) {
		return
	}
	u.Refused = append(u.Refused, Refusal{b, why, skipped})
}

// targets returns the blocks that get an output: all places of the check, and the same
// code in translations of its page that has another expectation, unless that ran on its
// own.
func (u *updater) targets(b *site.Block) []*site.Block {
	var out []*site.Block
	for _, p := range u.site.Pages {
		for _, t := range p.Blocks {
			same := t.ID == b.ID || p.Key == b.Page.Key && p.Source != b.Page.Source && !u.chosen[t.ID] && sameCode(b, t)
			if _, taken := u.edits[t]; same && !taken && t.Kind == b.Kind {
				out = append(out, t)
			}
		}
	}
	return out
}

// sameCode reports whether two blocks run the same code, whatever they expect.
func sameCode(a, b *site.Block) bool {
	return slices.Equal(steps(a), steps(b))
}

// steps returns what a block's session runs up to and including the block.
func steps(b *site.Block) []string {
	if b.Session == nil {
		return nil
	}
	out := []string{b.Session.Interpreter, b.Session.Env}
	for _, o := range b.Session.Blocks {
		code := o.Code
		if o.Kind == site.Pycon {
			code = ""
			examples, _ := match.Examples(o.Code)
			for _, e := range examples {
				code += e.Code
			}
		}
		out = append(out, string(o.Kind), code, o.Needs.String())
		if o == b {
			break
		}
	}
	return out
}

// revise returns the revision of one block for the outcome of a check.
func (u *updater) revise(t *site.Block, c *report.Check) revision {
	v := revision{code: t.Code}
	for _, e := range t.Expects {
		v.expects = append(v.expects, e.Text)
	}
	if t.Kind == site.Pycon {
		u.reviseExamples(&v, t, c)
		return v
	}
	want := expect(t, compat.Facts(u.report.Machine, t.Session.Env))
	v.stream(t, want.stdout, c.Stdout.String())
	v.stream(t, want.stderr, c.Stderr.String())
	return v
}

// stream revises the expectation of one stream, if it is not met.
func (v *revision) stream(t *site.Block, e *site.Expect, got string) {
	if e == nil || e.Expectation().Compare(got).Same {
		return
	}
	text := match.Update(e.Text, got, e.Options)
	size := len(splitLines(e.Text))
	v.edits = append(v.edits, replacement{fence: e.Line - 1, size: size, to: size, lines: splitLines(text)})
	v.expects[slices.Index(t.Expects, e)] = text
}

// reviseExamples replaces the expectations of the examples of a pycon block that
// printed something else.
func (u *updater) reviseExamples(v *revision, t *site.Block, c *report.Check) {
	examples, _ := match.Examples(t.Code)
	printed := u.examples[c.ID]
	size := len(splitLines(t.Code))
	code := splitLines(t.Code)
	for i := min(len(examples), len(printed)) - 1; i >= 0; i-- {
		e := &examples[i]
		if !runsExample(e) || meets(e, printed[i]) {
			continue
		}
		from := e.Line + len(e.Shown)
		edit := replacement{fence: t.Line, size: size, from: from, to: from + len(splitLines(e.Want)), lines: expectationLines(e, printed[i])}
		v.edits = append(v.edits, edit)
		code = slices.Replace(code, edit.from, edit.to, edit.lines...)
	}
	v.code = strings.Join(code, "\n") + "\n"
}

// runsExample reports whether an example is run at all.
func runsExample(e *match.Example) bool { return !e.Blank && e.Flags&match.Skip == 0 }

func meets(e *match.Example, p Printed) bool {
	if p.Exception != "" {
		return e.Raised(p.Exception)
	}
	return e.Judge(p.Output).Same
}

// expectationLines returns the new expectation of an example. Matchers of the old one
// are kept, unless the output does not match then.
func expectationLines(e *match.Example, p Printed) []string {
	text := traceback + p.Exception
	if p.Exception == "" {
		text = match.Update(e.Want, p.Output, match.Options{Number: e.Flags&match.Number != 0})
		revised := *e
		revised.Want = blankLines(text)
		if !revised.Judge(p.Output).Same {
			text = p.Output
		}
		text = blankLines(text)
	}
	lines := splitLines(text)
	for i, l := range lines {
		indent := e.Shown[0][:len(e.Shown[0])-len(strings.TrimLeft(e.Shown[0], " "))]
		lines[i] = indent + strings.TrimRight(l, " \t")
	}
	return lines
}

// blankLines replaces empty lines by the mark that doctest uses for them.
func blankLines(text string) string {
	lines := splitLines(text)
	for len(lines) > 0 && strings.TrimSpace(lines[len(lines)-1]) == "" {
		lines = lines[:len(lines)-1]
	}
	for i, l := range lines {
		if strings.TrimSpace(l) == "" {
			lines[i] = "<BLANKLINE>"
		}
	}
	return strings.Join(append(lines, ""), "\n")
}

// splitLines splits a text into its lines, without their ends.
func splitLines(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}
