package render

import (
	"iter"
	"time"

	"github.com/gpudocs/gpudocs/internal/report"
)

// checks are those of a source's report, in its order.
func (r *results) checks(source int) iter.Seq[*report.Check] {
	return func(yield func(*report.Check) bool) {
		list := r.sources[source].Report.Checks
		for i := range list {
			if !yield(&list[i]) {
				return
			}
		}
	}
}

// A change is a check that ended in another way than the time before.
type change struct {
	source int
	check  *report.Check
	at     time.Time
	// was and now are outcomes; latest marks a change to what the report says now.
	was, now report.Outcome
	latest   bool
}

// changes are those that the report of a source remembers.
func (r *results) changes(source int) (list []change) {
	if r.sources[source].Signature.State == SignedOther {
		return nil
	}
	for c := range r.checks(source) {
		at, now := c.Ran, c.Outcome
		for i, past := range c.History {
			if past.Outcome != now {
				list = append(list, change{source, c, at, past.Outcome, now, i == 0})
			}
			at, now = past.Ran, past.Outcome
		}
	}
	return list
}

// began is when the first result of a source was found; ok is false where its
// report may have forgotten earlier ones.
func (r *results) began(source int) (first time.Time, ok bool) {
	if r.sources[source].Signature.State == SignedOther {
		return first, false
	}
	for c := range r.checks(source) {
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
