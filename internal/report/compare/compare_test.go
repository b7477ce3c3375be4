package compare

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gpudocs/gpudocs/internal/report"
)

// machine returns a report of checks written as "ID page name outcome ms output".
func machine(driver string, lines ...string) *report.Report {
	r := &report.Report{Generator: "g", Machine: report.Machine{Name: "m", GPU: report.GPU{Driver: driver}}}
	for i, l := range lines {
		f := strings.Fields(l)
		c := report.Check{ID: report.ID(f[0]), Page: f[1], Name: f[2], Outcome: report.Outcome(f[3]),
			Places: []report.Place{{File: "f.md", Line: i + 1}}, Ran: time.Date(2026, 1, i+1, 0, 0, 0, 0, time.UTC), Stdout: &report.Stream{Text: f[5]}}
		fmt.Sscan(f[4], &c.DurationMS)
		if c.Outcome != report.Passed {
			c.Reason = &report.Reason{Code: "r", Place: &report.Place{File: "f.md", Line: i + 1}}
		}
		r.Checks = append(r.Checks, c)
	}
	return r
}

func listed(r Result) (out []string) {
	for _, c := range r.Changes {
		s := fmt.Sprintf("%s %s %s", c.Kind, c.Page, c.Name)
		if c.Edited {
			s += " edited"
		}
		out = append(out, s)
	}
	return out
}

func TestReports(t *testing.T) {
	t.Parallel()
	a := machine("550",
		"same p same passed 1 x",
		"reg p reg passed 1 x",
		"mend p mend error 1 x",
		"skip p skip skipped 0 x",
		"worse p worse failed 1 x",
		"out p out passed 1 x",
		"slow p slow passed 400 x",
		"little p little passed 100 x",
		"noise p noise passed 1000 x",
		"old p edited passed 1 x",
		"old2 p edited-same passed 1 x",
		"gone p gone passed 1 x",
		"moved p before passed 1 x",
	)
	b := machine("580",
		"new p new passed 1 x",
		"slow p slow passed 900 x",
		"little p little passed 550 x",
		"noise p noise passed 1900 x",
		"out p out passed 1 y",
		"skip p skip passed 1 x",
		"worse p worse error 1 x",
		"mend p mend passed 1 x",
		"reg p reg failed 1 x",
		"new1 p edited failed 1 x",
		"new2 p edited-same passed 1 x",
		"moved q after passed 1 x",
		"same p same passed 1 x",
	)
	got := Reports(a, b)
	want := []string{
		"regression p reg", "regression p edited edited", "mend p mend", "outcome p skip", "outcome p worse",
		"output p out", "duration p slow", "only-a p gone", "only-b p new",
	}
	if d := cmp.Diff(want, listed(got)); d != "" {
		t.Error(d)
	}
	if got.Same != 5 { // same, little, noise, edited-same, moved
		t.Errorf("got %d equal checks, want 5", got.Same)
	}
	news := []string{"regression p reg", "regression p edited edited", "mend p mend", "outcome p skip", "outcome p worse", "only-a p gone", "only-b p new"}
	if d := cmp.Diff(news, listed(got.News())); d != "" {
		t.Error(d)
	}
	failures := listed(Result{Changes: got.NewFailures()})
	if d := cmp.Diff([]string{"regression p reg", "regression p edited edited"}, failures); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]Fact{{"driver", "550", "580"}}, got.Facts); d != "" {
		t.Error(d)
	}
	if !got.Outcomes() {
		t.Error("different outcomes are not reported")
	}
}

// TestNoOutcomes: other differences are shown, and are no different outcomes.
func TestNoOutcomes(t *testing.T) {
	t.Parallel()
	a := machine("1", "x p x passed 1 x", "gone p gone failed 1 x")
	b := machine("2", "x p x passed 9999 y", "new p new failed 1 x")
	got := Reports(a, b)
	if failures := listed(Result{Changes: got.NewFailures()}); len(failures) != 1 || failures[0] != "only-b p new" {
		t.Errorf("new failures: %q", failures)
	}
	if got.Outcomes() || len(got.Changes) != 3 {
		t.Errorf("%+v", got)
	}
	same := Reports(a, a)
	if len(same.Facts)+len(same.Changes) > 0 || same.Same != 2 {
		t.Errorf("a report differs from itself: %+v", same)
	}
}

