package results

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/reason"
	"github.com/gpudocs/gpudocs/internal/report/standing"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text"
	"github.com/gpudocs/gpudocs/internal/text/invisible"
)

// Panel returns the view of a block's results. Its status is that of all of them; see [Overall].
func (v *Presenter) Panel(b *site.Block) *theme.PanelView {
	p := &theme.PanelView{ID: PanelID(b), T: v.t}
	p.Status, p.Summary, p.Mark = standing.None.String(), v.t.Get("summary_none"), v.t.Get("mark_none")
	if len(v.Machines) > MaxIncluded {
		var ids []string
		for _, c := range checks(b) {
			ids = append(ids, string(c.ID))
			if c.Asks() {
				ids[len(ids)-1] += "?" // does not count
			}
		}
		p.Checks = strings.Join(ids, " ")
	}
	all := v.For(b)
	if len(all) == 0 {
		return p
	}
	overall := Overall(all)
	p.Status = overall.String()
	var shown []Result
	included := v.shown(all, overall)
	for _, i := range order(all, overall) {
		if !slices.Contains(included, i) {
			continue
		}
		res := v.result(b, all[i])
		if v.ReportURL != nil {
			res.ReportURL = v.ReportURL(v.t, b.Page, b, res.Machine)
		}
		res.ID = fmt.Sprintf("%s.%d", p.ID, i+1)
		p.Results, shown = append(p.Results, res), append(shown, all[i])
	}
	p.Results[0].Selected = true
	p.Summary = v.summary(all)
	p.Mark = mark(v.t, all, overall)
	p.Preview = previewer{v, b, shown, p.Results}.preview()
	p.Proven = slices.ContainsFunc(all, func(r Result) bool { return r.Standing == standing.Passed })
	p.Total, p.Outcomes = len(all), v.outcomes(all)
	if n := p.Total - len(p.Results); n > 0 {
		p.Omitted = v.t.Count("panel_left", n)
	}
	return p
}

// shown returns the indexes of the results that a block's panel includes: those of the included machines,
// and one with the status of the panel if none of these has it.
func (v *Presenter) shown(all []Result, overall standing.Standing) (shown []int) {
	decides := func(r Result) bool { return r.Standing == overall }
	for i, r := range all {
		if slices.Contains(v.included, r.Machine) {
			shown = append(shown, i)
		}
	}
	if !slices.ContainsFunc(shown, func(i int) bool { return decides(all[i]) }) {
		shown = append(shown, slices.IndexFunc(all, decides))
		slices.Sort(shown)
	}
	return shown
}

// outcomes returns the outcome of a block on each included machine.
func (v *Presenter) outcomes(all []Result) (list []theme.OutcomeView) {
	for _, m := range v.included {
		o := theme.OutcomeView{Machine: m.Name, Label: Label(v, m), Status: standing.None.String(), StatusText: statusText(v.t, standing.State{})}
		if i := slices.IndexFunc(all, func(r Result) bool { return r.Machine == m }); i >= 0 {
			o.Status, o.StatusText = all[i].Standing.String(), all[i].text(v.t)
		}
		list = append(list, o)
	}
	return list
}

// summary counts the machines by status, and says when the newest result was found.
func (v *Presenter) summary(all []Result) string {
	var last time.Time
	counts := map[string]int{}
	for _, r := range all {
		word := r.Standing.String()
		if r.Lost {
			word = "lost"
		}
		counts[word]++
		counts["unsteady"] += boolean(r.Unsteady)
		for _, f := range r.Findings {
			if f.Check.Ran.After(last) {
				last = f.Check.Ran
			}
		}
	}
	var parts []string
	for _, status := range strings.Fields("passed unsteady failed error lost skipped not-applicable answered stale altered") {
		if n := counts[status]; n > 0 {
			parts = append(parts, v.t.Count(status+"_on", n))
		}
	}
	return strings.Join(append(parts, v.t.Date(last)), ", ")
}

