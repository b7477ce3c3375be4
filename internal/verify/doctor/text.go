package doctor

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/compat"
	"github.com/gpudocs/gpudocs/internal/text"
)

// usualWidth is the default width. doctor's text is wrapped in a pipe too, because it
// is read and not parsed.
const usualWidth = 80

// A Text writes a diagnosis for people, section by section.
type Text struct {
	printer
	s       text.Catalog
	catalog text.Catalog
	verbose bool
}

// TextOptions say how to write.
type TextOptions struct {
	// Language is the reader's language, as for [text.FromEnv].
	Language string
	Color    bool
	// Width is the width of the terminal, 0 if there is none.
	Width int
	// Verbose lists what is else only counted.
	Verbose bool
	// Catalog says the errors of the content in the language.
	Catalog text.Catalog
}

// NewText makes a Text on w.
func NewText(w io.Writer, o TextOptions) *Text {
	s := text.Of(o.Language, "doctor")
	return &Text{printer: printer{w: w, width: cmp.Or(o.Width, usualWidth), color: o.Color}, s: s, catalog: o.Catalog, verbose: o.Verbose}
}

// Err is the first error of writing.
func (t *Text) Err() error { return t.err }

// Waiting returns a short text with the section that is waited for.
func (t *Text) Waiting(s Section) string {
	return t.get("waiting", "section", t.get("section_"+string(s)))
}

// Section writes one section of a diagnosis.
func (t *Text) Section(s Section, d *Diagnosis) {
	write := map[Section]func(*Diagnosis){
		Machine: t.machine, GPUs: t.gpus, Software: t.software, Pythons: t.pythons,
		Cluster: t.slurm, Tools: t.tools, TheSite: t.site, Found: t.findings,
	}[s]
	if s == TheSite && d.Site == nil {
		return
	}
	if s == Machine {
		t.line(0, t.get("intro", "generator", d.Generator))
	}
	t.heading(t.get("section_" + string(s)))
	write(d)
}

func (t *Text) get(name string, pairs ...string) string { return t.s.Get(name, pairs...) }

func (t *Text) machine(d *Diagnosis) {
	s := d.System
	t.row(2, t.get("row_system"), list(d.Machine.OS, s.Kernel, d.Machine.Arch))
	t.row(2, t.get("row_processor"), list(d.Machine.CPU, t.s.Count("processors", s.Processors)))
	memory := t.gibibytes(s.MemoryBytes)
	if memory != "" && s.AvailableBytes > 0 {
		memory = list(memory, t.get("memory_free", "size", t.gibibytes(s.AvailableBytes)))
	}
	if s.LimitBytes > 0 {
		memory = list(memory, t.get("memory_limit", "size", t.gibibytes(s.LimitBytes)))
	}
	t.row(2, t.get("row_memory"), memory)
	inside := ""
	if s.Container != "" {
		inside = t.get("in_container", "name", s.Container)
	}
	if s.VM != "" {
		vm := t.get("in_vm", "name", s.VM)
		if s.VM == otherVM {
			vm = t.get("in_vm_other")
		}
		inside = list(inside, vm)
	}
	if s.WSL2 {
		inside = list(inside, t.get("in_wsl2"))
	}
	t.row(2, t.get("row_inside"), inside)
}

// software writes the driver, CUDA, and what runs with them.
func (t *Text) software(d *Diagnosis) {
	g, c := d.Machine.GPU, d.CUDA
	driver := g.Driver
	if driver == "" {
		driver = c.Module
	}
	if driver != "" && c.Open {
		driver = list(driver, t.get("driver_open"))
	}
	switch {
	case driver != "", g.Source == report.SourceCUDA: // which works, and does not tell it
	case g.Status == report.GPUBroken: // there is one, and it does not say which
		driver = t.get("not_known")
	default:
		driver = t.get("none")
	}
	if driver != "" {
		t.row(2, t.get("row_driver"), driver)
	}
	if g.CUDA != "" {
		newest := t.get("cuda_newest", "version", g.CUDA)
		if g.Compat != "" {
			newest = list(newest, t.get("cuda_compat", "version", g.Compat))
		}
		t.row(2, "CUDA", newest)
	}
	library := c.Library
	if library == "" {
		library = t.get("not_found")
	}
	t.row(2, "libcuda", library)
	t.row(2, t.get("row_toolkits"), t.installed(c))
	label := t.get("row_variables")
	for _, v := range c.Variables {
		t.row(2, label, v.Name+"="+v.Value)
		label = ""
	}
	t.toolkits(d.Toolkits)
}

func (t *Text) installed(c CUDA) string {
	var all []string
	for _, k := range c.Installed {
		name := k.Path
		if k.Version != "" {
			name = k.Version + " (" + k.Path + ")"
		}
		if k.NVCC {
			name += " " + t.get("toolkit_nvcc")
		}
		all = append(all, name)
	}
	if len(all) == 0 {
		return t.get("toolkits_none")
	}
	return list(all...)
}

