package subprocess

import (
	"context"
	"errors"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// shell returns a command of /bin/sh.
func shell(t *testing.T, script string) Command {
	t.Helper()
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no shell to be the child")
	}
	return Command{Program: sh, Args: []string{"-c", script}, Env: []string{"PATH=/usr/bin:/bin"}, Limit: time.Minute}
}

func TestRun(t *testing.T) {
	var lines []string
	c := shell(t, "cat; echo more; printf rest; echo one >&2; echo two >&2")
	c.Stdin = []byte("asked\n")
	c.Line = func(l []byte) { lines = append(lines, string(l)) }
	a := Run(t.Context(), c)
	if string(a.Stdout) != "asked\nmore\nrest" || a.Err != nil || FailureLine(a.Stderr) != "two" {
		t.Errorf("%q %v %q", a.Stdout, a.Err, a.Stderr)
	}
	if want := []string{"asked", "more"}; !slices.Equal(lines, want) { // an unterminated line is dropped
		t.Errorf("lines %q, want %q", lines, want)
	}
}

// Output before the timeout is kept.
func TestKilled(t *testing.T) {
	c := shell(t, "echo first; sleep 1000 & wait")
	ctx, cancel := context.WithCancel(t.Context())
	c.Line = func([]byte) { cancel() }
	a := Run(ctx, c)
	if string(a.Stdout) != "first\n" || !errors.Is(a.Err, context.Canceled) || !TimedOut(a.Err) {
		t.Errorf("%q %v", a.Stdout, a.Err)
	}
	c = shell(t, "echo first; exec sleep 1000")
	c.Limit = 300 * time.Millisecond
	if a := Run(t.Context(), c); !errors.Is(a.Err, context.DeadlineExceeded) {
		t.Errorf("%q %v", a.Stdout, a.Err)
	}
}

// A program that keeps writing has unlimited time.
func TestSilence(t *testing.T) {
	t.Parallel()
	c := shell(t, "for i in 1 2 3 4 5; do sleep 0.4; echo $i; done")
	c.Limit, c.Silence = 0, 1800*time.Millisecond
	if a := Run(t.Context(), c); string(a.Stdout) != "1\n2\n3\n4\n5\n" || a.Err != nil {
		t.Errorf("%q %v", a.Stdout, a.Err)
	}
	c = shell(t, "echo 1; printf 2; exec sleep 1000")
	c.Silence = 2 * time.Second
	if a := Run(t.Context(), c); string(a.Stdout) != "1\n2" || !errors.Is(a.Err, context.DeadlineExceeded) {
		t.Errorf("%q %v", a.Stdout, a.Err)
	}
}

func TestCrash(t *testing.T) {
	a := Run(t.Context(), shell(t, "echo first; kill -SEGV $$"))
	var exit *exec.ExitError
	if string(a.Stdout) != "first\n" || !errors.As(a.Err, &exit) || TimedOut(a.Err) {
		t.Errorf("%q %v", a.Stdout, a.Err)
	}
	if a := Run(t.Context(), Command{Program: "/no/such/program", Limit: time.Minute}); a.Err == nil {
		t.Error("a missing program gives no error")
	}
}

func TestTooLong(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no yes(1)")
	}
	a := Run(t.Context(), shell(t, "exec yes"))
	if !errors.Is(a.Err, ErrTooLong) || len(a.Stdout) > maxStdout {
		t.Errorf("%d bytes, %v", len(a.Stdout), a.Err)
	}
}

func TestFailureLine(t *testing.T) {
	for stderr, want := range map[string]string{
		"":                               "",
		"symbol lookup error: x\n":       "symbol lookup error: x",
		"a\nSIGSEGV: x\nPC=0\ngoroutine": "SIGSEGV: x",
	} {
		if got := FailureLine(stderr); got != want {
			t.Errorf("%q: %q, want %q", stderr, got, want)
		}
	}
	if env := ForDriver([]string{"A=1", "LD_BIND_NOW=1"}); strings.Join(env, " ") != "A=1" {
		t.Error(env)
	}
}
