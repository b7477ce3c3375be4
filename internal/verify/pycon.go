package verify

import (
	"context"
	"strings"
	"time"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/match"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/verify/judge"
	"github.com/gpudocs/gpudocs/internal/verify/session"
)

// A transcript is a Python session with its actual output.
type transcript struct {
	shown, errors strings.Builder
	diff          []report.DiffLine
	missing       bool // an exception came instead of another expected result
	ran           int
	printed       []judge.Printed // by example
}

// pycon runs a Python session example by example, as doctest does: each is compared on
// its own, and a failing one does not end the block.
func (x *runner) pycon(ctx context.Context, b *site.Block, c *report.Check) error {
	c.Outcome = report.Passed
	t := &transcript{}
	left := x.timeLimit(b)
	for i := range b.Examples {
		e := &b.Examples[i]
		t.show(e)
		if !judge.Runs(e) {
			t.printed = append(t.printed, judge.Printed{})
			continue
		}
		began := time.Now()
		res, err := x.step(ctx, b, e.Code, b.LineOf(e.Line), session.Single, max(left, time.Millisecond))
		if err != nil {
			return err
		}
		left -= time.Since(began)
		t.errors.WriteString(x.keepFigures(c, res.Figures))
		if x.judgeExample(b, c, e, res, t) {
			break
		}
	}
	if t.ran == 0 {
		c.Outcome, c.Reason = report.Skipped, &report.Reason{Code: report.ReasonSkip}
		return nil
	}
	if err := x.remainingFigures(ctx, b, c, left, &t.errors); err != nil {
		return err
	}
	x.o.Examples(b.ID, t.printed)
	c.Stdout, c.Stderr = headAndTail(t.shown.String(), keptHead, keptTail), headAndTail(t.errors.String(), keptHead, keptTail)
	if c.Outcome != report.Passed {
		c.Captures = nil
	}
	if c.Reason != nil && (c.Reason.Code == report.ReasonMismatch || c.Reason.Code == report.ReasonException && t.missing) {
		c.Diff = judge.Shorten(t.diff)
	}
	return nil
}

func (t *transcript) show(e *match.Example) {
	for _, s := range e.Shown {
		t.diff = append(t.diff, report.DiffLine{Op: " ", Text: s})
		t.shown.WriteString(s + "\n")
	}
}

// addException adds an exception, and what was expected instead, to the diff.
func (t *transcript) addException(e *match.Example, exception string, expected bool) {
	op := " "
	if !expected {
		op = "+"
		for _, s := range judge.Lines(e.Want) {
			t.missing = true
			t.diff = append(t.diff, report.DiffLine{Op: "-", Text: s})
		}
	}
	for _, s := range judge.Lines(judge.Traceback + exception) {
		t.diff = append(t.diff, report.DiffLine{Op: op, Text: s})
	}
}

// judgeExample compares one example. It returns true if the block ends with it. The
// first failure sets the reason of the block.
func (x *runner) judgeExample(b *site.Block, c *report.Check, e *match.Example, res session.Result, t *transcript) (end bool) {
	stdout := x.stream(res.Stdout)
	out := stdout.String()
	t.ran++
	t.printed = append(t.printed, judge.Printed{Output: out, Exception: x.text(res.Exception), Cut: stdout != nil && stdout.Cut > 0})
	t.shown.WriteString(withEnd(out))
	t.errors.WriteString(x.stream(res.Stderr).String())
	if res.Exception != "" && res.Status == session.Finished {
		exception := x.text(res.Exception)
		expected := e.Raised(exception)
		t.addException(e, exception, expected)
		if expected {
			return false
		}
	}
	at := judge.Place(b, b.LineOf(e.Line))
	this := report.Check{Name: c.Name}
	if x.ended(b, &this, res, 0) {
		if c.Outcome == report.Passed || this.Outcome == report.Errored {
			c.Outcome, c.Reason, c.Exit = this.Outcome, this.Reason, this.Exit
			c.Reason.Place = at
		}
		if x.endedBy == &this {
			x.endedBy = c
		}
		return res.Status != session.Finished
	}
	r := e.Judge(out)
	if stdout != nil && stdout.Cut > 0 {
		r.Same, r.TooLong, r.Captures = false, true, nil
	}
	t.diff = append(t.diff, r.Diff...)
	c.Captures = judge.AddCaptures(c.Captures, r.Captures)
	if r.Same || c.Outcome != report.Passed {
		return false
	}
	code := report.ReasonMismatch
	if r.TooLong {
		code = report.ReasonTruncated
	}
	c.Outcome, c.Reason = report.Failed, &report.Reason{Code: code, Place: at}
	return false
}

func withEnd(s string) string {
	if s == "" || strings.HasSuffix(s, "\n") {
		return s
	}
	return s + "\n"
}

// remainingFigures collects the figures that a pycon block has left open. They are not
// known to be complete before the last example has run.
func (x *runner) remainingFigures(ctx context.Context, b *site.Block, c *report.Check, left time.Duration, stderr *strings.Builder) error {
	if x.endedBy != nil {
		return nil
	}
	res, err := x.step(ctx, b, "", b.CodeLine, session.Exec, max(left, time.Millisecond))
	if err != nil {
		return err
	}
	stderr.WriteString(x.keepFigures(c, res.Figures) + x.stream(res.Stderr).String())
	this := report.Check{Name: c.Name}
	if x.ended(b, &this, res, 0) && c.Outcome == report.Passed {
		c.Outcome, c.Reason, c.Exit = this.Outcome, this.Reason, this.Exit
	}
	if x.endedBy == &this {
		x.endedBy = c
	}
	return nil
}
