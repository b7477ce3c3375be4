//go:build unix

package session

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// failed is the exception of a command that fails.
func failed(command string) string {
	return "subprocess.CalledProcessError: Command '" + command + "' returned non-zero exit status 1."
}

// refused is a step with syntax that is not supported.
func refused(code, what, mend string) want {
	message := "SyntaxError: " + what + " does not run here; " + mend
	return want{code: code, err: message, exit: 1, line: 70, exception: message}
}

func TestNotebook(t *testing.T) {
	t.Parallel()
	testSessions(t, Python, []sessionTest{
		{"nothing of ours among the author's names", []want{
			{code: "!true\nsorted(k for k in globals() if not k.startswith('__'))", out: "[]\n"},
		}},
		{"folders and variables", []want{
			{code: "%matplotlib inline\n!mkdir -p 'a b'\n%cd a b\n%cd -q ..\n%cd -q -\nx = %pwd\nx.split('/')[-2:]", out: "WORK/a b\n['work', 'a b']\n"},
			{code: "%env GPU=0\n%env X 1 2\n%set_env Y={1 + 1}\n!echo $GPU $X $Y\nz = %env GPU\nz", out: "env: GPU=0\nenv: X=1 2\nenv: Y=2\n0 1 2 2\n'0'\n"},
			{code: "%env", err: "name a variable", exit: 1, line: 70, exception: "ValueError: %env without a name would publish the whole environment: name a variable"},
			{code: "%cd nowhere", err: "%cd nowhere", exit: 1, line: 70, exception: "FileNotFoundError: [Errno 2] No such file or directory: 'nowhere'"},
		}},
		{"cells", []want{
			{code: "%%bash\necho a\ncd /; pwd", out: "a\n/\n"},
			{code: "\n# comment\n", out: ""},
			{code: "%%bash\necho a\nfalse\necho b", out: "a\n", err: "CalledProcessError", exit: 1, line: 70, exception: failed("%%bash")},
			{code: "%%sh\nnope || true\n", err: page + ": 71: nope: not found"},
			{code: "%%bash\nnope || true\n", err: page + ": line 71: nope: command not found"},
			{code: "%%writefile a.txt\nx = '''\n  {y}\n", out: "Writing a.txt\n"},
			{code: "%%writefile -a a.txt\nz\n", out: "Appending to a.txt\n"},
			{code: "!cat a.txt\n", out: "x = '''\n  {y}\nz\n"},
			{code: "%%writefile a.txt\n", out: "Overwriting a.txt\n"},
		}},
		{"what means nothing here", []want{
			{code: "%load_ext autoreload\n%autoreload 2\n%matplotlib widget\n%config InlineBackend.figure_format = 'retina'\n%reload_ext tensorboard\n1", out: "1\n"},
		}},
	})
}

