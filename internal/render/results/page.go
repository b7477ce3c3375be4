package results

import (
	"cmp"
	"iter"
	"maps"
	"slices"

	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/standing"
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
	rank := make([]standing.Standing, len(all))
	for i, m := range all {
		for _, p := range pages {
			for _, block := range r.PageStatus(p) {
				rank[i] = max(rank[i], block.On(m).Standing)
			}
		}
		if m.Local {
			rank[i] = standing.Altered + 1
		}
	}
	slices.SortStableFunc(all, func(a, b *Machine) int { return cmp.Compare(rank[b.index], rank[a.index]) })
	all = all[:MaxIncluded]
	slices.SortFunc(all, (*Machine).Compare)
	return all
}

// Checks counts the checks of some pages by what one machine found, or by their strongest standing on any machine if m is nil. A check
// is a runnable block, a combination of its parameters, or a line of a gpu block. Each counts once, however many pages and languages
// have it.
func (r *Index) Checks(m *Machine, pages ...*site.Page) theme.CheckCount {
	return Count(m, nil, func(yield func(BlockStatus) bool) {
		for _, p := range pages {
			for _, b := range r.PageStatus(p) {
				if !yield(b) {
					return
				}
			}
		}
	})
}

// Count counts the checks of some blocks that were not counted before; see [Index.Checks]. It adds them to those counted, if that is
// not nil.
func Count(m *Machine, counted map[report.ID]bool, blocks iter.Seq[BlockStatus]) theme.CheckCount {
	now := map[report.ID]bool{}
	defer func() {
		if counted != nil {
			maps.Copy(counted, now)
		}
	}()
	return theme.CheckCount{Count: standing.CountOf(func(yield func(report.ID, standing.State) bool) {
		for b := range blocks {
			for i, c := range b.checks {
				if now[c.ID] = true; counted[c.ID] {
					continue
				}
				s := b.strongest(i)
				if m != nil {
					s = b.On(m).of(i)
				}
				s.Asks = s.Asks || c.Asks()
				if !yield(c.ID, s) {
					return
				}
			}
		}
	})}
}

// PageStatus returns the status of each block of a page on each machine. It is computed once for a page.
func (r *Index) PageStatus(p *site.Page) []BlockStatus {
	if known, ok := r.pageStatus.Load(p); ok {
		return known.([]BlockStatus)
	}
	list := make([]BlockStatus, 0, len(p.Blocks))
	for _, b := range p.Blocks {
		block := BlockStatus{Block: b, machines: make([]MachineStatus, len(r.Machines)), checks: checks(b)}
		for i, result := range r.For(b) {
			m := MachineStatus{State: result.State, Place: i + 1, need: result.need(b), each: make([]standing.State, len(block.checks))}
			for _, f := range result.Findings {
				m.each[f.place-1] = f.State()
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
	checks   []site.GPULine
}

// A MachineStatus is the state of a block on one machine. Place is the position of its result in the
// block's panel, counted from 1, or 0 if the machine has not run the block.
type MachineStatus struct {
	standing.State
	Place int
	need  need
	// each are the states of the block's checks, or nil.
	each []standing.State
}

// of returns the state of one of the block's checks.
func (m MachineStatus) of(check int) (s standing.State) {
	if m.each != nil {
		return m.each[check]
	}
	return s
}

// asks reports whether the block demands nothing: each of its lines asks.
func (b BlockStatus) asks() bool {
	return !slices.ContainsFunc(b.checks, func(c site.GPULine) bool { return !c.Asks() })
}

// On returns the status on one machine.
func (b BlockStatus) On(m *Machine) MachineStatus { return b.machines[m.index] }

// strongest returns the state of one of its checks on all machines.
func (b BlockStatus) strongest(check int) (s standing.State) {
	for _, m := range b.machines {
		s = s.With(m.of(check))
	}
	return s
}
