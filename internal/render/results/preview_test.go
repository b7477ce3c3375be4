package results

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/standing"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/load"
	"github.com/gpudocs/gpudocs/internal/text"
	"github.com/gpudocs/gpudocs/themes"
)

// ran is what a machine with a number of GPUs reported for the only block.
type ran struct {
	machine string
	gpus    int
	cpu     string
	outcome report.Outcome
	stdout  string
	stderr  string
	values  []report.Capture
	// each has the outcomes of the block's checks, if it has several. One without an outcome was not run.
	each    []report.Check
	altered bool
}

// panelOf returns the panel of the only block of a page.
func panelOf(t *testing.T, content string, list []ran) (*theme.PanelView, *Presenter, *site.Page) {
	t.Helper()
	all, diags := load.Load(fstest.MapFS{
		"gpudocs.toml":        {Data: []byte("[languages.pt]\nname = \"Português\"\n")},
		"content/pt/index.md": {Data: []byte("# A\n" + content)},
	}, load.Options{})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	page := all.Pages[0]
	block := page.Blocks[0]
	var sources []Source
	for _, r := range list {
		m := report.Machine{Name: r.machine, CPU: r.cpu, GPU: report.GPU{Status: report.GPUOk, Driver: "550.54"},
			Environments: []report.Environment{{Frameworks: []report.Framework{{Name: "torch", Version: "2.10.0+cu126", CUDA: "12.6"}}}}}
		for range r.gpus {
			m.GPU.Devices = append(m.GPU.Devices, report.Device{Name: "NVIDIA A100-SXM4-40GB"})
		}
		c := report.Check{ID: block.ID, Page: page.Key, Name: block.Name, Outcome: r.outcome, Captures: r.values, Ran: time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC),
			Stdout: &report.Stream{Text: r.stdout}, Stderr: &report.Stream{Text: r.stderr}}
		if r.outcome != report.Passed {
			c.Reason = &report.Reason{Code: report.ReasonMismatch}
		}
		source := Source{Report: &report.Report{Machine: m, Checks: []report.Check{c}}}
		if r.each != nil {
			source.Report.Checks = nil
			for i, of := range checks(block) {
				if c := r.each[i]; c.Outcome != "" {
					c.ID, c.Name, c.Page, c.Kind, c.Want, c.Asks = of.ID, of.Name, page.Key, string(block.Kind), of.String(), of.Asks()
					source.Report.Checks = append(source.Report.Checks, c)
				}
			}
		}
		if r.altered {
			source.Signature.State = SignedOther
		}
		sources = append(sources, source)
	}
	words, err := text.ForTheme("en", themes.Default())
	if err != nil {
		t.Fatal(err)
	}
	index := NewIndex(all, sources, nil, &Cache{})
	v := index.Present(words, "pt/", index.Machines)
	return v.Panel(block), v, page
}

// shownOf describes a preview in one line.
func shownOf(p *theme.PanelView) string {
	parts := []string{p.Mark}
	if p.Preview == nil {
		return p.Mark
	}
	for _, n := range p.Preview.News {
		parts = append(parts, strings.TrimSpace(n.Text+" "+n.URL+" "+n.Line))
	}
	for _, c := range p.Preview.Columns {
		parts = append(parts, c.Name+" "+c.Value+" "+c.Versions)
	}
	for _, r := range p.Preview.Rows {
		if !p.Preview.Single {
			parts = append(parts, fmt.Sprint(r.Name, r.Cells))
		}
	}
	if o := p.Preview.Output; o != nil {
		parts = append(parts, fmt.Sprintf("%s [%s %s] %q +%d", o.Machines, o.Name, o.Versions, o.Text, o.More))
		if o.Expected {
			parts = append(parts, "as expected")
		}
	}
	return strings.Join(parts, "; ")
}

