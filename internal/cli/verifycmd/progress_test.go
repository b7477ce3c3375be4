package verifycmd

import (
	"strings"
	"testing"
	"time"

	"github.com/gpudocs/gpudocs/internal/cli/env"
	"github.com/gpudocs/gpudocs/internal/cli/words"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/terminal"
	"github.com/gpudocs/gpudocs/internal/verify"
)

// TestLiveLine: a long line is cut to the width of a terminal.
func TestLiveLine(t *testing.T) {
	var b strings.Builder
	p := &progress{
		a:      &env.Env{Stdout: &b, Text: words.English()},
		ticker: &env.Ticker{Line: terminal.NewLine(&b, func() int { return 80 })},
	}
	block := &site.Block{File: "content/pt/" + strings.Repeat("long/", 30) + "a.md", Line: 7, Name: "x"}
	p.event(verify.Event{Done: 1, Total: 3, Started: block})
	if live := b.String(); !strings.HasPrefix(live, "[2/3] content/pt/long/") || len(live) != 79 {
		t.Errorf("the live line is %q, of %d characters", live, len(live))
	}
}

// TestEnd: of many checks that are not applicable for one reason a few have a line, and what failed a screen ago is told
// again at the end, as is what the machine has lost. Short runs are told once.
func TestEnd(t *testing.T) {
	run := func(passed int) string {
		var b strings.Builder
		p := &progress{a: &env.Env{Stdout: &b, Text: words.English()}}
		r := &report.Report{Machine: report.Machine{Name: "lab", OS: "Debian"}}
		end := func(name string, outcome report.Outcome, why *report.Reason, history ...report.Past) {
			r.Checks = append(r.Checks, report.Check{Kind: "bash", Name: name, Page: "a", Places: []report.Place{{File: "a.md", Line: 1}}, Outcome: outcome, Reason: why, History: history})
			p.event(verify.Event{Finished: &r.Checks[len(r.Checks)-1]})
		}
		bash := &report.Reason{Code: report.ReasonNoInterpreter, Program: "rustc"}
		end("bad", report.Failed, &report.Reason{Code: report.ReasonException, Said: "NameError"})
		end("lost", report.Skipped, bash, report.Past{Outcome: report.Passed, Ran: time.Unix(1, 0)})
		for range maxAlike + 3 {
			end("rust", report.Skipped, bash)
		}
		end("julia", report.Skipped, &report.Reason{Code: report.ReasonNoInterpreter, Program: "julia"})
		for range passed {
			end("fine", report.Passed, nil)
		}
		p.summary(r)
		return b.String()
	}
	for passed, want := range map[int]map[string]int{3: {"  bad": 1, "  lost": 1}, aScreen: {"  bad": 2, "  lost": 2}} {
		got := run(passed)
		want["  rust\n"], want["  julia\n"], want["3 more: not found: rustc\n"], want["more: not found: julia"] = maxAlike, 1, 1, 0
		for text, n := range want {
			if strings.Count(got, text) != n {
				t.Errorf("%d x %q, want %d, in:\n%s", strings.Count(got, text), text, n, got)
			}
		}
		if end := strings.LastIndex(got, "\nmachine lab: "); end < strings.LastIndex(got, "  bad") || end < strings.LastIndex(got, " more: ") {
			t.Errorf("the counts are not at the end:\n%s", got)
		}
	}
}

// TestDifference: long lines are cut, and if colours are shown, captured values are underlined.
func TestDifference(t *testing.T) {
	long := strings.Repeat("é", 300) // with one byte before it, a rune crosses the limit of bytes
	c := &report.Check{Diff: []report.DiffLine{
		{Op: "+", Text: "x" + long},
		{Op: " ", Text: "y" + long, Taken: [][2]int{{0, 1}, {1, 601}}},
		{Op: " ", Text: "t = 3.5 s", Taken: [][2]int{{0, 1}, {4, 7}}},
	}}
	cut := strings.Repeat("é", 249)
	for force, want := range map[string]string{
		"0": "\n         + x" + cut + " ... 102 bytes more\n           y" + cut + " ... 102 bytes more\n           t = 3.5 s",
		"1": "\n         + x" + cut + " ... 102 bytes more\n           \x1b[4my\x1b[24m\x1b[4m" + cut +
			"\x1b[24m ... 102 bytes more\n           \x1b[4mt\x1b[24m = \x1b[4m3.5\x1b[24m s",
	} {
		t.Setenv("CLICOLOR_FORCE", force)
		t.Setenv("NO_COLOR", "")
		if got := (&progress{a: &env.Env{Text: words.English()}}).difference(c); got != want {
			t.Errorf("colours %s: got %q", force, got)
		}
	}
}
