package doctor

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/gpudocs/gpudocs/internal/machine/pyenv"
	"github.com/gpudocs/gpudocs/internal/machine/system"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/compat"
	"github.com/gpudocs/gpudocs/internal/report/reason"
	"github.com/gpudocs/gpudocs/internal/text"
	"github.com/gpudocs/gpudocs/internal/verify"
)

// usualWidth is the default width. doctor's text is wrapped in a pipe too, because it
// is read and not parsed.
const usualWidth = 80

// A Text writes a diagnosis for people, section by section.
type Text struct {
	printer
	wording
	verbose bool
}

// TextOptions say how to write.
type TextOptions struct {
	// Language is the reader's language, as for [text.FromEnv].
	Language string
	Color    bool
	// Width is the width of the terminal. If 0, the text is 80 columns wide.
	Width int
	// Verbose lists what is otherwise only counted.
	Verbose bool
}

// NewText returns a Text that writes to w.
func NewText(w io.Writer, o TextOptions) *Text {
	return &Text{printer{w: w, width: cmp.Or(o.Width, usualWidth), color: o.Color}, wording{text.Of(o.Language, "doctor")}, o.Verbose}
}

// Err is the first error of writing.
func (t *Text) Err() error { return t.err }

// Waiting returns a short text with the section that is waited for.
func (t *Text) Waiting(s Section) string {
	return t.Get("waiting", "section", t.Get("section_"+string(s)))
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
		t.line(0, t.Get("intro", "generator", d.Generator))
	}
	t.heading(t.Get("section_" + string(s)))
	write(d)
}

func (t *Text) machine(d *Diagnosis) {
	s := d.System
	t.row(2, t.Get("row_system"), list(d.Machine.OS, s.Kernel, d.Machine.Arch))
	t.row(2, t.Get("row_processor"), list(d.Machine.CPU, t.Count("processors", s.Processors)))
	t.row(2, t.Get("row_memory"), list(t.gibibytes(s.MemoryBytes),
		t.when(s.MemoryBytes > 0 && s.AvailableBytes > 0, "memory_free", "size", t.gibibytes(s.AvailableBytes)),
		t.when(s.LimitBytes > 0, "memory_limit", "size", t.gibibytes(s.LimitBytes))))
	container := t.when(s.Container != "", "in_container", "name", s.Container)
	vm := t.when(s.VM != "", "in_vm", "name", s.VM)
	if s.VM == system.OtherVM {
		vm = t.Get("in_vm_other")
	}
	t.row(2, t.Get("row_inside"), list(container, vm, t.when(s.WSL2, "in_wsl2")))
}

// software writes the driver, CUDA, and what runs with them.
func (t *Text) software(d *Diagnosis) {
	g, c := d.Machine.GPU, d.CUDA
	driver := cmp.Or(g.Driver, c.Module)
	switch {
	case driver != "":
		driver = list(driver, t.when(c.Open, "driver_open"))
	case g.Source == report.SourceCUDA: // which works without reporting the version
	case g.Status == report.GPUBroken: // there is a driver of an unknown version
		driver = t.Get("not_known")
	default:
		driver = t.Get("none")
	}
	t.row(2, t.Get("row_driver"), driver)
	if g.CUDA != "" {
		t.row(2, "CUDA", list(t.Get("cuda_newest", "version", g.CUDA), t.when(g.Compat != "", "cuda_compat", "version", g.Compat)))
	}
	t.row(2, "libcuda", cmp.Or(c.Library, t.Get("not_found")))
	t.row(2, t.Get("row_toolkits"), t.installed(c))
	label := t.Get("row_variables")
	for _, v := range c.Variables {
		t.row(2, label, v.Name+"="+v.Value)
		label = ""
	}
	t.toolkits(d.Toolkits)
}

