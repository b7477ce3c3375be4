package results

import (
	"iter"
	"time"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/standing"
)

// Checks yields the checks of the machine's report, in its order.
func (m *Machine) Checks() iter.Seq[*report.Check] {
	return func(yield func(*report.Check) bool) {
		list := m.Report.Checks
		for i := range list {
			if !yield(&list[i]) {
				return
			}
		}
	}
}

// A Change is a check whose outcome differs from that of the run before.
type Change struct {
	Machine *Machine
	Check   *report.Check
	At      time.Time
	// Was and Now are its states. Latest marks a change to the current one.
	Was, Now standing.State
	Latest   bool
}

// Changes returns those in the history of the machine's report, the newest of each check first. A check whose first run failed
// changed from [standing.None].
func (m *Machine) Changes() (list []Change) {
	if !m.Trusted() {
		return nil
	}
	for c := range m.Checks() {
		at, outcome, now := c.Ran, c.Outcome, standing.Of(c)
		for i, past := range c.History {
			was := standing.At(c, i)
			if past.Outcome != outcome {
				list = append(list, Change{m, c, at, was, now, i == 0})
			}
			at, outcome, now = past.Ran, past.Outcome, was
		}
		if now.Bad() && len(c.History) < report.MaxHistory {
			list = append(list, Change{m, c, at, standing.State{}, now, len(c.History) == 0})
		}
	}
	return list
}

// Since returns the time of the first of the newest runs of a check that all failed, or of those since it is lost.
func Since(c *report.Check) time.Time {
	since := c.Ran
	lost := standing.Of(c).Lost
	for i, past := range c.History {
		if lost != standing.At(c, i).Lost || !lost && !past.Outcome.Bad() {
			break
		}
		since = past.Ran
	}
	return since
}

// Began returns the time of the machine's first result. It reports false if the report's history may
// have lost earlier ones.
func (m *Machine) Began() (first time.Time, ok bool) {
	if !m.Trusted() {
		return first, false
	}
	for c := range m.Checks() {
		if len(c.History) >= report.MaxHistory {
			return first, false
		}
		at := c.Ran
		for _, past := range c.History {
			if past.Ran.Before(at) {
				at = past.Ran
			}
		}
		if first.IsZero() || at.Before(first) {
			first = at
		}
	}
	return first, !first.IsZero()
}
