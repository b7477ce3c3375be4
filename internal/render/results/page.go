package results

import (
	"cmp"
	"slices"

	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/report/require"
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

// Checks counts a page's blocks by their status on all machines.
func (r *Index) Checks(p *site.Page) (c theme.CheckCount) {
	for _, block := range r.PageStatus(p) {
		CountStatus(&c, block, block.Status())
		if slices.ContainsFunc(block.machines, func(m MachineStatus) bool { return m.Status == Passed }) {
			c.Proven++
		}
	}
	return c
}

// ChecksOn counts a page's blocks by what one machine found.
func (r *Index) ChecksOn(p *site.Page, m *Machine) (c theme.CheckCount) {
	for _, block := range r.PageStatus(p) {
		CountStatus(&c, block, block.On(m).Status)
	}
	return c
}

// CountStatus adds a block with that status, unless it only asks.
func CountStatus(c *theme.CheckCount, b BlockStatus, status string) {
	if b.asks() {
		return
	}
	c.Total++
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

// PageStatus returns the status of each block of a page on each machine. It is computed once for a page.
func (r *Index) PageStatus(p *site.Page) []BlockStatus {
	if known, ok := r.pageStatus.Load(p); ok {
		return known.([]BlockStatus)
	}
	list := make([]BlockStatus, 0, len(p.Blocks))
	for _, b := range p.Blocks {
		block := BlockStatus{b, make([]MachineStatus, len(r.Machines))}
		for i := range block.machines {
			block.machines[i].Status, block.machines[i].Label = None, None
		}
		for i, result := range r.For(b) {
			block.machines[result.index] = MachineStatus{result.Status, i + 1, result.label(), result.need()}
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
}

// A MachineStatus is the status of a block on one machine. Place is the position of its result in the
// block's panel, counted from 1, or 0 if the machine has not run the block.
type MachineStatus struct {
	Status string
	Place  int
	// Label is the status, or [Unsteady].
	Label string
	need  need
}

// asks reports whether the block demands nothing: each of its lines asks.
func (b BlockStatus) asks() bool {
	return b.Block.Kind == site.GPU && !slices.ContainsFunc(b.Block.GPULines, func(l site.GPULine) bool { return !require.IsQuestion(l.Want()) })
}

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
