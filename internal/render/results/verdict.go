package results

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/report/compat"
	"github.com/gpudocs/gpudocs/internal/report/require"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/invisible"
)

// A reader chooses a machine, once, and every page then speaks of it first. What a page
// says of machines stands in it from the start, hidden, piece by piece: the script only
// shows those of the one that was chosen. A page includes MaxIncluded machines at most; if a reader
// chooses another, the script asks for its results as JSON (package feeds).

// MaxIncluded is the number of machines whose results a page holds.
const MaxIncluded = 8

// A verdict names the first few of the blocks that did not pass, more of them folded, so that a
// page begins with its text on a phone too, and counts the rest.
const maxVerdictSeen, maxVerdictLinks = 4, 40

// trusted are the included machines whose reports are valid.
func (v *Presenter) trusted() (list []*Machine) {
	for _, m := range v.included {
		if m.Trusted() {
			list = append(list, m)
		}
	}
	return list
}

// Picker lists the machines that a reader may choose.
func (v *Presenter) Picker() []theme.PickView {
	var list []theme.PickView
	for _, m := range v.Machines {
		list = append(list, theme.PickView{Name: m.Name, Local: m.Local, GPU: v.GPUName(m.GPU)})
	}
	// Those with the same GPUs stand together, in the order of their first.
	first := map[string]int{}
	for i, p := range list {
		if _, ok := first[p.GPU]; !ok {
			first[p.GPU] = i
		}
	}
	slices.SortStableFunc(list, func(a, b theme.PickView) int { return cmp.Compare(first[a.GPU], first[b.GPU]) })
	for i := range list {
		list[i].Begins = i == 0 || list[i-1].GPU != list[i].GPU
		list[i].Ends = i+1 == len(list) || list[i+1].GPU != list[i].GPU
	}
	return list
}

// Verdicts sum up the results of a page for each included machine.
func (v *Presenter) Verdicts(p *site.Page) (list []theme.VerdictView) {
	if len(p.Blocks) == 0 {
		return nil
	}
	for _, m := range v.included {
		list = append(list, v.verdict(m, v.Grid(p)))
	}
	return list
}

// verdict says how the page fares on a machine: the worst of it in a sentence, and the
// blocks that did not pass.
func (v *Presenter) verdict(m *Machine, rows []GridRow) theme.VerdictView {
	view := theme.VerdictView{Machine: m.Name, Local: m.Local, Total: len(rows), T: v.t}
	by := map[string][]GridRow{}
	for _, row := range rows {
		status := row.On(m).Status
		by[status] = append(by[status], row)
	}
	view.Status, view.Text = v.verdictText(m.Name, len(rows), func(status string) int { return len(by[status]) })
	if view.Status == Altered {
		return view // none of its blocks says anything
	}
	for _, status := range []string{Failed, Errored, Stale, Skipped, None} {
		if status == None && len(by[status]) == len(rows) {
			break // the sentence says it of all
		}
		for _, row := range by[status] {
			view.Blocks = append(view.Blocks, theme.BlockLink{Name: row.Block.Name, Status: status,
				StatusText: v.t.Get("status_" + status), URL: "#" + resultID(row.Block, row.On(m))})
		}
	}
	if more := len(view.Blocks) - maxVerdictLinks; more > 0 {
		view.Blocks, view.More = view.Blocks[:maxVerdictLinks], more
	}
	if len(view.Blocks) > maxVerdictSeen+1 { // a fold takes a line, too
		view.Blocks, view.Folded = view.Blocks[:maxVerdictSeen], view.Blocks[maxVerdictSeen:]
	}
	return view
}

// verdictText picks the sentence. n counts the blocks of a status.
func (v *Presenter) verdictText(machine string, total int, n func(status string) int) (status, text string) {
	failed := n(Failed) + n(Errored)
	ran := total - n(None)
	say := func(status, key string, n int) (string, string) {
		text := v.t.Count(key, n)
		return status, strings.NewReplacer("{machine}", machine, "{total}", strconv.Itoa(total)).Replace(text)
	}
	switch {
	case n(Altered) > 0:
		return Altered, v.t.Get("page_altered", "machine", machine)
	case ran == 0:
		return None, v.t.Get("page_none", "machine", machine)
	case failed > 0:
		return say(Failed, "page_failed", failed)
	case n(Stale) > 0:
		return say(Stale, "page_stale", n(Stale))
	case n(Skipped) == ran:
		return say(Skipped, "page_skipped_all", ran)
	case n(Skipped) > 0:
		return say(Skipped, "page_some", n(Passed))
	case ran < total:
		return say(None, "page_some", n(Passed))
	}
	return say(Passed, "page_passed", total)
}

