package update

import (
	"slices"
	"strings"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/compat"
	"github.com/gpudocs/gpudocs/internal/report/match"
	"github.com/gpudocs/gpudocs/internal/report/reason"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text"
	"github.com/gpudocs/gpudocs/internal/verify/judge"
)

func (u *Update) refuse(b *site.Block, why text.Message, skipped bool) {
	if slices.ContainsFunc(u.Refused, func(r Refusal) bool { return r.Block == b }) {
		return
	}
	u.Refused = append(u.Refused, Refusal{b, why, skipped})
}

// A revision is the new text of a block.
type revision struct {
	cause   *site.Block // the block that ran
	edits   []replacement
	code    string   // of a pycon block
	expects []string // the texts of all its expectations
}

// revise returns the revision of one block for the outcome of a check.
func (u *Update) revise(t *site.Block, c *report.Check) revision {
	v := revision{code: t.Code, expects: texts(t)}
	if t.Kind == site.Pycon {
		u.reviseExamples(&v, t, c)
		return v
	}
	want := judge.Choose(t, compat.Facts(u.report.Machine, t.Session.Env))
	v.stream(t, want.Stdout, c.Stdout.String())
	v.stream(t, want.Stderr, c.Stderr.String())
	return v
}

// stream revises the expectation of one stream, if it is not met.
func (v *revision) stream(t *site.Block, e *site.Expect, got string) {
	if e == nil || e.Parsed.Compare(got).Same {
		return
	}
	text := match.Update(e.Text, got, e.Tolerance)
	size := len(judge.Lines(e.Text))
	v.edits = append(v.edits, replacement{fence: e.Line - 1, size: size, to: size, lines: judge.Lines(text)})
	v.expects[slices.Index(t.Expects, e)] = text
}

// reviseExamples replaces the expectations of the examples of a pycon block that
// printed something else.
func (u *Update) reviseExamples(v *revision, t *site.Block, c *report.Check) {
	examples, printed := t.Examples, u.examples[c.ID]
	code := judge.Lines(t.Code)
	size := len(code)
	for i := min(len(examples), len(printed)) - 1; i >= 0; i-- {
		e := &examples[i]
		if !judge.Runs(e) || printed[i].Meets(e) {
			continue
		}
		from := e.Line + len(e.Shown)
		edit := replacement{fence: t.Line, size: size, from: from, to: from + len(judge.Lines(e.Want)), lines: expectationLines(e, printed[i])}
		v.edits = append(v.edits, edit)
		code = slices.Replace(code, edit.from, edit.to, edit.lines...)
	}
	v.code = strings.Join(code, "\n") + "\n"
}

// expectationLines returns the new expectation of an example. Matchers of the old one
// are kept, unless the output does not match then.
func expectationLines(e *match.Example, p judge.Printed) []string {
	text := judge.Traceback + p.Exception
	if p.Exception == "" {
		text = match.Update(e.Want, p.Output, match.Tolerance{Number: e.Flags&match.Number != 0})
		revised := *e
		revised.Want = blankLines(text)
		if !revised.Judge(p.Output).Same {
			text = p.Output
		}
		text = blankLines(text)
	}
	lines := judge.Lines(text)
	for i, l := range lines {
		indent := e.Shown[0][:len(e.Shown[0])-len(strings.TrimLeft(e.Shown[0], " "))]
		lines[i] = indent + strings.TrimRight(l, " \t")
	}
	return lines
}

// blankLines replaces empty lines by the mark that doctest uses for them.
func blankLines(text string) string {
	lines := judge.Lines(text)
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

// whyReadOnly returns why the text of a block cannot be updated. Notebooks are not
// written, other pages may include a file that contains the expectation, and that of a block with a
// matrix must hold for all combinations.
func whyReadOnly(b *site.Block) text.Message {
	if b.Page.Notebook != nil {
		return text.Say("verify.update-notebook")
	}
	if b.Values != nil {
		return text.Say("verify.update-matrix")
	}
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
func (u *Update) whyUnfit(b *site.Block, c *report.Check) text.Message {
	if c.Outcome == report.Skipped {
		return text.Say("verify.check-skipped")
	}
	switch c.Reason.Code {
	case report.ReasonMismatch:
	case report.ReasonException:
		if b.Kind != site.Pycon {
			return reason.Message(c.Reason)
		}
	case report.ReasonTruncated:
		return text.Say("verify.output-cut")
	case report.ReasonNoExpect, report.ReasonManyExpect:
		return text.Say("verify.update-expectations-ambiguous")
	default:
		return reason.Message(c.Reason)
	}
	cut := c.Stdout != nil && c.Stdout.Cut > 0 || c.Stderr != nil && c.Stderr.Cut > 0
	if b.Kind == site.Pycon {
		cut = slices.ContainsFunc(u.examples[b.ID], func(p judge.Printed) bool { return p.Cut })
	}
	if cut {
		return text.Say("verify.output-cut")
	}
	return text.Message{}
}

func texts(b *site.Block) (out []string) {
	for _, e := range b.Expects {
		out = append(out, e.Text)
	}
	return out
}

// steps returns what a block's session runs up to and including the block.
func steps(b *site.Block) []string {
	if b.Session == nil {
		return nil
	}
	out := []string{b.Session.Interpreter, b.Session.Env, b.Session.Kernel}
	for _, o := range b.Session.Blocks {
		code := o.Code
		if o.Kind == site.Pycon {
			code = ""
			for _, e := range o.Examples {
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
