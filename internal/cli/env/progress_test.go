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
