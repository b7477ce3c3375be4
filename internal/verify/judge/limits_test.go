package judge

import (
	"fmt"
	"testing"
	"time"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/ask"
	"github.com/gpudocs/gpudocs/internal/report/match"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/test/reporttest"
)

func machine(models ...string) report.Machine {
	m := report.Machine{Name: "lab"}
	for _, name := range models {
		m.GPU.Devices = append(m.GPU.Devices, report.Device{Name: name})
	}
	return m
}

func TestBounds(t *testing.T) {
	list := site.References{{Capture: "bw", Of: "NVIDIA *", Value: 2, Unit: "TB/s"}, {Capture: "bw", Of: "NVIDIA A100*", Value: 1.5, Unit: "TB/s"}, {Capture: "bw", Of: "other", Value: 1, Unit: "GB/s"}}
	named := append(site.References{{Capture: "bw", Of: "lab", Value: 100, Unit: "GB/s"}}, list...)
	for _, c := range []struct {
		value, bound string
		references   site.References
		machine      report.Machine
		reference    float64
		reason       string
	}{
		{"700", ">= 700", nil, machine(), 0, ""},
		{"699", ">= 700", nil, machine(), 0, "out-of-bounds >= 700 GB/s"},
		{"nan", ">= 700", nil, machine(), 0, "out-of-bounds >= 700 GB/s"},
		{"1", "[-5%, +20%]", list, machine(), 0, ""}, // without a reference it is only recorded
		{"1430", "[-5%, +20%]", list, machine("NVIDIA A100-SXM4-40GB"), 1500, ""},
		{"1420", "[-5%, +20%]", list, machine("NVIDIA A100-SXM4-40GB"), 1500, "out-of-bounds [-5%, +20%] (1500 GB/s)"},
		{"1950", "[-5%, +20%]", list, machine("NVIDIA A100-SXM4-40GB", "NVIDIA H100"), 2000, ""},
		{"1420", "[-5%, +20%]", list, machine("NVIDIA A100-SXM4-40GB", "other"), 0, ""},
		{"99", ">= -5%", named, machine("NVIDIA A100-SXM4-40GB"), 100, ""},
		{"50", "", named, machine(), 100, ""},
		{"650", ">= +0%", site.References{{Capture: "bw", Of: "a100*", Value: 700, Unit: "GB/s"}}, machine("NVIDIA A100-SXM4-40GB"), 700, "out-of-bounds >= +0% (700 GB/s)"},
		{"650", ">= +0%", site.References{{Capture: "bw", Of: "*8000", Value: 1e6, Unit: "MB/s"}}, machine("Quadro RTX 6000/8000"), 1000, "out-of-bounds >= +0% (1000 GB/s)"},
	} {
		check := &report.Check{Outcome: report.Passed, Captures: []report.Capture{{Name: "bw", Value: c.value, Unit: "GB/s", Bound: c.bound}}}
		Limits{Machine: c.machine, References: c.references}.Values(nil, check)
		reason := ""
		if r := check.Reason; r != nil {
			reason = r.Code + " " + r.Need
		}
		if v := check.Captures[0]; v.Reference != c.reference || reason != c.reason || (check.Outcome == report.Failed) != (c.reason != "") {
			t.Errorf("%s %s: reference %v, %s %s; want %v, %s", c.value, c.bound, v.Reference, check.Outcome, reason, c.reference, c.reason)
		}
	}
}

// TestBoundOfRepeatedLines: the last value is kept, and each is held against the bound.
func TestBoundOfRepeatedLines(t *testing.T) {
	e, faults := match.Parse("step <ms:number ms <= 5> (+)", match.Tolerance{})
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	for out, want := range map[string]string{
		"step 1 ms\nstep 2 ms\nstep 3 ms\n": "",
		"step 1 ms\nstep 9 ms\nstep 3 ms\n": "9 ms",
		"step 1 ms\nstep 2 ms\nstep 7 ms\n": "7 ms",
	} {
		c := &report.Check{Outcome: report.Passed, Captures: e.Compare(out).Captures}
		Limits{}.Values(nil, c)
		found := ""
		if c.Reason != nil {
			found = c.Reason.Found
		}
		if len(c.Captures) != 1 || found != want {
			t.Errorf("%q: %+v, found %q, want %q", out, c.Captures, found, want)
		}
	}
}

