package results

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/report/ask"
	"github.com/gpudocs/gpudocs/internal/report/compat"
	"github.com/gpudocs/gpudocs/internal/report/standing"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text"
	"github.com/gpudocs/gpudocs/internal/text/invisible"
)

// A reader may choose a machine, and every page then shows its results first. What a page says
// about the included machines is in the page, hidden; the script shows that of the chosen machine.
// If the chosen machine is a deferred one, the script fetches its results as JSON (package feeds).

// A verdict names a few of the blocks that did not pass, has more of them folded, so that the page's
// text begins on the first screen of a phone, and counts the rest.
const maxVerdictSeen, maxVerdictLinks = 4, 40

// MachineOptions lists the machines that a reader may choose, those with the same GPUs together.
func (v *Presenter) MachineOptions() []theme.MachineOption {
	var list []theme.MachineOption
	for _, m := range v.Machines {
		list = append(list, theme.MachineOption{Name: m.Name, Label: Label(v, m), Local: m.Local, GPU: v.GPUName(m.GPU)})
	}
	// Groups are in the order of their first machines.
	first := map[string]int{}
	for i, p := range list {
		if _, ok := first[p.GPU]; !ok {
			first[p.GPU] = i
		}
	}
	slices.SortStableFunc(list, func(a, b theme.MachineOption) int { return cmp.Compare(first[a.GPU], first[b.GPU]) })
	for i := range list {
		list[i].Begins = i == 0 || list[i-1].GPU != list[i].GPU
		list[i].Ends = i+1 == len(list) || list[i+1].GPU != list[i].GPU
	}
	return list
}

// Verdicts returns the result of a page on each included machine.
func (v *Presenter) Verdicts(p *site.Page) (list []theme.VerdictView) {
	blocks := slices.DeleteFunc(slices.Clone(v.PageStatus(p)), BlockStatus.asks)
	if len(blocks) == 0 {
		return nil
	}
	for _, m := range v.included {
		list = append(list, v.verdict(m, blocks))
	}
	return list
}

// verdict returns the result of a page on a machine: a sentence, and the blocks that did not pass.
func (v *Presenter) verdict(m *Machine, blocks []BlockStatus) theme.VerdictView {
	view := theme.VerdictView{Machine: m.Name, Label: Label(v, m), Local: m.Local, T: v.t}
	c := Count(m, nil, slices.Values(blocks))
	var by [standing.Altered + 1][]BlockStatus
	overall := standing.None
	for _, b := range blocks {
		s := b.On(m).Standing
		by[s], overall = append(by[s], b), max(overall, s)
	}
	view.Status = overall.String()
	switch {
	case overall == standing.Altered, overall == standing.None: // nothing in the report counts, or there is nothing
		view.Text = v.t.Get("page_"+overall.String(), "machine", view.Label)
		return view
	case c.Passed() == c.Total():
		view.Text = v.t.Count("page_passed", c.Total(), "machine", view.Label)
	default:
		view.Text = v.t.Get("page_on", "machine", view.Label, "what", describeChecks(v.t, m, blocks, c))
	}
	worst := []standing.Standing{standing.Failed, standing.Errored, standing.Stale, standing.Skipped, standing.NotApplicable, standing.None}
	for _, s := range worst {
		for _, b := range by[s] {
			view.Blocks = append(view.Blocks, theme.BlockLink{Name: b.Block.Name, Status: s.String(),
				StatusText: v.t.Get("status_" + s.String()), URL: "#" + resultID(b.Block, b.On(m))})
		}
	}
	if more := len(view.Blocks) - maxVerdictLinks; more > 0 {
		view.Blocks, view.More = view.Blocks[:maxVerdictLinks], more
	}
	if len(view.Blocks) > maxVerdictSeen+1 { // the fold takes a line too
		view.Blocks, view.Folded = view.Blocks[:maxVerdictSeen], view.Blocks[maxVerdictSeen:]
	}
	return view
}

