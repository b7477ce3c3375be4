package results

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/ask"
	"github.com/gpudocs/gpudocs/internal/report/compat"
	"github.com/gpudocs/gpudocs/internal/report/reason"
	"github.com/gpudocs/gpudocs/internal/report/standing"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text"
	"github.com/gpudocs/gpudocs/internal/text/diag"
	"github.com/gpudocs/gpudocs/internal/text/invisible"
)

// A need is what a machine lacks to run a check. Equal needs are counted together.
type need struct {
	// kind is the suffix of the text's key, name what fills it.
	kind, name string
}

var needGPU = need{kind: "gpu"}

// A page's head names as many needs, each in as many bytes, and counts the others together.
const maxNeeds, maxNeedBytes = 6, 80

// In returns the need in words: "a GPU", "PyTorch".
func (n need) in(t text.Catalog) string {
	name, without := n.name, false
	if n.kind == "unknown" {
		return ask.Fact(name).Name(t)
	}
	if n.kind == "exact" {
		if name, without = reason.InWords(t, name); without {
			name = t.Get("words_without", "what", name)
		}
	}
	return t.Get("need_"+n.kind, "name", diag.Clip(invisible.Visible(name), maxNeedBytes))
}

// needOf returns what a check that is not applicable lacks on its machine. facts are those of the machine in the environment of the block.
func needOf(f Finding, facts ask.Machine) need {
	c := f.Check
	if c.Reason.Code == report.ReasonSessionSkip { // what the skipped block lacks
		for _, first := range f.Machine.byPlace[place{c.Page, c.Reason.Block}] {
			if standing.Of(first).Standing == standing.NotApplicable && first.Reason.Code != report.ReasonSessionSkip {
				c = first
			}
		}
	}
	r := c.Reason
	switch r.Code {
	case report.ReasonNoGPU:
		if r.Why == report.CodeUnsupported {
			return unknown(ask.GPUs)
		}
		return needGPU
	case report.ReasonNoInterpreter:
		if r.Why == report.LacksConda {
			return need{kind: "environment"}
		}
		return need{"software", r.Program}
	case report.ReasonEnvironment:
		return need{kind: "environment"}
	case report.ReasonNoSandbox:
		return need{kind: "sandbox"}
	case report.ReasonMeasure:
		if strings.HasPrefix(c.Want, "copy peer") {
			return need{"exact", "gpus >= 2"}
		}
		lacks := map[string]string{report.WhyNoMemory: "free-memory", report.WhyNoLibrary: "library"}
		return need{kind: cmp.Or(lacks[r.Why], "reading")}
	case report.ReasonSessionSkip:
		return need{"after", r.Block}
	}
	if v := r.Verdict; v != nil {
		asked := map[string]ask.Fact{report.ByDriver: ask.Driver, report.ByNotAsked: ask.Fact(v.What), report.ByNoAnswer: ask.GPUs}
		if fact := asked[v.By]; v.Answer == report.RunsUnknown && fact != "" {
			return unknown(fact)
		}
		switch v.By {
		case report.ByNoDriver, report.ByNoGPU:
			return needGPU
		case report.ByDriver, report.ByForward:
			return need{kind: "driver"}
		case report.ByCompute:
			what, name := compat.ForGPU(*v)
			if what == "" {
				return unknown(ask.Compute)
			}
			return need{what, ask.Spelling(name)}
		case report.ByCuDNN:
			return need{kind: "cudnn"}
		case report.ByNotInstalled:
			return software(v.What)
		}
		return need{"exact", r.Need}
	}
	return needOfFact(r, facts)
}

// unknown is the need of a machine of which a fact is not known, which may well have it.
func unknown(f ask.Fact) need { return need{"unknown", string(f)} }

// newer are the needs of machines whose value of a fact is too low.
var newer = map[ask.Fact]string{ask.Driver: "driver", ask.CUDA: "driver", ask.Memory: "memory", ask.Compute: "compute"}

// needOfFact returns the need of a comparison that is not met.
func needOfFact(r *report.Reason, facts ask.Machine) need {
	exact := need{"exact", r.Need}
	e, err := ask.ParseReported(r.Need)
	if err != nil || e.IsZero() {
		return exact
	}
	fact := e.Comparisons()[0].Fact() // it may be negated
	if have, known := facts[fact]; r.Found == "" && (!known || have.String() != "") {
		return unknown(fact)
	}
	op, value := e.Compared()
	function, argument := fact.Call()
	switch source := fact.Entry().Source; {
	case e.Fact() == "": // it is negated
	case r.Found == "" && source == ask.FromGPUs, fact == ask.GPUs && (op == ">" && value == "0" || op == ">=" && value == "1"):
		return needGPU
	case newer[fact] != "" && op[0] == '>':
		return need{kind: newer[fact]}
	case function == ask.Env:
		return need{kind: "environment"}
	case function == ask.Has || function == ask.Pip:
		return software(argument)
	case fact.Entry().Installed() && function == "" && r.Found == "": // if it has another version, the comparison says which is needed
		return software(string(fact))
	}
	return exact
}

