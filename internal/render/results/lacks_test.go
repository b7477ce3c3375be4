package results

import (
	"testing"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/reporttest"
	"github.com/gpudocs/gpudocs/internal/report/standing"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text"
	"github.com/gpudocs/gpudocs/themes"
)

// TestNeedOf: what machines lack for the same reason is one need.
func TestNeedOf(t *testing.T) {
	unmet := func(need, found string) report.Check {
		return report.Check{Reason: &report.Reason{Code: report.ReasonNeeds, Need: need, Found: found}}
	}
	why := func(code, detail string) report.Check {
		return report.Check{Reason: &report.Reason{Code: code, Detail: detail}}
	}
	runs := func(v report.Verdict) report.Check {
		return report.Check{Reason: &report.Reason{Code: report.ReasonNeeds, Need: "runs torch", Verdict: &v}}
	}
	for _, c := range []struct {
		check report.Check
		want  need
	}{
		{unmet("gpus >= 1", "0"), needGPU},
		{unmet("gpus > 0", "0"), needGPU},
		{why(report.ReasonNoGPU, report.CodeNoDevice), needGPU},
		{unmet("memory >= 8 GiB", ""), needGPU},
		{runs(report.Verdict{By: report.ByNoDriver}), needGPU},
		{unmet("gpus >= 2", "1"), need{"gpus", "2"}},
		{unmet("memory >= 8 GiB", "6.0 GiB"), need{kind: "memory"}},
		{unmet("driver >= 550", "460.91"), need{kind: "driver"}},
		{runs(report.Verdict{By: report.ByDriver}), need{kind: "driver"}},
		{runs(report.Verdict{By: report.ByNotInstalled, What: "torch"}), need{"software", "PyTorch"}},
		{unmet("torch >= 2.7", ""), need{"software", "PyTorch"}},
		{unmet("torch >= 2.7", "1.13.0"), need{"exact", "torch >= 2.7"}},
		{unmet(`has("cmake")`, ""), need{"software", "cmake"}},
		{unmet(`module("cuda/12")`, ""), need{"module", "cuda/12"}},
		{unmet("machine == deepten", "deepnine"), need{"machine", "deepten"}},
		{unmet("os == Debian*", "Fedora"), need{"exact", "os == Debian*"}},
		{unmet("not an expression", ""), need{"exact", "not an expression"}},
		{why(report.ReasonNoSandbox, ""), need{kind: "sandbox"}},
		{why(report.ReasonNoInterpreter, "julia"), need{"software", "julia"}},
	} {
		c.check.Outcome = report.Skipped
		if got := needOf(Finding{Machine: &Machine{}, Check: &c.check}); got != c.want {
			t.Errorf("%s: got %+v, want %+v", reporttest.Text(c.check), got, c.want)
		}
	}
}

// TestNeeds: equal needs are counted together, the most frequent first, and link to the first block.
func TestNeeds(t *testing.T) {
	lacks := func(name string, n need, s standing.Standing) BlockStatus {
		return BlockStatus{&site.Block{Name: name}, []MachineStatus{{State: standing.State{Standing: s}, Place: 1, need: n}}, []blockCheck{{id: "x"}}}
	}
	torch := need{"software", "PyTorch"}
	list := needs(themeTexts(t), []BlockStatus{lacks("a", torch, standing.NotApplicable), lacks("b", needGPU, standing.NotApplicable), lacks("c", needGPU, standing.NotApplicable),
		lacks("d", torch, standing.Passed)}, func(b BlockStatus) (MachineStatus, int) {
		return b.machines[0], boolean(b.machines[0].Standing == standing.NotApplicable)
	})
	if len(list) != 2 || list[0].N != 2 || list[1].N != 1 || list[0].URL != "#"+resultID(&site.Block{Name: "b"}, MachineStatus{Place: 1}) {
		t.Errorf("got %+v", list)
	}
}

// TestPartly: a result of which not all demands were met says how many were. Answers do not count.
func TestPartly(t *testing.T) {
	yes := report.Check{Kind: report.KindGPU, Want: "torch", Asks: true, Outcome: report.Passed}
	passed := report.Check{Kind: report.KindGPU, Want: "driver >= 1", Outcome: report.Passed}
	lacks := report.Check{Kind: report.KindGPU, Want: "memory >= 1 GiB", Outcome: report.Skipped, Reason: &report.Reason{Code: report.ReasonNoGPU}}
	for _, c := range []struct {
		checks []report.Check
		want   string
	}{
		{[]report.Check{passed}, "passed"},
		{[]report.Check{passed, yes}, "passed"},
		{[]report.Check{passed, passed, lacks, yes}, "passed (2 of 3)"},
		{[]report.Check{lacks}, "not applicable"},
		{[]report.Check{yes}, "yes"},
		{[]report.Check{yes, yes}, "answered"},
	} {
		var findings []Finding
		for i := range c.checks {
			findings = append(findings, Finding{Machine: &Machine{}, Check: &c.checks[i]})
		}
		if got := newResult(&Machine{}, findings...).text(themeTexts(t)); got != c.want {
			t.Errorf("%+v: got %q, want %q", c.checks, got, c.want)
		}
	}
}

func themeTexts(t *testing.T) text.Catalog {
	t.Helper()
	c, err := text.ForTheme("en", themes.Default())
	if err != nil {
		t.Fatal(err)
	}
	return c
}