// toolkits writes which toolkits' programs run here, in one line if they have the same
// reason.
func (t *Text) toolkits(all []report.Verdict) {
	if len(all) == 0 {
		return
	}
	first := all[0]
	differs := func(v report.Verdict) bool { return v.Answer != first.Answer || v.By != first.By }
	oneReason := first.Answer != report.RunsYes && first.By != report.ByDriver && first.By != report.ByCompute
	if oneReason && !slices.ContainsFunc(all, differs) {
		first.What += " ... " + all[len(all)-1].What
		t.item(2, answerMark(first), compat.Sentence(t.Catalog, first))
		return
	}
	t.write("\n")
	title := "toolkits_title"
	if first.Driver == "" {
		title = "toolkits_title_cuda" // only CUDA is known
	}
	t.line(2, t.Get(title, "driver", first.Driver, "cuda", first.CUDA))
	var rows []tableRow
	noted := false
	for _, v := range all {
		why := t.because(v)
		noted = noted || strings.HasSuffix(why, "*")
		rows = append(rows, tableRow{answerMark(v), []string{v.What, t.Get("runs_" + v.Answer), why}})
	}
	t.table(4, rows)
	if noted {
		t.line(4, t.Get("toolkits_note"))
	}
}

func (t *Text) slurm(d *Diagnosis) {
	s := d.Slurm
	if s == nil {
		t.line(2, t.Get("slurm_none"))
		return
	}
	job := t.when(s.Job, "slurm_job")
	if s.Failed != "" {
		t.item(2, warn, list(s.Version, t.Get("slurm_silent", "why", t.Get("slurm_"+s.Failed)), job))
		return
	}
	t.line(2, list(s.Version, job))
	others := 0
	var rows []tableRow
	for _, p := range s.Partitions {
		if len(p.GPUs) == 0 && !t.verbose {
			others++
			continue
		}
		m, state := good, t.Get("partition_up")
		if !p.Up {
			m, state = bad, t.Get("partition_down")
		}
		name := p.Name
		if p.Default {
			name += "*"
		}
		gpus := cmp.Or(strings.Join(p.GPUs, ", "), t.Get("partition_no_gpu"))
		rows = append(rows, tableRow{m, []string{name, state, t.Count("nodes", p.Nodes), p.TimeLimit, gpus}})
	}
	t.table(4, rows)
	if others > 0 {
		t.line(4, t.Count("partitions_others", others))
	}
}

func (t *Text) tools(d *Diagnosis) {
	var rows []tableRow
	for _, tool := range d.Tools {
		m, state := good, t.Get("tool_found")
		switch {
		case tool.Found:
		case tool.lacks != nil, tool.Detail != "":
			m, state = warn, t.Get("tool_failing")
		default:
			m, state = plain, t.Get("tool_absent")
		}
		what := t.Get("tool_" + tool.Name)
		switch {
		case tool.Name == ToolLimits && tool.Found:
			what = t.Get("limits_" + tool.Detail)
		case tool.lacks != nil:
			what += ": " + reason.Lack(t.Catalog, tool.lacks)
		case tool.Detail != "":
			what += ": " + t.silence(tool.Detail)
		}
		rows = append(rows, tableRow{m, []string{tool.Name, strings.TrimSpace(state + " " + tool.Version), what}})
	}
	t.table(2, rows)
}

func (t *Text) findings(d *Diagnosis) {
	if len(d.Findings) == 0 {
		t.item(2, good, t.Get("findings_none"))
		return
	}
	marks := map[string]mark{Error: bad, Warning: warn, Note: plain}
	for _, f := range d.Findings {
		what, mend := t.finding(f)
		t.item(2, marks[f.Severity], t.Get("severity_"+f.Severity)+": "+what)
		if mend != "" {
			t.remedy(4, mend)
		}
	}
}