func TestPreview(t *testing.T) {
	t.Parallel()
	ms := func(value string) []report.Capture { return []report.Capture{{Name: "t", Value: value, Unit: "ms"}} }
	const python, torch = "```python {run name=x}\npass\n```\n", "```python {run name=x}\nimport torch\n```\n```text {expect}\n<t:number ms>\n```\n"
	unreached := report.Check{Outcome: report.Skipped, Reason: &report.Reason{Code: report.ReasonNotReached}}
	const stderr = "```python {run name=x exit=1}\npass\n```\n```text {expect stream=stderr}\n[...]\n```\n"
	for _, c := range []struct {
		name, content string
		list          []ran
		want          string
	}{
		{"nobody has run it", python, nil, "no result yet"},
		{"nothing was printed", python, []ran{{machine: "a", outcome: report.Passed}}, "1 machine"},
		{"all printed the same", python, []ran{{machine: "a", outcome: report.Passed, stdout: "1\n"}, {machine: "b", outcome: report.Passed, stdout: "1\n"}}, `2 machines; a b [ ] "1" +0`},
		{"as expected", python + "```text {expect}\n1\n```\n", []ran{{machine: "a", outcome: report.Passed, stdout: "1\n"}}, `1 machine; a [ ] "1" +0; as expected`},
		{"not as expected", python + "```text {expect}\n...\n```\n", []ran{{machine: "a", outcome: report.Passed, stdout: "1\n"}}, `1 machine; a [ ] "1" +0`},
		{"it applies to no machine", python, []ran{{machine: "a", each: []report.Check{{Outcome: report.Skipped, Reason: &report.Reason{Code: report.ReasonNoGPU}}}}}, "not applicable"},
		{"the machine with GPUs says most", python, []ran{{machine: "a", outcome: report.Passed, stdout: "cpu\ncpu\n"}, {machine: "b", gpus: 4, outcome: report.Passed, stdout: "cuda\n"}},
			`2 machines; b [4 × A100 ] "cuda" +0`},
		{"lines that differ are side by side", python, []ran{{machine: "a", outcome: report.Passed, stdout: "cpu\n"}, {machine: "b", gpus: 4, outcome: report.Passed, stdout: "cuda\n"}, {machine: "c", each: []report.Check{unreached}}, {machine: "d", outcome: report.Passed}},
			"3 machines; 4 × A100 cuda ; CPU only, a cpu "},
		{"values side by side", torch, []ran{{machine: "a", outcome: report.Passed, stdout: "57.2 ms", values: ms("57.21")}, {machine: "b", gpus: 4, outcome: report.Passed, stdout: "7.31 ms", values: ms("7.312")}},
			"2 machines; 4 × A100 7.31 ms PyTorch 2.10.0 (CUDA 12.6) · driver 550.54; CPU only, a 57.2 ms PyTorch 2.10.0 (CUDA 12.6) · driver 550.54"},
		{"a block without a GPU is of the CPU", strings.ReplaceAll(torch, "torch", "sys"), []ran{{machine: "a", cpu: "Intel(R) Xeon(R) Processor", gpus: 4, outcome: report.Passed, stdout: "9 ms", values: ms("9")},
			{machine: "b", cpu: "AMD EPYC", outcome: report.Passed, stdout: "8 ms", values: ms("8")}, {machine: "c", gpus: 1, outcome: report.Passed, stdout: "7 ms", values: ms("7")}},
			"3 machines; Intel Xeon (4 × A100) 9.00 ms ; A100 7.00 ms ; AMD EPYC (b) 8.00 ms "},
		{"the same value on all", torch, []ran{{machine: "a", outcome: report.Passed, stdout: "7 ms", values: ms("7")}, {machine: "b", outcome: report.Passed, stdout: "7 ms", values: ms("7")}}, `2 machines; a b [ ] "7 ms" +0`},
		{"a failure is news", python, []ran{{machine: "a", outcome: report.Passed, stdout: "1"}, {machine: "b", gpus: 1, outcome: report.Failed, stdout: "2"}},
			`fails on 1 of 2; Fails on A100 #code-x.results.2; a [CPU only, a ] "1" +0`},
		{"what is longer is cut", python, []ran{{machine: "a", outcome: report.Passed, stdout: strings.Repeat("1\n", 30)}}, `1 machine; a [ ] "` + strings.Repeat(`1\n`, 12) + `" +18`},
		{"a machine that did not reach it is not among those that passed", python, []ran{{machine: "a", outcome: report.Passed}, {machine: "b", each: []report.Check{unreached}}}, "1 machine"},
		{"answers are yes or no", "```gpu {run name=x}\nruns cu130\ntorch\n```\n", []ran{{machine: "a", each: []report.Check{{Outcome: report.Failed, Want: "runs cu130", Asks: true, Found: "driver 550"}, {Outcome: report.Failed, Want: "torch", Asks: true}}},
			{machine: "b", gpus: 1, each: []report.Check{{Outcome: report.Passed, Want: "runs cu130", Asks: true, Found: "driver 580"}, {}}}},
			"2 machines; A100  PyTorch 2.10.0 (CUDA 12.6) · driver 550.54; CPU only, a  PyTorch 2.10.0 (CUDA 12.6) · driver 550.54; runs cu130[{b yes (driver 580)} {a no (driver 550)}]; torch[{b –} {a no}]"},
		{"combinations are in their order", "```python {run name=x matrix=\"n=1,2\"}\nn = 1\n```\n", []ran{{machine: "a", each: []report.Check{{Outcome: report.Passed, Captures: ms("1")}, {Outcome: report.Passed, Captures: ms("2")}}},
			{machine: "b", gpus: 1, each: []report.Check{{}, {Outcome: report.Passed, Captures: ms("3")}}}}, "2 machines; A100  ; CPU only, a  ; n=1 t[{b –} {a 1.00 ms}]; n=2 t[{b 3.00 ms} {a 2.00 ms}]"},
		{"what an altered report says is not shown", torch, []ran{{machine: "a", altered: true, outcome: report.Failed, stderr: "E\n", values: ms("1")}}, "not to be trusted; Not to be trusted: CPU only, a #code-x.results.1"},
		{"a long line of an error is cut", python, []ran{{machine: "a", outcome: report.Failed, stderr: strings.Repeat("e", 1000)}}, "fails; Fails on CPU only, a #code-x.results.1 " + strings.Repeat("e", maxNewsBytes-3) + "..."},
		{"a long line of an output is cut", python, []ran{{machine: "a", outcome: report.Passed, stdout: strings.Repeat("1", 2000)}}, `1 machine; a [ ] "` + strings.Repeat("1", maxPreviewBytes-3) + `..." +1`},
		{"an output beside a failure says whose it is", python, []ran{{machine: "a", outcome: report.Passed, stdout: "1"}, {machine: "c", outcome: report.Passed, stdout: "1"}, {machine: "b", gpus: 1, outcome: report.Failed}},
			`fails on 1 of 3; Fails on A100 #code-x.results.2; a c [passed on 2 machines ] "1" +0`},
		{"both streams are expected", "```bash {run name=x}\ntrue\n```\n```text {expect}\na\n```\n```text {expect stream=stderr}\nb\n```\n",
			[]ran{{machine: "a", outcome: report.Passed, stdout: "a\n", stderr: "b\n"}, {machine: "b", outcome: report.Passed, stdout: "a", stderr: "b\n"}}, `2 machines; a b [ ] "a\nb" +0`},
		{"an error ends with what matters", stderr, []ran{{machine: "a", outcome: report.Passed, stderr: strings.Repeat("1\n", 12) + "E\n"}}, `1 machine; a [ ] "` + strings.Repeat(`1\n`, 11) + `E" +1`},
	} {
		p, _, _ := panelOf(t, c.content, c.list)
		if got := shownOf(p); got != c.want {
			t.Errorf("%s:\n%s, want\n%s", c.name, got, c.want)
		}
	}
}

