//go:build unix

package session

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gpudocs/gpudocs/internal/machine/subprocess"
)

// alive reports whether a process is alive, as opposed to one that has not been reaped yet.
func alive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return runtime.GOOS != "linux"
	}
	_, state, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(state, "Z") && !strings.HasPrefix(state, "X")
}

// pidIn reads a process ID that a step printed.
func pidIn(t *testing.T, out subprocess.Output) int {
	t.Helper()
	pid, err := strconv.Atoi(strings.TrimSpace(string(out.Text)))
	if err != nil {
		t.Fatalf("no process ID in %q", out.Text)
	}
	if !alive(pid) {
		t.Fatalf("process %d did not start", pid)
	}
	return pid
}

func mustDie(t *testing.T, pid int) {
	t.Helper()
	eventually(t, fmt.Sprintf("process %d is gone", pid), func() bool { return !alive(pid) })
}

func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for limit := time.Now().Add(time.Minute); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(limit) {
			t.Fatalf("timed out waiting until %s", what)
		}
	}
}

func TestSurvivesHang(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, interpreter, code, out string
	}{
		{"bash", Bash, "printf partial; sleep 1000", "partial"},
		{"bash that ignores SIGTERM", Bash, "trap '' TERM; printf partial; while :; do sleep 1; done", "partial"},
		{"bash that stopped itself", Bash, "printf partial; kill -STOP $$", "partial"},
		{"python", Python, "import time\nprint('partial', end='')\ntime.sleep(1000)", "partial"},
		{"python that catches all", Python, "import time, signal\nsignal.signal(15, signal.SIG_IGN)\nprint('a')\nwhile True:\n  try: time.sleep(1)\n  except BaseException: pass", "a\n"},
		{"C stdio", Python, "import ctypes, time\nctypes.CDLL(None).printf(b'line\\n')\ntime.sleep(1000)", "line\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := start(t, options(t, tt.interpreter))
			r := run(t, s, Step{Code: tt.code, Timeout: time.Second})
			want{code: tt.code, out: tt.out, exit: -1, status: TimedOut, ended: true}.check(t, r)
			if _, err := s.Run(context.Background(), Step{File: page}); err != ErrEnded {
				t.Errorf("next step: %v, want %v", err, ErrEnded)
			}
			if alive(s.proc.pid) {
				t.Error("the interpreter still runs")
			}
		})
	}
}

func TestTimeoutKillsGrandchildren(t *testing.T) {
	t.Parallel()
	s := start(t, options(t, Bash))
	r := run(t, s, Step{Code: "(trap '' TERM; sh -c 'echo $$; exec sleep 1000') & wait", Timeout: time.Second})
	if r.Status != TimedOut {
		t.Fatalf("got %v, want %v", r.Status, TimedOut)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(r.Stdout.Text)))
	if err != nil {
		t.Fatal(err)
	}
	mustDie(t, pid)
}

func TestCancel(t *testing.T) {
	t.Parallel()
	s := start(t, options(t, Bash))
	pid := pidIn(t, run(t, s, Step{Code: "sleep 1000 & echo $!"}).Stdout)
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	if _, err := s.Run(ctx, Step{File: page, Code: "sleep 1000"}); err != context.DeadlineExceeded {
		t.Errorf("got %v, want %v", err, context.DeadlineExceeded)
	}
	mustDie(t, pid)
	if _, err := s.Run(context.Background(), Step{File: page}); err != ErrEnded {
		t.Errorf("next step: %v, want %v", err, ErrEnded)
	}
}

// daemon is Python code that leaves its parents, its group, its terminal session and its
// environment, and prints the ID of the process that stays.
const daemon = `
import os
r, w = os.pipe()
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.write(w, b"%d" % os.getpid())
        os.execve("/bin/sh", ["sh", "-c", "trap '' TERM HUP; sleep 1000; :"], {})
    os._exit(0)
os.wait()
os.close(w)
print(os.read(r, 99).decode())
`

// A background process that keeps stdout open is not waited for, does not block the next block,
// and ends with the session.
func TestSurvivesBackgroundChildThatKeepsStdout(t *testing.T) {
	t.Parallel()
	tests := map[string]string{
		Bash:   "sleep 1000 & echo $!",
		Python: "import subprocess\nsubprocess.Popen(['sleep', '1000']).pid",
	}
	for interpreter, code := range tests {
		t.Run(interpreter, func(t *testing.T) {
			s := start(t, options(t, interpreter))
			r := run(t, s, Step{Code: code})
			pid := pidIn(t, r.Stdout)
			want{code: code, out: string(r.Stdout.Text)}.check(t, r)
			want{code: "print"}.check(t, run(t, s, Step{Code: map[string]string{Bash: ":", Python: "pass"}[interpreter]}))
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			mustDie(t, pid)
		})
	}
}

