package standing

import (
	"iter"

	"github.com/gpudocs/gpudocs/internal/report"
)

// A Count counts checks by their standing. See also [State.Counts].
type Count struct {
	By [Altered + 1]int
	// Unsteady counts those of the passed that did not pass at their first try. Proven counts those that passed on at least one
	// machine, also if they failed on another, and ProvenStale those of them that count as stale.
	Unsteady, Proven, ProvenStale int
	// Lost counts those of what is not applicable that are lost; see [State].
	Lost int
}

// CountOf counts checks, each once: one of which there are several states, of its places, languages or machines, by the strongest.
func CountOf(states iter.Seq2[report.ID, State]) (c Count) {
	all := map[report.ID]State{}
	for id, s := range states {
		if had, ok := all[id]; ok {
			s = had.With(s)
		}
		all[id] = s
	}
	for _, s := range all {
		if !s.Counts() {
			continue
		}
		c.By[s.Standing]++
		c.Unsteady += one(s.Unsteady)
		c.Lost += one(s.Lost)
		c.Proven += one(s.Proven)
		c.ProvenStale += one(s.Proven && s.Standing == Stale)
	}
	return c
}

func one(mark bool) int {
	if mark {
		return 1
	}
	return 0
}

// Report counts the checks of a report by it alone.
func Report(r *report.Report) Count {
	return CountOf(func(yield func(report.ID, State) bool) {
		for i := range r.Checks {
			if c := &r.Checks[i]; !yield(c.ID, Of(c)) {
				return
			}
		}
	})
}

// Plus adds the counts of another machine.
func (c Count) Plus(o Count) Count {
	for s := range c.By {
		c.By[s] += o.By[s]
	}
	c.Unsteady, c.Proven, c.ProvenStale, c.Lost = c.Unsteady+o.Unsteady, c.Proven+o.Proven, c.ProvenStale+o.ProvenStale, c.Lost+o.Lost
	return c
}

// Total returns the number of checks that demand something.
func (c Count) Total() (n int) {
	for s, of := range c.By {
		if Standing(s) != Answered {
			n += of
		}
	}
	return n
}

// The methods below are for templates and texts. Failed counts errors too, and NotApplicable leaves out what is lost.

func (c Count) Passed() int        { return c.By[Passed] }
func (c Count) Failed() int        { return c.By[Failed] + c.By[Errored] }
func (c Count) NotApplicable() int { return c.By[NotApplicable] - c.Lost }
func (c Count) Skipped() int       { return c.By[Skipped] }
func (c Count) Stale() int         { return c.By[Stale] }
func (c Count) Altered() int       { return c.By[Altered] }
func (c Count) NotRun() int        { return c.By[None] }

// JSON is a [Count] in a file.
type JSON struct {
	Passed  int `json:"passed"`
	Failed  int `json:"failed"`
	Errored int `json:"error"`
	// Skipped counts NotApplicable too, and NotApplicable counts Lost.
	Skipped       int `json:"skipped"`
	NotApplicable int `json:"not_applicable"`
	Lost          int `json:"lost"`
	// Answered counts the lines that ask.
	Answered int `json:"answered"`
	Stale    int `json:"stale"`
	Altered  int `json:"altered"`
	NotRun   int `json:"not_run"`
}

// JSON returns the counts for a file.
func (c Count) JSON() JSON {
	return JSON{c.By[Passed], c.By[Failed], c.By[Errored], c.By[Skipped] + c.By[NotApplicable], c.By[NotApplicable], c.Lost,
		c.By[Answered], c.By[Stale], c.By[Altered], c.By[None]}
}