// TestLabelOf: a value is of the CPU if neither its block nor another one of the session uses a GPU.
func TestLabelOf(t *testing.T) {
	t.Parallel()
	const sum = "```python {run name=y session=s}\nsum(range(9))\n```\n"
	for content, want := range map[string]string{
		sum: "Intel Xeon (A100, a), AMD EPYC (b)",
		"```python {run name=x session=s needs=\"gpus >= 0 and compute >= 7.0\"}\n1\n```\n" + sum: "A100, a, AMD EPYC (b)",
		"```python {run name=x session=s}\nimport torch\n```\n" + sum:                             "A100, a, AMD EPYC (b)",
		"```python {run name=x session=s needs=\"ram >= 1 GiB\"}\n1\n```\n" + sum:                 "Intel Xeon (A100, a), AMD EPYC (b)",
		"```cuda {run name=y}\nint main(void) { return 0; }\n```\n":                               "A100, a, AMD EPYC (b)",
		"```gpu {name=y}\ngpus >= 1\n```\n":                                                       "A100, a, AMD EPYC (b)",
	} {
		_, v, page := panelOf(t, content, []ran{{machine: "a", cpu: "Intel(R) Xeon(R) Processor", gpus: 1, outcome: report.Passed}, {machine: "b", cpu: "AMD EPYC", outcome: report.Passed}})
		b := page.Blocks[len(page.Blocks)-1]
		if got := LabelOf(v, b, v.Machines[0]) + ", " + LabelOf(v, b, v.Machines[1]); got != want {
			t.Errorf("%s: %s, want %s", content, got, want)
		}
	}
}

