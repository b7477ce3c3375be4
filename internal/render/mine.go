package render

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/gpudocs/gpudocs/internal/compat"
	"github.com/gpudocs/gpudocs/internal/content"
	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/require"
)

// A reader chooses a machine, once, and every page then speaks of it first. What a page
// says of machines stands in it from the start, hidden, piece by piece: the script only
// shows those of the one that was chosen. So a page holds the pieces of maxHere
// machines at most; those of the others are in files of their own beside the page
// (later.go), which are loaded when a reader chooses one of their machines.

// maxHere is of how many machines a page holds all there is to say.
const maxHere = 8

// A verdict names the first few of the blocks that did not pass, more of them folded, so that a
// page begins with its text on a phone too, and counts the rest.
const maxVerdictSeen, maxVerdictLinks = 4, 40

// here are the machines whose pieces stand on a page, by their index: the worst on its
// blocks go first, for the others have the least to say.
func (s *Site) here(pages ...*content.Page) []int {
	all := s.allMachines()
	if len(all) <= maxHere {
		return all
	}
	rank := make([]int, len(all))
	for i, src := range s.results.sources {
		for _, p := range pages {
			for _, row := range s.grid(p).rows {
				rank[i] = max(rank[i], slices.Index(severity, row.cells[i].status))
			}
		}
		if src.Local {
			rank[i] = len(severity)
		}
	}
	slices.SortStableFunc(all, func(a, b int) int { return cmp.Compare(rank[b], rank[a]) })
	all = all[:maxHere]
	slices.Sort(all)
	return all
}

// allMachines are all, by their index.
func (s *Site) allMachines() []int {
	all := make([]int, len(s.results.machines))
	for i := range all {
		all[i] = i
	}
	return all
}

// machinesHere are the machines of which the page holds pieces.
func (v *pageWriter) machinesHere() []int {
	if v.lot.machines == nil {
		v.lot.machines = v.r.here(v.placed.page)
	}
	return v.lot.machines
}

// isHere tells whether the page holds the pieces of a machine.
func (v *pageWriter) isHere(name string) bool {
	return slices.ContainsFunc(v.machinesHere(), func(i int) bool { return v.r.results.machines[i].Name == name })
}

// trusted are those of the machines here whose reports may be believed.
func (v *pageWriter) trusted() (list []int) {
	for _, i := range v.machinesHere() {
		if v.r.results.sources[i].Signature.State != SignedOther {
			list = append(list, i)
		}
	}
	return list
}

// picker lists the machines that a reader may choose.
func (s *Site) picker(lang string) []PickView {
	w := &pageWriter{r: s, t: s.strings[lang]}
	var list []PickView
	for i, m := range s.results.machines {
		list = append(list, PickView{Name: m.Name, Local: s.results.sources[i].Local, GPU: w.gpuName(m.GPU)})
	}
	// Those with the same GPUs stand together, in the order of their first.
	first := map[string]int{}
	for i, p := range list {
		if _, ok := first[p.GPU]; !ok {
			first[p.GPU] = i
		}
	}
	slices.SortStableFunc(list, func(a, b PickView) int { return cmp.Compare(first[a.GPU], first[b.GPU]) })
	for i := range list {
		list[i].Begins = i == 0 || list[i-1].GPU != list[i].GPU
		list[i].Ends = i+1 == len(list) || list[i+1].GPU != list[i].GPU
	}
	return list
}

// verdicts say how the page fares on each machine here.
func (v *pageWriter) verdicts() (list []VerdictView) {
	if len(v.page.Blocks) == 0 {
		return nil
	}
	for _, i := range v.machinesHere() {
		list = append(list, v.verdict(i, v.r.grid(v.page).rows))
	}
	return list
}