// TestNotebookBlocks: blocks that leave nothing behind but names.
func TestNotebookBlocks(t *testing.T) {
	testTogether(t, Python, []sessionTest{
		{"command", []want{
			{code: "print('a')\n!echo b\nprint('c', end='')\n!echo d >&2; echo e", out: "a\nb\nce\n", err: "d\n"},
			{code: "for x in 'ab':\n    !echo {x}\n    print('-')", out: "a\n-\nb\n-\n"},
			{code: "!echo one \\\n  two\nimport sys; sys._getframe().f_lineno", out: "one two\n72\n"},
			{code: "!cat", out: ""},
		}},
		{"a failing command ends its block", []want{
			{code: "x = 1\n!false\nx = 2", err: "line 71, in <module>\n    !false\nsubprocess.CalledProcessError", exit: 1, line: 71, exception: failed("false")},
			{code: "!false || true\nx", out: "1\n"},
			{code: "def f():\n    !false\n\nf()", err: "line 73, in <module>\n    f()\n", exit: 1, line: 71, exception: failed("false")},
			{code: "y = !echo why; false", err: "why\n", exit: 1, line: 70, exception: failed("echo why; false")},
		}},
		{"lines of a command", []want{
			{code: "x = !printf 'a\\nb\\n'; echo c >&2\nx", out: "['a', 'b', 'c']\n"},
			{code: "a, b = !echo 1; echo 2\nb", out: "'2'\n"},
			{code: "!!echo é", out: "['é']\n"},
			{code: "d = [0]\nd[0] = !echo v\nd", out: "[['v']]\n"},
		}},
		{"values in a command", []want{
			{code: "x, HOME2 = 'a b', 'h'\n!echo '{x}' \"$x\" $HOME2 {x.split()[1]} {1 + 1:03d}", out: "a b a b h b 002\n"},
			{code: "x = 5\n!echo '$x' [$$x] $x", out: "$x [] 5\n"},
			{code: "!echo 1 2 | awk '{print $2}'; x=3; echo ${x} {nope}", out: "2\n3 {nope}\n"},
			{code: "def f(y):\n    !echo {y}\nf(7)", out: "7\n"},
		}},
		{"not a magic", []want{
			{code: "x = '''\n!echo a\n%time\n'''\nx", out: "'\\n!echo a\\n%time\\n'\n"},
			{code: "x = (7\n% 4)\ny = 7 \\\n% 4\nx, y", out: "(3, 3)\n"},
			{code: "x = '''\n!echo a\n''' + \"it's\" # '''\n!echo b\nx", out: "b\n\"\\n!echo a\\nit's\"\n"},
			{code: "x = [1, # (\n  '\"[', r'\\'',\n]\n!echo {x[0]}", out: "1\n"},
			{code: "# ?\n'a?'\nassert 1 != 2", out: ""},
			{code: "x = 1\nx = = 2\n!echo a", err: "line 71\n    x = = 2\n", exit: 1, line: 71, exception: "SyntaxError: invalid syntax"},
			{code: "x ! y", err: "line 70", exit: 1, line: 70, exception: "SyntaxError: invalid syntax"},
			{mode: Single, code: "!echo a", err: "!echo a", exit: 1, line: 70, exception: "SyntaxError: invalid syntax"},
		}},
		{"captured", []want{
			{code: "%%capture c --no-stderr\nimport sys\nprint('a')\nprint('b', file=sys.stderr)\n5", err: "b\n"},
			{code: "c.stdout, str(c), c.stderr", out: "('a\\n5\\n', 'a\\n5\\n', '')\n"},
			{code: "c.show()", out: "a\n5\n"},
			{code: "%%capture\n\n1 / 0", err: "line 72", exit: 1, line: 72, exception: "ZeroDivisionError: division by zero"},
			{code: "%%capture -x\n1", err: "-x", exit: 1, line: 70, exception: "ValueError: %%capture knows --no-stdout, --no-stderr and --no-display, not -x"},
			{code: "print('seen')", out: "seen\n"},
		}},
		{"refused", []want{
			refused("%load_ext cudf.pandas", "the notebook magic %load_ext", "write import cudf.pandas; cudf.pandas.install()"),
			refused("%pylab inline", "the notebook magic %pylab", "write import numpy as np, matplotlib.pyplot as plt"),
			refused("%%js\nlet x", "the notebook magic %%js", "leave it out, pages run no scripts of results"),
			refused("%nope x", "the notebook magic %nope", "write it in plain Python, or take run off the block"),
			refused("%timit 5", "the notebook magic %timit", "did you mean %timeit?"),
			refused("%bash", "the notebook magic %bash", "write %%bash"),
			refused("%%cu\nint x;", "the notebook magic %%cu", "write %%writefile NAME.cu, and !nvcc NAME.cu in the next block"),
			refused("?print", "a notebook's help, ?print,", "write help(print)"),
			refused("x.y??", "a notebook's help, ?x.y,", "write help(x.y)"),
			refused("%pip install x", "the notebook magic %pip", "prepare an environment, and name it with env= on the block; !pip install changes this machine"),
			{code: "print(1)\nif True:\n  %nope", err: "line 72\n    %nope\n", exit: 1, line: 72, exception: "SyntaxError: the notebook magic %nope does not run here; write it in plain Python, or take run off the block"},
			{code: "x = 1\n%%time\nx", err: "line 71", exit: 1, line: 71, exception: "SyntaxError: %%time in the midst of a block does not run here; make it the first line of a block of its own"},
		}},
		{"failures inside timed code", []want{
			{code: "x = 0\n%time 1 / x", err: "line 71, in <module>\n    %time 1 / x\n", exit: 1, line: 71, exception: "ZeroDivisionError: division by zero"},
			{code: "%%time\n\n1 / x", err: "line 72, in <module>\n    1 / x\n", exit: 1, line: 72, exception: "ZeroDivisionError: division by zero"},
			{code: "%%timeit\ny = 1\n1 / x", err: "line 72, in inner\n    1 / x\n", exit: 1, line: 72, exception: "ZeroDivisionError: division by zero"},
			{code: "%timeit x = = 1", err: "line 70", exit: 1, line: 70, exception: "SyntaxError: invalid syntax"},
			{code: "%timeit -x 1", err: "-x", exit: 1, line: 70, exception: "ValueError: %timeit knows -n -r -q -o, not -x"},
		}},
	})
}