// describeChecks counts the checks of a machine by their outcome: "12 passed, 3 need 2 GPUs".
func describeChecks(t text.Catalog, m *Machine, blocks []BlockStatus, c theme.CheckCount) string {
	c.By[standing.NotApplicable] = c.Lost // what they need says the others
	var parts []string
	for _, s := range c.Counts() {
		parts = append(parts, t.Count(s.Key, s.N))
	}
	for _, n := range needs(t, blocks, func(b BlockStatus) (on MachineStatus, n int) {
		on = b.On(m)
		for i, c := range b.checks {
			n += boolean(on.of(i).Standing == standing.NotApplicable && !c.Asks() && !on.of(i).Lost)
		}
		return on, n
	}) {
		parts = append(parts, n.Text)
	}
	return strings.Join(parts, ", ")
}

// resultID returns the HTML id of a machine's tab in the panel of a block, or that of the block if
// there is no such tab.
func resultID(b *site.Block, on MachineStatus) string {
	if on.Place == 0 || b.Cell > 0 && (on.Standing == standing.NotApplicable || on.Standing == standing.Skipped) { // such a cell has no panel
		return b.Anchor()
	}
	return PanelID(b) + "." + strconv.Itoa(on.Place)
}

// PanelID returns the HTML id of a block's panel.
func PanelID(b *site.Block) string { return b.Anchor() + ".results" }

// Requirement reports whether there is a requirement, and lists for each trusted included machine whether it meets it
// and what it has.
func (v *Presenter) Requirement(need ask.Expr, environment string) (applies bool, list []theme.RequirementView) {
	if need.IsZero() {
		return false, nil
	}
	for _, m := range v.trusted() {
		facts := compat.Facts(m.Machine, environment)
		values := need.Values(facts)
		for i, value := range values {
			if fact, amount, ok := strings.Cut(value, " "); ok {
				values[i] = fact + " " + v.t.Amount(amount)
			}
		}
		r := theme.RequirementView{Machine: m.Name, Status: standing.NotApplicable.String(), Found: invisible.Visible(strings.Join(values, ", "))}
		key := "needs_unmet"
		switch need.Judge(facts).Answer {
		case ask.Yes:
			r.Status, key = standing.Passed.String(), "needs_met"
		case ask.Unknown:
			key = "needs_unknown"
		}
		r.Text = v.t.Get(key, "machine", Label(v, m))
		list = append(list, r)
	}
	return true, list
}

// ExpectedOn lists for each trusted included machine whether an expectation is the one for it. As in
// verify, that is the expectation for a stream whose when= holds, or else the one without when=. applies
// is false if no expectation of the block has a when=.
func (v *Presenter) ExpectedOn(b *site.Block, e *site.Expect) (applies bool, list []theme.ExpectedOnView) {
	if b == nil || !slices.ContainsFunc(b.Expects, func(o *site.Expect) bool { return o.Stderr == e.Stderr && !o.When.IsZero() }) {
		return false, nil
	}
	for _, m := range v.trusted() {
		facts := compat.Facts(m.Machine, b.Environment())
		fits := func(o *site.Expect) bool {
			return o.Stderr == e.Stderr && !o.When.IsZero() && o.When.Judge(facts).Met()
		}
		view := theme.ExpectedOnView{Machine: m.Name, Fits: fits(e)}
		if e.When.IsZero() {
			view.Fits = !slices.ContainsFunc(b.Expects, fits)
		}
		key := "meant_not"
		if view.Fits {
			key = "meant"
		}
		view.Text = v.t.Get(key, "machine", Label(v, m))
		list = append(list, view)
	}
	return true, list
}

// trusted returns the included machines whose reports are valid.
func (v *Presenter) trusted() (list []*Machine) {
	for _, m := range v.included {
		if m.Trusted() {
			list = append(list, m)
		}
	}
	return list
}

// Names joins the names of machines, for the script that runs before the page is painted.
func Names(machines []*Machine) string {
	var names []string
	for _, m := range machines {
		names = append(names, m.Name)
	}
	return strings.Join(names, " ")
}
