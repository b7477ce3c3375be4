//go:build unix

package session

import (
	"os"
	"path/filepath"
	"testing"
)

// kernelOptions returns the options of a session in a kernel of the Python environment that
// GPUDOCS_TEST_VENV names.
func kernelOptions(t testing.TB, kernel string) Options {
	t.Helper()
	venv := os.Getenv("GPUDOCS_TEST_VENV")
	if venv == "" {
		t.Skip("GPUDOCS_TEST_VENV names no Python environment with jupyter_client")
	}
	executable(t, Python) // skips without Python
	o := options(t, Python)
	o.Interpreter, o.Path, o.Kernel = Jupyter, filepath.Join(venv, "bin", "python"), kernel
	return o
}

func TestIPythonKernel(t *testing.T) {
	t.Parallel()
	o := kernelOptions(t, "python3")
	s := start(t, o)
	for _, w := range []want{
		{code: "a = 20\nprint('hi')\na + 1", out: "hi\n21\n"},
		{code: "a += 1\nimport os; os.system('echo child'); os.write(1, b'raw\\n')", out: "child\nraw\n4\n"},
		{code: "def f():\n    return 1 / 0\n"},
		{code: "a\n\nf()", err: "ZeroDivisionError", exit: 1, line: 72, exception: "ZeroDivisionError: division by zero"},
		{code: "a\nx = (", err: "SyntaxError", exit: 1, line: 71, exception: "SyntaxError: incomplete input"},
		{code: "%%bash\necho $((a + 2))", out: "2\n"},
		{code: "import sys; print('e', file=sys.stderr); a", out: "21\n", err: "e\n"},
		{code: "input()", err: "StdinNotImplementedError", exit: 1, line: 70, exception: "StdinNotImplementedError: raw_input was called, but this frontend does not support input requests."},
		{code: "os._exit(7)", exit: 7, status: Crashed, ended: true},
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
	} {
		w.check(t, run(t, s, Step{Code: w.code}))
	}
}
