package report

import "slices"

// What [Check.Means] says in place of an outcome. No report has them.
const (
	// NotApplicable: it was skipped for what the machine lacks.
	NotApplicable Outcome = "not-applicable"
	// Yes and No are the answers of a line that asks.
	Yes Outcome = "yes"
	No  Outcome = "no"
)

// NotApplicable reports whether the check was skipped because the machine lacks what it needs: hardware, software or a
// sandbox. A check that was not reached because an earlier one failed, or whose job Slurm did not start, is not that.
func (c *Check) NotApplicable() bool {
	return c.Outcome == Skipped && c.Reason != nil && lacks(c.Reason.Code, c.Reason.Detail)
}

// lacks reports whether a reason is what a machine lacks.
func lacks(code, detail string) bool {
	switch code {
	case ReasonNeeds, ReasonSoftware, ReasonNoGPU, ReasonSessionSkip, ReasonNoInterpreter, ReasonEnvironment, ReasonNoSandbox:
		return true
	case ReasonMeasure:
		return slices.Contains([]string{WhyNotSupported, WhyNoMemory, WhyNoLibrary}, detail)
	}
	return false
}

// Counts reports whether the check counts among those of its kind: a line that asks has no outcome without its answer.
func (c *Check) Counts() bool { return !c.Asks || !c.NotApplicable() }

// Means returns what people and programs see of the check: its outcome, or that it does not apply to the machine, or
// the answer to a line that asks. A report stores an answer as passed or failed.
func (c *Check) Means() Outcome {
	if c.NotApplicable() {
		return NotApplicable
	}
	return c.meaning(c.Outcome)
}

// Meant returns what [Check.Means] says of an earlier outcome. Of a measurement or reading that was skipped the history does not have
// the detail of the reason, so it stays skipped.
func (c *Check) Meant(p Past) Outcome {
	if p.Outcome == Skipped && lacks(p.Code, "") {
		return NotApplicable
	}
	return c.meaning(p.Outcome)
}

func (c *Check) meaning(o Outcome) Outcome {
	switch {
	case o == Passed && c.Asks:
		return Yes
	case o == Failed && c.Asks:
		return No
	}
	return o
}