// history returns a check with a value, after these earlier ones, the newest first.
func history(value, unit string, earlier ...string) *report.Check {
	at := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	c := &report.Check{Outcome: report.Passed, Ran: at, Captures: []report.Capture{{Name: "v", Value: value, Unit: unit}}}
	for i, v := range earlier {
		c.History = append(c.History, report.Past{Ran: at.Add(-time.Duration(i+1) * time.Hour), Outcome: report.Passed, Captures: []report.Capture{{Name: "v", Value: v, Unit: unit}}})
	}
	return c
}

func TestDrift(t *testing.T) {
	steady := []string{"100", "101", "99", "100", "100", "102", "98"}
	noisy := []string{"100", "120", "80", "110", "90", "105", "95"}
	changed := history("80", "GB/s", append(steady, steady...)...)
	changed.History[3].Changed = true
	future := history("80", "GB/s", steady[:6]...)
	future.History[0].Ran, future.History[1].Ran = future.Ran.Add(time.Hour), future.Ran.Add(time.Hour)
	bounded := history("120", "W", steady...)
	bounded.Captures[0].Bound = "<= 300"
	sane := history("80", "GB/s", steady...)
	sane.Captures[0].Bound = "<= 2000"
	otherUnit := history("80", "GB/s", steady...)
	for i := range otherUnit.History[:3] {
		otherUnit.History[i].Captures[0].Unit = "MB/s"
	}
	for i, c := range []struct {
		check *report.Check
		want  string
	}{
		{history("89", "GB/s", steady...), "7 of 100, drifted"},
		{history("91", "GB/s", steady...), "7 of 100"},
		{history("150", "GB/s", steady...), "7 of 100"},
		{history("111", "ms", steady...), "7 of 100, drifted"},
		{history("50", "ms", steady...), "7 of 100"},
		{history("111", "", steady...), "7 of 100, drifted"},
		{history("89", "", steady...), "7 of 100, drifted"},
		{bounded, "7 of 100, drifted"},
		{sane, "7 of 100, drifted"},
		{history("80", "GB/s", noisy...), "7 of 100"},
		{history("80", "GB/s", "100", "100", "100", "100"), "4 of 0 few-values"},
		{history("80", "GB/s", "100", "nan", "x", "100", "inf", "100", "100"), "4 of 0 few-values"},
		{history("80", "GB/s", "100", "nan", "100", "100", "50", "100", "100"), "6 of 100, drifted"},
		{changed, "3 of 0 few-values"},
		{future, "4 of 0 dates-behind"},
		{otherUnit, "4 of 0 few-values"},
		{history("5", "s", "0", "0", "0", "0", "0"), "5 of 0 zero-median"},
		{history("-111", "", "-100", "-100", "-100", "-100", "-100"), "5 of -100, drifted"},
		{history("1e308", "s", "-1e308", "1e308", "-1e308", "1e308", "1e308", "-1e308"), "6 of 0 zero-median"},
		{history("nan", "s", steady...), ""},
	} {
		Limits{Drift: site.Drift{Tolerance: 0.1}}.Values(nil, c.check)
		got := ""
		if d := c.check.Captures[0].Drift; d != nil {
			got = fmt.Sprintf("%d of %v %s", d.N, d.Median, d.Why)
			if got = got[:len(got)-1+min(1, len(d.Why))]; d.Drifted {
				got += ", drifted"
			}
		}
		if failed := c.check.Outcome == report.Failed; got != c.want || failed != c.check.Drifted() {
			t.Errorf("%d: %s, failed %v; want %s", i, got, failed, c.want)
		}
	}
	both := history("80", "GB/s", steady...)
	both.Captures = append(both.Captures, report.Capture{Name: "w", Value: "5", Bound: "< 5"})
	Limits{Drift: site.Drift{Tolerance: 0.1}}.Values(nil, both)
	if !both.Drifted() || both.DriftedOnly() || both.Reason.Code != report.ReasonBound {
		t.Errorf("drifted and out of bounds: %s", reporttest.Text(*both))
	}
	warned := history("80", "GB/s", steady...)
	Limits{Drift: site.Drift{Tolerance: 0.1, Warn: true}}.Values(nil, warned)
	if warned.Outcome != report.Passed || !warned.Drifted() {
		t.Errorf("a warning is %s", warned.Outcome)
	}
	if l := (Limits{Drift: site.Drift{Tolerance: 0.1}}); l.Current(warned) || !(Limits{}).Current(warned) {
		t.Error("with drift values are found again, and without it they are kept")
	}
}

