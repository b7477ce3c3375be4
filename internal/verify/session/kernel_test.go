//go:build unix

package session

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// kernelOptions returns the options of a session in a kernel of the Python environment that
// GPUDOCS_TEST_VENV names. The kernel fake is that of testdata.
func kernelOptions(t testing.TB, kernel string) Command {
	t.Helper()
	venv := os.Getenv("GPUDOCS_TEST_VENV")
	if venv == "" {
		t.Skip("GPUDOCS_TEST_VENV names no Python environment with jupyter_client")
	}
	executable(t, Python) // skips without Python
	o := options(t, Python)
	o.Interpreter, o.Path, o.Kernel, o.Grace = Jupyter, filepath.Join(venv, "bin", "python"), kernel, time.Second
	if _, err := os.Stat("/usr/share/jupyter/kernels/" + kernel); err != nil && kernel == "ir" {
		t.Skip("the R kernel is not installed")
	}
	o.Env = append(o.Env, "JUPYTER_PATH="+fakeKernel(t), "TMPDIR="+filepath.Join(o.Scratch, "tmp"))
	if err := os.Mkdir(filepath.Join(o.Scratch, "tmp"), 0o700); err != nil {
		t.Fatal(err)
	}
	return o
}

// fakeKernel returns a folder of data of Jupyter that has the kernel of testdata.
func fakeKernel(t testing.TB) string {
	program, err := filepath.Abs("testdata/kernel.py")
	if err != nil {
		t.Fatal(err)
	}
	spec, _ := json.Marshal(map[string]any{"argv": []string{"python", program, "{connection_file}"}, "display_name": "fake", "language": "none"})
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "kernels", "fake"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "kernels", "fake", "kernel.json"), spec, 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestIPythonKernel(t *testing.T) {
	t.Parallel()
	s := start(t, kernelOptions(t, "python3"))
	for _, w := range []want{
		{code: "a = 20\nprint('hi')\na + 1", out: "hi\n21\n"},
		{code: "a += 1\nimport os; os.system('echo child'); os.write(1, b'raw\\n')", out: "child\nraw\n4\n"},
		{code: "def f():\n    return 1 / 0\n"},
		{code: "a\n\nf()", err: "ZeroDivisionError", exit: 1, line: 72, exception: "ZeroDivisionError: division by zero"},
		{code: "a\nx = (", err: "SyntaxError", exit: 1, line: 71, exception: "SyntaxError: incomplete input"},
		{code: "%%bash\necho $((a + 2))", out: "2\n"},
		{code: "import sys; print('e', file=sys.stderr); a", out: "21\n", err: "e\n"},
		{code: "input()", err: "StdinNotImplementedError", exit: 1, line: 70,
			exception: "StdinNotImplementedError: raw_input was called, but this frontend does not support input requests."},
		{code: "sys.exit(3)", err: "SystemExit", exit: 1, line: 0, exception: "SystemExit: 3"},
		{code: "os.close(1)\n'after'", out: "'after'\n"},
		{code: "os.kill(os.getpid(), 11)", exit: 139, status: Crashed, signal: "SIGSEGV", ended: true},
	} {
		w.check(t, run(t, s, Step{Code: w.code}))
	}
}

func TestRKernel(t *testing.T) {
	t.Parallel()
	s := start(t, kernelOptions(t, "ir"))
	for _, w := range []want{
		{code: "x <- c(1, 2)\ncat('hi\\n')\nx + 1", out: "hi\n[1] 2 3\n"},
		{code: "system('echo child')", out: "child\n"},
		{code: "f <- function() stop('no')\n\nf()", err: "no", exit: 1, line: 70, exception: "Error in f(): no"},
		{code: "x\n\n\n\n\nf()", out: "[1] 1 2\n", err: "no", exit: 1, exception: "Error in f(): no"}, // in another block
		{code: "x\ny <- (", err: "x", exit: 1, line: 71, exception: "Error in parse(text = x, srcfile = src): <text>:3:0: unexpected end of input\n1: x\n2: y <- (\n  ^"},
		{code: "message('m')", err: "m\n"},
		{code: "readline('name? ')", err: "nobody to answer", exit: 1, exception: "the kernel asks for input, but there is nobody to answer"},
		{code: "x", out: "[1] 1 2\n"},
		{code: "tools::pskill(Sys.getpid(), 9)", exit: 137, status: Crashed, signal: "SIGKILL", ended: true},
	} {
		w.check(t, run(t, s, Step{Code: w.code}))
	}
}

