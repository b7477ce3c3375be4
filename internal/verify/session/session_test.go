//go:build unix

package session

import (
	"context"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gpudocs/gpudocs/internal/machine/pyenv/pyenvtest"
	"github.com/gpudocs/gpudocs/test/programtest"
)

const page = "content/pt/gpu.md"

func TestMain(m *testing.M) {
	// Most tests wait for an interpreter that hangs.
	_ = flag.Set("test.parallel", strconv.Itoa(3*runtime.GOMAXPROCS(0)))
	pyenvtest.Unwrap()
	os.Exit(m.Run())
}

// executable returns the interpreter; GPUDOCS_TEST_BASH and GPUDOCS_TEST_PYTHON name another
// version for tests.
func executable(t testing.TB, interpreter string) string {
	t.Helper()
	if path := os.Getenv("GPUDOCS_TEST_" + strings.ToUpper(interpreter)); path != "" {
		return path
	}
	name := map[string]string{Bash: "bash", Python: "python3"}[interpreter]
	programtest.Need(t, name)
	path, err := exec.LookPath(name)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func options(t testing.TB, interpreter string) Command {
	t.Helper()
	return Command{
		Interpreter: interpreter,
		Path:        executable(t, interpreter),
		Env:         []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "LC_ALL=C.UTF-8"},
		Scratch:     t.TempDir(),
		Grace:       300 * time.Millisecond,
	}
}

func start(t testing.TB, o Command) *Session {
	t.Helper()
	s, err := Start(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return s
}

// run runs code as a step at line 70, with a limit that is only reached if it hangs.
func run(t testing.TB, s *Session, step Step) Result {
	t.Helper()
	if step.File == "" {
		step.File = page
	}
	if step.Line == 0 {
		step.Line = 70
	}
	if step.Timeout == 0 {
		step.Timeout = time.Minute
	}
	r, err := s.Run(context.Background(), step)
	if err != nil {
		t.Fatalf("Run(%.200q): %v", step.Code, err)
	}
	return r
}

// want is one step and its expected result. out is the whole of stdout; stderr must contain
// err, and "" means that it is empty.
type want struct {
	code      string
	mode      Mode
	out, err  string
	exit      int
	line      int
	status    Status
	signal    string
	exception string
	ended     bool
}

type sessionTest struct {
	name  string
	steps []want
}

// testSessions runs each test in a session of its own.
func testSessions(t *testing.T, interpreter string, tests []sessionTest) {
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel() // it waits for its interpreter most of the time
			tt.check(t, start(t, options(t, interpreter)))
		})
	}
}

// testTogether runs tests that leave nothing behind in one session.
func testTogether(t *testing.T, interpreter string, tests []sessionTest) {
	t.Parallel()
	s := start(t, options(t, interpreter))
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { tt.check(t, s) })
	}
}

func (tt sessionTest) check(t *testing.T, s *Session) {
	t.Helper()
	for _, w := range tt.steps {
		w.out = strings.ReplaceAll(w.out, "WORK", filepath.Join(s.o.Scratch, "work"))
		w.check(t, run(t, s, Step{Code: w.code, Mode: w.mode}))
	}
}

func (w want) check(t *testing.T, r Result) {
	t.Helper()
	got := want{
		code: w.code, mode: w.mode, out: string(r.Stdout.Text), err: w.err,
		exit: r.Exit, line: r.FailLine, status: r.Status,
		signal: r.Signal, exception: r.Exception, ended: r.Ended,
	}
	stderr := string(r.Stderr.Text)
	if !strings.Contains(stderr, w.err) || w.err == "" && stderr != "" {
		got.err = stderr
	}
	if got != w {
		t.Errorf("step %.300q\n got %+v\nwant %+v\nstderr %q", w.code, got, w, stderr)
	}
}

func TestStartErrors(t *testing.T) {
	t.Parallel()
	bash := executable(t, Bash)
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	script := func(text string) string {
		path := filepath.Join(t.TempDir(), "script")
		if err := os.WriteFile(path, []byte("#!"+bash+"\n"+text), 0o700); err != nil {
			t.Fatal(err)
		}
		return path
	}
	tests := []struct {
		name string
		o    Command
		want string
	}{
		{"unknown interpreter", Command{Interpreter: "perl", Scratch: t.TempDir()}, `unknown interpreter "perl"`},
		{"no scratch folder", Command{Interpreter: Bash, Path: bash, Scratch: filepath.Join(file, "below")}, "scratch folder"},
		{"scratch is a file", Command{Interpreter: Bash, Path: bash, Scratch: file}, "not a folder"},
		{"no such file", Command{Interpreter: Bash, Path: filepath.Join(t.TempDir(), "bash"), Scratch: t.TempDir()}, "no such file"},
		{"ends at once", Command{Interpreter: Python, Path: script("echo broken install >&2; exit 7"), Scratch: t.TempDir()},
			"exit status 7:\nbroken install"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, err := Start(context.Background(), tt.o)
			if err == nil {
				s.Close()
				t.Fatal("Start gave no error")
			}
			if !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Start: %v\nwant %q in it", err, tt.want)
			}
		})
	}
}

func TestStartCancelled(t *testing.T) {
	t.Parallel()
	o := options(t, Bash)
	o.Path = filepath.Join(t.TempDir(), "script")
	if err := os.WriteFile(o.Path, []byte("#!"+executable(t, Bash)+"\nsleep 1000\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if _, err := Start(ctx, o); err != context.DeadlineExceeded {
		t.Errorf("Start of a program that never answers: %v, want %v", err, context.DeadlineExceeded)
	}
}

func TestStepFile(t *testing.T) {
	t.Parallel()
	s := start(t, options(t, Bash))
	for _, file := range []string{"", "/etc/x", "../x", "a\nb"} {
		if _, err := s.Run(context.Background(), Step{File: file}); err == nil {
			t.Errorf("Run accepted the file name %q", file)
		}
	}
	r := run(t, s, Step{File: "a b/ç $x.md", Code: "toruch"})
	if got := string(r.Stderr.Text); !strings.HasPrefix(got, "a b/ç $x.md: line 70: toruch") {
		t.Errorf("stderr %q does not begin with the file's name", got)
	}
}

func TestEnvironment(t *testing.T) {
	t.Parallel()
	o := options(t, Bash)
	o.Env = append(o.Env, "COLOUR=green", "PWD=/nowhere")
	s := start(t, o)
	r := run(t, s, Step{Code: `echo "$COLOUR $PWD $0 $#"; env | grep -c GPUDOCS_SESSION=; cat; ls`})
	if got, want := string(r.Stdout.Text), "green "+o.Scratch+"/work ../ctl/driver.sh 0\n1\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