// result returns the view of what one machine found for a block.
func (v *Presenter) result(b *site.Block, found Result) theme.ResultView {
	shown := found.Findings[0]
	if b.Combinations != nil {
		shown = found.Findings[slices.IndexFunc(found.Findings, func(f Finding) bool {
			return f.State().Standing == found.Standing && f.State().Unsteady == found.Unsteady
		})]
	}
	m, c := found.Machine, shown.Check
	r := theme.ResultView{
		Machine: m.Name, Label: Label(v, m), Local: m.Local,
		DateISO: c.Ran.UTC().Format(time.RFC3339), Date: v.t.Date(c.Ran),
		OS: m.OS, GPU: v.GPUName(m.GPU), Driver: m.GPU.Driver, CUDA: m.GPU.CUDA,
		Signature: v.signature(m.Signature), T: v.t,
	}
	r.Status = found.Standing.String()
	r.StatusText = found.text(v.t)
	r.Stale = slices.ContainsFunc(found.Findings, func(f Finding) bool { return f.Stale })
	if b.Kind == site.GPU {
		for _, f := range found.Findings {
			r.Rows = append(r.Rows, v.row(f))
			if m := v.measurement(f); m != nil {
				r.Measurements = append(r.Measurements, m)
			}
		}
		return r
	}
	if r.Stale {
		r.WasText = v.t.Get("status_" + string(c.Outcome))
	}
	if c.Outcome != report.Skipped {
		r.Duration = v.t.Duration(c.DurationMS)
	}
	if len(c.Tries) > 0 {
		r.Tried = tried(v.t, c)
		for i, try := range c.Tries {
			r.Tries = append(r.Tries, v.try(i+1, try, m.GPU))
		}
	}
	r.Interpreter, r.Packages = invisible.Visible(c.Interpreter), v.packages(c.Packages)
	r.Reason, r.Place = v.ReasonOf(c, m.GPU)
	r.Line = invisible.Visible(reason.TellingLine(c))
	r.Cause = causeOf(b, c)
	if c.Build != nil {
		r.Build = v.build(c.Build)
		out, cut := v.stream(c.Build.Stdout)
		more, moreCut := v.stream(c.Build.Stderr)
		r.Compiler = out + more
		r.CompilerCut = strings.TrimSpace(cut + " " + moreCut)
	}
	r.Stdout, r.StdoutCut = v.stream(c.Stdout)
	r.Stderr, r.StderrCut = v.stream(c.Stderr)
	r.Tasks, r.OutputByTask = v.tasks(c, m.GPU)
	r.Displays, r.Figures = v.displays(b, shown)
	for _, d := range c.Diff {
		op := map[string]string{"-": "missing", "+": "extra"}[d.Op]
		r.Diff = append(r.Diff, theme.DiffView{Op: cmp.Or(op, "same"), Text: invisible.Visible(d.Text), Parts: parts(d)})
		r.Taken = r.Taken || len(d.Taken) > 0
	}
	if b.Combinations != nil {
		r.Shown = shown.Name
		r.Parameters, r.Values, r.Combinations = v.combinations(b, found)
		return r
	}
	for _, c := range c.Captures {
		value := theme.CaptureView{Name: invisible.Visible(c.Name), Unit: invisible.Visible(c.Unit), Notes: Notes(v, c)}
		value.Value = strings.TrimSuffix(v.t.Amount(invisible.Visible(c.Value)+" "+value.Unit), " "+value.Unit)
		r.Captures = append(r.Captures, value)
	}
	return r
}