func TestKernelDisplays(t *testing.T) {
	t.Parallel()
	const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=="
	show := func(bundle string) string {
		return "from IPython.display import *\ndisplay({" + bundle + "}, raw=True)"
	}
	s := start(t, kernelOptions(t, "python3"))
	for _, c := range []struct{ code, forms, out string }{
		{show("'image/png': '" + png + "', 'text/html': '<b>1</b>', 'text/plain': 'no'"), "PNG", ""},
		{show("'text/html': '<b>1</b>', 'text/plain': 'yes', 'text/latex': '$1$'"), "HTML", "yes\n"},
		{show("'text/html': '1', 'text/plain': 'yes', 'text/latex': '$1$'"), "", "yes\n"},
		{show("'text/latex': '$1$', 'text/plain': 'yes'"), "LaTeX", "yes\n"},
		{show("'image/svg+xml': '<svg/>', 'text/plain': 'no'"), "SVG", ""},
		{show("'image/png': 'QUJD', 'text/plain': 'yes'"), "", "yes\n"},
		{"HTML('<i>1</i>')", "HTML", ""},
		{"Markdown('*a*')", "", "*a*\n"},
		{"print(1); display(2); 3", "", "1\n2\n3\n"},
		{"h = display(HTML('<b>1</b>'), display_id=True)\nfor i in range(20): h.update(Latex('$%d$' % i))", "LaTeX", ""},
		{"for i in range(20): display(HTML('<b>%d</b>' % i))", strings.TrimSpace(strings.Repeat("HTML ", MaxFigures)), ""},
		{"display(HTML('<b>1</b>')); clear_output(); display(SVG('<svg xmlns=\"http://www.w3.org/2000/svg\"/>'))", "SVG", ""},
		{"display(HTML('<b>' + 'x' * 300000)), 1 / 0", "", "<IPython.core.display.HTML object>\n"},
	} {
		r := run(t, s, Step{Code: c.code})
		var forms []string
		for _, f := range r.Figures {
			forms = append(forms, f.Form().Name())
		}
		if got := strings.Join(forms, " "); got != c.forms || string(r.Stdout.Text) != c.out {
			t.Errorf("%s\ngot figures %q and %q, want %q and %q\n%s", c.code, got, r.Stdout.Text, c.forms, c.out, r.Stderr.Text)
		}
	}
}

// TestKernelFaults runs a kernel that answers for other requests, in other forms, or not.
func TestKernelFaults(t *testing.T) {
	t.Parallel()
	s := start(t, kernelOptions(t, "fake"))
	for _, w := range []want{
		{code: "another", out: "right\n"},
		{code: "odd", out: "{'a': 1}", err: "1\nred\n", exit: 1, exception: "3"},
		{code: "aborted", err: "has not run the block (aborted)\n", exit: 1, exception: "the kernel has not run the block (aborted)"},
		{code: "no idle"},
		{code: "late", out: "late\n"},
		{code: "another", out: "right\n"},
	} {
		w.check(t, run(t, s, Step{Code: w.code}))
	}
	r := run(t, s, Step{Code: "x", Mode: Info})
	if name := string(r.Stdout.Text); len(name) > 200 || !strings.Contains(name, ", jupyter_client ") || strings.ContainsAny(name, "\x1b\n") {
		t.Errorf("the kernel is %q", name)
	}
	began := time.Now()
	r = run(t, s, Step{Code: "another, no reply", Timeout: time.Second})
	if r.Status != TimedOut || string(r.Stdout.Text) != "right\n" || time.Since(began) > 20*time.Second {
		t.Errorf("a step without an answer: %v, %q", r.Status, r.Stdout.Text)
	}
}

func TestKernelTimeouts(t *testing.T) {
	for _, c := range []struct{ kernel, code, err string }{
		{"python3", "import os, subprocess, time; print(os.getpid(), subprocess.Popen(['setsid', 'sleep', '1000']).pid, flush=True)\ntime.sleep(1000)", "KeyboardInterrupt"},
		{"ir", "cat(Sys.getpid())\nflush.console()\nSys.sleep(1000)", ""},
		{"fake", "stubborn", ""},
	} {
		t.Run(c.kernel, func(t *testing.T) {
			t.Parallel()
			o := kernelOptions(t, c.kernel)
			if c.err != "" {
				o.Grace = 10 * time.Second // it ends at once, but not on a machine that is busy
			}
			s := start(t, o)
			began := time.Now()
			r := run(t, s, Step{Code: c.code, Timeout: 5 * time.Second})
			if r.Status != TimedOut || !r.Ended || !strings.Contains(string(r.Stderr.Text), c.err) || time.Since(began) > 30*time.Second {
				t.Errorf("%v after %v, stdout %q, stderr %q", r.Status, time.Since(began), r.Stdout.Text, r.Stderr.Text)
			}
			allMustDie(t, r)
		})
	}
}

