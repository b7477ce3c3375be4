package results

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/text/invisible"
)

// A Source is a report and where it comes from.
type Source struct {
	Report *report.Report
	// Local marks the report that this build has just made on its own machine.
	Local     bool
	Signature Signature
}

// A Machine is one that has a report. Invisible characters of its texts are made visible.
type Machine struct {
	report.Machine
	Source
	// Last is the time of its newest result.
	Last time.Time
	// index is its place among [Index.Machines].
	index int
	byID  map[report.ID]*report.Check
	// byPlace has the checks of blocks whose code may have changed since.
	byPlace map[place][]*report.Check
}

// A Cache has the machines of the newest index, so that those with the same reports are not indexed again. The
// zero value is empty.
type Cache struct {
	mu     sync.Mutex
	newest map[Source]*Machine
}

// machines returns the machines of some sources, in order.
func (c *Cache) machines(sources []Source) []*Machine {
	c.mu.Lock()
	defer c.mu.Unlock()
	earlier := c.newest
	c.newest = make(map[Source]*Machine, len(sources))
	list := make([]*Machine, len(sources))
	for i, s := range sources {
		m := earlier[s]
		if m == nil || m.index != i {
			m = newMachine(s, i)
		}
		list[i], c.newest[s] = m, m
	}
	return list
}

// Compare orders machines as [Index.Machines] has them.
func (m *Machine) Compare(n *Machine) int { return cmp.Compare(m.index, n.index) }

// Trusted reports whether the report's signature, if it has one, matches.
func (m *Machine) Trusted() bool { return m.Signature.State != SignedOther }

func newMachine(s Source, index int) *Machine {
	m := &Machine{Machine: visibleMachine(s.Report.Machine), Source: s, index: index}
	m.byID, m.byPlace = map[report.ID]*report.Check{}, map[place][]*report.Check{}
	for c := range m.Checks() {
		m.byID[c.ID] = c
		m.byPlace[place{c.Page, c.Name}] = append(m.byPlace[place{c.Page, c.Name}], c)
		if c.Ran.After(m.Last) {
			m.Last = c.Ran
		}
	}
	return m
}

// visibleMachine makes invisible characters of a machine's texts visible, once for all pages.
func visibleMachine(m report.Machine) report.Machine {
	for _, s := range []*string{&m.OS, &m.Arch, &m.CPU, &m.GPU.Code, &m.GPU.Detail, &m.GPU.Driver, &m.GPU.CUDA} {
		*s = invisible.Visible(*s)
	}
	visible := func(list []report.Device) []report.Device {
		list = slices.Clone(list)
		for i := range list {
			list[i].Name = invisible.Visible(list[i].Name)
		}
		return list
	}
	m.GPU.Devices = visible(m.GPU.Devices)
	if m.Had != nil {
		m.Had = &report.Had{Devices: visible(m.Had.Devices), Ran: m.Had.Ran}
	}
	return m
}
