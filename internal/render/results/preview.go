package results

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/ask"
	"github.com/gpudocs/gpudocs/internal/report/standing"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text"
	"github.com/gpudocs/gpudocs/internal/text/diag"
	"github.com/gpudocs/gpudocs/internal/text/invisible"
)

// A preview is what a reader sees of a block's results without opening its panel: what is wrong, the values that
// machines found side by side, or else what it printed.

// A preview has as many rows of values, and as many lines and bytes of output; outputs side by side have as many bytes each.
const maxPreviewRows, maxPreviewLines, maxPreviewBytes, maxSideBytes = 8, 12, 1500, 60

// maxNewsBytes is the length of what a preview quotes of a failure.
const maxNewsBytes = 300

// news are the statuses about which a preview says on which machines a block has them.
var news = []standing.Standing{standing.Altered, standing.Failed, standing.Errored, standing.Stale}

// order puts the most informative of a block's results first: those with the status of all, then what passed, on a
// machine with a GPU, with the most values, with the most output.
func order(all []Result, status standing.Standing) []int {
	rank := func(i int) []int {
		r := all[i]
		values, output := 0, 0
		for _, f := range r.Findings {
			values += len(f.Check.Captures)
			output += strings.Count(f.Check.Stdout.String(), "\n") + 1000*len(f.Check.Figures)
			if f.Check.Measurement != nil {
				values++
			}
		}
		return []int{-boolean(r.Standing == status), -int(r.Standing), -boolean(len(r.GPU.Devices) > 0), -values, -output, i}
	}
	list := make([]int, len(all))
	ranks := make([][]int, len(all))
	for i := range all {
		list[i], ranks[i] = i, rank(i)
	}
	slices.SortFunc(list, func(i, j int) int { return slices.Compare(ranks[i], ranks[j]) })
	return list
}

func boolean(b bool) int {
	if b {
		return 1
	}
	return 0
}

// mark returns a block's results in a few words: "4 machines" or "fails on 1 of 4".
func mark(t text.Catalog, all []Result, status standing.Standing) string {
	ran, with, unsteady := 0, 0, 0
	for _, r := range all {
		ran += boolean(r.Standing != standing.NotApplicable)
		with += boolean(r.Standing == status)
		unsteady += boolean(r.Unsteady)
	}
	switch {
	case ran == 0:
		return t.Get("mark_nowhere")
	case status != standing.Passed && status != standing.Answered:
		if ran == 1 {
			return t.Get("mark_one_" + status.String())
		}
		return t.Get("mark_"+status.String(), "n", strconv.Itoa(with), "of", strconv.Itoa(ran))
	case unsteady > 0:
		return t.Count("machines_total", with) + ", " + t.Get("mark_unsteady")
	}
	return t.Count("machines_total", with) // one that did not reach the block says nothing of it
}

// A previewer makes the preview of a block. shown are the results that the panel includes, the most informative first, and
// views their views.
type previewer struct {
	v     *Presenter
	b     *site.Block
	shown []Result
	views []theme.ResultView
}

// preview returns what is always visible of the results, or nil.
func (w previewer) preview() *theme.PreviewView {
	p := &theme.PreviewView{T: w.v.t}
	for _, status := range news {
		if n := w.news(status); n != nil {
			p.News = append(p.News, *n)
		}
	}
	w.values(p)
	if same(p) && w.b.Kind != site.GPU {
		p.Columns, p.Rows, p.MoreRows, p.Single = nil, nil, 0, false
	}
	if len(p.Rows) == 0 && w.b.Kind != site.GPU && w.b.Kind != site.Pycon { // a Python session has its output in it
		if w.lines(p); !p.Single {
			w.output(p)
		}
	}
	if p.News == nil && p.Columns == nil && p.Output == nil {
		return nil
	}
	return p
}

