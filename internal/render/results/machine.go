package results

import (
	"cmp"
	"slices"
	"time"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/text/invisible"
)

// A Source is a report and where it comes from.
type Source struct {
	Report *report.Report
	// Local marks the report that this very build has made on its own machine.
	Local     bool
	Signature Signature
}

// A Machine is one with a report, its texts made visible.
type Machine struct {
	report.Machine
	Source
	// Tally sums the report up, Last is when its newest result was found.
	Tally Tally
	Last  time.Time
	// index is its place among [Results.Machines].
	index int
	byID  map[report.ID]*report.Check
	// byPlace finds what was reported for a block whose code has changed since.
	byPlace map[place][]*report.Check
}

// Compare orders machines as [Results.Machines] has them.
func (m *Machine) Compare(n *Machine) int { return cmp.Compare(m.index, n.index) }

// Trusted reports whether the report is what its machine wrote, as far as is known.
func (m *Machine) Trusted() bool { return m.Signature.State != SignedOther }

func newMachine(s Source) *Machine {
	m := &Machine{Machine: visibleMachine(s.Report.Machine), Source: s, byID: map[report.ID]*report.Check{}, byPlace: map[place][]*report.Check{}}
	for c := range m.Checks() {
		m.byID[c.ID] = c
		m.byPlace[place{c.Page, c.Name}] = append(m.byPlace[place{c.Page, c.Name}], c)
		m.Tally.count(Finding{Machine: m, Check: c}.Status())
		if c.Ran.After(m.Last) {
			m.Last = c.Ran
		}
	}
	return m
}

// visibleMachine makes every text of a machine visible, once for all pages.
func visibleMachine(m report.Machine) report.Machine {
	for _, s := range []*string{&m.OS, &m.Arch, &m.CPU, &m.GPU.Code, &m.GPU.Detail, &m.GPU.Driver, &m.GPU.CUDA} {
		*s = invisible.Visible(*s)
	}
	m.GPU.Devices = slices.Clone(m.GPU.Devices)
	for i := range m.GPU.Devices {
		m.GPU.Devices[i].Name = invisible.Visible(m.GPU.Devices[i].Name)
	}
	return m
}
