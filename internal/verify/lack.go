package verify

import (
	"context"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/ask"
	"github.com/gpudocs/gpudocs/internal/site"
)

// A lacking is what a block of a session lacks, and the code of the blocks that failed for it.
type lacking struct {
	ask.Lack
	first string // its name
	codes []string
}

type lackings []lacking

// attribute makes a check not reached if it failed for the lack of something for which an earlier block
// of the session has failed: one cause is one failure.
func (all *lackings) attribute(b *site.Block, c *report.Check) {
	for i := range *all {
		if l := &(*all)[i]; l.Follows(c, l.codes) {
			l.codes = append(l.codes, b.Code)
			notReached(c, l.first, l.Lack)
			return
		}
	}
	if t := ask.LackOf(c); t != (ask.Lack{}) {
		*all = append(*all, lacking{t, c.Name, []string{b.Code}})
	}
}

func notReached(c *report.Check, first string, lacks ask.Lack) {
	c.Outcome, c.Reason = report.Skipped, &report.Reason{Code: report.ReasonNotReached, Block: first, Said: lacks.Name, Place: c.Reason.Place}
	c.Exit, c.Stdout, c.Stderr, c.Build, c.Diff, c.Captures, c.Figures, c.Tries = nil, nil, nil, nil, nil, nil, nil, nil
}

// A firstCombination is the first combination of a matrix to run. What it lacks, the others do not reach.
type firstCombination struct {
	session *Session
	name    string
	lacks   ask.Lack
	done    chan struct{} // closed when session has ended
}

// A matrix is a block with combinations.
type matrix struct {
	page *site.Page
	name string
}

type firstCombinations map[matrix]*firstCombination

// newFirstCombinations returns the first combinations of sessions that start in this order.
func newFirstCombinations(sessions []*Session) firstCombinations {
	all := firstCombinations{}
	for _, s := range sessions {
		for _, b := range s.Chosen() {
			if of := (matrix{b.Page, b.Name}); len(b.Values) > 0 && all[of] == nil {
				all[of] = &firstCombination{session: s, done: make(chan struct{})}
			}
		}
	}
	return all
}

// ended lets the other combinations go on.
func (all firstCombinations) ended(s *Session) {
	for _, f := range all {
		if f.session == s {
			close(f.done)
		}
	}
}

// attribute makes a check not reached if it failed for the lack of what the first combination lacks. That one
// has started before.
func (all firstCombinations) attribute(ctx context.Context, s *Session, b *site.Block, c *report.Check) {
	lacks, first := ask.LackOf(c), all[matrix{b.Page, b.Name}]
	switch {
	case first == nil || lacks == ask.Lack{}:
	case first.session == s:
		first.name, first.lacks = c.Name, lacks
	default:
		select {
		case <-first.done:
			if first.lacks == lacks {
				notReached(c, first.name, lacks)
			}
		case <-ctx.Done():
		}
	}
}