// TestOrder checks that a failure comes first, and that ids of results do not depend on the order.
func TestOrder(t *testing.T) {
	t.Parallel()
	p, _, _ := panelOf(t, "```bash {run name=x}\ntrue\n```\n", []ran{
		{machine: "a", outcome: report.Passed}, {machine: "b", gpus: 1, outcome: report.Passed}, {machine: "c", outcome: report.Failed}, {machine: "d", outcome: report.Passed, stdout: "1\n"},
	})
	var got []string
	for _, r := range p.Results {
		got = append(got, r.Machine+" "+r.ID)
	}
	const want = "c code-x.results.3, b code-x.results.2, d code-x.results.4, a code-x.results.1"
	if s := strings.Join(got, ", "); s != want || !p.Results[0].Selected {
		t.Errorf("%s, want %s", s, want)
	}
}

func TestMeasures(t *testing.T) {
	t.Parallel()
	const content = "## Times\n\n```bash {run name=x}\ntrue\n```\n```text {expect}\n<t:number ms> <w:word>\n```\n"
	value := func(v string) []report.Capture {
		return []report.Capture{{Name: "t", Value: v, Unit: "ms", Bound: "< 90"}, {Name: "w", Value: v}}
	}
	_, v, page := panelOf(t, content, []ran{{machine: "a", outcome: report.Passed, values: value("50")}, {machine: "b", gpus: 2, cpu: "AMD EPYC 7R13 48-Core Processor", outcome: report.Passed, values: value("12.5")}})
	list := Measures(v, page)
	if got, want := fmt.Sprint(list), "[{t Times #code-x -1 [{b AMD EPYC 7R13 (2 × A100) 12.5 ms 25 required: < 90  12.5} {a CPU only, a 50.0 ms 100 required: < 90  50}] [] false}]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	// PyTorch uses the GPUs that there are.
	_, v, page = panelOf(t, strings.Replace(content, "true", "echo torch", 1), []ran{{machine: "a", cpu: "Xeon", outcome: report.Passed, values: value("50")}, {machine: "b", cpu: "EPYC", gpus: 1, outcome: report.Passed, values: value("12.5")}})
	if rows := Measures(v, page)[0].Rows; rows[0].Name != "A100" || rows[1].Name != "Xeon (a)" {
		t.Errorf("%+v", rows)
	}
	// What is no amount has no place in the table, and no bar.
	_, v, page = panelOf(t, content, []ran{{machine: "a", outcome: report.Passed, values: value("-1")}, {machine: "b", outcome: report.Passed, values: value("NaN")},
		{machine: "c", outcome: report.Passed, values: value("+Inf")}, {machine: "d", outcome: report.Passed, values: value("1e308")}, {machine: "e", altered: true, outcome: report.Passed, values: value("2")}})
	if got, want := fmt.Sprint(Measures(v, page)), "[{t Times #code-x -1 [{a CPU only, a -1.00 ms  required: < 90  -1} {d CPU only, d 1.00e+308 ms 100 required: < 90  1e+308}] [] false}]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if _, v, page := panelOf(t, content, []ran{{machine: "a", outcome: report.Passed, values: value("50")}}); Measures(v, page) != nil {
		t.Error("a table of one value")
	}
}

// TestMeasuresOfCombinations: what a block with matrix= measured is a table of its parameters, and not as many measures as combinations.
func TestMeasuresOfCombinations(t *testing.T) {
	t.Parallel()
	ms := func(v string) report.Check {
		return report.Check{Outcome: report.Passed, Captures: []report.Capture{{Name: "t", Value: v, Unit: "ms"}}}
	}
	show := func(list []theme.MeasureView) (out string) {
		for _, m := range list {
			out += fmt.Sprint(m.Name, len(m.Rows))
			for _, g := range m.Grids {
				out += fmt.Sprintf("; %s %s (%s", g.Machine, g.Name, g.Corner)
				for _, c := range g.Columns {
					out += fmt.Sprint(" |", c.Machine, c.Name)
				}
				for _, r := range g.Rows {
					out += fmt.Sprint(") (", r.Name)
					for _, c := range r.Cells {
						out += fmt.Sprint(" |", c.Value, "=", c.Bar)
					}
				}
				out += ")"
			}
		}
		return out
	}
	for _, c := range []struct {
		matrix   string
		machines []ran
		want     string
	}{
		{"n=1,2,4", []ran{{machine: "a", each: []report.Check{ms("1"), ms("2"), ms("4")}}, {machine: "b", gpus: 1, each: []report.Check{{}, ms("3"), {}}}},
			"t0;   (n |aCPU only, a |bA100) (1 |1.00 ms=25 |=) (2 |2.00 ms=50 |3.00 ms=75) (4 |4.00 ms=100 |=)"},
		{"n=1,2 kind=int,float", []ran{{machine: "a", each: []report.Check{ms("1"), ms("2"), ms("3"), ms("4")}}, {machine: "b", each: []report.Check{{}, ms("8"), {}, {}}}},
			`t0; a CPU only, a (n \ kind |int |float) (1 |1.00 ms=13 |2.00 ms=25) (2 |3.00 ms=38 |4.00 ms=50); b CPU only, b (n \ kind |float) (1 |8.00 ms=100)`},
		{"a=1,2 b=1,2 c=1,2", []ran{{machine: "a", each: []report.Check{ms("1"), ms("2"), ms("3"), ms("4"), ms("5"), ms("6"), ms("7"), ms("8")}}},
			`t0; a CPU only, a (a, b \ c |1 |2) (1, 1 |1.00 ms=13 |2.00 ms=25) (1, 2 |3.00 ms=38 |4.00 ms=50) (2, 1 |5.00 ms=63 |6.00 ms=75) (2, 2 |7.00 ms=88 |8.00 ms=100)`},
	} {
		var code string
		for p := range strings.FieldsSeq(c.matrix) {
			first, _, _ := strings.Cut(p, ",")
			code += first + "\n"
		}
		_, v, page := panelOf(t, "```bash {run name=x matrix=\""+c.matrix+"\"}\n"+code+"```\n```text {expect}\n<t:number ms>\n```\n", c.machines)
		if got := show(Measures(v, page)); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.matrix, got, c.want)
		}
	}
}

