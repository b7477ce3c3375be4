package results

import (
	"cmp"
	"slices"

	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/site"
)

// MaxIncluded is the number of machines whose results a page includes.
const MaxIncluded = 8

// Included returns the machines whose results some pages include, in the order of [Index.Machines].
// If there are more than [MaxIncluded], the local machine and those with the strongest statuses on these
// pages are chosen.
func (r *Index) Included(pages ...*site.Page) []*Machine {
	all := slices.Clone(r.Machines)
	if len(all) <= MaxIncluded {
		return all
	}
	rank := make([]int, len(all))
	for i, m := range all {
		for _, p := range pages {
			for _, block := range r.PageStatus(p) {
				rank[i] = max(rank[i], slices.Index(Statuses, block.On(m).Status))
			}
		}
		if m.Local {
			rank[i] = len(Statuses)
		}
	}
	slices.SortStableFunc(all, func(a, b *Machine) int { return cmp.Compare(rank[b.index], rank[a.index]) })
	all = all[:MaxIncluded]
	slices.SortFunc(all, (*Machine).Compare)
	return all
}

// Checks counts the checks of some pages by what one machine found, or by their strongest status on any machine if m is nil. A check
// is a runnable block, a combination of its parameters, or a line of a gpu block that demands something. Each counts once, however
// many pages and languages have it.
func (r *Index) Checks(m *Machine, pages ...*site.Page) (c theme.CheckCount) {
	seen := map[report.ID]bool{}
	for _, p := range pages {
		for _, b := range r.PageStatus(p) {
			b.Count(&c, m, seen)
		}
	}
	return c
}

// Count adds the checks of a block that are not among those seen; see [Index.Checks].
func (b BlockStatus) Count(c *theme.CheckCount, m *Machine, seen map[report.ID]bool) {
	machines := b.machines
	if m != nil {
		machines = machines[m.index : m.index+1]
	}
	for i, id := range b.demands {
		if seen[id] {
			continue
		}
		seen[id] = true
		c.Total++
		status, proven := strongest(machines, i)
		if proven {
			c.Proven++
			c.ProvenStale += boolean(status == Stale)
		}
		switch status {
		case None:
			c.NotRun++
		case Passed:
			c.Passed++
		case NotApplicable:
			c.NotApplicable++
		case Skipped:
			c.Skipped++
		case Stale:
			c.Stale++
		case Altered:
			c.Altered++
		default:
			c.Failed++
		}
	}
}

// strongest returns the strongest status of one check of a block, and whether it has passed on a machine.
func strongest(machines []MachineStatus, check int) (status string, proven bool) {
	status = None
	for _, m := range machines {
		s := m.of(check)
		status, proven = stronger(status, s), proven || s == Passed
	}
	return status, proven
}

// PageStatus returns the status of each block of a page on each machine. It is computed once for a page.
func (r *Index) PageStatus(p *site.Page) []BlockStatus {
	if known, ok := r.pageStatus.Load(p); ok {
		return known.([]BlockStatus)
	}
	list := make([]BlockStatus, 0, len(p.Blocks))
	for _, b := range p.Blocks {
		block := BlockStatus{Block: b, machines: make([]MachineStatus, len(r.Machines))}
		var places []int
		place := 0
		for id := range checks(b) {
			if place++; b.Kind != site.GPU || !b.GPULines[place-1].Asks() {
				block.demands, places = append(block.demands, id), append(places, place)
			}
		}
		for i := range block.machines {
			block.machines[i].Status, block.machines[i].Label = None, None
		}
		for i, result := range r.For(b) {
			m := MachineStatus{Status: result.Status, Place: i + 1, Label: result.label(), need: result.need()}
			if place > 1 {
				m.each = slices.Repeat([]string{None}, len(places))
				for _, f := range result.Findings {
					if i := slices.Index(places, f.place); i >= 0 {
						m.each[i] = f.Status()
					}
				}
			}
			block.machines[result.index] = m
		}
		list = append(list, block)
	}
	known, _ := r.pageStatus.LoadOrStore(p, list)
	return known.([]BlockStatus)
}

// A BlockStatus is the status of a block on all machines.
type BlockStatus struct {
	Block *site.Block
	// machines are in the order of [Index.Machines].
	machines []MachineStatus
	// demands are its checks, without the lines that only ask.
	demands []report.ID
}

// A MachineStatus is the status of a block on one machine. Place is the position of its result in the
// block's panel, counted from 1, or 0 if the machine has not run the block.
type MachineStatus struct {
	Status string
	Place  int
	// Label is the status, or [Unsteady].
	Label string
	need  need
	// each are the statuses of the checks that demand, or nil if all have Status.
	each []string
}

// of returns the status of one of the checks that demand.
func (m MachineStatus) of(check int) string {
	if m.each != nil {
		return m.each[check]
	}
	return m.Status
}

// asks reports whether the block demands nothing: each of its lines asks.
func (b BlockStatus) asks() bool { return len(b.demands) == 0 }

// On returns the status on one machine.
func (b BlockStatus) On(m *Machine) MachineStatus { return b.machines[m.index] }

// Status returns the strongest status on any machine.
func (b BlockStatus) Status() string {
	status := None
	for _, m := range b.machines {
		status = stronger(status, m.Status)
	}
	return status
}
