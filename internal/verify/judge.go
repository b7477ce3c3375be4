package verify

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/compat"
	"github.com/gpudocs/gpudocs/internal/report/require"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/verify/session"
)

// expected is the expected result of a block on one machine.
type expected struct {
	exit           int
	stdout, stderr *site.Expect // nil accepts anything
	// reason is set if the expectation is missing or ambiguous.
	reason *report.Reason
}

// expect chooses the expectations that apply to a machine: for each stream the one
// whose when= holds, or else the one without when=.
func expect(b *site.Block, facts require.Machine) expected {
	x := expected{exit: b.Exit}
	x.stdout = x.choose(b, facts, false)
	x.stderr = x.choose(b, facts, true)
	switch {
	case x.stdout != nil && x.stdout.Exit != nil:
		x.exit = *x.stdout.Exit
	case x.stderr != nil && x.stderr.Exit != nil:
		x.exit = *x.stderr.Exit
	}
	return x
}

func (x *expected) choose(b *site.Block, facts require.Machine, stderr bool) *site.Expect {
	var fit []*site.Expect
	var other *site.Expect
	found := false
	for _, e := range b.Expects {
		switch {
		case e.Stderr != stderr:
			continue
		case e.When.IsZero():
			other = e
		case e.When.Judge(facts).Met:
			fit = append(fit, e)
		}
		found = true
	}
	switch {
	case len(fit) == 1:
		return fit[0]
	case len(fit) > 1:
		var lines []string
		for _, e := range fit {
			lines = append(lines, strconv.Itoa(e.Line-1))
		}
		x.reason = &report.Reason{Code: report.ReasonManyExpect, Detail: strings.Join(lines, ", "), Place: placeOf(b, fit[0], fit[0].Line-1)}
	case other == nil && found && x.reason == nil:
		x.reason = &report.Reason{Code: report.ReasonNoExpect}
	}
	return other
}

// judge sets the outcome of a bash or python block.
func (x *runner) judge(b *site.Block, c *report.Check, res session.Result) {
	want := expect(b, x.facts(b))
	if x.ended(b, c, res, want.exit) {
		return
	}
	c.Outcome = report.Passed
	if want.reason != nil {
		c.Outcome, c.Reason = report.Errored, want.reason
		return
	}
	compare(b, c, want.stdout, c.Stdout)
	compare(b, c, want.stderr, c.Stderr)
}

// compare compares a stream with its expectation. The first mismatch sets the outcome.
func compare(b *site.Block, c *report.Check, e *site.Expect, got *report.Stream) {
	if e == nil || c.Outcome != report.Passed {
		return
	}
	at := placeOf(b, e, e.Line)
	if got != nil && got.Cut > 0 {
		c.Outcome, c.Reason = report.Failed, &report.Reason{Code: report.ReasonTruncated, Place: at}
		return
	}
	r := e.Expectation().Compare(got.String())
	switch {
	case r.TooLong:
		c.Outcome, c.Reason = report.Failed, &report.Reason{Code: report.ReasonTruncated, Place: at}
	case !r.Same:
		c.Diff, c.Captures = shorten(r.Diff), nil
		c.Outcome, c.Reason = report.Failed, &report.Reason{Code: report.ReasonMismatch, Place: at}
	default:
		c.Captures = capture(c.Captures, r.Captures)
	}
}

// capture appends captured values to those of a check, up to the limit of a report.
func capture(to, more []report.Capture) []report.Capture {
	return append(to, more[:min(len(more), report.MaxCaptures-len(to))]...)
}

// ended sets the outcome of a step that did not end as expected. It returns true if
// there is no output left to compare.
func (x *runner) ended(b *site.Block, c *report.Check, res session.Result, exit int) bool {
	if res.Ended {
		x.endedBy = c
	}
	at := place(b, res.FailLine)
	switch {
	case res.Status == session.TimedOut:
		c.Outcome, c.Reason = report.Errored, &report.Reason{Code: report.ReasonTimeout, Detail: x.timeLimit(b).String()}
		return true
	case res.Status == session.Limited:
		c.Outcome, c.Reason = report.Errored, &report.Reason{Code: report.ReasonLimit, Detail: x.confinement.describeLimit(res.Limit)}
		return true
	case res.Status == session.Crashed:
		detail := "exit code " + strconv.Itoa(res.Exit)
		if res.Signal != "" {
			detail = signalPrefix + res.Signal
		}
		c.Outcome, c.Reason = report.Errored, &report.Reason{Code: report.ReasonCrash, Detail: detail, Place: at}
		return true
	}
	c.Exit = &res.Exit
	if res.Exit == exit {
		return false
	}
	c.Outcome = report.Failed
	if res.Exception != "" {
		c.Reason = &report.Reason{Code: report.ReasonException, Detail: x.detail(res.Exception), Place: at}
		return true
	}
	c.Reason = &report.Reason{Code: report.ReasonExit, Detail: strconv.Itoa(res.Exit), Place: at}
	if exit != 0 {
		c.Reason.Need = strconv.Itoa(exit)
	}
	return true
}

// maxDiff limits the lines of a diff in a report. nearDiff is how many unchanged lines
// are kept around a change in a longer one.
const maxDiff, nearDiff = 1000, 3

const leftOut = "[...]"

// shorten shortens a diff that is too long for a report. It drops unchanged lines far
// from a change first, and then the end.
func shorten(diff []report.DiffLine) []report.DiffLine {
	if len(diff) <= maxDiff {
		return diff
	}
	left := report.DiffLine{Op: " ", Text: leftOut}
	var out []report.DiffLine
	for i, d := range diff {
		near := diff[max(0, i-nearDiff):min(len(diff), i+nearDiff+1)]
		changed := func(d report.DiffLine) bool { return d.Op != " " }
		switch {
		case len(out) == maxDiff:
			return append(out, left)
		case slices.ContainsFunc(near, changed):
			out = append(out, d)
		case len(out) == 0 || out[len(out)-1].Text != leftOut:
			out = append(out, left)
		}
	}
	return out
}

// signalPrefix begins the detail of a block that a signal ended.
const signalPrefix = "signal: "

// unmet returns the reason of a requirement that is not met. It includes the verdict on
// the software that the requirement names, unless that does run here.
func (r *run) unmet(v require.Verdict, environment string) *report.Reason {
	reason := &report.Reason{Code: report.ReasonNeeds, Need: v.Need, Found: v.Found}
	if v.Program != "" {
		r.addMissing(v, environment, reason)
	}
	if v.Software == "" {
		return reason
	}
	if verdict := compat.Judge(r.machine, environment, v.Software); !verdict.Runs() {
		reason.Verdict = &verdict
	}
	return reason
}

// addMissing completes the reason for missing software or another version of it. For
// Python and frameworks it adds the environment.
func (r *run) addMissing(v require.Verdict, environment string, reason *report.Reason) {
	reason.Code = report.ReasonSoftware
	if v.Found != "" {
		reason.Found = string(v.Program) + " " + v.Found
	}
	if v.Program == require.Slurm {
		return
	}
	reason.Detail = cmp.Or(environment, "python3")
	for _, e := range r.machine.Environments {
		if e.Name == environment && e.Interpreter != "" {
			reason.Detail += ", " + e.Interpreter
		}
	}
}
