package results

import (
	"strconv"
	"strings"
	"time"

	"github.com/gpudocs/gpudocs/internal/markdown/native"
	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/report/ask"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/invisible"
)

// Live returns the view of a value in a sentence of a page, with the same value of the other included machines.
func (v *Presenter) Live(on *site.Page, n *native.Live) theme.LiveView {
	list := v.capture(on, n.Fact)
	view := v.liveOn(v.machine(n.Machine), n, list)
	view.PerMachine = len(v.Machines) > 0
	for _, m := range v.trusted() {
		if m.Name == n.Machine {
			continue
		}
		if other := v.liveOn(m, n, list); other.Value != "" {
			view.Others = append(view.Others, theme.LiveOther{Machine: m.Name, Label: other.Label, Value: other.Value,
				Title: v.t.Get("live_title", "machine", other.Label, "fact", n.Fact, "date", other.Date)})
		}
	}
	return view
}

// liveOn returns the view of the value of one machine, which may be nil. list are the checks that capture it.
func (v *Presenter) liveOn(m *Machine, n *native.Live, list []site.Captured) theme.LiveView {
	view := theme.LiveView{Machine: n.Machine, Fact: n.Fact, T: v.t}
	if m == nil || !m.Trusted() {
		return view
	}
	view.Label = Label(v, m)
	if !m.Last.IsZero() {
		view.DateISO, view.Date = m.Last.UTC().Format(time.RFC3339), v.t.Date(m.Last)
	}
	switch n.Fact {
	case "gpu":
		view.Value = v.GPUName(m.GPU)
	case "cpu":
		view.Value = m.CPU
	case "date":
		view.Value = view.Date
	case "passed":
		view.Value = strconv.Itoa(v.Totals()[m.index].Passed())
	case "failed":
		view.Value = strconv.Itoa(v.Totals()[m.index].Failed())
	case "skipped":
		view.Value = strconv.Itoa(v.Totals()[m.index].Skipped() + v.Totals()[m.index].NotApplicable())
	default:
		if v.captured(&view, m, list); view.Value == "" {
			view.Value = ask.MachineOf(m.Machine)[ask.Fact(n.Fact)].String()
		}
	}
	return view
}

// captured sets the value that an expectation captured on a machine, what it was found on, and the time of that check.
func (v *Presenter) captured(view *theme.LiveView, m *Machine, list []site.Captured) {
	if len(list) != 1 || m.byID[list[0].ID] == nil {
		return
	}
	check := m.byID[list[0].ID]
	name, _, _ := strings.Cut(view.Fact, "[") // without the values of a combination
	for _, c := range check.Captures {
		if c.Name == name {
			view.Label = LabelOf(v, list[0].Block, m)
			view.Value = strings.TrimSpace(invisible.Visible(c.Value) + " " + invisible.Visible(c.Unit))
			view.DateISO, view.Date = check.Ran.UTC().Format(time.RFC3339), v.t.Date(check.Ran)
		}
	}
}