// news says on which machines a block has a status that an author must look at, and why, or nil.
func (w previewer) news(status standing.Standing) *theme.NewsView {
	v, shown := w.v, w.shown
	var names, machines []string
	first := -1
	for i, r := range shown {
		if r.Standing == status {
			names, machines = append(names, shortName(v, r.Machine)), append(machines, r.Name)
			if first < 0 {
				first = i
			}
		}
	}
	if first < 0 {
		return nil
	}
	view := w.views[first]
	n := &theme.NewsView{Status: status.String(), Machines: strings.Join(machines, " "), URL: "#" + view.ID, Reason: view.Reason}
	n.Text = v.t.Get("news_"+status.String(), "machines", strings.Join(names, ", "))
	if status == standing.Altered {
		n.Reason = "" // nothing in the report counts; the panel says why
		return n
	}
	if status == standing.Failed || view.Diff != nil {
		n.Line = view.Line
	}
	for _, row := range view.Rows {
		if row.Status == status.String() {
			if !strings.Contains(row.Reason, row.Want) {
				row.Reason = row.Want + ": " + row.Reason
			}
			n.Reason = cmp.Or(n.Reason, row.Reason)
		}
	}
	n.Reason, n.Line = diag.Clip(n.Reason, maxNewsBytes), diag.Clip(n.Line, maxNewsBytes)
	return n
}

// withoutValues reports whether nothing that a result has counts as a value.
func withoutValues(r Result) bool {
	return r.Standing == standing.NotApplicable || r.Standing == standing.Stale || r.Standing == standing.Altered
}

// values sets the values that machines found: what a block captured, what the lines of a gpu block found.
func (w previewer) values(p *theme.PreviewView) {
	v, b, shown := w.v, w.b, w.shown
	type key struct {
		place        int // of the check in the block
		check, value string
	}
	var keys []key
	cells := map[key][]string{}
	set := func(k key, column int, cell string) {
		if cells[k] == nil {
			cells[k], keys = make([]string, len(shown)), append(keys, k)
		}
		cells[k][column] = cell
	}
	for i, r := range shown {
		if withoutValues(r) {
			continue
		}
		for _, f := range r.Findings {
			switch c := f.Check; {
			case c.Measurement != nil:
				set(key{place: f.place, value: c.Want}, i, rates(v, c.Measurement))
			case f.State().Standing == standing.Answered:
				set(key{place: f.place, value: c.Want}, i, strings.TrimSuffix(statusText(v.t, f.State())+" ("+invisible.Visible(c.Found)+")", " ()"))
			case b.Kind == site.GPU:
				if c.Found != "" {
					set(key{place: f.place, value: c.Want}, i, v.t.Amount(invisible.Visible(c.Found)))
				}
			default:
				check := ""
				if b.Combinations != nil {
					check = strings.Trim(strings.TrimPrefix(f.Name, b.Name), "[]")
				}
				for _, value := range c.Captures {
					set(key{f.place, check, value.Name}, i, valueOf(v, value))
				}
			}
		}
	}
	slices.SortStableFunc(keys, func(a, b key) int { return cmp.Compare(a.place, b.place) }) // the first machine may lack one
	columns := []int{}
	for i := range shown {
		if slices.ContainsFunc(keys, func(k key) bool { return cells[k][i] != "" }) {
			columns = append(columns, i)
			p.Columns = append(p.Columns, w.column(i, ""))
		}
	}
	p.MoreRows = max(0, len(keys)-maxPreviewRows)
	for _, k := range keys[:len(keys)-p.MoreRows] {
		row := theme.PreviewRow{Name: invisible.Visible(strings.TrimPrefix(k.check+" "+k.value, " "))}
		for _, i := range columns {
			row.Cells = append(row.Cells, theme.PreviewCell{Machine: shown[i].Name, Text: cmp.Or(cells[k][i], "–")})
		}
		p.Rows = append(p.Rows, row)
	}
	if p.Single = len(p.Rows) == 1; p.Single {
		for i := range p.Columns {
			p.Columns[i].Value = p.Rows[0].Cells[i].Text
		}
	}
}