// toolkits writes which toolkits' programs run here, in one line if they have the same
// reason.
func (t *Text) toolkits(all []report.Verdict) {
	if len(all) == 0 {
		return
	}
	same := true
	for _, v := range all {
		same = same && v.Answer == all[0].Answer && v.By == all[0].By
	}
	if first := all[0]; same && first.Answer != report.RunsYes && first.By != report.ByDriver && first.By != report.ByCompute {
		first.What += " ... " + all[len(all)-1].What
		t.item(2, answerMark(first), compat.Sentence(t.s, first))
		return
	}
	t.write("\n")
	title := "toolkits_title"
	if all[0].Driver == "" {
		title = "toolkits_title_cuda" // CUDA alone told
	}
	t.line(2, t.get(title, "driver", all[0].Driver, "cuda", all[0].CUDA))
	var marks []mark
	var rows [][]string
	noted := false
	for _, v := range all {
		why := t.because(v)
		noted = noted || strings.HasSuffix(why, "*")
		marks = append(marks, answerMark(v))
		rows = append(rows, []string{v.What, t.get("runs_" + v.Answer), why})
	}
	t.table(4, marks, rows)
	if noted {
		t.line(4, t.get("toolkits_note"))
	}
}

func answerMark(v report.Verdict) mark {
	switch v.Answer {
	case report.RunsYes, report.RunsMinor, report.RunsForward:
		return good
	case report.RunsNo:
		return bad
	}
	return warn
}

// because returns the reason in a few words, if driver and toolkit are named next to
// it.
func (t *Text) because(v report.Verdict) string {
	switch {
	case v.Answer == report.RunsYes:
		return ""
	case v.Answer == report.RunsMinor || v.Answer == report.RunsForward:
		return t.get("helped_" + v.Answer)
	case v.Answer == report.RunsNo && v.By == report.ByDriver && v.NeedDriver != "" && v.NeedMinor != "":
		return t.get("by_driver_minor", "need", v.NeedDriver, "minor", v.NeedMinor)
	case v.Answer == report.RunsNo && v.By == report.ByDriver && v.NeedDriver+v.NeedMinor != "":
		return t.get("by_driver", "need", v.NeedDriver+v.NeedMinor)
	case v.By == report.ByCUDA:
		return t.get("by_cuda")
	case v.Answer == report.RunsNo && v.By == report.ByCompute && v.Compute != "":
		return t.get("by_compute", "gpu", v.GPU, "compute", v.Compute, "needs", v.NeedCompute)
	}
	return compat.Sentence(t.s, v)
}

func (t *Text) slurm(d *Diagnosis) {
	s := d.Slurm
	if s == nil {
		t.line(2, t.get("slurm_none"))
		return
	}
	job := ""
	if s.Job {
		job = t.get("slurm_job")
	}
	if s.Failed != "" {
		t.item(2, warn, list(s.Version, t.get("slurm_silent", "why", t.get("slurm_"+s.Failed)), job))
		return
	}
	t.line(2, list(s.Version, job))
	others := 0
	var marks []mark
	var rows [][]string
	for _, p := range s.Partitions {
		if len(p.GPUs) == 0 && !t.verbose {
			others++
			continue
		}
		m, state := good, t.get("partition_up")
		if !p.Up {
			m, state = bad, t.get("partition_down")
		}
		name := p.Name
		if p.Default {
			name += "*"
		}
		gpus := strings.Join(p.GPUs, ", ")
		if gpus == "" {
			gpus = t.get("partition_no_gpu")
		}
		marks = append(marks, m)
		rows = append(rows, []string{name, state, t.s.Count("nodes", p.Nodes), p.TimeLimit, gpus})
	}
	if len(rows) > 0 {
		t.table(4, marks, rows)
	}
	if others > 0 {
		t.line(4, t.s.Count("partitions_others", others))
	}
}

func (t *Text) tools(d *Diagnosis) {
	var marks []mark
	var rows [][]string
	for _, tool := range d.Tools {
		m, state := good, t.get("tool_found")
		switch {
		case tool.Found:
		case tool.Detail != "":
			m, state = warn, t.get("tool_failing")
		default:
			m, state = plain, t.get("tool_absent")
		}
		what := t.get("tool_" + tool.Name)
		switch {
		case tool.Name == ToolLimits && tool.Found:
			what = t.get("limits_" + tool.Detail)
		case tool.Detail != "":
			what += ": " + t.silence(tool.Detail)
		}
		marks = append(marks, m)
		rows = append(rows, []string{tool.Name, strings.TrimSpace(state + " " + tool.Version), what})
	}
	t.table(2, marks, rows)
}

func (t *Text) findings(d *Diagnosis) {
	if len(d.Findings) == 0 {
		t.item(2, good, t.get("findings_none"))
		return
	}
	marks := map[string]mark{Error: bad, Warning: warn, Note: plain}
	for _, f := range d.Findings {
		what, mend := t.finding(f)
		m := marks[f.Severity]
		t.item(2, m, t.get("severity_"+f.Severity)+": "+what)
		if mend != "" {
			t.hang(4, "→ ", "2", mend)
		}
	}
}