// resultID is where the page shows how a block fared on a machine: in its tab of the panel,
// or the block itself where there is none.
func resultID(b *site.Block, c GridCell) string {
	if c.Place == 0 || b.Cell > 0 && c.Status == Skipped { // a quiet cell has no panel
		return b.Anchor()
	}
	return PanelID(b) + "." + strconv.Itoa(c.Place)
}

func PanelID(b *site.Block) string { return b.Anchor() + ".results" }

// Requirement says of each included machine whether it meets a requirement, and what it has; of
// one whose report is not to be believed it says nothing.
func (v *Presenter) Requirement(need require.Expr, environment string) (said bool, list []theme.RequirementView) {
	if need.IsZero() || len(v.Machines) == 0 {
		return false, nil
	}
	for _, m := range v.trusted() {
		facts := compat.Facts(m.Machine, environment)
		r := theme.RequirementView{Machine: m.Name, Status: Skipped, Found: invisible.Visible(strings.Join(need.Values(facts), ", "))}
		key := "needs_unmet"
		if need.Judge(facts).Met {
			r.Status, key = Passed, "needs_met"
		}
		r.Text = v.t.Get(key, "machine", m.Name)
		list = append(list, r)
	}
	return true, list
}

// Meant says of each included machine whether an expectation is for it, by the rule that verify
// goes by: of a stream the one whose when= holds, else the one without. Where a block has
// nothing to choose from there is nothing to say.
func (v *Presenter) Meant(b *site.Block, e *site.Expect) (said bool, list []theme.MeantView) {
	if b == nil || len(v.Machines) == 0 || !slices.ContainsFunc(b.Expects, func(o *site.Expect) bool { return o.Stderr == e.Stderr && !o.When.IsZero() }) {
		return false, nil
	}
	environment := ""
	if b.Session != nil {
		environment = b.Session.Env
	}
	for _, m := range v.trusted() {
		facts := compat.Facts(m.Machine, environment)
		fits := func(o *site.Expect) bool {
			return o.Stderr == e.Stderr && !o.When.IsZero() && o.When.Judge(facts).Met
		}
		view := theme.MeantView{Machine: m.Name, Fits: fits(e)}
		if e.When.IsZero() {
			view.Fits = !slices.ContainsFunc(b.Expects, fits)
		}
		key := "meant_not"
		if view.Fits {
			key = "meant"
		}
		view.Text = v.t.Get(key, "machine", m.Name)
		list = append(list, view)
	}
	return true, list
}

// shownIn returns the results that a block's panel holds, by their places: those of the included machines,
// and one of the worst, if there are worse ones.
func (v *Presenter) shownIn(all []Result, status string) (shown []int) {
	isWorst := func(r Result) bool { return r.Status == status }
	for i, r := range all {
		if slices.Contains(v.included, r.Machine) {
			shown = append(shown, i)
		}
	}
	if !slices.ContainsFunc(shown, func(i int) bool { return isWorst(all[i]) }) {
		shown = append(shown, slices.IndexFunc(all, isWorst))
		slices.Sort(shown)
	}
	return shown
}

// fares returns the status of a block on each included machine.
func (v *Presenter) fares(all []Result) (list []theme.FaresView) {
	for _, m := range v.included {
		f := theme.FaresView{Machine: m.Name, Status: None}
		if k := slices.IndexFunc(all, func(r Result) bool { return r.Machine == m }); k >= 0 {
			f.Status = all[k].Status
		}
		f.StatusText = v.t.Get("status_" + f.Status)
		list = append(list, f)
	}
	return list
}

// Names joins the names of machines, for the script that runs before the page is seen.
func Names(machines []*Machine) string {
	var names []string
	for _, m := range machines {
		names = append(names, m.Name)
	}
	return strings.Join(names, " ")
}

// blockChecks are the IDs of a block's checks.
func blockChecks(b *site.Block) string {
	if b.Kind != site.GPU {
		return string(b.ID)
	}
	var ids []string
	for _, line := range b.GPULines {
		ids = append(ids, string(line.ID))
	}
	return strings.Join(ids, " ")
}