// The times are printed in IPython's form, as pages show them that were written with it.
func TestNotebookTimes(t *testing.T) {
	t.Parallel()
	const span = `\d+(\.\d+)?(e\+\d\d)? (ns|µs|ms|s)`
	times := `CPU times: user ` + span + `, sys: ` + span + `, total: ` + span + `\nWall time: ` + span + `\n`
	loops := func(runs, loops string) string {
		return span + ` ± ` + span + ` per loop \(mean ± std\. dev\. of ` + runs + `, ` + loops + ` each\)\n`
	}
	s := start(t, options(t, Python))
	for _, tt := range []struct{ code, want string }{
		{"%time 6 * 7", times + "42\n"},
		{"%time 6 * 7;", times},
		{"%time x = 6\nx", times + "6\n"},
		{"y = %time x + 1\ny", times + "7\n"},
		{"%%time\nz = 8\n!echo b\nprint('a')\nz", "b\na\n" + times + "8\n"},
		{"%timeit -n 10 -r 2 sum([x])", loops("2 runs", "10 loops")},
		{"%timeit -n1 -r1 x = 5; x\nx", loops("1 run", "1 loop") + "6\n"},
		{"%%timeit -n 1000 -r 3 w = 4\nv = w\nv", loops("3 runs", "1,000 loops")},
		{"import time\n%timeit -r 2 time.sleep(0.02)", loops("2 runs", "10 loops")},
		{"r = %timeit -q -o -n 2 -r 2 x\nr.loops, r.repeat, r.best <= r.average <= r.worst", `\(2, 2, True\)` + "\n"},
		{"def f(n):\n    %timeit -n 1 -r 1 n\nf(1)", loops("1 run", "1 loop")},
	} {
		r := run(t, s, Step{Code: tt.code})
		// A short delay of the machine may add a warning before the line.
		out := regexp.MustCompile(`(?m)^The slowest run .*\n`).ReplaceAllString(string(r.Stdout.Text), "")
		if !regexp.MustCompile("^"+tt.want+"$").MatchString(out) || len(r.Stderr.Text) > 0 {
			t.Errorf("%q printed %q, %q; want %q", tt.code, out, r.Stderr.Text, tt.want)
		}
	}
}

// No line of Python's own library is taken for a magic, and no line is lost.
func TestNotebookLeavesPythonAlone(t *testing.T) {
	t.Parallel()
	driver, err := filepath.Abs("driver/notebook.py")
	if err != nil {
		t.Fatal(err)
	}
	const script = `
import glob, os, sys
names = {"__name__": "test"}
exec(compile(open(sys.argv[1], encoding="utf-8").read(), "notebook.py", "exec"), names)
for file in sorted(glob.glob(os.path.dirname(os.__file__) + "/*.py")):
    text = open(file, encoding="utf-8", errors="replace").read()
    if names["translate"](text, file) != (text, {}):
        print("taken:", file)
    # With a magic behind it, all else stays.
    if names["translate"](text + "\n!echo\n", file)[0] != text + "\n__gpudocs__.system('echo')\n":
        print("not found:", file)
print(len(text) > 0)
`
	cmd := exec.Command(executable(t, Python), "-c", script, driver)
	cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8")
	out, err := cmd.CombinedOutput()
	if err != nil || strings.TrimSpace(string(out)) != "True" {
		t.Errorf("%v\n%s", err, out)
	}
}
