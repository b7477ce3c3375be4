package env

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/terminal"
	"github.com/gpudocs/gpudocs/internal/verify"
)

// TestLiveLine: other output erases the live line before it is written, and a long line is cut
// to the width of a terminal.
func TestLiveLine(t *testing.T) {
	var b strings.Builder
	a := &Env{Stdout: &b}
	p := &progress{a: a, catalog: English(), live: terminal.NewLine(&b, func() int { return 80 })}
	a.live.Store(p.live)
	block := &site.Block{File: "content/pt/" + strings.Repeat("long/", 30) + "a.md", Line: 7, Name: "x"}
	p.Event(verify.Event{Done: 1, Total: 3, Started: block})
	live := b.String()
	if !strings.HasPrefix(live, "[2/3] content/pt/long/") || len(live) != 79 {
		t.Errorf("the live line is %q, of %d characters", live, len(live))
	}
	a.Around(func() { fmt.Fprintln(&b, "built again") })
	if rest := strings.TrimPrefix(b.String(), live); rest != "\r\x1b[Kbuilt again\n" {
		t.Errorf("other output: got %q", rest)
	}
	p.Clear()
	done := make(chan struct{})
	go func() { a.Around(func() {}); close(done) }()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Fatal("output after the end of a run blocks")
	}
}

// TestEnd: of many checks that are not applicable for one reason a few have a line, and what failed a screen ago is told
// again at the end, as is what the machine has lost. Short runs are told once.
func TestEnd(t *testing.T) {
	run := func(passed int) string {
		var b strings.Builder
		p := &progress{a: &Env{Stdout: &b, Text: English()}, catalog: English()}
		r := &report.Report{Machine: report.Machine{Name: "lab", OS: "Debian"}}
		end := func(name string, outcome report.Outcome, why *report.Reason, history ...report.Past) {
			r.Checks = append(r.Checks, report.Check{Kind: "bash", Name: name, Page: "a", Places: []report.Place{{File: "a.md", Line: 1}}, Outcome: outcome, Reason: why, History: history})
			p.Event(verify.Event{Finished: &r.Checks[len(r.Checks)-1]})
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
		p.Summary(r)
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

// TestMarked: if colours are shown, captured values are underlined.
func TestMarked(t *testing.T) {
	d := report.DiffLine{Op: " ", Text: "t = 3.5 s", Taken: [][2]int{{0, 1}, {4, 7}}}
	if got := (&progress{}).marked(d); got != d.Text {
		t.Errorf("without colours: %q", got)
	}
	if got := (&progress{color: true}).marked(d); got != "\x1b[4mt\x1b[24m = \x1b[4m3.5\x1b[24m s" {
		t.Errorf("with colours: %q", got)
	}
}

func TestLongLineOfDifference(t *testing.T) {
	text := strings.Repeat("é", 300) // with one byte before it, a rune crosses the limit of bytes
	c := &report.Check{Diff: []report.DiffLine{{Op: "+", Text: "x" + text}, {Op: " ", Text: "y" + text, Taken: [][2]int{{0, 1}, {1, 601}}}}}
	want := "\n         + x" + strings.Repeat("é", 249) + " ... 102 bytes more" +
		"\n           \x1b[4my\x1b[24m\x1b[4m" + strings.Repeat("é", 249) + "\x1b[24m ... 102 bytes more"
	if got := (&progress{catalog: English(), color: true}).difference(c); got != want {
		t.Errorf("got %q", got)
	}
}
