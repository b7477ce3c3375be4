package render

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gpudocs/gpudocs/internal/content"
	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/require"
)

// panel makes the view of a block's results.
func (v *pageWriter) panel(b *content.Block) *PanelView {
	p := &PanelView{ID: panelID(b), Status: statusNone, Summary: v.t.Get("summary_none"), T: v.t}
	found := v.r.results.block(b)
	var all []fared
	var last time.Time
	counts := map[string]int{}
	for _, s := range v.r.results.sources {
		list := found[s.Report.Machine.Name]
		if len(list) == 0 {
			continue
		}
		f := fared{list: list, status: statusOf(list)}
		all = append(all, f)
		counts[f.status]++
		p.Status = worse(p.Status, f.status)
		for _, f := range list {
			if f.check.Ran.After(last) {
				last = f.check.Ran
			}
		}
	}
	if len(all) == 0 {
		return p
	}
	for _, i := range v.shownIn(all, p.Status) {
		res := v.result(b, all[i].list)
		res.ID = fmt.Sprintf("%s.%d", p.ID, i+1)
		p.Results = append(p.Results, res)
	}
	selected := slices.IndexFunc(p.Results, func(r ResultView) bool { return r.Status == p.Status })
	p.Results[selected].Selected = true
	p.Summary = v.summary(counts, last)
	p.Total, p.Fares = len(all), v.fares(all)
	p.Left = v.left(p.Total - len(p.Results))
	return p
}

// fared is what one machine found for a block, and the worst of it.
type fared struct {
	list   []finding
	status string
}

func statusOf(list []finding) string {
	status := statusNone
	for _, f := range list {
		status = worse(status, f.status())
	}
	return status
}

func (v *pageWriter) summary(counts map[string]int, last time.Time) string {
	var parts []string
	for _, status := range []string{statusPassed, statusFailed, statusError, statusSkipped, statusStale, statusAltered} {
		if n := counts[status]; n > 0 {
			parts = append(parts, v.t.Count(status+"_on", n))
		}
	}
	return strings.Join(append(parts, v.t.Date(last)), ", ")
}

// result makes the view of what one machine found for a block.
func (v *pageWriter) result(b *content.Block, list []finding) ResultView {
	f := list[0]
	m := f.machine
	r := ResultView{
		Machine: m.Name, Local: f.local,
		DateISO: f.check.Ran.UTC().Format(time.RFC3339), Date: v.t.Date(f.check.Ran),
		OS: m.OS, GPU: v.gpuName(m.GPU), Driver: m.GPU.Driver, CUDA: m.GPU.CUDA,
		Signature: v.signature(f.signature),
	}
	r.Status = statusOf(list)
	r.StatusText = v.t.Get("status_" + r.Status)
	r.Stale = slices.ContainsFunc(list, func(f finding) bool { return f.stale })
	if b.Kind == content.GPU {
		for _, f := range list {
			r.Rows = append(r.Rows, v.row(f))
			if m := v.measurement(f); m != nil {
				r.Measurements = append(r.Measurements, m)
			}
		}
		return r
	}
	c := f.check
	if r.Stale {
		r.WasText = v.t.Get("status_" + string(c.Outcome))
	}
	if c.Outcome != report.Skipped {
		r.Duration = v.t.Duration(c.DurationMS)
	}
	r.Interpreter, r.Packages = visible(c.Interpreter), v.packages(c.Packages)
	r.Reason, r.Place = v.reason(c.Reason, m.GPU)
	r.Stdout, r.StdoutCut = v.stream(c.Stdout)
	r.Stderr, r.StderrCut = v.stream(c.Stderr)
	r.Figures = v.figures(b, f)
	for _, d := range c.Diff {
		op := map[string]string{"-": "missing", "+": "extra"}[d.Op]
		r.Diff = append(r.Diff, DiffView{cmp.Or(op, "same"), visible(d.Text), parts(d)})
		r.Taken = r.Taken || len(d.Taken) > 0
	}
	for _, c := range c.Captures {
		r.Captures = append(r.Captures, CaptureView{visible(c.Name), visible(c.Value), visible(c.Unit)})
	}
	return r
}

// parts cuts a line of a difference at what matchers took. [report.Read] has
// made sure that the offsets are in order and within the line; one within a
// character shows that as U+FFFD.
func parts(d report.DiffLine) (list []PartView) {
	end := 0
	add := func(to int, taken bool) {
		if end < to {
			list = append(list, PartView{visible(d.Text[end:to]), taken})
		}
		end = to
	}
	for _, at := range d.Taken {
		add(at[0], false)
		add(at[1], true)
	}
	add(len(d.Text), false)
	return list
}

func (v *pageWriter) row(f finding) RowView {
	row := RowView{Want: visible(f.check.Want), Found: visible(f.check.Found), Status: f.status()}
	row.StatusText = v.t.Get("status_" + row.Status)
	if f.check.Outcome != report.Passed {
		row.Reason, _ = v.reason(f.check.Reason, f.machine.GPU)
	}
	return row
}

// stream returns the text, and how much of it was left out.
func (v *pageWriter) stream(s *report.Stream) (text, cut string) {
	if s == nil {
		return "", ""
	}
	if s.Cut > 0 {
		cut = v.t.Get("cut", "n", strconv.FormatInt(s.Cut, 10))
	}
	return visible(s.Text), cut
}