// combinations returns the table of a block with matrix=: the heads of its columns, for the parameters and
// the captured values, and its rows.
func (v *Presenter) combinations(b *site.Block, found Result) (parameters, captures []string, rows []theme.CombinationView) {
	for _, p := range b.Values {
		parameters = append(parameters, p.Name)
	}
	for _, f := range found.Findings {
		for _, c := range f.Check.Captures {
			if !slices.Contains(captures, c.Name) {
				captures = append(captures, c.Name)
			}
		}
	}
	for _, of := range b.Combinations {
		f, state := Finding{Machine: found.Machine, Check: &report.Check{}}, standing.State{}
		if i := slices.IndexFunc(found.Findings, func(f Finding) bool { return f.Name == of.CheckName() }); i >= 0 {
			f = found.Findings[i]
			state = f.State()
		}
		row := theme.CombinationView{Status: state.Standing.String(), StatusText: statusText(v.t, state)}
		row.Reason = v.reason(f.Check.Reason, f.Machine.GPU)
		for _, p := range of.Values {
			row.Cells = append(row.Cells, p.Text)
		}
		for _, name := range captures {
			cell := "–"
			for _, c := range f.Check.Captures {
				if c.Name == name {
					cell = v.t.Amount(invisible.Visible(strings.TrimSpace(c.Value + " " + c.Unit)))
					c.Bound = "" // the same in all rows
					for _, note := range Notes(v, c) {
						row.Notes = append(row.Notes, invisible.Visible(name)+": "+note)
					}
				}
			}
			row.Cells = append(row.Cells, cell)
		}
		rows = append(rows, row)
	}
	for i, name := range captures {
		captures[i] = invisible.Visible(name)
	}
	return parameters, captures, rows
}

// Captured lists the values that a check captured.
func Captured(c *report.Check) string {
	var list []string
	for _, v := range c.Captures {
		list = append(list, strings.TrimSpace(v.Name+" = "+v.Value+" "+v.Unit))
	}
	return strings.Join(list, ", ")
}

// tried says how often a check was tried.
func tried(t text.Catalog, c *report.Check) string {
	return t.Get("tried", "n", strconv.Itoa(len(c.Tries)+1))
}

// try returns the view of a try before the last one.
func (v *Presenter) try(n int, try report.Try, gpu report.GPU) theme.TryView {
	why, where := v.ReasonOf(&report.Check{Reason: try.Reason, Stderr: try.Stderr}, gpu)
	text := try.Stdout.String() + try.Stderr.String()
	if len(try.Diff) > 0 {
		text = ""
		for _, d := range try.Diff {
			text += d.Op + " " + d.Text + "\n"
		}
	}
	status, why := v.t.Get("status_"+string(try.Outcome)), strings.TrimSpace(why+" "+where)
	title := v.t.Get("try_title", "n", strconv.Itoa(n), "status", status, "reason", why)
	return theme.TryView{Title: title, Text: invisible.Visible(text)}
}

