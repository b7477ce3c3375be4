package judge

import (
	"time"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/ask"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
	"github.com/gpudocs/gpudocs/internal/verify/session"
)

// An Output is what a block did. Private facts in it are redacted.
type Output struct {
	// Step is the run of the block, or what all tasks of a job wrote.
	Step
	// Build is the run of the compiler of a recipe, or nil, and Tool what the compiler is.
	Build *Step
	Tool  string
	// Examples are those of a pycon block, up to the one that ended the session. Those that are not to be run are
	// nil. Step ran after them.
	Examples []*Step
	// Tasks are those of an array of jobs, or the only one. The outcome of those that ended by themselves is open.
	Tasks []report.Task
	Array bool
	// Files are the large files of the block, and Figures what it has displayed.
	Files   []report.DataFile
	Figures []report.Figure
	// Outcome and Reason are set if nothing ran.
	Outcome report.Outcome
	Reason  *report.Reason
}

// A Step is what a step of a block did.
type Step struct {
	session.End
	// Exceeded is the limit of a step that was ended for it.
	Exceeded       *report.Limit
	Stdout, Stderr *report.Stream
}

// maxDetail limits the text of an exception, in bytes.
const maxDetail = 4 << 10

// Block judges what a block did. If its check is skipped, the block was only built.
func Block(b *site.Block, facts ask.Machine, o *Output, c *report.Check) {
	c.Stdout, c.Stderr, c.Figures = o.Stdout, o.Stderr, o.Figures
	want := Choose(b, facts)
	switch {
	case o.Reason != nil:
		c.Outcome, c.Reason = o.Outcome, o.Reason
	case o.Build != nil && !built(b, want, o, c), c.Outcome == report.Skipped:
	case b.Kind == site.Pycon:
		examples(b, o, c)
	case len(o.Tasks) > 0:
		job(b, want, o, c)
	default:
		want.judge(b, &o.Step, c)
		if b.Recipe != nil {
			locate(b, c, c.Stderr)
		}
	}
}

// judge sets the outcome of a block that ran in one step.
func (want Expected) judge(b *site.Block, s *Step, c *report.Check) {
	if s.Status == session.Finished {
		c.Exit = &s.Exit
	}
	c.Outcome, c.Reason = s.judge(b, want.Exit)
	if c.Outcome == report.Passed {
		want.compare(c)
	}
}

// compare compares what a block printed.
func (want Expected) compare(c *report.Check) {
	if want.Reason != nil {
		c.Outcome, c.Reason = report.Errored, want.Reason
		return
	}
	Compare(c, want.Stdout, c.Stdout)
	Compare(c, want.Stderr, c.Stderr)
}

// judge judges how a step ended. If it passes, its output remains to be compared.
func (s *Step) judge(b *site.Block, exit int) (report.Outcome, *report.Reason) {
	at := Place(b, s.FailLine)
	switch {
	case s.Status == session.TimedOut:
		return report.Errored, &report.Reason{Code: report.ReasonTimeout, Limit: s.Exceeded}
	case s.Status == session.Limited:
		return report.Errored, &report.Reason{Code: report.ReasonLimit, Limit: s.Exceeded}
	case s.Status == session.Crashed && s.Signal != "":
		return report.Errored, &report.Reason{Code: report.ReasonCrash, Signal: s.Signal, Place: at}
	case s.Status == session.Crashed:
		return report.Errored, &report.Reason{Code: report.ReasonCrash, Exit: &s.Exit, Place: at}
	case s.Exit == exit:
		return report.Passed, nil
	case s.Exception != "":
		return report.Failed, &report.Reason{Code: report.ReasonException, Said: diag.Clip(s.Exception, maxDetail), Place: at}
	}
	return report.Failed, &report.Reason{Code: report.ReasonExit, Exit: &s.Exit, Expected: exit, Place: at}
}

// built judges how a block was built, and reports whether it was and should be.
func built(b *site.Block, want Expected, o *Output, c *report.Check) bool {
	s := o.Build
	c.Build = &report.Build{
		Outcome:    report.Passed,
		Tool:       o.Tool,
		DurationMS: Milliseconds(s.Duration),
		Stdout:     s.Stdout,
		Stderr:     s.Stderr,
	}
	switch {
	case s.Built() && b.NoBuild:
		c.Outcome, c.Reason = report.Failed, &report.Reason{Code: report.ReasonBuilt}
		return false
	case s.Built():
		return true
	case b.NoBuild: // its output and its exit code are those of the compiler, any but 0 unless the author has set one
		c.Stdout, c.Stderr, c.Build.Stdout, c.Build.Stderr = s.Stdout, s.Stderr, nil, nil
		c.Outcome, c.Reason = "", nil
		if want.Exit == 0 {
			want.Exit = s.Exit
		}
		want.judge(b, s, c)
	default:
		c.Outcome, c.Reason = s.judge(b, 0)
		if s.Status == session.Finished {
			c.Exit = &s.Exit
			c.Reason = &report.Reason{Code: report.ReasonBuild, Exit: &s.Exit}
		}
	}
	c.Build.Outcome = report.Failed
	if c.Outcome == report.Failed {
		locate(b, c, s.Stderr, s.Stdout)
	}
	return false
}

// Built reports whether the compiler succeeded.
func (s *Step) Built() bool { return s.Status == session.Finished && s.Exit == 0 }

// job judges a job. The outcome of an array is the worst of its tasks, and its output what they wrote, one after
// the other in the order of their indexes, as `cat slurm-*.out` shows it. So a page can expect each task to write
// something else.
func job(b *site.Block, want Expected, o *Output, c *report.Check) {
	var worst *report.Task
	for i := range o.Tasks {
		t := &o.Tasks[i]
		if t.Outcome == "" {
			t.Outcome, t.Reason = (&Step{End: session.End{Exit: *t.Exit}}).judge(b, want.Exit)
		}
		if worst == nil || outcomeRank[t.Outcome] > outcomeRank[worst.Outcome] {
			worst = t
		}
	}
	c.Outcome, c.Reason, c.Exit = worst.Outcome, worst.Reason, worst.Exit
	switch {
	case worst.Outcome == report.Passed:
		want.compare(c)
	case o.Array:
		c.Reason, c.Exit = &report.Reason{Code: report.ReasonSlurm, Why: report.JobTasks}, nil
	}
	if o.Array {
		c.Tasks = o.Tasks
	}
}

// outcomeRank orders outcomes, the worst last.
var outcomeRank = map[report.Outcome]int{report.Passed: 0, report.Skipped: 1, report.Failed: 2, report.Errored: 3}

// Milliseconds returns a duration as a report has it.
func Milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
