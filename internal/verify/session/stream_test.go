//go:build unix

package session

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/gpudocs/gpudocs/internal/machine/subprocess"
)

// Late output of an earlier block is never attributed to a later one.
func TestSurvivesLateOutput(t *testing.T) {
	t.Parallel()
	// The subprocess writes after the first step has ended, and writes a file if that fails.
	const child = `trap "" PIPE; until [ -e go ]; do sleep 0.01; done; while echo late; do sleep 0.01; done; touch failed`
	tests := []struct {
		name, interpreter, first, second string
	}{
		{"subshell", Bash, "echo a\n(" + child + ") &", "touch go; sleep 0.3"},
		{"process", Bash, "echo a\nsh -c '" + child + "' 2>&1 &", "touch go; sleep 0.3"},
		{"python", Python, "import subprocess\nprint('a')\nsubprocess.Popen(['sh', '-c', '" + child + "']);",
			"import time\nopen('go', 'w').close()\ntime.sleep(0.3)"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := options(t, tt.interpreter)
			s := start(t, o)
			want{code: tt.first, out: "a\n"}.check(t, run(t, s, Step{Code: tt.first}))
			want{code: tt.second}.check(t, run(t, s, Step{Code: tt.second}))
			if _, err := os.Stat(filepath.Join(o.Scratch, "work", "failed")); err == nil {
				t.Error("the subprocess could no longer write")
			}
		})
	}
}

// A subprocess that writes as fast as it can must not keep the marker out.
func TestBackgroundFlood(t *testing.T) {
	t.Parallel()
	s := start(t, options(t, Bash))
	run(t, s, Step{Code: "yes & yes x >&2 & cat /dev/zero & sleep 0.1"})
	for range 6 {
		want{code: "echo a", out: "a\n"}.check(t, run(t, s, Step{Code: "echo a"}))
	}
}

// Of endless output the head and the tail are kept, and the size and the hash of all of it; the
// memory in use stays constant.
func TestSurvivesEndlessOutput(t *testing.T) {
	const total = 10_000_000
	o := options(t, Bash)
	o.Head, o.Tail = 1000, 3000
	s := start(t, o)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	r := run(t, s, Step{Code: fmt.Sprintf("yes | head -c %d; echo end; yes e | head -c 8000 >&2", total)})
	runtime.ReadMemStats(&after)
	if got := after.TotalAlloc - before.TotalAlloc; got > 4<<20 {
		t.Errorf("%d bytes allocated for %d bytes of output", got, total)
	}
	head, tail := strings.Repeat("y\n", 500), strings.Repeat("y\n", 1498)+"end\n"
	whole := sha256.New()
	for range total / 1000 {
		whole.Write([]byte(head))
	}
	whole.Write([]byte("end\n"))
	if got, want := r.Stdout.SHA256, hex.EncodeToString(whole.Sum(nil)); got != want || r.Stdout.Total != total+4 {
		t.Errorf("%d bytes of hash %s, want %d of %s", r.Stdout.Total, got, total+4, want)
	}
	if out := r.Stdout; string(out.Text) != head+tail || out.Head != 1000 || out.Cut != total+4-4000 {
		t.Errorf("stdout: %d bytes, head %d, cut %d, end %q", len(out.Text), out.Head, out.Cut, out.Text[max(0, len(out.Text)-10):])
	}
	if got := r.Stderr; len(got.Text) != 4000 || got.Head != 1000 || got.Cut != 4000 {
		t.Errorf("stderr: %d bytes, head %d, cut %d", len(got.Text), got.Head, got.Cut)
	}
}

func TestEndlessOutputTimesOut(t *testing.T) {
	t.Parallel()
	tests := map[string]string{Bash: "yes", Python: "while True: print('y')"}
	for interpreter, code := range tests {
		t.Run(interpreter, func(t *testing.T) {
			o := options(t, interpreter)
			o.Head, o.Tail = 100, 200
			s := start(t, o)
			r := run(t, s, Step{Code: code, Timeout: 300 * time.Millisecond})
			if r.Status != TimedOut || r.Stdout.Cut == 0 || len(r.Stdout.Text) != 300 {
				t.Errorf("%v, %d bytes kept, %d cut", r.Status, len(r.Stdout.Text), r.Stdout.Cut)
			}
		})
	}
}

