package verify

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"

	"github.com/gpudocs/gpudocs/internal/content"
	"github.com/gpudocs/gpudocs/internal/match"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/verify/session"
)

// A transcript is a Python session with what it really printed.
type transcript struct {
	shown, errors strings.Builder
	diff          []report.DiffLine
	missing       bool // something else was expected than the exception that came
	ran           int
	printed       []Printed // by example
}

// pycon runs a Python session, example by example, as Python's own doctest
// does: each is compared on its own, and a failing one does not end the block.
func (x *runner) pycon(ctx context.Context, b *content.Block, c *report.Check) error {
	c.Outcome = report.Passed
	examples, _ := match.Examples(b.Code)
	t := &transcript{}
	left := x.limit(b)
	for list := examples; len(list) > 0; list = list[1:] {
		e := &list[0]
		t.show(e)
		if !ran(e) {
			t.printed = append(t.printed, Printed{})
			continue
		}
		began := time.Now()
		res, err := x.step(ctx, b, e.Code, b.LineOf(e.Line), session.Single, max(left, time.Millisecond))
		if err != nil {
			return err
		}
		left -= time.Since(began)
		keepFigures(c, res.Figures)
		if x.judgeExample(b, c, e, res, t) {
			break
		}
	}
	if t.ran == 0 {
		c.Outcome, c.Reason = report.Skipped, &report.Reason{Code: report.ReasonSkip}
		return nil
	}
	if err := x.lastFigures(ctx, b, c, left, &t.errors); err != nil {
		return err
	}
	x.o.Examples(b.ID, t.printed)
	c.Stdout = bounded(t.shown.String())
	c.Stderr = bounded(t.errors.String())
	if c.Outcome != report.Passed {
		c.Captures = nil
	}
	if c.Reason != nil && (c.Reason.Code == report.ReasonMismatch || c.Reason.Code == report.ReasonException && t.missing) {
		c.Diff = shorten(t.diff)
	}
	return nil
}

func (t *transcript) show(e *match.Example) {
	for _, s := range e.Shown {
		t.diff = append(t.diff, report.DiffLine{Op: " ", Text: s})
		t.shown.WriteString(s + "\n")
	}
}

// raised adds an exception to the difference, and what was expected instead.
func (t *transcript) raised(e *match.Example, exception string, expected bool) {
	op := " "
	if !expected {
		op = "+"
		for _, s := range splitLines(e.Want) {
			t.missing = true
			t.diff = append(t.diff, report.DiffLine{Op: "-", Text: s})
		}
	}
	for _, s := range splitLines(traceback + exception) {
		t.diff = append(t.diff, report.DiffLine{Op: op, Text: s})
	}
}

// traceback begins what doctest compares of an exception.
const traceback = "Traceback (most recent call last):\n"

// judgeExample compares one example; true ends the block. The first that fails
// gives the block its reason.
func (x *runner) judgeExample(b *content.Block, c *report.Check, e *match.Example, res session.Result, t *transcript) (end bool) {
	stdout := x.stream(res.Stdout)
	out := textOf(stdout)
	t.ran++
	t.printed = append(t.printed, Printed{out, x.text([]byte(res.Exception)), stdout != nil && stdout.Cut > 0})
	t.shown.WriteString(withEnd(out))
	t.errors.WriteString(textOf(x.stream(res.Stderr)))
	if res.Exception != "" && res.Status == session.Finished {
		exception := x.text([]byte(res.Exception))
		expected := e.Raised(exception)
		t.raised(e, exception, expected)
		if expected {
			return false
		}
	}
	at := place(b, b.LineOf(e.Line))
	this := report.Check{Name: c.Name}
	if x.ended(b, &this, res, 0) {
		if c.Outcome == report.Passed || this.Outcome == report.Errored {
			c.Outcome, c.Reason, c.Exit = this.Outcome, this.Reason, this.Exit
			c.Reason.Place = at
		}
		if x.stopped == &this {
			x.stopped = c
		}
		return res.Status != session.Finished
	}
	r := e.Judge(out)
	if stdout != nil && stdout.Cut > 0 {
		r.Same, r.TooLong, r.Captures = false, true, nil
	}
	t.diff = append(t.diff, r.Diff...)
	c.Captures = capture(c.Captures, r.Captures)
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

// bounded keeps the head and the tail of a transcript.
func bounded(s string) *report.Stream {
	if s == "" {
		return nil
	}
	return headAndTail(s, keptHead, keptTail)
}

// headAndTail cuts a text that is longer than its two ends.
func headAndTail(s string, head, tail int) *report.Stream {
	if len(s) <= head+tail {
		return &report.Stream{Text: s}
	}
	begin, end := strings.ToValidUTF8(s[:head], ""), strings.ToValidUTF8(s[len(s)-tail:], "")
	sum := sha256.Sum256([]byte(s))
	return &report.Stream{Text: begin + "\n[...]\n" + end, Cut: int64(len(s) - head - tail),
		Bytes: int64(len(s)), SHA256: hex.EncodeToString(sum[:])}
}
