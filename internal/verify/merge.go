package verify

import (
	"maps"

	"github.com/gpudocs/gpudocs/internal/report"
)

// report joins what was run now and what an earlier report holds.
func (r *run) report(previous *report.Report) *report.Report {
	r.mu.Lock()
	done := maps.Clone(r.done)
	r.mu.Unlock()
	p, old := r.plan, newPast(previous, r.plan)
	var checks []*report.Check
	taken, here := map[spot]bool{}, map[spot]bool{}
	for _, id := range p.order {
		c := done[id]
		if was := old.byID[id]; c == nil && was != nil {
			now := *was
			c, now.Page, now.Name, now.Places = &now, p.names[id][0], p.names[id][1], p.places[id]
		}
		for _, s := range p.spots[id] {
			here[s] = true
			taken[s] = taken[s] || c != nil
		}
		if c != nil {
			checks = append(checks, c)
		}
	}
	// What was found for code that has changed since, and was not run again,
	// stays: the site shows it as stale.
	if previous != nil {
		for i := range previous.Checks {
			c := &previous.Checks[i]
			if s := spotOf(c); p.places[c.ID] == nil && here[s] && !taken[s] {
				checks = append(checks, c)
			}
		}
	}
	checks = checks[:min(len(checks), report.MaxChecks)]
	shrink(checks, budget)
	out := &report.Report{Schema: report.Schema, Generator: r.o.Generator, Machine: r.machine, Checks: []report.Check{}}
	for _, c := range checks {
		out.Checks = append(out.Checks, *c)
	}
	return out
}