// software returns the need of a program or package, by the name that people know it by.
func software(name string) need {
	return need{"software", ask.Spelling(name)}
}

// need returns what the machines lack that the block is not applicable to. If one has a GPU and lacks something else, it is that.
func (r Result) need(b *site.Block) (n need) {
	for _, f := range r.Findings {
		if f.State().Standing == standing.NotApplicable && (n == need{} || n == needGPU) {
			n = needOf(f, compat.Facts(r.Machine.Machine, b.Environment()))
		}
	}
	return n
}

// Needs returns what the checks of a page lack that are not applicable to any machine, with links to the first of each.
func (v *Presenter) Needs(p *site.Page) []theme.NeedView {
	seen := map[report.ID]bool{}
	return needs(v.t, v.PageStatus(p), func(b BlockStatus) (first MachineStatus, n int) {
		for i, c := range b.checks {
			s := b.strongest(i)
			n += boolean(s.Standing == standing.NotApplicable && !s.Lost && !c.Asks() && !seen[c.ID])
			seen[c.ID] = true
		}
		for _, m := range b.machines {
			if m.need != (need{}) && (first.need == need{} || first.need == needGPU) {
				first = m
			}
		}
		return first, n
	})
}

// Failing returns how many checks of a page fail, on which machines, and a link to the first of them, or nil.
func Failing(v *Presenter, p *site.Page) *theme.NeedView {
	var view theme.NeedView
	var on []*Machine
	also, seen := 0, map[report.ID]bool{} // also are proven on another machine
	for _, b := range v.PageStatus(p) {
		failed := func(m MachineStatus) bool { return m.Bad() }
		if b.asks() || !slices.ContainsFunc(b.machines, failed) { // an altered report of another machine hides no failure
			continue
		}
		for i, c := range b.checks {
			if seen[c.ID] || !slices.ContainsFunc(b.machines, func(m MachineStatus) bool { return m.of(i).Bad() }) {
				continue
			}
			seen[c.ID] = true
			view.N++
			also += boolean(b.strongest(i).Proven)
		}
		for _, m := range v.Machines {
			if s := b.On(m); failed(s) {
				view.URL = cmp.Or(view.URL, "#"+resultID(b.Block, s))
				if !slices.Contains(on, m) {
					on = append(on, m)
				}
			}
		}
	}
	switch {
	case view.N == 0:
		return nil
	case len(on) == 1:
		view.Text = v.t.Count("head_failed", view.N, "where", Label(v, on[0]))
	default:
		view.Text = v.t.Count("head_failed", view.N, "where", v.t.Count("machines_total", len(on)))
	}
	switch also {
	case 0:
	case view.N:
		view.Text += " " + v.t.Count("head_also_all", also)
	default:
		view.Text += " " + v.t.Count("head_also", also)
	}
	return &view
}

// needs counts checks by what they lack. of returns how many of a block are not applicable, and the result that tells what they lack.
func needs(t text.Catalog, blocks []BlockStatus, of func(BlockStatus) (MachineStatus, int)) (list []theme.NeedView) {
	var kinds []need
	for _, b := range blocks {
		m, n := of(b)
		if n == 0 {
			continue
		}
		i := slices.Index(kinds, m.need)
		if i < 0 && len(kinds) > maxNeeds {
			i = maxNeeds
		}
		if i < 0 {
			i = len(kinds)
			kinds, list = append(kinds, m.need), append(list, theme.NeedView{URL: "#" + resultID(b.Block, m)})
		}
		list[i].N += n
	}
	for i, n := range kinds {
		if i == maxNeeds {
			n = need{kind: "other"}
		}
		key := "checks_need"
		if list[i].Unknown = n.kind == "unknown"; list[i].Unknown {
			key = "checks_unknown"
		}
		list[i].Text = t.Count(key, list[i].N, "what", n.in(t))
	}
	slices.SortStableFunc(list, func(a, b theme.NeedView) int {
		return cmp.Or(boolean(a.Unknown)-boolean(b.Unknown), cmp.Compare(b.N, a.N))
	})
	for i, n := range list {
		list[i].Nowhere = !n.Unknown && (i+1 == len(list) || list[i+1].Unknown)
	}
	return list
}
