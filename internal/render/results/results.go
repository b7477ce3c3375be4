package results

import (
	"cmp"
	"iter"
	"slices"
	"sync"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/site"
)

// Results are what machines reported for the checks of a site. They are safe for use by several
// goroutines.
type Results struct {
	// Machines are those with a report: the local one first, then by name.
	Machines []*Machine
	// Unreadable are the names of machines whose reports cannot be read.
	Unreadable []string
	// pages are the source files that contain a check with its current code.
	pages map[report.ID]map[string]bool
	// capture returns the check whose expectation captures a value of that name.
	capture    func(name string) (report.ID, bool)
	pageStatus sync.Map // *site.Page: []BlockStatus
}

// A place is the name of a check on a page.
type place struct{ page, name string }

// New indexes what machines reported for a site.
func New(all *site.Site, sources []Source, unreadable []string) *Results {
	r := &Results{Unreadable: unreadable, pages: map[report.ID]map[string]bool{}, capture: all.Capture}
	sources = slices.Clone(sources)
	slices.SortFunc(sources, func(a, b Source) int {
		if a.Local != b.Local {
			if a.Local {
				return -1
			}
			return 1
		}
		return cmp.Compare(a.Report.Machine.Name, b.Report.Machine.Name)
	})
	for _, p := range all.Pages {
		for _, b := range p.Blocks {
			for id := range checks(b) {
				if r.pages[id] == nil {
					r.pages[id] = map[string]bool{}
				}
				r.pages[id][p.Source.Name] = true
			}
		}
	}
	for i, s := range sources {
		m := newMachine(s)
		m.index = i
		r.Machines = append(r.Machines, m)
	}
	return r
}

// In returns the same results for a later state of the site in which all checks are the same.
func (r *Results) In(all *site.Site) *Results {
	return &Results{Machines: r.Machines, Unreadable: r.Unreadable, pages: r.pages, capture: all.Capture}
}

// checks yields the IDs and the names of a block's checks.
func checks(b *site.Block) iter.Seq2[report.ID, string] {
	return func(yield func(report.ID, string) bool) {
		if b.Kind != site.GPU {
			yield(b.ID, b.Name)
			return
		}
		for _, l := range b.GPULines {
			if !yield(l.ID, l.Name) {
				return
			}
		}
	}
}

// machine returns the machine of that name, or nil.
func (r *Results) machine(name string) *Machine {
	if i := slices.IndexFunc(r.Machines, func(m *Machine) bool { return m.Name == name }); i >= 0 {
		return r.Machines[i]
	}
	return nil
}