// parts splits a line of a difference at what matchers took. [report.Read] has checked that the
// offsets are in order and within the line; a character that is split is shown as U+FFFD.
func parts(d report.DiffLine) (list []theme.PartView) {
	end := 0
	add := func(to int, taken bool) {
		if end < to {
			list = append(list, theme.PartView{Text: invisible.Visible(d.Text[end:to]), Taken: taken})
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

// row returns the view of a line of a gpu block.
func (v *Presenter) row(f Finding) theme.RowView {
	row := theme.RowView{
		Want:       invisible.Visible(f.Check.Want),
		Found:      invisible.Visible(f.Check.Found),
		Status:     f.State().Standing.String(),
		StatusText: statusText(v.t, f.State()),
	}
	for _, c := range f.Check.Captures {
		row.Notes = append(row.Notes, Notes(v, c)...)
	}
	if f.Check.Outcome != report.Passed {
		row.Reason = v.reason(f.Check.Reason, f.Machine.GPU)
	}
	return row
}

// tasks returns the rows of a job array, and whether they have its output.
func (v *Presenter) tasks(c *report.Check, gpu report.GPU) (rows []theme.RowView, output bool) {
	each := c.Outputs()
	for i, t := range c.Tasks {
		row := theme.RowView{Want: strconv.Itoa(t.Index), Status: string(t.Outcome), StatusText: v.t.Get("status_" + string(t.Outcome))}
		row.Reason = v.reason(t.Reason, gpu)
		if each != nil {
			row.Found = invisible.Visible(strings.TrimSuffix(each[i], "\n"))
		}
		rows = append(rows, row)
	}
	return rows, each != nil
}

// stream returns the text of a stream, and a note on how much of it was left out.
func (v *Presenter) stream(s *report.Stream) (text, cut string) {
	if s == nil {
		return "", ""
	}
	if s.Cut > 0 {
		cut = v.t.Get("cut", "n", v.t.Number(float64(s.Cut), 0))
	}
	return invisible.Visible(s.Text), cut
}

// build returns a sentence about how a block was built.
func (v *Presenter) build(b *report.Build) string {
	tool := invisible.Visible(cmp.Or(b.Tool, v.t.Get("build_tool")))
	return v.t.Get("build_"+string(b.Outcome), "tool", tool, "time", v.t.Duration(b.DurationMS))
}

// causeOf returns a link to the block that failed first, if the check was not reached because of it.
func causeOf(b *site.Block, c *report.Check) (link theme.BlockLink) {
	if c.Reason == nil || c.Reason.Code != report.ReasonNotReached || b.Session == nil {
		return link
	}
	for _, o := range b.Session.Blocks {
		if o.Name == c.Reason.Block {
			link = theme.BlockLink{Name: o.Name, URL: "#" + o.Anchor()}
		}
	}
	return link
}

// ReasonOf returns a sentence for why a check did not pass, and the place that it names, or empty
// strings.
func (v *Presenter) ReasonOf(c *report.Check, gpu report.GPU) (text, where string) {
	if c.Reason != nil && c.Reason.Place != nil {
		where = invisible.Visible(c.Reason.Place.Text().In(v.t))
	}
	return invisible.Visible(reason.Of(v.t, c, gpu)), where
}

// reason returns a sentence for a reason, or "".
func (v *Presenter) reason(r *report.Reason, gpu report.GPU) string {
	return invisible.Visible(reason.Sentence(v.t, r, gpu))
}

// Sentences returns what a panel says about a finding: its reason, or "" if it has none, then its measurement.
func (v *Presenter) Sentences(f Finding) []string {
	var list []string
	if f.Check.Outcome != report.Passed {
		reason, where := v.ReasonOf(f.Check, f.Machine.GPU)
		list = append(list, strings.TrimSpace(reason+" "+where))
	}
	if len(f.Check.Tries) > 0 {
		list = append(list, tried(v.t, f.Check))
	}
	if f.Check.Build != nil {
		list = append(list, v.build(f.Check.Build))
	}
	if m := v.measurement(f); m != nil {
		if list == nil {
			list = []string{""}
		}
		for _, g := range m.GPUs {
			list = append(list, strings.TrimSpace(g.Rate+" "+g.GPU), g.Why, g.Share, g.Lesson, g.Error, g.Times, g.Peers)
		}
		list = append(list, m.Lesson, m.CPU)
	}
	return slices.Compact(list)
}

// packages lists the packages that an environment declares, with their versions.
func (v *Presenter) packages(list []report.Package) string {
	var parts []string
	for _, p := range list {
		if p.Version == "" {
			parts = append(parts, v.t.Get("package_missing", "name", invisible.Visible(p.Name)))
		} else {
			parts = append(parts, invisible.Visible(p.Name+" "+p.Version))
		}
	}
	return strings.Join(parts, ", ")
}

// GPUName describes the GPUs of a machine: "2 × NVIDIA A100, NVIDIA L4".
func (v *Presenter) GPUName(g report.GPU) string {
	if len(g.Devices) == 0 {
		if g.Status == report.GPUBroken {
			return v.code("gpu", g.Code)
		}
		return v.t.Get("gpu_none")
	}
	return together(g.Devices, ", ", func(d report.Device) string { return d.Name })
}
