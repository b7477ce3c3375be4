package judge

import (
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/ask"
	"github.com/gpudocs/gpudocs/internal/site"
)

// Expected is the expected result of a block on one machine.
type Expected struct {
	Exit           int
	Stdout, Stderr *site.Expect // nil accepts anything
	// Reason is set if the expectation is missing or ambiguous.
	Reason *report.Reason
}

// Choose returns the expectations that apply to a machine: for each stream the one
// whose when= holds, or else the one without when=. If the block has expectations and none
// of any stream applies, there is a reason.
func Choose(b *site.Block, facts ask.Machine) Expected {
	x := Expected{Exit: b.Exit}
	x.Stdout = x.choose(b, facts, false)
	x.Stderr = x.choose(b, facts, true)
	switch {
	case x.Reason == nil && x.Stdout == nil && x.Stderr == nil && len(b.Expects) > 0:
		x.Reason = &report.Reason{Code: report.ReasonNoExpect}
	case x.Stdout != nil && x.Stdout.Exit != nil:
		x.Exit = *x.Stdout.Exit
	case x.Stderr != nil && x.Stderr.Exit != nil:
		x.Exit = *x.Stderr.Exit
	}
	return x
}

func (x *Expected) choose(b *site.Block, facts ask.Machine, stderr bool) *site.Expect {
	var fit []*site.Expect
	var other *site.Expect
	for _, e := range b.Expects {
		switch {
		case e.Stderr != stderr:
			continue
		case e.When.IsZero():
			other = e
		case e.When.Judge(facts).Met():
			fit = append(fit, e)
		}
	}
	switch {
	case len(fit) == 1:
		return fit[0]
	case len(fit) > 1:
		var lines []int
		for _, e := range fit {
			lines = append(lines, e.Line-1)
		}
		x.Reason = &report.Reason{Code: report.ReasonManyExpect, Lines: lines, Place: expectPlace(fit[0], fit[0].Line-1)}
	}
	return other
}