// column returns the head of the column of a machine, with its value if there is only one row.
func (w previewer) column(i int, value string) theme.PreviewMachine {
	m := w.shown[i].Machine
	return theme.PreviewMachine{Machine: m.Name, Name: nameOf(w.v, w.b, m), Versions: versions(w.b, m), Value: value}
}

// lines sets what the machines printed side by side, if that is a short line on each, and not the same one.
func (w previewer) lines(p *theme.PreviewView) {
	var columns []theme.PreviewMachine
	for i, r := range w.shown {
		if r.Standing != standing.Passed {
			continue
		}
		line := strings.TrimSuffix(w.printed(i), "\n")
		if line == "" && w.views[i].Displays == nil {
			continue
		}
		if len(line) > maxSideBytes || strings.Contains(line, "\n") || w.views[i].Displays != nil || w.b.Combinations != nil {
			return
		}
		columns = append(columns, w.column(i, line))
	}
	if slices.ContainsFunc(columns, func(c theme.PreviewMachine) bool { return c.Value != columns[0].Value }) {
		p.Columns, p.Single = columns, true
	}
}

// printed returns what the block printed on a machine, on the streams that its page expects.
func (w previewer) printed(i int) string {
	out, err := w.views[i].Stdout, w.views[i].Stderr
	switch {
	case !w.expects(true) || err == "":
		return out
	case !w.expects(false) || out == "":
		return err
	}
	return strings.TrimSuffix(out, "\n") + "\n" + err
}

func (w previewer) expects(stderr bool) bool {
	return slices.ContainsFunc(w.b.Expects, func(e *site.Expect) bool { return e.Stderr == stderr })
}

// same reports whether several machines found the same values: the output says more than a table of these.
func same(p *theme.PreviewView) bool {
	return len(p.Columns) > 1 && !slices.ContainsFunc(p.Rows, func(r theme.PreviewRow) bool {
		return slices.ContainsFunc(r.Cells, func(c theme.PreviewCell) bool { return c.Text != r.Cells[0].Text })
	})
}

// rates returns what GPUs of a machine reached, as a range if they differ.
func rates(v *Presenter, m *report.Measurement) string {
	low, high := 0.0, 0.0
	for _, g := range m.GPUs {
		if g.Rate > 0 {
			low, high = min(cmp.Or(low, g.Rate), g.Rate), max(high, g.Rate)
		}
	}
	if high == 0 {
		return ""
	}
	return Rates(v, low, high, m.Unit)
}

// Rates formats a range of rates.
func Rates(v *Presenter, low, high float64, unit string) string {
	from, to := digits(v.t, low), v.Rate(high, unit)
	if strings.HasPrefix(to, from+" ") {
		return to
	}
	return from + "–" + to
}

// valueOf formats a value that an author captured. A number with a unit has three significant digits.
func valueOf(v *Presenter, c report.Capture) string {
	if x, err := strconv.ParseFloat(c.Value, 64); err == nil && c.Unit != "" {
		return v.Rate(x, c.Unit)
	}
	return invisible.Visible(strings.TrimSpace(c.Value + " " + c.Unit))
}