// FuzzValues: whatever the values are, the report can be written.
func FuzzValues(f *testing.F) {
	f.Add("5", "s", "[-5%, +20%]", 1e300, 0.1)
	f.Fuzz(func(t *testing.T, value, unit, bound string, reference, tolerance float64) {
		if !(reference > 0 && reference < 1e15 && tolerance >= 0 && tolerance <= 1) {
			return
		}
		c := history(value, unit, value, "1", "1e308", "-1e308", "5e-324", value)
		c.Captures[0].Bound = bound
		l := Limits{Machine: report.Machine{Name: "lab"}, References: site.References{{Capture: "v", Of: "lab", Value: reference, Unit: "nB/s"}}, Drift: site.Drift{Tolerance: tolerance}}
		l.Values(nil, c)
		v := c.Captures[0]
		if d := v.Drift; v.Reference-v.Reference != 0 || d != nil && (d.Median-d.Median != 0 || d.Allowed-d.Allowed != 0) {
			t.Errorf("%q %q: %v %+v", value, unit, v.Reference, d)
		}
	})
}

// TestPlace: a value is judged at the line of the expectation that applies.
func TestPlace(t *testing.T) {
	expect := func(line int, when, text string) *site.Expect {
		e := &site.Expect{File: "a.md", Line: line, Text: text}
		e.Parsed, _ = match.Parse(text, e.Tolerance)
		if when != "" {
			e.When, _ = ask.Parse(when)
		}
		return e
	}
	b := &site.Block{Kind: site.Bash, Session: &site.Session{}, Expects: []*site.Expect{
		expect(10, "gpus >= 1", "<t:number ms < 5>"), expect(20, "gpus == 0", "time\n<t:number ms < 5>\n<v:word>")}}
	m := machine()
	m.GPU.Status = report.GPUNone
	c := history("7", "ms", "7", "7", "7", "7", "7")
	c.Captures[0] = report.Capture{Name: "t", Value: "7", Unit: "ms", Bound: "< 5"}
	c.Captures = append(c.Captures, report.Capture{Name: "v", Value: "13"})
	for i := range c.History {
		c.History[i].Captures = []report.Capture{{Name: "v", Value: "12"}}
	}
	Limits{Machine: m, Drift: site.Drift{Tolerance: 0.01}}.Values(b, c)
	if c.Reason == nil || c.Reason.Place == nil || c.Reason.Place.Line != 21 {
		t.Error(reporttest.Text(*c))
	}
	if c.Captures[1].Drift != nil {
		t.Errorf("a word is held against its history: %+v", c.Captures[1].Drift)
	}
	b.Expects[1] = expect(20, "gpus == 0", "<v:word>") // alone
	c.Captures = []report.Capture{{Name: "v", Value: "13", Bound: "< 5"}}
	c.Outcome, c.Reason = report.Passed, nil
	Limits{Machine: m, Drift: site.Drift{Tolerance: 0.01}}.Values(b, c)
	if v := c.Captures[0]; c.Reason == nil || c.Reason.Place == nil || c.Reason.Place.Line != 20 || v.Drift != nil {
		t.Errorf("a single value: %s, drift %+v", reporttest.Text(*c), v.Drift)
	}
}
