package bench

import (
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/ask"
	"github.com/gpudocs/gpudocs/internal/report/reason"
	"github.com/gpudocs/gpudocs/internal/text"
)

// A Text writes measurements for people, in their language.
type Text struct {
	s text.Catalog
	w io.Writer
	// devices are the machine's, for their names.
	devices []report.Device
}

// NewText returns a Text that writes to w, in a language as from [text.FromEnv].
func NewText(w io.Writer, language string, devices []report.Device) *Text {
	return &Text{text.Of(language, "bench"), w, devices}
}

// NoGPU writes why there is no GPU to measure, and the remedy.
func (t *Text) NoGPU(g report.GPU) error {
	key, remedy := "no_gpu", reason.Remedy(t.s, &report.Reason{Code: report.ReasonNoGPU, Why: g.Code})
	if remedy != "" {
		key = "no_gpu_remedy"
	}
	_, err := fmt.Fprintln(t.w, t.s.Get(key, "why", t.code("gpu", cmp.Or(g.Code, "none")), "remedy", remedy))
	return err
}

// Began returns a line with the GPU that is measured now.
func (t *Text) Began(gpu int) string { return t.s.Get("began", "gpu", t.name(gpu)) }

// Write writes measurements of the same kind. Matmuls of several types are one table.
func (t *Text) Write(all ...*report.Measurement) error {
	first := all[0]
	var b strings.Builder
	title := t.s.Get(first.What, "n", strconv.Itoa(first.N))
	fmt.Fprintf(&b, "%s\n", title)
	t.table(&b, all)
	notes := t.notes(all)
	if len(notes) > 0 {
		fmt.Fprintf(&b, "\n%s\n", strings.Join(notes, "\n"))
	}
	_, err := io.WriteString(t.w, b.String())
	return err
}

// table writes a row for each GPU and type that was measured.
func (t *Text) table(w io.Writer, all []*report.Measurement) {
	var rows [][]string
	matmul := all[0].What == ask.Matmul
	for _, m := range all {
		for _, g := range m.GPUs {
			if g.Why == "" {
				rows = append(rows, t.row(m, g, matmul))
			}
		}
	}
	if len(rows) == 0 {
		return
	}
	heads := []string{"gpu", "rate", "share", "median", "min", "p90", "runs", "clock", "power"}
	if matmul {
		heads = []string{"gpu", "dtype", "backend", "rate", "share", "median", "min", "p90", "runs", "clock", "power", "error"}
	}
	for i, h := range heads {
		heads[i] = t.s.Get(h)
	}
	fmt.Fprintln(w)
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, r := range append([][]string{heads}, rows...) {
		fmt.Fprintln(table, strings.Join(r, "\t"))
	}
	_ = table.Flush() // what it writes to is the caller's to check
}

func (t *Text) row(m *report.Measurement, g report.Measured, matmul bool) []string {
	share := "-"
	if g.Peak > 0 {
		share = t.s.Number(100*g.Rate/g.Peak, 0) + "%"
	}
	row := []string{t.name(g.Device)}
	if matmul {
		row = append(row, m.DType, g.Backend)
	}
	row = append(row, t.rate(g.Rate, m.Unit), share, t.time(g.Median), t.time(g.Min), t.time(g.P90), strconv.Itoa(g.Runs),
		known(g.Clock > 0, strconv.Itoa(g.Clock)+" MHz"), known(g.PowerDraw > 0, t.s.Number(g.PowerDraw, 0)+" W"))
	if matmul {
		row = append(row, known(g.MaxError > 0 || !g.Wrong, scientific(g.MaxError)))
	}
	return row
}

// known returns a value, or a dash if it is unknown.
func known(is bool, value string) string {
	if is {
		return value
	}
	return "-"
}

// notes returns the sentences below a table.
func (t *Text) notes(all []*report.Measurement) (notes []string) {
	peak := false
	for _, m := range all {
		for _, g := range m.GPUs {
			notes = append(notes, t.faults(m, g)...)
			peak = peak || g.Peak > 0
		}
	}
	for _, g := range all[0].GPUs {
		if g.Waited > 0 {
			notes = append(notes, t.s.Get("lesson", "gpu", strconv.Itoa(g.Device), "returned", t.time(g.Returned), "waited", t.time(g.Waited)))
		}
	}
	switch {
	case peak && all[0].What == ask.Matmul:
		notes = append(notes, t.s.Get("peak"))
	case peak:
		notes = append(notes, t.s.Get("peak_memory"))
	}
	return notes
}

// faults returns sentences about wrong results, low clocks, and failures of a GPU.
func (t *Text) faults(m *report.Measurement, g report.Measured) (notes []string) {
	gpu := strconv.Itoa(g.Device)
	if m.DType != "" {
		gpu += ", " + m.DType
	}
	switch {
	case g.Why != "":
		return []string{t.s.Get("not_measured", "gpu", gpu, "why", t.why(g.Why, g.Detail))}
	case g.Wrong && g.Tolerance > 0:
		e := scientific(g.MaxError)
		if g.MaxError == 0 {
			e = t.s.Get("not_a_number")
		}
		notes = append(notes, t.s.Get("wrong", "gpu", gpu, "error", e, "tolerance", scientific(g.Tolerance)))
	case g.Wrong:
		notes = append(notes, t.s.Get("wrong_copy", "gpu", gpu))
	}
	var reasons []string
	for _, code := range g.Throttle {
		reasons = append(reasons, t.code("throttle", code))
	}
	if len(reasons) > 0 {
		notes = append(notes, t.s.Get("throttle", "gpu", gpu, "reasons", strings.Join(reasons, ", ")))
	}
	return notes
}

func (t *Text) why(code, detail string) string {
	why := t.code("why", code)
	if code == report.WhyNotSupported { // by the GPU, by CUDA or by this program
		why = t.s.Get("unmeasured_not-supported")
	}
	if detail == "" {
		return why
	}
	return t.s.Get("why", "why", why, "detail", detail)
}

// code returns the text for a code of a report, or the code if there is none.
func (t *Text) code(kind, code string) string {
	if key := kind + "_" + code; t.s.Has(key) {
		return t.s.Get(key)
	}
	return code
}

// name returns number and name of a GPU.
func (t *Text) name(gpu int) string {
	if gpu < 0 || gpu >= len(t.devices) {
		return strconv.Itoa(gpu)
	}
	return strconv.Itoa(gpu) + " " + t.devices[gpu].Name
}

// rate formats a rate with three significant digits.
func (t *Text) rate(rate float64, unit string) string {
	return t.s.Number(rate, ask.Decimals(rate)) + " " + unit
}

// time formats milliseconds in a fitting unit.
func (t *Text) time(ms float64) string {
	switch {
	case ms < 0.1:
		return t.s.Number(1000*ms, 1) + " µs"
	case ms < 100:
		return t.s.Number(ms, 2) + " ms"
	}
	return t.s.Duration(ms)
}

func scientific(x float64) string { return strconv.FormatFloat(x, 'e', 1, 64) }