// output sets what the block printed or displayed, on the most informative machine on which it passed.
func (w previewer) output(p *theme.PreviewView) {
	v, b, shown, views, text, stderr := w.v, w.b, w.shown, w.views, w.printed, w.expects(true)
	first, n := -1, 0
	var alike []string
	for i, r := range shown {
		if r.Standing != standing.Passed {
			continue
		}
		n++
		if first < 0 {
			first = i
		}
		if text(i) == text(first) && (i == first || views[i].Displays == nil) {
			alike = append(alike, r.Name)
		}
	}
	if first < 0 || text(first) == "" && views[first].Displays == nil {
		return
	}
	view, m := views[first], shown[first].Machine
	out := &theme.PreviewOutput{Machines: strings.Join(alike, " "), URL: "#" + view.ID, Displays: view.Displays, T: v.t}
	out.Text, out.More = cutLines(text(first), stderr)
	out.Expected = out.More == 0 && len(b.Expects) == 1 && out.Text == strings.TrimRight(b.Expects[0].Text, "\n")
	views[first].DisplaysAbove = view.Displays != nil
	for i, r := range shown {
		if out.More == 0 && b.Combinations == nil && slices.Contains(alike, r.Name) {
			views[i].Above = "stdout"
			if stderr && views[i].Stderr != "" && text(i) == views[i].Stderr { // the panel repeats that of two streams
				views[i].Above = "stderr"
			}
		}
	}
	switch {
	case len(alike) < n || n == 1 && len(v.Machines) > 1:
		out.Name, out.Versions, out.Date = nameOf(v, b, m), versions(b, m), view.Date
	case p.News != nil: // it is not what the machines printed that these are about
		out.Name = v.t.Count("passed_on", n)
	}
	if b.Combinations != nil {
		out.Name = strings.TrimSpace(out.Name + " " + view.Shown)
	}
	p.Output = out
}

// cutLines returns the first lines of a text, or the last ones of what is on standard error, and how many are left out.
func cutLines(s string, last bool) (kept string, left int) {
	lines := strings.SplitAfter(strings.TrimRight(s, "\n"), "\n")
	size := 0
	n := 0
	for n < len(lines) && n < maxPreviewLines {
		line := lines[n]
		if last {
			line = lines[len(lines)-1-n]
		}
		if size += len(line); size > maxPreviewBytes {
			break
		}
		n++
	}
	if n == 0 { // of a line that is too long, its beginning
		return diag.Clip(lines[0], maxPreviewBytes), len(lines)
	}
	left = len(lines) - n
	if last {
		return strings.Join(lines[left:], ""), left
	}
	return strings.Join(lines[:n], ""), left
}

// versions returns the versions of what a block uses on a machine, "PyTorch 2.10.0 (CUDA 12.6) · driver 550.54.14".
func versions(b *site.Block, m *Machine) string {
	parts := frameworks(b, m)
	if m.GPU.Driver != "" && usesGPU(b, m) {
		parts = append(parts, "driver "+m.GPU.Driver)
	}
	return strings.Join(parts, " · ")
}

// usesGPU reports whether a block uses a GPU on machines that have one: it or another block of its session needs one, or
// the session uses a framework.
func usesGPU(b *site.Block, m *Machine) bool {
	return b.Kind == site.GPU || b.Needs.OfGPU() || len(frameworks(b, m)) > 0 ||
		b.Session != nil && slices.ContainsFunc(b.Session.Blocks, func(o *site.Block) bool { return o.Needs.OfGPU() })
}

// frameworks returns the frameworks that a block uses on a machine, with their versions.
func frameworks(b *site.Block, m *Machine) (list []string) {
	environment, code := b.Environment(), b.Code
	if b.Session != nil {
		code = ""
		for _, o := range b.Session.Blocks {
			code += o.Code
		}
	}
	for _, e := range m.Environments {
		for _, f := range e.Frameworks {
			if e.Name != environment || !strings.Contains(code, f.Name) {
				continue
			}
			version, _, _ := strings.Cut(f.Version, "+")
			part := ask.Spelling(f.Name) + " " + version
			if f.CUDA != "" {
				part += " (CUDA " + f.CUDA + ")"
			}
			list = append(list, invisible.Visible(part))
		}
	}
	return list
}

// nameOf names a machine as [LabelOf] does, without its own name if the GPUs tell which one it is.
func nameOf(v *Presenter, b *site.Block, m *Machine) string { return v.onCPU(b, m, shortName(v, m)) }

// shortName names a machine by its GPUs, "4 × A100", or by its [Label] if they do not tell which one it is.
func shortName(v *Presenter, m *Machine) string {
	all := v.cards()
	cards := all[m.index]
	if cards == "" || m.Had != nil || slices.Contains(all[:m.index], cards) || slices.Contains(all[m.index+1:], cards) {
		return Label(v, m)
	}
	return cards
}