// TestChecks: lines and combinations are checks, questions are not, and the same check counts once.
func TestChecks(t *testing.T) {
	t.Parallel()
	lacks := report.Check{Outcome: report.Skipped, Reason: &report.Reason{Code: report.ReasonNoGPU}}
	passed, failed := report.Check{Outcome: report.Passed}, report.Check{Outcome: report.Failed, Reason: &report.Reason{Code: report.ReasonUnmet}}
	for _, c := range []struct {
		content string
		list    []ran
		all, a  theme.CheckCount
		head    string
	}{
		{"```gpu {name=x}\ndriver >= 1\nmemory >= 1 GiB\nruns cu130\n```\n\n```gpu {name=y}\ndriver >= 1\n```\n", []ran{{machine: "a", each: []report.Check{lacks, lacks, {Outcome: report.Skipped, Want: "runs cu130", Asks: true, Reason: lacks.Reason}}},
			{machine: "b", each: []report.Check{passed, failed, {Outcome: report.Passed, Want: "runs cu130"}}}},
			theme.CheckCount{Count: standing.Count{By: [...]int{standing.Altered: 0, standing.Passed: 1, standing.Failed: 1, standing.Answered: 1}, Proven: 1}}, theme.CheckCount{Count: standing.Count{By: [...]int{standing.Altered: 0, standing.NotApplicable: 2}}}, "1 fails on CPU only, b"},
		{"```bash {run name=x matrix=\"n=1,2,3\"}\nn=1\n```\n", []ran{{machine: "a", each: []report.Check{passed, failed, {}}}, {machine: "b", each: []report.Check{passed, passed, {}}}},
			theme.CheckCount{Count: standing.Count{By: [...]int{standing.Altered: 0, standing.Passed: 1, standing.Failed: 1, standing.None: 1}, Proven: 2}}, theme.CheckCount{Count: standing.Count{By: [...]int{standing.Altered: 0, standing.Passed: 1, standing.Failed: 1, standing.None: 1}, Proven: 1}}, "1 fails on CPU only, a (proven on another machine)"},
		{"```gpu {name=x}\ndriver >= 1\nmemory >= 1 GiB\n```\n\n```gpu {name=y}\ndriver >= 1\n```\n", []ran{{machine: "a", each: []report.Check{failed, failed}}, {machine: "b", each: []report.Check{passed, failed}}},
			theme.CheckCount{Count: standing.Count{By: [...]int{standing.Altered: 0, standing.Failed: 2}, Proven: 1}}, theme.CheckCount{Count: standing.Count{By: [...]int{standing.Altered: 0, standing.Failed: 2}}}, "2 fail on 2 machines (1 of them proven on another machine)"},
	} {
		_, v, page := panelOf(t, c.content, c.list)
		if all, a := v.Checks(nil, page, page), v.Totals()[0]; all != c.all || a != c.a {
			t.Errorf("%s: %+v, want %+v; on a %+v, want %+v", c.content, all, c.all, a, c.a)
		}
		if f := Failing(v, page); f.Text != c.head {
			t.Errorf("%s: %q, want %q", c.content, f.Text, c.head)
		}
	}
}
