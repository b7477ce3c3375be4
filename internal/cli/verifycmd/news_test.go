package verifycmd

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/cli/env"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/text"
)

// summary returns what is told of machines in a language.
func summary(t *testing.T, language string, pairs ...pair) string {
	t.Helper()
	var out strings.Builder
	f := newsFlags{notify: true}
	a := &env.Env{Stdout: &out, Stderr: io.Discard, Text: text.Of(language, "cli")}
	f.begin(a)
	if err := f.printSummary(a, pairs...); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func machine(name, driver string, checks ...report.Check) *report.Report {
	return &report.Report{Machine: report.Machine{Name: name, GPU: report.GPU{Driver: driver}}, Checks: checks}
}

func measured(rates ...float64) report.Check {
	c := report.Check{ID: "m", Page: "bench", Name: "lab.matmul", Outcome: report.Passed, Measurement: &report.Measurement{Unit: "TFLOP/s"}}
	for _, r := range rates {
		c.Measurement.GPUs = append(c.Measurement.GPUs, report.Measured{Rate: r})
	}
	return c
}

// TestTell: one summary of several machines, without those that have not changed.
func TestTell(t *testing.T) {
	t.Parallel()
	got := summary(t, "es",
		pair{machine("deepnine", "550", measured(16.3, 16.2)), machine("deepnine", "580", measured(14.1, 16.2))},
		pair{machine("same", "550", measured(16.3)), machine("same", "550", measured(16.1))},
		pair{machine("deepten", "460"), machine("deepten", "470")})
	want := "gpudocs verify: 1 con desviación o inestable (deepnine, deepten)\n\n## deepnine\n\n- `driver`: `550` → `580`\n\n**1 con desviación o inestable**\n\n" +
		"- `bench: lab.matmul`: `16.3 TFLOP/s, 16.2 TFLOP/s` → `14.1 TFLOP/s, 16.2 TFLOP/s`\n\n## deepten\n\n- `driver`: `460` → `470`\n"
	if got != want {
		t.Errorf("got:\n%s", got)
	}
	if got := summary(t, "en", pair{machine("m", "1"), machine("m", "2")}); !strings.HasPrefix(got, "gpudocs verify: the machine has changed (m)\n") {
		t.Error(got)
	}
}

// TestTellMarks: drift that only warns, and tries.
func TestTellMarks(t *testing.T) {
	t.Parallel()
	check := func(drifted bool, tries int) report.Check {
		return report.Check{ID: "b", Page: "p", Name: "bw", Outcome: report.Passed, Tries: make([]report.Try, tries),
			Captures: []report.Capture{{Name: "bw", Value: "612", Unit: "GB/s", Drift: &report.Drift{N: 9, Median: 700.25, Drifted: drifted}}}}
	}
	got := summary(t, "en", pair{machine("m", "", check(false, 0)), machine("m", "", check(true, 1))})
	want := "**1 drifted or unsteady**\n\n- `p: bw`: passed, `bw has drifted: it is 612 GB/s, and the median of its earlier values 700.25 GB/s`, unsteady: passed at try 2\n"
	if !strings.HasSuffix(got, want) {
		t.Error(got)
	}
	if got := summary(t, "en", pair{machine("m", "", check(true, 1)), machine("m", "", check(true, 2))}); got != "" {
		t.Errorf("told again: %s", got)
	}
}

// TestTellHostile: the texts of a report have no meaning in Markdown, and its summary fits into an issue.
func TestTellHostile(t *testing.T) {
	t.Parallel()
	evil := report.Check{ID: "x", Page: "p`` `", Name: "@all\n# <img src=x>", Outcome: report.Failed, Reason: &report.Reason{Code: report.ReasonException, Said: "![](http://x) \x1b[31m"}}
	got := summary(t, "en", pair{nil, machine("m", "", evil)})
	if !strings.Contains(got, "- ``` p`` `: @all # <img src=x> ```: `failed (raised ![](http://x) \uFFFD[31m)`\n") {
		t.Error(got)
	}
	var many []report.Check
	for n := range 1000 {
		many = append(many, report.Check{ID: report.ID(fmt.Sprint(n)), Page: strings.Repeat("á", 500), Name: fmt.Sprint(n), Outcome: report.Passed})
	}
	got = summary(t, "en", pair{nil, machine("m", "", many...)})
	if len(got) > maxSummary+50 || !strings.HasSuffix(got, " lines more\n") || !strings.HasPrefix(got, "gpudocs verify: 1000 new checks (m)\n") {
		t.Errorf("%d bytes: %.100q ... %q", len(got), got, got[len(got)-100:])
	}
}
