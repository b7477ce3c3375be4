package update

import (
	"slices"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/compat"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/verify"
	"github.com/gpudocs/gpudocs/internal/verify/judge"
)

// Report returns the report of the run for the updated site: every check has its new
// ID, and updated checks are judged by their new expectation.
func (u *Update) Report() (*report.Report, error) {
	plan, err := verify.NewPlan(u.next, verify.Filter{})
	if err != nil {
		return nil, err
	}
	next, known := u.checksByNewID()
	out := *u.report
	out.Checks = plan.Order(next)
	for _, c := range u.report.Checks { // results of code that had changed before
		if _, now := next[c.ID]; !known[c.ID] && !now {
			out.Checks = append(out.Checks, c)
		}
	}
	return &out, nil
}

// checksByNewID returns the checks by their new IDs, and the old IDs of all checks of
// the site. If two expectations have become the same, the check of this run counts.
func (u *Update) checksByNewID() (next map[report.ID]report.Check, known map[report.ID]bool) {
	next, known = map[report.ID]report.Check{}, map[report.ID]bool{}
	for _, fresh := range []bool{true, false} {
		for _, p := range u.site.Pages {
			var now []*site.Block
			if next := u.page(p); next != nil {
				now = next.Runs()
			}
			for i, b := range p.Runs() {
				for _, l := range b.GPULines {
					known[l.ID] = true
					if c := u.checks[l.ID]; c != nil {
						next[l.ID] = *c
					}
				}
				known[b.ID] = true
				id := now[i].ID
				_, there := next[id]
				if c := u.checks[b.ID]; c != nil && !there && u.chosen[b.ID] == fresh {
					if c, ok := u.forNextSite(*c, b, now[i]); ok {
						next[id] = c
					}
				}
			}
		}
	}
	return next, known
}

// forNextSite returns a check for the updated version of its block; ok is false if its
// outcome is not known.
func (u *Update) forNextSite(c report.Check, old, next *site.Block) (_ report.Check, ok bool) {
	if r := c.Reason; r != nil && r.Place != nil && r.Place.File == old.File {
		moved, at := *r, *r.Place
		at.Line += next.Line - old.Line
		moved.Place = &at
		c.Reason = &moved
	}
	if old.Kind == site.Pycon && old.Code != next.Code {
		_, ok := u.examples[c.ID]
		u.again(next, &c)
		return c, ok
	}
	// An expectation does not affect code that was skipped or failed in another way.
	compared := c.Outcome == report.Passed || c.Reason != nil && c.Reason.Code == report.ReasonMismatch
	if compared && !slices.Equal(texts(old), texts(next)) {
		u.again(next, &c)
	}
	return c, true
}

// again judges a check by its updated block, and by what its values are held against.
func (u *Update) again(next *site.Block, c *report.Check) {
	judge.Again(next, c, compat.Facts(u.report.Machine, next.Session.Env), u.examples[c.ID])
	judge.Limits{Machine: u.report.Machine, References: u.site.Config.References, Drift: u.site.Config.Verify.Drift}.Values(next, c)
}