// reason says a reason in the reader's language.
func (v *pageWriter) reason(r *report.Reason, gpu report.GPU) (text, where string) {
	if r == nil {
		return "", ""
	}
	if r.Place != nil {
		where = visible(r.Place.String())
	}
	if r.Verdict != nil {
		return v.because(visible(v.t.Verdict(*r.Verdict)), gpu), where
	}
	if r.Code == report.ReasonSoftware {
		return visible(v.t.Lacks(*r)), where
	}
	key := "reason_" + r.Code
	detail := r.Detail
	switch r.Code {
	case report.ReasonNeeds:
		switch {
		case r.Found != "":
		case gpu.Status == report.GPUOk && len(gpu.Devices) > 0:
			key += "-unknown" // it must have one, and nobody told
		default:
			key += "-none"
		}
	case report.ReasonExit:
		if r.Need != "" {
			key += "-expected"
		}
	case report.ReasonNoGPU, report.ReasonBroken:
		detail = v.gpuCode(detail)
	case report.ReasonMeasure:
		detail = v.unmeasured(detail)
	}
	if !v.t.Has(key) {
		key = "reason_unknown"
	}
	text = v.t.Get(key, "need", visible(r.Need), "found", visible(r.Found), "detail", visible(detail))
	if r.Code == report.ReasonNeeds {
		text = v.because(text, gpu)
	}
	return text, where
}

// because adds to a reason why the machine has no usable GPU, where it has none.
func (v *pageWriter) because(text string, gpu report.GPU) string {
	if gpu.Status != report.GPUOk && v.t.Has("gpu_"+gpu.Code) {
		text += ": " + v.t.Get("gpu_"+gpu.Code)
	}
	return text
}

// packages lists the packages that an environment declares, with their versions.
func (v *pageWriter) packages(list []report.Package) string {
	var parts []string
	for _, p := range list {
		if p.Version == "" {
			parts = append(parts, v.t.Get("package_missing", "name", visible(p.Name)))
		} else {
			parts = append(parts, visible(p.Name+" "+p.Version))
		}
	}
	return strings.Join(parts, ", ")
}

// gpuName sums up the GPUs of a machine: "2 × NVIDIA A100, NVIDIA L4".
func (v *pageWriter) gpuName(g report.GPU) string {
	if len(g.Devices) == 0 {
		if g.Status == report.GPUBroken {
			return v.gpuCode(g.Code)
		}
		return v.t.Get("gpu_none")
	}
	return deviceNames(g)
}

// gpuCode says why a machine has no usable GPU; a report may hold a code that
// this version does not know.
func (v *pageWriter) gpuCode(code string) string {
	if v.t.Has("gpu_" + code) {
		return v.t.Get("gpu_" + code)
	}
	return visible(code)
}

func deviceNames(g report.GPU) string {
	var names []string
	count := map[string]int{}
	for _, d := range g.Devices {
		if count[d.Name] == 0 {
			names = append(names, d.Name)
		}
		count[d.Name]++
	}
	for i, n := range names {
		if count[n] > 1 {
			names[i] = fmt.Sprintf("%d × %s", count[n], n)
		}
	}
	return strings.Join(names, ", ")
}

// live makes the view of a value in a sentence.
func (v *pageWriter) live(n *markdown.Live) LiveView {
	view := v.liveOn(v.r.results.machine(n.Machine), n)
	view.Machines, view.Others = len(v.r.results.sources) > 0, v.liveOthers(n)
	return view
}

// liveOn makes the view of such a value of a machine, -1 for one that has no report.
func (v *pageWriter) liveOn(i int, n *markdown.Live) LiveView {
	view := LiveView{Machine: n.Machine, Fact: n.Fact, T: v.t}
	if i < 0 || v.r.results.sources[i].Signature.State == SignedOther {
		return view
	}
	m, t, last := v.r.results.machines[i], v.r.results.tallies[i], v.r.results.lasts[i]
	if !last.IsZero() {
		view.DateISO, view.Date = last.UTC().Format(time.RFC3339), v.t.Date(last)
	}
	switch n.Fact {
	case "gpu":
		view.Value = v.gpuName(m.GPU)
	case "os":
		view.Value = m.OS
	case "arch":
		view.Value = m.Arch
	case "cpu":
		view.Value = m.CPU
	case "date":
		view.Value = view.Date
	case "passed":
		view.Value = strconv.Itoa(t.Passed)
	case "failed":
		view.Value = strconv.Itoa(t.Failed + t.Errored)
	case "skipped":
		view.Value = strconv.Itoa(t.Skipped)
	default:
		if view.Value = m.GPU.Facts()[require.Fact(n.Fact)].String(); view.Value == "" {
			v.captured(&view, i)
		}
	}
	return view
}

// captured shows a value that an expectation took on a machine, with the time
// of that check.
func (v *pageWriter) captured(view *LiveView, machine int) {
	id, ok := v.r.content.Capture(view.Fact)
	check := v.r.results.byID[machine][id]
	if !ok || check == nil {
		return
	}
	for _, c := range check.Captures {
		if c.Name == view.Fact {
			view.Value = strings.TrimSpace(visible(c.Value) + " " + visible(c.Unit))
			view.DateISO, view.Date = check.Ran.UTC().Format(time.RFC3339), v.t.Date(check.Ran)
		}
	}
}