// openFiles returns a function that counts the descriptors of this process.
func openFiles(t *testing.T) func() int {
	t.Helper()
	if _, err := os.Stat("/dev/fd"); err != nil {
		t.Skip("no /dev/fd to count descriptors in")
	}
	return func() int {
		entries, err := os.ReadDir("/dev/fd")
		if err != nil {
			t.Fatal(err)
		}
		return len(entries)
	}
}

// TestFailedStarts: a session that does not start leaves no files open.
func TestFailedStarts(t *testing.T) {
	open := openFiles(t)
	o := options(t, Bash)
	o.Path = filepath.Join(t.TempDir(), "bash")
	before := open()
	for range 5 {
		o.Scratch = t.TempDir()
		if _, err := Start(t.Context(), o); err == nil {
			t.Fatal("Start gave no error")
		}
	}
	eventually(t, "the files are closed", func() bool { return open() <= before })
}

func TestManySteps(t *testing.T) {
	open := openFiles(t)
	for _, interpreter := range []string{Bash, Python} {
		t.Run(interpreter, func(t *testing.T) {
			before := open()
			s := start(t, options(t, interpreter))
			ran := open()
			for i := range 50 {
				code := map[string]string{Bash: "echo %d; sleep 0 &", Python: "print(%d)"}[interpreter]
				r := run(t, s, Step{Code: fmt.Sprintf(code, i)})
				if got, want := string(r.Stdout.Text), fmt.Sprintf("%d\n", i); got != want {
					t.Fatalf("step %d: got %q", i, got)
				}
			}
			// The last streams stay open until the next step replaces them.
			eventually(t, "the steps closed their files", func() bool { return open() <= ran+4 })
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			eventually(t, "the session closed its files", func() bool { return open() <= before })
		})
	}
}

func TestWithoutPrefix(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ in, want subprocess.Output }{
		{subprocess.Output{Text: []byte("/p/ab/p/c"), Cut: 50, Head: 5}, subprocess.Output{Text: []byte("abc"), Cut: 50, Head: 2}},
		{subprocess.Output{Text: []byte("x/p/y")}, subprocess.Output{Text: []byte("xy")}},
	} {
		if got := withoutPrefix(tt.in, "/p/"); string(got.Text) != string(tt.want.Text) || got.Cut != tt.want.Cut || got.Head != tt.want.Head {
			t.Errorf("got %+v, want %+v", got, tt.want)
		}
	}
}

// BenchmarkStart measures a session without a step: plain, as verify starts it, and in a
// sandbox.
func BenchmarkStart(b *testing.B) {
	bounds := NewBounds(Limits{Memory: 1 << 40, Processes: 1 << 20})
	defer bounds.Close()
	for _, interpreter := range []string{Bash, Python} {
		for _, how := range []string{"plain", "limits", "sandbox"} {
			b.Run(interpreter+"/"+how, func(b *testing.B) {
				if err := CheckSandbox(b.Context()); how == "sandbox" && err != nil {
					b.Skip(err)
				}
				for b.Loop() {
					o := options(b, interpreter)
					if how != "plain" {
						o.Bounds = bounds
					}
					if how == "sandbox" {
						o.Sandbox = &Sandbox{Show: []string{o.Path}}
					}
					s, err := Start(b.Context(), o)
					if err != nil {
						b.Fatal(err)
					}
					s.Close()
				}
			})
		}
	}
}

func BenchmarkStep(b *testing.B) {
	for _, interpreter := range []string{Bash, Python} {
		b.Run(interpreter, func(b *testing.B) {
			s := start(b, options(b, interpreter))
			for b.Loop() {
				run(b, s, Step{Code: "x=1"})
			}
		})
	}
}
