package session

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/gpudocs/gpudocs/test/programtest"
)

// TestKernelInSandbox runs a kernel where the home folder is read-only and there is no network.
func TestKernelInSandbox(t *testing.T) {
	programtest.NeedSandbox(t)
	o := kernelOptions(t, "python3")
	venv := filepath.Dir(filepath.Dir(o.Path))
	real, err := filepath.EvalSymlinks(o.Path)
	if err != nil {
		t.Fatal(err)
	}
	o.Sandbox = &Sandbox{Show: []string{venv, real, filepath.Dir(filepath.Dir(real))}}
	s := start(t, o)
	for _, w := range []want{
		{code: "import os, subprocess; subprocess.Popen(['setsid', 'sleep', '1000']); print('on')", out: "on\n"},
		{code: "1 / 0", err: "ZeroDivisionError", exit: 1, line: 70, exception: "ZeroDivisionError: division by zero"},
		{code: "open('/etc/x', 'w')", err: "OSError", exit: 1, line: 70, exception: "OSError: [Errno 30] Read-only file system: '/etc/x'"},
	} {
		w.check(t, run(t, s, Step{Code: w.code}))
	}
	began := time.Now()
	r := run(t, s, Step{Code: "print('hangs', flush=True)\nimport time; time.sleep(1000)", Timeout: time.Second})
	if r.Status != TimedOut || string(r.Stdout.Text) != "hangs\n" || time.Since(began) > 30*time.Second {
		t.Errorf("%v, %q", r.Status, r.Stdout.Text)
	}
}
