package remote

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/site/load"
	"github.com/gpudocs/gpudocs/internal/text"
	"github.com/gpudocs/gpudocs/internal/verify"
)

// A machine is a target whose run lasts until all others have begun.
type machine struct {
	label string
	begun chan string
	all   chan struct{}
}

func (m machine) Run(ctx context.Context, _ *Request, o Observer) []Result {
	o.Line(m.label, "begins")
	m.begun <- m.label
	select {
	case <-m.all:
	case <-ctx.Done():
	}
	o.Step(m.label, Running, text.Message{})
	err := o.Report(m.label, &report.Report{})
	return []Result{{Label: m.label, Err: errors.Join(err, ctx.Err())}, {Label: m.label + "'"}}
}

// TestRun: all targets run at once, the observer gets one call at a time, and the
// results are in the order of the targets.
func TestRun(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	begun, all := make(chan string, 3), make(chan struct{})
	go func() {
		for range 3 {
			<-begun
		}
		close(all)
	}()
	var calls atomic.Int32
	ended := 0
	alone := func() {
		if calls.Add(1) > 1 {
			t.Error("two calls at once")
		}
		time.Sleep(5 * time.Millisecond)
		calls.Add(-1)
	}
	results := Run(ctx, nil, []Target{machine{"a", begun, all}, machine{"b", begun, all}, machine{"c", begun, all}}, Observer{
		Line:   func(string, string) { alone() },
		Step:   func(string, Step, text.Message) { alone() },
		Report: func(label string, _ *report.Report) error { alone(); return fmt.Errorf("no room for %s", label) },
		Ended:  func([]Result) { alone(); ended++ },
	})
	var got []string
	for _, r := range results {
		got = append(got, fmt.Sprint(r.Label, " ", r.Err))
	}
	want := []string{"a no room for a", "a' <nil>", "b no room for b", "b' <nil>", "c no room for c", "c' <nil>"}
	if d := cmp.Diff(want, got); d != "" || ended != 3 {
		t.Errorf("%d targets ended (-want +got):\n%s", ended, d)
	}
}

// TestFiles: files that verify reads are sent, and those that only pages show are not.
func TestFiles(t *testing.T) {
	t.Parallel()
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	site, diags := load.Load(fstest.MapFS{
		"gpudocs.toml":        file("title = 'T'\n"),
		"content/en/index.md": file("# T\n\n![a](a.png) [b](b.csv)\n"),
		"content/en/a.png":    file("x"), "content/en/b.csv": file("1"), "README.md": file("x"),
	}, load.Options{})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	plan, err := verify.NewPlan(site, verify.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	r := NewRequest(site, plan, verify.Options{})
	slices.Sort(r.Files)
	if want := []string{"content/en/b.csv", "content/en/index.md", "gpudocs.toml"}; !slices.Equal(r.Files, want) || r.Longest <= 0 {
		t.Errorf("%q, %v; want %q", r.Files, r.Longest, want)
	}
}

func TestLineWriter(t *testing.T) {
	t.Parallel()
	for limit, want := range map[int]string{0: "ab||c|ddddddd|e", 4: "ab||c|dddd|ddd|e"} {
		var got []string
		w := LineWriter{Limit: limit, Line: func(line string) { got = append(got, line) }}
		for _, part := range []string{"a", "b\n\nc\ndd", "dd", "ddd\ne"} {
			if n, err := w.Write([]byte(part)); n != len(part) || err != nil {
				t.Fatal(n, err)
			}
		}
		w.Flush()
		w.Flush()
		if got := strings.Join(got, "|"); got != want {
			t.Errorf("limit %d: %q, want %q", limit, got, want)
		}
	}
}
