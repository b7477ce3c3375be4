//go:build unix

package ssh

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gpudocs/gpudocs/internal/verify/remote"
	"github.com/gpudocs/gpudocs/test/programtest"
)

// TestReasonThatComesLate: the text on standard error that explains a failure may arrive after
// it.
func TestReasonThatComesLate(t *testing.T) {
	t.Parallel()
	client := filepath.Join(t.TempDir(), "ssh")
	script := "#!/bin/sh\nread -r first\nprintf '\\n%s fault it could not be written\\n' \"${first#token=}\"\nsleep 0.3\necho 'No space left on device' >&2\n"
	if err := os.WriteFile(client, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	c := newConnection(target{Host{"full", "full"}, client, nil, time.Minute}, &remote.Request{}, remote.Observer{})
	var f *remote.Error
	if err := c.run(context.Background()); !errors.As(err, &f) || !strings.Contains(f.Message.String(), "could not be written") {
		t.Fatalf("%v", err)
	}
	if f.Output != "No space left on device" {
		t.Errorf("got the output %q", f.Output)
	}
}

// connectTo returns a connection to a machine that follows the protocol until its run begins,
// and then runs a script, in which $token is the connection's token, 3 our input and $PIDFILE a
// file for a process ID.
func connectTo(t *testing.T, script string) (c *connection, pidOf func() int) {
	t.Helper()
	dir := t.TempDir()
	client, pids := filepath.Join(dir, "ssh"), filepath.Join(dir, "pid")
	begin := "#!/bin/sh\nPIDFILE='" + pids + "'\nREPORT='" + filepath.Join(dir, "report") + `'
read -r first
token=${first#token=}
exec 3<&0
printf '\n%s at Linux x86_64\n%s ready\n' "$token" "$token"
`
	if err := errors.Join(os.WriteFile(client, []byte(begin+script), 0o700), os.WriteFile(filepath.Join(dir, "report"), emptyReport(t), 0o600)); err != nil {
		t.Fatal(err)
	}
	programs := []*Program{{System: "linux/amd64", packed: func() ([]byte, error) { return []byte("program"), nil }}}
	c = newConnection(target{Host{"lab", "lab"}, client, programs, time.Minute}, &remote.Request{Longest: time.Hour, Site: os.DirFS(dir)}, silent())
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

// TestPipesHeld: a process that ssh has started and left behind delays nothing, although it
// holds ssh's pipes.
func TestPipesHeld(t *testing.T) {
	t.Parallel()
	programtest.Need(t, "setsid")
	c, pid := connectTo(t, `setsid sh -c 'echo $$ >"$0"; exec sleep 600' "$PIDFILE" <&3 &
until [ -s "$PIDFILE" ]; do sleep 0.02; done
`)
	c.limits.silence = 2 * time.Second
	var f *remote.Error
	if err := c.run(context.Background()); !errors.As(err, &f) || f.Message.String() != "nothing has come from it for 2s" {
		t.Errorf("%v", err)
	}
	if err := syscall.Kill(pid(), syscall.SIGKILL); err != nil {
		t.Errorf("Run waited for the process: %v", err)
	}
}

// TestDoesNotEnd: an ssh that goes on after the last message is ended, and the run succeeds.
func TestDoesNotEnd(t *testing.T) {
	t.Parallel()
	c, pid := connectTo(t, `echo $$ >"$PIDFILE"
trap : TERM HUP INT
printf '%s report %d\n' "$token" "$(wc -c <"$REPORT")"
cat "$REPORT"
printf '\n%s end 0\n' "$token"
while :; do sleep 600; done
`)
	c.limits.grace = 200 * time.Millisecond
	if err := c.run(context.Background()); err != nil || c.result.Report == nil {
		t.Errorf("%v", err)
	}
	if err := syscall.Kill(pid(), 0); !errors.Is(err, syscall.ESRCH) {
		t.Errorf("ssh still runs: %v", err)
	}
}

// TestCutBehindTheReport: a connection that ends between the report and the exit code is not
// reported as one without a report.
func TestCutBehindTheReport(t *testing.T) {
	t.Parallel()
	c, _ := connectTo(t, `printf '%s report %d\n' "$token" "$(wc -c <"$REPORT")"
cat "$REPORT"
`)
	var f *remote.Error
	if err := c.run(context.Background()); !errors.As(err, &f) || f.Message.String() != "the connection ended after the report came, before the exit code" || c.result.Report == nil {
		t.Errorf("%v", err)
	}
}

// TestIgnoresInterrupt: a machine that goes on after Ctrl-C is disconnected.
func TestIgnoresInterrupt(t *testing.T) {
	t.Parallel()
	c, _ := connectTo(t, `echo $$ >"$PIDFILE"
trap : TERM HUP INT
while :; do printf '%s alive\n%s out x\n' "$token" "$token"; sleep 0.05; done
`)
	c.limits.grace = 200 * time.Millisecond
	ctx, cancel := context.WithCancel(context.Background())
	c.observer.Line = func(string, string) { cancel() }
	if err := c.run(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
