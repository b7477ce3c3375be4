package status

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/render/nav"
	"github.com/gpudocs/gpudocs/internal/render/results"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text"
	"github.com/gpudocs/gpudocs/themes"
)

// TestValues: the line of numbers that authors capture, which may have any size.
func TestValues(t *testing.T) {
	t.Parallel()
	pt := &site.Language{Code: "pt"}
	texts, err := text.ForTheme("pt", themes.Default())
	if err != nil {
		t.Fatal(err)
	}
	w := New(results.NewIndex(&site.Site{}, []results.Source{{Report: &report.Report{Machine: report.Machine{Name: "m"}}}}, nil, &results.Cache{}), &nav.Map{}, pt, texts)
	id := report.ID("a")
	past := func(x string) []report.Capture { return []report.Capture{{Name: "v", Value: x}} }
	check := &report.Check{ID: id, Captures: past("1e308"), History: []report.Past{{Outcome: report.Passed, Captures: past("0")}, {Outcome: report.Passed, Captures: past("-1e308")}}}
	page := &site.Page{Language: pt, Blocks: []*site.Block{{ID: id}}}
	at := w.Locate([]*nav.Entry{{Placed: &nav.Placed{Page: page, Language: pt}}})
	if row := w.valueRow(seriesOf(w.Machines[0], check, check.Captures[0]), at); row.Line != "0.0,18.0 50.0,10.0 100.0,2.0" {
		t.Errorf("the line is %s", row.Line)
	}
	check.Name = "m[n=1,kind=int]"
	if name := seriesOf(w.Machines[0], check, check.Captures[0]).name; name != "v[n=1,kind=int]" {
		t.Errorf("a value of a combination is called %s", name)
	}
}

// TestReadingOfCPU: a CPU is named by its model and its library.
func TestReadingOfCPU(t *testing.T) {
	t.Parallel()
	measured := &report.MeasuredCPU{Library: "OpenBLAS 0.3.21", N: 2048, Rate: 1}
	c := &report.Check{Measurement: &report.Measurement{DType: "fp32", N: 4096, CPU: measured}}
	for model, want := range map[string]string{"AMD EPYC 7R13 48-Core Processor": "AMD EPYC 7R13, OpenBLAS 0.3.21, n=2048", "": "OpenBLAS 0.3.21, n=2048"} {
		list := readingsOf(&results.Machine{Machine: report.Machine{CPU: model}}, c)
		if len(list) != 1 || list[0].name != want || list[0].device != cpu {
			t.Errorf("%q: %+v, want %q", model, list, want)
		}
	}
	measured.Library, measured.N = "", 0
	if list := readingsOf(&results.Machine{Machine: report.Machine{CPU: "Xeon"}}, c); list[0].name != "Xeon" {
		t.Errorf("without a library: %+v", list)
	}
}

// TestTogether: equal GPUs of a machine are one reading, unless one of them is slow or wrong.
func TestTogether(t *testing.T) {
	t.Parallel()
	a100 := report.Device{Name: "A100"}
	m := &results.Machine{Machine: report.Machine{GPU: report.GPU{Devices: []report.Device{a100, a100, a100, a100, {Name: "T4"}}}}}
	other := &results.Machine{Machine: m.Machine}
	var got []string
	for _, r := range together([]reading{
		{machine: m, count: 1, device: 1, name: "GPU 1", rate: 100, low: 100}, {machine: other, count: 1, device: 0, name: "GPU 0", rate: 99, low: 99}, {machine: m, count: 1, device: 0, rate: 95, low: 95},
		{machine: m, count: 1, device: 4, name: "T4", rate: 92, low: 92}, {machine: m, count: 1, device: 2, name: "GPU 2", rate: 91, low: 91, wrong: true}, {machine: m, count: 1, device: 3, name: "GPU 3", rate: 60, low: 60},
		{machine: m, count: 1, device: cpu, name: "BLAS", rate: 1, low: 1},
	}) {
		got = append(got, fmt.Sprint(r.count, " × ", r.name, " ", r.low, "-", r.rate))
	}
	if want := "2 × A100 95-100, 1 × GPU 0 99-99, 1 × T4 92-92, 1 × GPU 2 91-91, 1 × GPU 3 60-60, 1 × BLAS 1-1"; strings.Join(got, ", ") != want {
		t.Errorf("%s, want %s", strings.Join(got, ", "), want)
	}
}