// TestMeasurements: rates that differ only by noise are equal.
func TestMeasurements(t *testing.T) {
	t.Parallel()
	side := func(ms float64, found string, gpus ...report.Measured) *report.Report {
		return &report.Report{Checks: []report.Check{{ID: "x", Kind: report.KindGPU, Outcome: report.Passed, DurationMS: ms, Found: found,
			Captures:    []report.Capture{{Name: "matmul", Value: found}},
			Measurement: &report.Measurement{What: "matmul", N: 4096, DType: "fp32", Unit: "TFLOP/s", GPUs: gpus}}}}
	}
	before := side(1000, "16.3", report.Measured{Rate: 16.3, Backend: "cuBLAS 12.8.4"})
	for name, c := range map[string]struct {
		now  *report.Report
		same bool
	}{
		"noise":             {side(9000, "16.1", report.Measured{Rate: 16.1, Backend: "cuBLAS 12.8.4", Clock: 1400}), true},
		"slower":            {side(1000, "15", report.Measured{Rate: 15, Backend: "cuBLAS 12.8.4"}), false},
		"faster":            {side(1000, "18", report.Measured{Rate: 18, Backend: "cuBLAS 12.8.4"}), false},
		"another backend":   {side(1000, "16.3", report.Measured{Rate: 16.3, Backend: "gpudocs PTX"}), false},
		"wrong":             {side(1000, "16.3", report.Measured{Rate: 16.3, Backend: "cuBLAS 12.8.4", Wrong: true}), false},
		"one more":          {side(1000, "16.3", report.Measured{Rate: 16.3, Backend: "cuBLAS 12.8.4"}, report.Measured{Device: 1, Rate: 16.3}), false},
		"measured no more":  {side(1000, "16.3", report.Measured{Why: report.WhyNoMemory}), false},
		"nothing but found": {side(1000, "99", report.Measured{Rate: 16.3, Backend: "cuBLAS 12.8.4"}), true},
	} {
		r := Reports(before, c.now)
		if news := r.News(); (len(news.Changes) == 0) != c.same {
			t.Errorf("%s: news %q", name, listed(news))
		}
		if (r.Same == 1) != c.same || !c.same && listed(r)[0] != "output  " {
			t.Errorf("%s: %d equal, %q", name, r.Same, listed(r))
		}
	}
	bare := side(1, "")
	bare.Checks[0].Measurement = nil
	if Reports(before, bare).Same != 0 {
		t.Error("a measurement equals a missing one")
	}
}

// TestMarks: a check that drifts or becomes unsteady is news, the number of earlier values is not.
func TestMarks(t *testing.T) {
	t.Parallel()
	side := func(n int, drifted, unsteady bool) *report.Report {
		c := report.Check{ID: "x", Outcome: report.Passed, Captures: []report.Capture{{Name: "bw", Value: "7", Drift: &report.Drift{N: n, Median: 7 + float64(n), Drifted: drifted}}}}
		if unsteady {
			c.Tries = []report.Try{{Outcome: report.Failed}}
		}
		return &report.Report{Checks: []report.Check{c}}
	}
	for _, c := range []struct {
		before, now   *report.Report
		changes, news int
	}{
		{side(3, false, false), side(4, false, false), 0, 0},
		{side(3, false, false), side(4, true, false), 1, 1},
		{side(3, false, false), side(4, false, true), 1, 1},
		{side(3, true, true), side(4, true, true), 0, 0},
		{side(3, true, false), side(4, false, false), 1, 0},
	} {
		if r := Reports(c.before, c.now); len(r.Changes) != c.changes || len(r.News().Changes) != c.news {
			t.Errorf("%+v: %d changes, %d news", c, len(r.Changes), len(r.News().Changes))
		}
	}
}

// TestEveryCheckOnce: each check of both sides is in one change, or is counted once as equal.
func TestEveryCheckOnce(t *testing.T) {
	t.Parallel()
	a := machine("", "a p n passed 1 x", "b p n passed 1 x", "c p n passed 1 x", "d p m failed 1 x")
	b := machine("", "e p n failed 1 x", "c p n passed 1 x", "f p n passed 1 x", "g p n passed 1 x")
	r := Reports(a, b)
	sides := 2 * r.Same
	for _, c := range r.Changes {
		for _, side := range []*report.Check{c.A, c.B} {
			if side != nil {
				sides++
			}
		}
	}
	if sides != len(a.Checks)+len(b.Checks) {
		t.Errorf("%d of %d checks: %v, %d equal", sides, len(a.Checks)+len(b.Checks), listed(r), r.Same)
	}
}

func TestFacts(t *testing.T) {
	t.Parallel()
	side := func(os, torch string, n int) *report.Report {
		r := &report.Report{Generator: "gpudocs 1", Machine: report.Machine{Name: "m", OS: os, GPU: report.GPU{Status: "ok"}}}
		for range n {
			r.Machine.GPU.Devices = append(r.Machine.GPU.Devices, report.Device{Name: "T4", MemoryBytes: 15 << 30, Compute: "7.5"})
		}
		r.Checks = []report.Check{{ID: "a", Interpreter: "Python 3.12", Packages: []report.Package{{Name: "torch", Version: torch}}}}
		return r
	}
	a, b := side("Debian 12", "2.5", 2), side("Debian 12", "", 1)
	b.Checks = append(b.Checks, report.Check{ID: "b", Interpreter: "Python 3.12, bash 5.2"}, report.Check{ID: "c", Interpreter: "bash 5.2"}, report.Check{ID: "d"})
	got := Reports(a, b).Facts
	want := []Fact{{"GPUs", "2 x T4 15 GiB compute 7.5", "1 x T4 15 GiB compute 7.5"}, {"interpreters", "Python 3.12", "Python 3.12, bash 5.2"}, {"torch", "2.5", "not installed"}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
