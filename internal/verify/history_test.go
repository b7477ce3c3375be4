package verify

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/standing"
)

// TestHistory edits a page several times and checks the history after each run.
func TestHistory(t *testing.T) {
	need(t, "bash")
	clock := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	now := func() time.Time { clock = clock.Add(time.Hour); return clock }
	var last *report.Report
	past := func(page string, gpu report.GPU) map[string][]string {
		t.Helper()
		last, _ = rerun(t, loadSite(t, map[string]string{"content/pt/a.md": page}), gpu, last, Options{Now: now})
		out := map[string][]string{}
		for _, c := range last.Checks {
			list := []string{}
			for i, p := range c.History {
				changed := ""
				if p.Changed {
					changed = " changed"
				}
				list = append(list, string(p.Outcome)+" "+p.Code+changed)
				if at := c.Ran; i == 0 && !p.Ran.Before(at) || i > 0 && !p.Ran.Before(c.History[i-1].Ran) {
					t.Errorf("%s: %v is not before the next run", c.Name, p.Ran)
				}
			}
			out[c.Name] = list
		}
		return out
	}
	block := func(name, code string) string { return fmt.Sprintf("```bash {run name=%s}\n%s\n```\n", name, code) }
	check := func(got map[string][]string, name string, want ...string) {
		t.Helper()
		if !slices.Equal(got[name], want) {
			t.Errorf("%s: history %q, want %q", name, got[name], want)
		}
	}
	check(past(block("a", "false"), noGPU), "a")
	check(past(block("a", "false"), noGPU), "a", "failed exit-code")
	// Other code of the same name takes over the history.
	check(past(block("a", "true"), noGPU), "a", "failed exit-code changed", "failed exit-code")
	// A check that is kept adds nothing.
	check(past(block("a", "true"), noGPU), "a", "failed exit-code changed", "failed exit-code")
	// A new block with an old name, whose code has moved elsewhere, has no history.
	got := past(block("a", "true new")+block("b", "true"), noGPU)
	check(got, "a")
	check(got, "b", "failed exit-code changed", "failed exit-code")
	// With another driver everything runs again, and has its history.
	check(past(block("a", "true new")+block("b", "true"), oldGPU), "b", "passed  changed", "failed exit-code changed", "failed exit-code")
	// A block of another kind takes over no history.
	check(past("```python {run name=a}\n1;\n```\n", oldGPU), "a")
}

// TestUnnamedBlocks: "#1" is one block on the Portuguese page and another on the Spanish page,
// and neither takes over the old result of the other.
func TestUnnamedBlocks(t *testing.T) {
	need(t, "bash")
	files := map[string]string{
		"content/pt/a.md": "```bash {run differs}\nfalse pt\n```\n",
		"content/es/a.md": "```bash {run differs}\ntrue es\n```\n",
	}
	before, _ := rerun(t, loadSite(t, files), noGPU, nil, Options{})
	files["content/pt/a.md"] = "```bash {run differs}\ntrue pt\n```\n"
	site := loadSite(t, files)
	after, _ := rerun(t, site, noGPU, before, Options{})
	if got := outcomes(after); !slices.Equal(got, []string{"#1 passed", "#1 passed"}) {
		t.Fatalf("%q", got)
	}
	for _, c := range after.Checks {
		inherits := c.Places[0].File == "content/pt/a.md"
		if inherits != (len(c.History) == 1) {
			t.Errorf("%s: history %+v", c.Places[0].File, c.History)
		}
	}
	// The result of the one that did not run again stays, as stale, beside the other's.
	plan, err := NewPlan(site, Filter{Paths: []string{"content/es"}})
	if err != nil {
		t.Fatal(err)
	}
	r := newRun(plan, before, Options{})
	if got := outcomes(r.report(before)); len(got) != 2 {
		t.Errorf("the report holds %q", got)
	}
}

// TestHistoryIsBounded: after any number of runs the report can be written, which rerun does
// not do, and holds the newest runs.
func TestHistoryIsBounded(t *testing.T) {
	c := report.Check{ID: "x", Name: "a", Kind: "bash"}
	for i := range 3 * report.MaxHistory {
		h := previousChecks{byID: map[report.ID]*report.Check{"x": {ID: "x", Ran: time.Unix(int64(i), 0), Outcome: report.Passed, History: c.History}}}
		c.History = h.history(&c, nil)
	}
	if len(c.History) != report.MaxHistory || c.History[0].Ran.Unix() != 3*report.MaxHistory-1 {
		t.Errorf("%d, the newest of %v", len(c.History), c.History[0].Ran)
	}
}

// TestHistoryKeepsValues: captured and measured values are in the history.
func TestHistoryKeepsValues(t *testing.T) {
	values := []report.Capture{{Name: "matmul", Value: "16.3", Unit: "TFLOP/s"}}
	h := previousChecks{byID: map[report.ID]*report.Check{"x": {ID: "x", Outcome: report.Passed, Captures: values}}}
	if got := h.history(&report.Check{ID: "x"}, nil); len(got) != 1 || !slices.Equal(got[0].Captures, values) {
		t.Errorf("%+v", got)
	}
}

// TestLostForLong: a check that lost what it needs stays lost for more runs than its history holds, and becomes no loss of other code.
func TestLostForLong(t *testing.T) {
	for _, first := range []struct {
		past report.Past
		lost bool
	}{{report.Past{Outcome: report.Passed}, true}, {report.Past{Outcome: report.Failed}, false}, {report.Past{Outcome: report.Passed, Changed: true}, false}} {
		lacks := &report.Reason{Code: report.ReasonNeeds, Need: `has("mytool")`}
		c := report.Check{ID: "a", Outcome: report.Skipped, Reason: lacks, History: []report.Past{first.past}}
		for range 3 * report.MaxHistory {
			earlier := c
			h := previousChecks{byID: map[report.ID]*report.Check{"a": &earlier}}
			c.History = h.history(&report.Check{ID: "a"}, nil)
			if lost := standing.Of(&c).Lost; lost != first.lost || len(c.History) > report.MaxHistory {
				t.Fatalf("%+v: lost is %t after %d runs", first.past, lost, len(c.History))
			}
		}
	}
}
