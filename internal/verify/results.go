package verify

import (
	"cmp"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/verify/judge"
	"github.com/gpudocs/gpudocs/internal/verify/tools"
)

// run is the state of one run of a plan.
type run struct {
	plan        *Plan
	o           Options
	machine     report.Machine
	tools       tools.Set
	redactor    *redactor
	confinement *confinement // shared by all snippets
	previous    previousChecks
	checkpoints *checkpointer
	inputs      *inputs
	total       int

	mu    sync.Mutex // guards the fields below, and calls of Progress
	began time.Time  // of the first check
	done  map[report.ID]*report.Check
	ended int
	size  int // encoded size of the finished checks
}

func newRun(p *Plan, previous *report.Report, o Options) *run {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Progress == nil {
		o.Progress = func(Event) {}
	}
	if o.Examples == nil {
		o.Examples = func(report.ID, []judge.Printed) {}
	}
	return &run{
		plan:     p,
		o:        o,
		inputs:   newInputs(cmp.Or(o.Root, ".")),
		previous: newPreviousChecks(previous, p),
		done:     map[report.ID]*report.Check{},
		total:    p.Steps(),
	}
}

func (r *run) newCheck(id report.ID, kind site.Kind) *report.Check {
	c, now := r.plan.all[id], r.o.Now().UTC().Truncate(time.Second)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.began.IsZero() {
		r.began = now
	}
	return &report.Check{ID: id, Kind: string(kind), Page: c.page, Name: c.name, Places: c.places, Run: r.began, Ran: now}
}

// newLine returns the check of a gpu line.
func (r *run) newLine(l *Line) *report.Check {
	c := r.newCheck(l.ID, site.GPU)
	c.Want, c.Asks = l.String(), l.Asks()
	return c
}

// judgeValues judges the values of a check, and adds its history, which they are compared with.
func (r *run) judgeValues(b *site.Block, c *report.Check) {
	c.History = r.previous.history(c, r.plan.all[c.ID].locations)
	r.limits().Values(b, c)
}

// limits are what the values of a check are held against.
func (r *run) limits() judge.Limits {
	return judge.Limits{Machine: r.machine, References: r.o.References, Drift: r.o.Confine.Drift}
}

// blockStarted reports that a block begins.
func (r *run) blockStarted(b *site.Block) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.o.Progress(Event{Done: r.ended, Total: r.total, Started: b})
}

// blockFinished records a check. A check that already ran, as part of another session,
// keeps its first result.
func (r *run) blockFinished(b *site.Block, c *report.Check) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ended++
	if r.done[c.ID] != nil {
		r.o.Progress(Event{Done: r.ended, Total: r.total, Ended: b})
		return
	}
	c.History = r.previous.history(c, r.plan.all[c.ID].locations)
	r.done[c.ID] = c
	if r.size += encodedSize(c); r.size > budget {
		r.shrink()
	}
	r.checkpoints.changed()
	r.o.Progress(Event{Done: r.ended, Total: r.total, Ended: b, Finished: c})
}

// shrink makes room for the checks to come.
func (r *run) shrink() {
	var all []*report.Check
	for _, id := range r.plan.order {
		if c := r.done[id]; c != nil {
			all = append(all, c)
		}
	}
	r.size = shrinkChecks(all, budget/4*3)
	for _, c := range all {
		r.done[c.ID] = c
	}
}

// report merges the results of this run with those of an earlier report.
func (r *run) report(previous *report.Report) *report.Report {
	r.mu.Lock()
	done := maps.Clone(r.done)
	r.mu.Unlock()
	p, old := r.plan, newPreviousChecks(previous, r.plan)
	var checks []*report.Check
	inSite, taken := map[blockLocation]bool{}, map[blockLocation]bool{}
	for _, id := range p.order {
		c, here := done[id], p.all[id]
		if earlier := old.byID[id]; c == nil && earlier != nil {
			now := *earlier
			c, now.Page, now.Name, now.Places = &now, here.page, here.name, here.places
		}
		for _, s := range here.locations {
			inSite[s] = true
			taken[s] = taken[s] || c != nil
		}
		if c != nil {
			checks = append(checks, c)
		}
	}
	// Results of code that has changed since, and that did not run again, stay: the
	// site shows them as stale. So do those of pages that could not be read.
	if previous != nil {
		for i := range previous.Checks {
			c := &previous.Checks[i]
			if s := locationOf(c); p.all[c.ID] == nil && (inSite[s] && !taken[s] || p.unread[s.file]) {
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

// A blockLocation is the file of a block and its name there.
type blockLocation struct{ file, name string }

// locationOf returns the location of a check's first place.
func locationOf(c *report.Check) blockLocation {
	if len(c.Places) == 0 {
		return blockLocation{name: c.Name} // no file has this name
	}
	return blockLocation{c.Places[0].File, c.Name}
}

// previousChecks are the checks of an earlier report, by ID and by location.
type previousChecks struct {
	byID       map[report.ID]*report.Check
	byLocation map[blockLocation]*report.Check
	// changed is set if the machine's GPUs, driver or sandbox have changed since.
	changed bool
}

// newPreviousChecks indexes a report, which may be nil. Only checks whose code is no
// longer in the site are indexed by location.
func newPreviousChecks(r *report.Report, p *Plan) previousChecks {
	out := previousChecks{byID: r.ByID(), byLocation: map[blockLocation]*report.Check{}}
	if r == nil {
		return out
	}
	for i := range r.Checks {
		if c := &r.Checks[i]; p.all[c.ID] == nil {
			out.byLocation[locationOf(c)] = c
		}
	}
	return out
}

// history returns the earlier outcomes of a check, newest first. If its code is new,
// they are those of the check that was at its location before.
func (h previousChecks) history(c *report.Check, locations []blockLocation) []report.Past {
	earlier := h.byID[c.ID]
	for _, s := range locations {
		if old := h.byLocation[s]; earlier == nil && old != nil && old.Kind == c.Kind {
			earlier = old
		}
	}
	if earlier == nil {
		return nil
	}
	list := append([]report.Past{earlier.Past()}, earlier.History...)
	list[0].Changed, list[0].SameCode = h.changed || earlier.ID != c.ID, h.changed && earlier.ID == c.ID
	kept := min(len(list), report.MaxHistory)
	// A check stays lost until it passes again, so the pass that tells so is kept.
	tells := func(p report.Past) bool { return p.Outcome == report.Passed || p.Changed && !p.SameCode }
	if i := slices.IndexFunc(list, tells); i >= kept {
		list[kept-1] = list[i]
	}
	return list[:kept]
}