// TestKernelBackgroundOutput checks that a process that writes without end delays no step, and
// does not hide that its kernel has died.
func TestKernelBackgroundOutput(t *testing.T) {
	t.Parallel()
	s := start(t, kernelOptions(t, "ir"))
	began := time.Now()
	for _, code := range []string{"system('setsid yes', wait = FALSE)", "Sys.sleep(.1)"} {
		if r := run(t, s, Step{Code: code}); r.Status != Finished || r.Exit != 0 {
			t.Errorf("%s: %v, exit %d, %s", code, r.Status, r.Exit, r.Stderr.Text)
		}
	}
	if r := run(t, s, Step{Code: "tools::pskill(Sys.getpid(), 9)"}); r.Status != Crashed || r.Signal != "SIGKILL" || time.Since(began) > 40*time.Second {
		t.Errorf("the kernel's end: %v, %s, after %v", r.Status, r.Signal, time.Since(began))
	}
}

// TestKernelExit checks that code that ends its kernel is the step that ends, and not the next one.
func TestKernelExit(t *testing.T) {
	t.Parallel()
	for kernel, code := range map[string]string{"python3": "exit()", "ir": "quit()", "fake": "exit"} {
		s := start(t, kernelOptions(t, kernel))
		if r := run(t, s, Step{Code: code}); r.Status != Crashed || r.Exit != 0 || !r.Ended {
			t.Errorf("%s: %v, exit %d, ended %v", kernel, r.Status, r.Exit, r.Ended)
		}
	}
}

// allMustDie waits for the end of the processes that a step printed.
func allMustDie(t *testing.T, r Result) {
	t.Helper()
	fields := strings.Fields(string(r.Stdout.Text))
	if len(fields) == 0 {
		t.Error("no process ID was printed")
	}
	for _, field := range fields {
		pid, err := strconv.Atoi(field)
		if err != nil {
			t.Fatalf("no process ID: %q", field)
		}
		mustDie(t, pid)
	}
}

// TestKernelEnds checks that nothing is left of a kernel, however its session ends.
func TestKernelEnds(t *testing.T) {
	t.Parallel()
	const daemon = "import os, subprocess\nprint(os.getpid(), subprocess.Popen(['setsid', 'sleep', '1000'], env={'PATH': os.environ['PATH']}).pid, flush=True)\n"
	for _, end := range []string{"", "time.sleep(.2); os.kill(os.getppid(), 9); time.sleep(1000)", "time.sleep(.2); os.kill(os.getpid(), 9)"} {
		s := start(t, kernelOptions(t, "python3"))
		r := run(t, s, Step{Code: daemon + strings.Replace(end, "time.", "import time; time.", 1)})
		if r.Ended != (end != "") || end != "" && (r.Status != Crashed || r.Signal != "SIGKILL") {
			t.Errorf("%q: %v, %s", end, r.Status, r.Signal)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		allMustDie(t, r)
	}
}

// TestKernelOutput checks that long output is bounded, and that nothing of it is missing.
func TestKernelOutput(t *testing.T) {
	t.Parallel()
	s := start(t, kernelOptions(t, "python3"))
	r := run(t, s, Step{Code: "for i in range(100): print(('%07d\\n' % i) * 125000, end='')"})
	if want := int64(100 * 8 * 125000); r.Stdout.Total != want || len(r.Stdout.Text) > 128<<10 || r.Exit != 0 {
		t.Errorf("exit %d, %d bytes in all, want %d; %d are kept", r.Exit, r.Stdout.Total, want, len(r.Stdout.Text))
	}
	r = run(t, s, Step{Code: "import subprocess; subprocess.run('yes | head -c 20000000', shell=True);"})
	if r.Stdout.Total != 20000000 {
		t.Errorf("%d bytes of a subprocess", r.Stdout.Total)
	}
}

func TestKernelsInParallel(t *testing.T) {
	t.Parallel()
	var all sync.WaitGroup
	for i := range 3 {
		o := kernelOptions(t, "python3")
		all.Go(func() {
			s := start(t, o)
			for j := range 3 {
				r := run(t, s, Step{Code: fmt.Sprintf("print(%d, %d)", i, j)})
				if want := fmt.Sprintf("%d %d\n", i, j); string(r.Stdout.Text) != want {
					t.Errorf("got %q, want %q", r.Stdout.Text, want)
				}
			}
		})
	}
	all.Wait()
}

// BenchmarkKernel measures what a session and a step take.
func BenchmarkKernel(b *testing.B) {
	for _, kernel := range []string{"python3", "ir"} {
		one := Step{Code: "1 + 1"}
		b.Run(kernel+"/session", func(b *testing.B) {
			for b.Loop() {
				s, err := Start(b.Context(), kernelOptions(b, kernel))
				if err != nil {
					b.Fatal(err)
				}
				run(b, s, one)
				s.Close()
			}
		})
		b.Run(kernel+"/step", func(b *testing.B) {
			s := start(b, kernelOptions(b, kernel))
			run(b, s, one)
			best := time.Hour // the average says more of other programs
			for b.Loop() {
				best = min(best, run(b, s, one).Duration)
			}
			b.ReportMetric(float64(best.Microseconds())/1000, "best-ms")
		})
	}
}