// finding returns the texts of a finding and of its remedy.
func (t *Text) finding(f Finding) (what, mend string) {
	pairs := []string{}
	for k, v := range f.Detail {
		switch {
		case k == "env" && v == "":
			v = machinePython
		case f.Code == FoundSlurm && k == "why":
			v = t.get("slurm_" + v)
		case f.Code == FoundSilent && k == "why":
			v = t.silence(v)
		}
		pairs = append(pairs, k, v)
	}
	code := f.Detail["code"]
	switch f.Code {
	case FoundGPUBroken, FoundNoGPU:
		what, mend = t.status(code, f.Detail["why"])
		if f.Severity == Note {
			mend = t.get("mend_" + f.Code) // a machine may do without
		}
		return t.get("finding_"+f.Code, "why", what), mend
	case FoundCounts:
		var counts []string
		for _, who := range []struct{ key, name string }{{"nvml", "NVML"}, {"cuda", "CUDA"}, {"dev", "/dev"}} {
			if n, ok := f.Detail[who.key]; ok {
				counts = append(counts, who.name+" "+n)
			}
		}
		reason := t.get("differ_" + f.Detail["why"])
		if f.Detail["why"] == report.DifferCUDA {
			_, mend, _ = strings.Cut(reason, "; ")
			return t.get("finding_cuda-failed", "said", f.Detail["said"]), mend
		}
		pairs = append(pairs, "counts", list(counts...), "reason", reason)
	case FoundThrottled:
		pairs = append(pairs, "words", t.get("throttle_"+f.Detail["reason"]))
	}
	name := "mend_" + f.Code
	if f.Verdict != nil {
		pairs = append(pairs, "sentence", compat.Sentence(t.s, *f.Verdict))
		name = "mend_runs_" + f.Verdict.By
	}
	if t.s.Has(name) {
		mend = t.get(name, pairs...)
	}
	return t.get("finding_"+f.Code, pairs...), mend
}

// site writes what verify would do here.
func (t *Text) site(d *Diagnosis) {
	s := d.Site
	if n := len(s.Faults); n > 0 {
		t.line(2, t.s.Count("site_faults", n))
		for _, f := range s.Faults[:min(n, t.few(5))] {
			t.item(4, bad, strings.TrimPrefix(place(f.Place)+": "+f.Message.In(t.catalog), ": "))
		}
		t.more(4, n-t.few(5))
		return
	}
	against := ""
	if s.Report != "" {
		against = t.get("site_report", "file", s.Report)
	}
	t.line(2, list(t.s.Count("pages", s.Pages), t.s.Count("checks", len(s.Checks)))+against)
	for _, n := range []struct {
		m    mark
		name string
		n    int
	}{{good, "would_run", s.Run}, {good, "would_keep", s.Keep}, {plain, "would_skip", s.Skip}, {bad, "would_fail", s.Fail}} {
		if n.n > 0 {
			t.item(2, n.m, t.s.Count(n.name, n.n))
			t.reasons(s.Checks, strings.TrimPrefix(n.name, "would_"))
		}
	}
}

// reasons lists the checks of one decision by their reasons, if they have some.
func (t *Text) reasons(checks []Check, decision string) {
	var order []string
	by := map[string][]Check{}
	for _, c := range checks {
		if c.Decision != decision || c.Reason == nil && !t.verbose {
			continue
		}
		why := t.reason(c.Reason)
		if by[why] == nil {
			order = append(order, why)
		}
		by[why] = append(by[why], c)
	}
	for _, why := range order {
		if why != "" {
			t.line(4, fmt.Sprintf("%d × %s", len(by[why]), why))
		}
		for _, c := range by[why][:min(len(by[why]), t.few(3))] {
			t.line(6, place(c.Place)+"  "+c.Name)
		}
		t.more(6, len(by[why])-t.few(3))
	}
}

// few is how many items of a long list are shown.
func (t *Text) few(n int) int {
	if t.verbose {
		return 1 << 20
	}
	return n
}

func (t *Text) more(indent, n int) {
	if n > 0 {
		t.line(indent, t.s.Count("more", n))
	}
}

// reason returns why a check would not run, or fail.
func (t *Text) reason(r *report.Reason) string {
	if r == nil {
		return ""
	}
	if r.Code == report.ReasonSoftware {
		return compat.Lacks(t.s, *r)
	}
	name := "reason_" + r.Code
	if !t.s.Has(name) {
		return r.Code
	}
	switch r.Code {
	case report.ReasonNoGPU, report.ReasonBroken:
		what, _, _ := strings.Cut(t.get("gpu_"+r.Detail), "; ")
		return t.get(name, "why", what)
	case report.ReasonNeeds, report.ReasonUnmet:
		found := r.Found
		if r.Verdict != nil {
			return t.get(name, "need", r.Need) + ": " + compat.Sentence(t.s, *r.Verdict)
		}
		if found != "" {
			return t.get(name, "need", r.Need) + t.get("reason_found", "found", found)
		}
	}
	return t.get(name, "need", r.Need, "detail", r.Detail)
}
