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
	memory := t.gibibytes(s.MemoryBytes)
	if memory != "" && s.AvailableBytes > 0 {
		memory = list(memory, t.Get("memory_free", "size", t.gibibytes(s.AvailableBytes)))
	}
	if s.LimitBytes > 0 {
		memory = list(memory, t.Get("memory_limit", "size", t.gibibytes(s.LimitBytes)))
	}
	t.row(2, t.Get("row_memory"), memory)
	inside := ""
	if s.Container != "" {
		inside = t.Get("in_container", "name", s.Container)
	}
	if s.VM != "" {
		vm := t.Get("in_vm", "name", s.VM)
		if s.VM == otherVM {
			vm = t.Get("in_vm_other")
		}
		inside = list(inside, vm)
	}
	if s.WSL2 {
		inside = list(inside, t.Get("in_wsl2"))
	}
	t.row(2, t.Get("row_inside"), inside)
}

// software writes the driver, CUDA, and what runs with them.
func (t *Text) software(d *Diagnosis) {
	g, c := d.Machine.GPU, d.CUDA
	driver := g.Driver
	if driver == "" {
		driver = c.Module
	}
	if driver != "" && c.Open {
		driver = list(driver, t.Get("driver_open"))
	}
	switch {
	case driver != "", g.Source == report.SourceCUDA: // which works without reporting the version
	case g.Status == report.GPUBroken: // there is a driver of an unknown version
		driver = t.Get("not_known")
	default:
		driver = t.Get("none")
	}
	if driver != "" {
		t.row(2, t.Get("row_driver"), driver)
	}
	if g.CUDA != "" {
		newest := t.Get("cuda_newest", "version", g.CUDA)
		if g.Compat != "" {
			newest = list(newest, t.Get("cuda_compat", "version", g.Compat))
		}
		t.row(2, "CUDA", newest)
	}
	library := c.Library
	if library == "" {
		library = t.Get("not_found")
	}
	t.row(2, "libcuda", library)
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
	same := true
	for _, v := range all {
		same = same && v.Answer == all[0].Answer && v.By == all[0].By
	}
	if first := all[0]; same && first.Answer != report.RunsYes && first.By != report.ByDriver && first.By != report.ByCompute {
		first.What += " ... " + all[len(all)-1].What
		t.item(2, answerMark(first), compat.Sentence(t.Catalog, first))
		return
	}
	t.write("\n")
	title := "toolkits_title"
	if all[0].Driver == "" {
		title = "toolkits_title_cuda" // only CUDA is known
	}
	t.line(2, t.Get(title, "driver", all[0].Driver, "cuda", all[0].CUDA))
	var marks []mark
	var rows [][]string
	noted := false
	for _, v := range all {
		why := t.because(v)
		noted = noted || strings.HasSuffix(why, "*")
		marks = append(marks, answerMark(v))
		rows = append(rows, []string{v.What, t.Get("runs_" + v.Answer), why})
	}
	t.table(4, marks, rows)
	if noted {
		t.line(4, t.Get("toolkits_note"))
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

func (t *Text) slurm(d *Diagnosis) {
	s := d.Slurm
	if s == nil {
		t.line(2, t.Get("slurm_none"))
		return
	}
	job := ""
	if s.Job {
		job = t.Get("slurm_job")
	}
	if s.Failed != "" {
		t.item(2, warn, list(s.Version, t.Get("slurm_silent", "why", t.Get("slurm_"+s.Failed)), job))
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
		m, state := good, t.Get("partition_up")
		if !p.Up {
			m, state = bad, t.Get("partition_down")
		}
		name := p.Name
		if p.Default {
			name += "*"
		}
		gpus := strings.Join(p.GPUs, ", ")
		if gpus == "" {
			gpus = t.Get("partition_no_gpu")
		}
		marks = append(marks, m)
		rows = append(rows, []string{name, state, t.Count("nodes", p.Nodes), p.TimeLimit, gpus})
	}
	if len(rows) > 0 {
		t.table(4, marks, rows)
	}
	if others > 0 {
		t.line(4, t.Count("partitions_others", others))
	}
}

func (t *Text) tools(d *Diagnosis) {
	var marks []mark
	var rows [][]string
	for _, tool := range d.Tools {
		m, state := good, t.Get("tool_found")
		switch {
		case tool.Found:
		case tool.Detail != "":
			m, state = warn, t.Get("tool_failing")
		default:
			m, state = plain, t.Get("tool_absent")
		}
		what := t.Get("tool_" + tool.Name)
		switch {
		case tool.Name == ToolLimits && tool.Found:
			what = t.Get("limits_" + tool.Detail)
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
		t.item(2, good, t.Get("findings_none"))
		return
	}
	marks := map[string]mark{Error: bad, Warning: warn, Note: plain}
	for _, f := range d.Findings {
		what, mend := t.finding(f)
		m := marks[f.Severity]
		t.item(2, m, t.Get("severity_"+f.Severity)+": "+what)
		if mend != "" {
			t.hang(4, "→ ", "2", mend)
		}
	}
}

// site writes what verify would do here.
func (t *Text) site(d *Diagnosis) {
	s := d.Site
	if n := len(s.Faults); n > 0 {
		t.line(2, t.Count("site_faults", n))
		for _, f := range s.Faults[:min(n, t.few(5))] {
			t.item(4, bad, strings.TrimPrefix(place(f.Place)+": "+f.Message.In(t.Catalog), ": "))
		}
		t.more(4, n-t.few(5))
		return
	}
	against := ""
	if s.Report != "" {
		against = t.Get("site_report", "file", s.Report)
	}
	t.line(2, list(t.Count("pages", s.Pages), t.Count("checks", len(s.Checks)))+against)
	for _, n := range []struct {
		m    mark
		name string
		n    int
	}{{good, "would_run", s.Run}, {good, "would_keep", s.Keep}, {plain, "would_skip", s.Skip}, {bad, "would_fail", s.Fail}} {
		if n.n > 0 {
			t.item(2, n.m, t.Count(n.name, n.n))
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
		t.line(indent, t.Count("more", n))
	}
}
