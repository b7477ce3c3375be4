package judge

import (
	"strings"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/match"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/verify/session"
)

// A transcript is a Python session with its actual output.
type transcript struct {
	shown, errors strings.Builder
	diff          []report.DiffLine
	missing       bool // an exception came instead of another expected result
	ran           bool
}

// examples judges a Python session example by example, as doctest does: a failing one does not end the block, and
// the first that fails sets the reason.
func examples(b *site.Block, o *Output, c *report.Check) {
	c.Outcome = report.Passed
	t := &transcript{}
	for i, s := range o.Examples {
		e := &b.Examples[i]
		t.show(e)
		if s != nil {
			t.judge(b, e, s, c)
		}
	}
	if !t.ran {
		c.Outcome, c.Reason = report.Skipped, &report.Reason{Code: report.ReasonSkip}
		return
	}
	t.errors.WriteString(o.Stderr.String())
	if outcome, reason := o.judge(b, 0); outcome != report.Passed && c.Outcome == report.Passed {
		c.Outcome, c.Reason = outcome, reason
		if o.Status == session.Finished {
			c.Exit = &o.Exit
		}
	}
	c.Stdout, c.Stderr = Ends(t.shown.String(), Kept, Kept), Ends(t.errors.String(), Kept, Kept)
	if c.Outcome != report.Passed {
		c.Captures = nil
	}
	if c.Reason != nil && (c.Reason.Code == report.ReasonMismatch || c.Reason.Code == report.ReasonException && t.missing) {
		c.Diff = Shorten(t.diff)
	}
}

func (t *transcript) show(e *match.Example) {
	for _, s := range e.Shown {
		t.diff = append(t.diff, report.DiffLine{Op: " ", Text: s})
		t.shown.WriteString(s + "\n")
	}
}

// judge compares what one example did with what is expected.
func (t *transcript) judge(b *site.Block, e *match.Example, s *Step, c *report.Check) {
	t.ran = true
	out := s.Stdout.String()
	t.shown.WriteString(withEnd(out))
	t.errors.WriteString(s.Stderr.String())
	if s.Exception != "" && s.Status == session.Finished {
		expected := e.Raised(s.Exception)
		t.addException(e, s.Exception, expected)
		if expected {
			return
		}
	}
	at := Place(b, b.LineOf(e.Line))
	if outcome, reason := s.judge(b, 0); outcome != report.Passed {
		if c.Outcome == report.Passed || outcome == report.Errored {
			c.Outcome, c.Reason, c.Exit = outcome, reason, nil
			c.Reason.Place = at
			if s.Status == session.Finished {
				c.Exit = &s.Exit
			}
		}
		return
	}
	r := e.Judge(out)
	if s.Stdout != nil && s.Stdout.Cut > 0 {
		r.Same, r.TooLong, r.Captures = false, true, nil
	}
	t.diff = append(t.diff, r.Diff...)
	c.Captures = AddCaptures(c.Captures, r.Captures)
	if r.Same || c.Outcome != report.Passed {
		return
	}
	code := report.ReasonMismatch
	if r.TooLong {
		code = report.ReasonTruncated
	}
	c.Outcome, c.Reason = report.Failed, &report.Reason{Code: code, Place: at}
}

// addException adds an exception, and what was expected instead, to the diff.
func (t *transcript) addException(e *match.Example, exception string, expected bool) {
	op := " "
	if !expected {
		op = "+"
		for _, s := range Lines(e.Want) {
			t.missing = true
			t.diff = append(t.diff, report.DiffLine{Op: "-", Text: s})
		}
	}
	for _, s := range Lines(Traceback + exception) {
		t.diff = append(t.diff, report.DiffLine{Op: op, Text: s})
	}
}

func withEnd(s string) string {
	if s == "" || strings.HasSuffix(s, "\n") {
		return s
	}
	return s + "\n"
}
