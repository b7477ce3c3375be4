//go:build unix

package fleet

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gpudocs/gpudocs/internal/report"
)

// TestReasonThatComesLate: what a machine writes to standard error may arrive
// behind the fault that it explains.
func TestReasonThatComesLate(t *testing.T) {
	t.Parallel()
	ssh := filepath.Join(t.TempDir(), "ssh")
	script := "#!/bin/sh\nread -r first\nprintf '\\n%s fault it could not be written\\n' \"${first#mark=}\"\nsleep 0.3\necho 'No space left on device' >&2\n"
	if err := os.WriteFile(ssh, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	c := newCall(&Options{Patience: time.Minute}, ssh, Host{Label: "full", Destination: "full"})
	var f *Fault
	if err := c.run(context.Background()); !errors.As(err, &f) || !strings.Contains(f.Message, "could not be written") {
		t.Fatalf("%v", err)
	}
	if f.Said != "No space left on device" {
		t.Errorf("the machine said %q", f.Said)
	}
}

// callTo makes a call to a machine that follows the rules until its run begins,
// and then runs a script, in which $mark is the connection's mark, 3 our
// input and $PIDFILE a file for the number of a process.
func callTo(t *testing.T, script string) (c *call, pidOf func() int) {
	t.Helper()
	dir := t.TempDir()
	ssh, pids := filepath.Join(dir, "ssh"), filepath.Join(dir, "pid")
	begin := "#!/bin/sh\nPIDFILE='" + pids + "'\nREPORT='" + filepath.Join(dir, "report") + `'
read -r first
mark=${first#mark=}
exec 3<&0
printf '\n%s at Linux x86_64\n%s ready\n' "$mark" "$mark"
`
	if err := errors.Join(os.WriteFile(ssh, []byte(begin+script), 0o700), os.WriteFile(filepath.Join(dir, "report"), emptyReport(t), 0o600)); err != nil {
		t.Fatal(err)
	}
	c = newCall(&Options{
		Patience: time.Minute, Longest: time.Hour, Site: os.DirFS(dir), Said: func(Host, string) {}, Gathered: func(Host, *report.Report) error { return nil },
		Programs: []*Program{{System: "linux/amd64", packed: func() ([]byte, error) { return []byte("program"), nil }}},
	}, ssh, Host{"lab", "lab"})
	pidOf = func() int {
		data, err := os.ReadFile(pids)
		pid, _ := strconv.Atoi(strings.TrimSpace(string(data)))
		if err != nil || pid == 0 {
			t.Fatalf("no process: %q, %v", data, err)
		}
		return pid
	}
	return c, pidOf
}

// TestPipesHeld: what ssh has started and left behind holds up nobody, though it
// has its pipes.
func TestPipesHeld(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("setsid"); err != nil {
		t.Skip("setsid is not installed (util-linux)")
	}
	c, pid := callTo(t, `setsid sh -c 'echo $$ >"$0"; exec sleep 600' "$PIDFILE" <&3 &
until [ -s "$PIDFILE" ]; do sleep 0.02; done
`)
	c.limits.silence = 2 * time.Second
	var f *Fault
	if err := c.run(context.Background()); !errors.As(err, &f) || f.Message != "nothing has come from it for 2s" {
		t.Errorf("%v", err)
	}
	if err := syscall.Kill(pid(), syscall.SIGKILL); err != nil {
		t.Errorf("it was waited for: %v", err)
	}
}

// TestDoesNotEnd: ssh that goes on behind the last message is ended, and the run
// is a good one.
func TestDoesNotEnd(t *testing.T) {
	t.Parallel()
	c, pid := callTo(t, `echo $$ >"$PIDFILE"
trap : TERM HUP INT
printf '%s report %d\n' "$mark" "$(wc -c <"$REPORT")"
cat "$REPORT"
printf '\n%s end 0\n' "$mark"
while :; do sleep 600; done
`)
	c.limits.grace = 200 * time.Millisecond
	if err := c.run(context.Background()); err != nil || c.result.Report == nil {
		t.Errorf("%v", err)
	}
	if err := syscall.Kill(pid(), 0); !errors.Is(err, syscall.ESRCH) {
		t.Errorf("it is still there: %v", err)
	}
}

// TestCutBehindTheReport: a connection that ends between the report and the exit
// code is not said to have brought no report.
func TestCutBehindTheReport(t *testing.T) {
	t.Parallel()
	c, _ := callTo(t, `printf '%s report %d\n' "$mark" "$(wc -c <"$REPORT")"
cat "$REPORT"
`)
	var f *Fault
	if err := c.run(context.Background()); !errors.As(err, &f) || f.Message != "the connection ended after the report came, before the exit code" || c.result.Report == nil {
		t.Errorf("%v", err)
	}
}

// TestIgnoresInterrupt: a machine that goes on and on after Ctrl-C is ended.
func TestIgnoresInterrupt(t *testing.T) {
	t.Parallel()
	c, _ := callTo(t, `echo $$ >"$PIDFILE"
trap : TERM HUP INT
while :; do printf '%s alive\n%s out x\n' "$mark" "$mark"; sleep 0.05; done
`)
	c.limits.grace = 200 * time.Millisecond
	ctx, cancel := context.WithCancel(context.Background())
	c.o.Said = func(Host, string) { cancel() }
	if err := c.run(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
