package verify

import (
	"maps"

	"github.com/gpudocs/gpudocs/internal/report"
)

// report merges the results of this run with those of an earlier report.
func (r *run) report(previous *report.Report) *report.Report {
	r.mu.Lock()
	done := maps.Clone(r.done)
	r.mu.Unlock()
	p, old := r.plan, newPreviousChecks(previous, r.plan)
	var checks []*report.Check
	taken, includedIDs := map[blockLocation]bool{}, map[blockLocation]bool{}
	for _, id := range p.order {
		c := done[id]
		if was := old.byID[id]; c == nil && was != nil {
			now := *was
			c, now.Page, now.Name, now.Places = &now, p.names[id][0], p.names[id][1], p.places[id]
		}
		for _, s := range p.locations[id] {
			includedIDs[s] = true
			taken[s] = taken[s] || c != nil
		}
		if c != nil {
			checks = append(checks, c)
		}
	}
	// Results of code that has changed since, and that did not run again, stay: the
	// site shows them as stale.
	if previous != nil {
		for i := range previous.Checks {
			c := &previous.Checks[i]
			if s := locationOf(c); p.places[c.ID] == nil && includedIDs[s] && !taken[s] {
				checks = append(checks, c)
			}
		}
	}
	checks = checks[:min(len(checks), report.MaxChecks)]
	shrinkChecks(checks, budget)
	out := &report.Report{Schema: report.Schema, Generator: r.o.Generator, Machine: r.machine, Checks: []report.Check{}}
	for _, c := range checks {
		out.Checks = append(out.Checks, *c)
	}
	return out
}
