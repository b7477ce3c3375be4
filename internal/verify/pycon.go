package verify

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/gpudocs/gpudocs/internal/content"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/verify/session"
)

// An example is a statement of a Python session and the output expected of it.
type example struct {
	code string
	// line is that of the prompt, counted from 0 in the block.
	line int
	// shown are the lines with their prompts.
	shown, want []string
}

// examples parts a Python session. Text before the first prompt is left out.
func examples(text string) []example {
	var out []example
	for i, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		trimmed := strings.TrimRight(line, " \t\r")
		code, isFirst := strings.CutPrefix(line, ">>> ")
		more, isMore := strings.CutPrefix(line, "... ")
		last := len(out) - 1
		switch {
		case isFirst || trimmed == ">>>":
			if trimmed == ">>>" {
				code = ""
			}
			out = append(out, example{code: code + "\n", line: i, shown: []string{line}})
		case last < 0:
		case (isMore || trimmed == "...") && len(out[last].want) == 0:
			if trimmed == "..." {
				more = ""
			}
			out[last].code += more + "\n"
			out[last].shown = append(out[last].shown, line)
		default:
			out[last].want = append(out[last].want, line)
		}
	}
	return out
}

// pycon runs a Python session, example by example, as Python's own doctest
// does: each is compared on its own, and a failing one does not end the block.
func (x *runner) pycon(ctx context.Context, b *content.Block, c *report.Check) error {
	c.Outcome = report.Passed
	var transcript, errors strings.Builder
	var diff []report.DiffLine
	for left, list := x.limit(b), examples(b.Code); len(list) > 0; list = list[1:] {
		e := list[0]
		began := time.Now()
		res, err := x.step(ctx, b, e.code, b.CodeLine+e.line, session.Single, max(left, time.Millisecond))
		if err != nil {
			return err
		}
		left -= time.Since(began)
		out := textOf(x.stream(res.Stdout))
		for _, s := range e.shown {
			diff = append(diff, report.DiffLine{Op: " ", Text: s})
			transcript.WriteString(s + "\n")
		}
		transcript.WriteString(withEnd(out))
		errors.WriteString(textOf(x.stream(res.Stderr)))
		if x.judge(b, c, e, res, out, &diff) {
			break
		}
	}
	c.Stdout = bounded(transcript.String())
	c.Stderr = bounded(errors.String())
	if c.Reason != nil && c.Reason.Code == report.ReasonMismatch {
		c.Diff = shorten(diff)
	}
	return nil
}

// judge compares one example; true ends the block.
func (x *runner) judge(b *content.Block, c *report.Check, e example, res session.Result, out string, diff *[]report.DiffLine) (end bool) {
	at := place(b, b.CodeLine+e.line)
	if res.Exception != "" && res.Status == session.Finished {
		if want, ok := wantedException(e.want); ok && newPattern(want).matches(strings.SplitN(x.text([]byte(res.Exception)), "\n", 2)[0]) {
			return false
		}
	}
	this := report.Check{Name: c.Name}
	if x.ended(b, &this, res) {
		if c.Outcome == report.Passed || this.Outcome == report.Errored {
			c.Outcome, c.Reason, c.Exit = this.Outcome, this.Reason, this.Exit
			c.Reason.Place = at
		}
		if x.stopped == &this {
			x.stopped = c
		}
		return res.Status != session.Finished
	}
	found, same := compareLines(wanted(e.want), lines(out))
	*diff = append(*diff, found...)
	if !same && c.Outcome == report.Passed {
		c.Outcome, c.Reason = report.Failed, &report.Reason{Code: report.ReasonMismatch, Place: at}
	}
	return false
}

// wanted are the expected lines as doctest reads them: an empty line ends
// them, <BLANKLINE> stands for one.
func wanted(want []string) []string {
	if i := slices.IndexFunc(want, func(l string) bool { return strings.TrimSpace(l) == "" }); i >= 0 {
		want = want[:i]
	}
	out := lines(strings.Join(want, "\n"))
	for i, l := range out {
		if l == "<BLANKLINE>" {
			out[i] = ""
		}
		if l == "..." {
			out[i] = anyLines
		}
	}
	return out
}

// wantedException returns the last line of an expected traceback; what stands
// between its first line and that does not count.
func wantedException(want []string) (string, bool) {
	if len(want) == 0 || !strings.HasPrefix(want[0], "Traceback (") {
		return "", false
	}
	for _, l := range want[1:] {
		if l != "" && l[0] != ' ' && l[0] != '\t' {
			return strings.TrimRight(l, " \t"), true
		}
	}
	return "", false
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
	return &report.Stream{Text: begin + "\n[...]\n" + end, Cut: int64(len(s) - head - tail)}
}