// verdict says how the page fares on a machine: the worst of it in a sentence, and the
// blocks that did not pass.
func (v *pageWriter) verdict(machine int, rows []gridRow) VerdictView {
	name := v.r.results.machines[machine].Name
	view := VerdictView{Machine: name, Local: v.r.results.sources[machine].Local, Total: len(rows), T: v.t}
	by := map[string][]gridRow{}
	for _, row := range rows {
		status := row.cells[machine].status
		by[status] = append(by[status], row)
	}
	view.Status, view.Text = v.verdictText(name, len(rows), func(status string) int { return len(by[status]) })
	if view.Status == statusAltered {
		return view // none of its blocks says anything
	}
	for _, status := range []string{statusFailed, statusError, statusStale, statusSkipped, statusNone} {
		if status == statusNone && len(by[status]) == len(rows) {
			break // the sentence says it of all
		}
		for _, row := range by[status] {
			view.Blocks = append(view.Blocks, BlockLink{Name: row.block.Name, Status: status,
				StatusText: v.t.Get("status_" + status), URL: "#" + resultID(row.block, row.cells[machine])})
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
func (v *pageWriter) verdictText(machine string, total int, n func(status string) int) (status, text string) {
	failed := n(statusFailed) + n(statusError)
	ran := total - n(statusNone)
	say := func(status, key string, n int) (string, string) {
		text := v.t.Count(key, n)
		return status, strings.NewReplacer("{machine}", machine, "{total}", strconv.Itoa(total)).Replace(text)
	}
	switch {
	case n(statusAltered) > 0:
		return statusAltered, v.t.Get("page_altered", "machine", machine)
	case ran == 0:
		return statusNone, v.t.Get("page_none", "machine", machine)
	case failed > 0:
		return say(statusFailed, "page_failed", failed)
	case n(statusStale) > 0:
		return say(statusStale, "page_stale", n(statusStale))
	case n(statusSkipped) == ran:
		return say(statusSkipped, "page_skipped_all", ran)
	case n(statusSkipped) > 0:
		return say(statusSkipped, "page_some", n(statusPassed))
	case ran < total:
		return say(statusNone, "page_some", n(statusPassed))
	}
	return say(statusPassed, "page_passed", total)
}

// resultID is where the page shows how a block fared on a machine: in its tab of the panel,
// or the block itself where there is none.
func resultID(b *content.Block, c gridCell) string {
	if c.place == 0 || b.Cell > 0 && c.status == statusSkipped { // a quiet cell has no panel
		return b.Anchor()
	}
	return panelID(b) + "." + strconv.Itoa(c.place)
}

func panelID(b *content.Block) string { return b.Anchor() + ".results" }

// requirement says of each machine here whether it meets a requirement, and what it has; of
// one whose report is not to be believed it says nothing.
func (v *pageWriter) requirement(need require.Expr, environment string) (said bool, list []RequirementView) {
	if need.IsZero() || len(v.r.results.machines) == 0 {
		return false, nil
	}
	for _, i := range v.trusted() {
		m := v.r.results.machines[i]
		facts := compat.Facts(m, environment)
		r := RequirementView{Machine: m.Name, Status: statusSkipped, Found: visible(strings.Join(need.Values(facts), ", "))}
		key := "needs_unmet"
		if need.Judge(facts).Met {
			r.Status, key = statusPassed, "needs_met"
		}
		r.Text = v.t.Get(key, "machine", m.Name)
		list = append(list, r)
	}
	return true, list
}

// meant says of each machine here whether an expectation is for it, by the rule that verify
// goes by: of a stream the one whose when= holds, else the one without. Where a block has
// nothing to choose from there is nothing to say.
func (v *pageWriter) meant(b *content.Block, e *content.Expect) (said bool, list []MeantView) {
	if b == nil || len(v.r.results.machines) == 0 || !slices.ContainsFunc(b.Expects, func(o *content.Expect) bool { return o.Stderr == e.Stderr && !o.When.IsZero() }) {
		return false, nil
	}
	environment := ""
	if b.Session != nil {
		environment = b.Session.Env
	}
	for _, i := range v.trusted() {
		m := v.r.results.machines[i]
		facts := compat.Facts(m, environment)
		fits := func(o *content.Expect) bool {
			return o.Stderr == e.Stderr && !o.When.IsZero() && o.When.Judge(facts).Met
		}
		view := MeantView{Machine: m.Name, Fits: fits(e)}
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

// owner returns the block whose expectation it is.
func (v *pageWriter) owner(e *content.Expect) *content.Block {
	if v.owners == nil {
		v.owners = map[*content.Expect]*content.Block{}
		for _, b := range v.page.Blocks {
			for _, e := range b.Expects {
				v.owners[e] = b
			}
		}
	}
	return v.owners[e]
}

// liveOthers are the values of the same fact on the machines here that the author has not named.
func (v *pageWriter) liveOthers(n *markdown.Live) (list []LiveOther) {
	for _, i := range v.trusted() {
		if m := v.r.results.machines[i]; m.Name != n.Machine {
			if view := v.liveOn(i, n); view.Value != "" {
				list = append(list, LiveOther{Machine: m.Name, Value: view.Value,
					Title: v.t.Get("live_title", "machine", m.Name, "fact", n.Fact, "date", view.Date)})
			}
		}
	}
	return list
}

// shownIn are those of a block's machines whose results its panel holds: the machines
// here, and one of the worst, if there are worse ones.
func (v *pageWriter) shownIn(all []fared, status string) (shown []int) {
	isWorst := func(f fared) bool { return f.status == status }
	for i, f := range all {
		if v.isHere(f.list[0].machine.Name) {
			shown = append(shown, i)
		}
	}
	if !slices.ContainsFunc(shown, func(i int) bool { return isWorst(all[i]) }) {
		shown = append(shown, slices.IndexFunc(all, isWorst))
		slices.Sort(shown)
	}
	return shown
}

// fares says of each machine here how it fared with a block.
func (v *pageWriter) fares(all []fared) (list []FaresView) {
	for _, i := range v.machinesHere() {
		f := FaresView{Machine: v.r.results.machines[i].Name, Status: statusNone}
		if k := slices.IndexFunc(all, func(a fared) bool { return a.list[0].machine.Name == f.Machine }); k >= 0 {
			f.Status = all[k].status
		}
		f.StatusText = v.t.Get("status_" + f.Status)
		list = append(list, f)
	}
	return list
}

// left says how many machines a panel leaves out, or nothing.
func (v *pageWriter) left(n int) string {
	if n == 0 {
		return ""
	}
	return v.t.Count("panel_left", n)
}

// machineNames are the names of some machines, for the script that runs before the page is seen.
func (s *Site) machineNames(machines []int) string {
	var names []string
	for _, i := range machines {
		names = append(names, s.results.machines[i].Name)
	}
	return strings.Join(names, " ")
}