// site writes what verify would do here.
func (t *Text) site(d *Diagnosis) {
	s := d.Site
	if n := len(s.Faults); n > 0 {
		t.line(2, t.Count("site_faults", n))
		for _, f := range s.Faults[:min(n, t.shownItems(5))] {
			t.item(4, bad, strings.TrimPrefix(place(f.Place).In(t.Catalog)+": "+f.Message.In(t.Catalog), ": "))
		}
		t.more(4, n-t.shownItems(5))
		return
	}
	total := list(t.Count("pages", s.Pages), t.Count("checks", len(s.Checks)))
	t.line(2, total+t.when(s.Report != "", "site_report", "file", s.Report))
	for _, d := range []struct {
		mark
		decision string
		n        int
	}{
		{good, verify.WouldRun, s.Run}, {good, verify.WouldKeep, s.Keep}, {plain, verify.WouldAnswer, s.Answered},
		{plain, verify.WouldSkip, s.Skip}, {bad, verify.WouldFail, s.Fail},
	} {
		if d.n > 0 {
			t.item(2, d.mark, t.Count("would_"+d.decision, d.n))
			t.reasons(s.Checks, d.decision)
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
		why := reason.Sentence(t.Catalog, c.Reason, report.GPU{})
		if c.Build {
			why = t.Get("would_build", "why", why)
		}
		if by[why] == nil {
			order = append(order, why)
		}
		by[why] = append(by[why], c)
	}
	for _, why := range order {
		if why != "" {
			t.line(4, fmt.Sprintf("%d × %s", len(by[why]), why))
		}
		for _, c := range by[why][:min(len(by[why]), t.shownItems(3))] {
			t.line(6, place(c.Place).In(t.Catalog)+"  "+c.Name)
		}
		t.more(6, len(by[why])-t.shownItems(3))
	}
}

// shownItems is how many items of a long list are shown.
func (t *Text) shownItems(n int) int {
	if t.verbose {
		return 1 << 20
	}
	return n
}

func (t *Text) more(indent, n int) {
	if n > 0 {
		t.line(indent, t.Count("more", n))
	}
}

// machinePython is the name of the machine's own Python.
const machinePython = "python3"

// pythons writes a block for each interpreter that is set up or has a framework;
// the others are only named.
func (t *Text) pythons(d *Diagnosis) {
	var bare []string
	for i := range d.Pythons {
		switch p := &d.Pythons[i]; {
		case len(p.Frameworks) > 0 || len(p.Kernels) > 0 || p.Name == "" || p.Configured || p.Failed != "" || t.verbose:
			t.python(p)
		case p.Kind == pyenv.KindSystem:
			bare = append(bare, p.Path) // there may be several python3
		default:
			bare = append(bare, p.Name)
		}
	}
	if n := len(bare); n > 0 {
		t.line(2, t.Count("pythons_bare", n)+": "+strings.Join(bare, ", "))
	}
	for _, l := range d.CuBLAS {
		t.row(2, "cuBLAS "+strconv.Itoa(l.Major), l.Path)
	}
}

func (t *Text) python(p *Python) {
	name := cmp.Or(p.Name, machinePython)
	kind := t.Get("kind_" + p.Kind)
	if p.Configured {
		kind = list(kind, "gpudocs.toml")
	}
	switch {
	case p.lacks != nil:
		m := plain
		if p.Configured {
			m = warn
		}
		t.item(2, m, name+": "+reason.Lack(t.Catalog, p.lacks))
		return
	case p.Failed != "":
		t.item(2, warn, name+": "+t.Get("python_failed", "why", t.silence(p.Failed)))
		return
	}
	t.item(2, good, name+": "+list(p.Interpreter, kind, p.Path))
	for _, f := range p.Frameworks {
		t.item(6, answerMark(f.Verdict), compat.Sentence(t.Catalog, f.Verdict))
	}
	if len(p.Frameworks) == 0 {
		t.line(6, t.Get("frameworks_none"))
	}
	if len(p.Kernels) > 0 {
		t.line(6, t.Get("python_kernels", "names", strings.Join(p.Kernels, ", ")))
	}
}