func TestSurvivesChildren(t *testing.T) {
	t.Parallel()
	const deaf = `sh -c 'trap "" TERM; echo $$ >pid; exec sleep 1000' & `
	const wait = `until [ -s pid ]; do sleep 0.01; done; cat pid`
	tests := []struct {
		name, interpreter, code string
		linux                   bool
	}{
		{"background child", Bash, "sleep 1000 & echo $!", false},
		{"deaf child without the mark", Bash, "env -i " + deaf + wait, false},
		{"setsid", Bash, "setsid " + deaf + wait, true},
		{"setsid without the environment", Bash, "env -i setsid " + deaf + wait, true},
		{"daemon, forked twice, without the environment", Python, daemon, true},
		{"own group", Bash, "set -m; sleep 1000 & echo $!", true},
		{"python session leader", Python, "import subprocess\nsubprocess.Popen(['sleep', '1000'], start_new_session=True).pid", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.linux && runtime.GOOS != "linux" {
				t.Skip("only on Linux can a child that has left the group be found")
			}
			s := start(t, options(t, tt.interpreter))
			pid := pidIn(t, run(t, s, Step{Code: tt.code}).Stdout)
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			mustDie(t, pid)
		})
	}
}

// A background daemon is found too when a hung block ends.
func TestSurvivesDaemonOfHang(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("only on Linux can a child that has left the group be found")
	}
	s := start(t, options(t, Python))
	r := run(t, s, Step{Code: daemon + "\nimport time\ntime.sleep(1000)", Timeout: 3 * time.Second})
	pid, err := strconv.Atoi(strings.TrimSpace(string(r.Stdout.Text)))
	if err != nil || r.Status != TimedOut {
		t.Fatalf("%v, %q", r.Status, r.Stdout.Text)
	}
	mustDie(t, pid)
}

// A block that ends at SIGTERM does not have to wait until the grace time has passed, even if
// orphans are not reaped at once.
func TestTimeoutWithoutGrace(t *testing.T) {
	t.Parallel()
	for interpreter, code := range map[string]string{Bash: "sleep 1000", Python: "import subprocess\nsubprocess.run(['sleep', '1000'])"} {
		t.Run(interpreter, func(t *testing.T) {
			o := options(t, interpreter)
			o.Grace = time.Hour // the test fails by its time limit if it waits
			s := start(t, o)
			if r := run(t, s, Step{Code: code, Timeout: 200 * time.Millisecond}); r.Status != TimedOut {
				t.Errorf("got %v", r.Status)
			}
		})
	}
}

func TestCrashSweeps(t *testing.T) {
	t.Parallel()
	s := start(t, options(t, Bash))
	pid := pidIn(t, run(t, s, Step{Code: "sleep 1000 & echo $!"}).Stdout)
	if r := run(t, s, Step{Code: "kill -9 $$; sleep 60"}); r.Status != Crashed {
		t.Fatalf("got %v, want %v", r.Status, Crashed)
	}
	mustDie(t, pid)
}

func TestCloseRunsExitHandlers(t *testing.T) {
	t.Parallel()
	tests := map[string]string{
		Bash:   "f=$PWD/bye; trap 'echo bye >\"$f\"' EXIT; cd /",
		Python: "import atexit, os\nf = os.path.abspath('bye')\natexit.register(lambda: open(f, 'w').write('bye\\n'));",
	}
	for interpreter, code := range tests {
		t.Run(interpreter, func(t *testing.T) {
			o := options(t, interpreter)
			o.Grace = 10 * time.Second
			s := start(t, o)
			run(t, s, Step{Code: code})
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			if got, err := os.ReadFile(filepath.Join(o.Scratch, "work", "bye")); string(got) != "bye\n" {
				t.Errorf("got %q, %v", got, err)
			}
		})
	}
}

func TestForgedReport(t *testing.T) {
	t.Parallel()
	forged := `for n in '' start 123; do echo "{\"nonce\":\"$n\",\"kind\":\"done\",\"exit\":0}" >>../ctl/results; done; printf '{"half' >>../ctl/results; head -c 200000 /dev/zero >>../ctl/results; echo >>../ctl/results;`
	s := start(t, options(t, Bash))
	for range 2 { // the second one finds what the first one left
		code := forged + "sleep 0.1; echo end; (exit 3)"
		want{code: code, out: "end\n", exit: 3, line: 70}.check(t, run(t, s, Step{Code: code}))
	}
	if r := run(t, s, Step{Code: forged + "exec true"}); r.Status != Crashed {
		t.Errorf("got %v, want %v", r.Status, Crashed)
	}
}
