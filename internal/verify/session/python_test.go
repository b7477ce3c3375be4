//go:build unix

package session

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

func TestPython(t *testing.T) {
	testSessions(t, Python, []sessionTest{
		{"state persists", []want{
			{code: "import os\nx = 1\ndef f(): return x"},
			{code: "x += 1\nprint(f(), os.path.basename(os.getcwd()))", out: "2 work\n"},
		}},
		{"author's excepthook", []want{
			{code: "import sys\nsys.excepthook = lambda t, e, tb: print('hook', e, tb.tb_lineno, file=sys.stderr)"},
			{code: "1/0", err: "hook division by zero 70\n", exit: 1, line: 70, exception: "ZeroDivisionError: division by zero"},
		}},
		{"files named like what a traceback needs", []want{
			{code: "for name in 'linecache', 're', 'textwrap', 'token', 'tokenize', 'traceback':\n    with open(name + '.py', 'w') as f:\n        f.write('mine = 1')"},
			{code: "1/0", err: "line 70, in <module>\n    1/0\n", exit: 1, line: 70, exception: "ZeroDivisionError: division by zero"},
			{code: "import sys\nsys.path[0]", out: "''\n"},
		}},
		{"no module traceback", []want{
			{code: "import sys\nsys.modules['traceback'] = None"},
			{code: "1/0", err: "line 70, in <module>", exit: 1, line: 70, exception: "ZeroDivisionError: division by zero"},
		}},
		{"nothing can be imported", []want{
			{code: "import sys\nsys.path.clear(); sys.meta_path.clear()"},
			{code: "class E(Exception): pass\nraise E('é')", err: "line 71, in <module>", exit: 1, line: 71, exception: "E: é"},
			{code: "1", out: "1\n"},
		}},
		{"little recursion", []want{
			{code: "import sys\nsys.setrecursionlimit(40)"},
			{code: "1/0", err: "    1/0\n", exit: 1, line: 70, exception: "ZeroDivisionError: division by zero"},
			{code: "sys.getrecursionlimit()", out: "40\n"},
		}},
		{"traceback in the author's hands", []want{
			{code: "import traceback\ndef f():\n    traceback.print_stack()"}, {code: "\n\n\n\nf()", err: "line 74, in <module>\n    f()\n"},
		}},
		{"author's broken excepthook and stderr", []want{
			{code: "import sys\nsys.excepthook = None"},
			{code: "1/0", err: "line 70, in <module>", exit: 1, line: 70, exception: "ZeroDivisionError: division by zero"},
			{code: "sys.excepthook = sys.__excepthook__\nsys.stderr = 1"},
			{code: "1/0", err: "line 70, in <module>", exit: 1, line: 70, exception: "ZeroDivisionError: division by zero"},
		}},
		{"pycon", []want{
			{mode: Single, code: "import math"}, {mode: Single, code: "math.floor(2.5)", out: "2\n"},
			{mode: Single, code: "for i in range(2):\n    i", out: "0\n1\n"}, {mode: Single, code: "None"},
			{mode: Single, code: "_; _ + 1", out: "1\n2\n"}, {mode: Single, code: "# nothing"},
			{mode: Single, code: "1/0", err: "line 70, in <module>", exit: 1, line: 70, exception: "ZeroDivisionError: division by zero"},
			{mode: Single, code: "def f():\n    return 'é'\n"}, {mode: Single, code: "f()", out: "'é'\n"},
		}},
		{"future imports persist", []want{
			{code: "def f(a: nope): pass", err: "NameError", exit: 1, line: 70, exception: "NameError: name 'nope' is not defined"},
			{code: "from __future__ import annotations"},
			{code: "def f(a: nope): pass\nf.__annotations__", out: "{'a': 'nope'}\n"},
			{mode: Single, code: "def g(a: nope): pass"},
		}},
		{"__main__ is the author's", []want{
			{code: "sorted(k for k in globals() if not k.startswith('__'))", out: "[]\n"},
			{code: "import sys\n__name__, sys.argv, sys.path[0], sys.modules['__main__'].__dict__ is globals()", out: "('__main__', [''], '', True)\n"},
			{code: "import pickle, dataclasses\n@dataclasses.dataclass\nclass P:\n    x: int"},
			{code: "pickle.loads(pickle.dumps(P(1)))", out: "P(x=1)\n"},
			{code: "def f():\n    return 1"},
			{code: "\n\nimport inspect\ninspect.getsource(f)", out: "'def f():\\n    return 1\\n'\n"},
		}},
		{"closed streams", []want{
			{code: "import sys, os\nsys.stdout.close(); sys.stderr.close()"}, {code: "print('a'); print('b', file=sys.stderr)", out: "a\n", err: "b\n"},
			{code: "os.close(1); os.close(2)"}, {code: "print('c'); print('d', file=sys.stderr)", out: "c\n", err: "d\n"},
			{code: "sys.stdout = None"}, {code: "print('e')", out: "e\n"},
		}},
		{"fork that falls off the end", []want{
			{code: "import os\nprint('a')\npid = os.fork()\nif pid: os.waitpid(pid, 0);", out: "a\n"},
			{code: "print('b')", out: "b\n"},
		}},
		{"os._exit", []want{{code: "import os\nprint('a', end='')\nos._exit(0)", out: "a", status: Crashed, ended: true}}},
		{"kill -9", []want{{code: "import os\nprint('a')\nos.kill(os.getpid(), 9)", out: "a\n", exit: 137, status: Crashed, signal: "SIGKILL", ended: true}}},
		{"segmentation fault", []want{{code: "import ctypes\nctypes.string_at(0)", exit: 139, status: Crashed, signal: "SIGSEGV", ended: true}}},
	})
}

// TestPythonBlocks: blocks that leave nothing behind but names.
func TestPythonBlocks(t *testing.T) {
	testTogether(t, Python, []sessionTest{
		{"exception", []want{
			{code: "print('a')\ntoruch.cuda", out: "a\n", err: "Traceback (most recent call last):\n  File \"" + page + "\", line 71, in <module>\n    toruch.cuda\n",
				exit: 1, line: 71, exception: "NameError: name 'toruch' is not defined"},
			{code: "print('goes on')", out: "goes on\n"},
		}},
		{"exception in an earlier block's function", []want{
			{code: "def f():\n    return 1 / 0"},
			{code: "\n\n\n\n\nf()", err: "line 75, in <module>\n    f()\n", exit: 1, line: 71, exception: "ZeroDivisionError: division by zero"},
			{code: "\n\n\n\n\nf()", err: "line 71, in f\n    return 1 / 0\n", exit: 1, line: 71, exception: "ZeroDivisionError: division by zero"},
		}},
		{"exception inside a library", []want{
			{code: "import json\n\njson.loads('[')", err: "JSONDecodeError", exit: 1, line: 72,
				exception: "json.decoder.JSONDecodeError: Expecting value: line 1 column 2 (char 1)"},
		}},
		{"chained exceptions", []want{
			{code: "try:\n    1/0\nexcept Exception as e:\n    raise ValueError('x') from e", err: "direct cause", exit: 1, line: 73, exception: "ValueError: x"},
		}},
		{"KeyboardInterrupt", []want{{code: "raise KeyboardInterrupt", err: "KeyboardInterrupt\n", exit: 1, line: 70, exception: "KeyboardInterrupt"}}},
		{"an exception of any text", []want{
			{code: "raise ValueError('\"\\\\ é \\t\U0001f980 \\udcff')", err: "ValueError", exit: 1, line: 70, exception: "ValueError: \"\\ é \t\U0001f980 \ufffd"},
		}},
		{"syntax error", []want{
			{code: "x = 1\nx = = 2", err: "File \"" + page + "\", line 71\n    x = = 2\n", exit: 1, line: 71, exception: "SyntaxError: invalid syntax"},
			{code: "x", err: "NameError", exit: 1, line: 70, exception: "NameError: name 'x' is not defined"},
		}},
		{"not UTF-8", []want{{code: "x = '\xe9'", err: "SyntaxError", exit: 1, line: 70,
			exception: "SyntaxError: (unicode error) 'utf-8' codec can't decode byte 0xe9 in position 0: unexpected end of data"}}},
		{"SystemExit", []want{
			{code: "raise SystemExit"}, {code: "import sys; sys.exit(3)", exit: 3, line: 70},
			{code: "sys.exit(-1)", exit: 255, line: 70}, {code: "sys.exit('no GPU')", err: "no GPU\n", exit: 1, line: 70},
		}},
		{"last expression", []want{
			{code: "x = 20\nx + 1", out: "21\n"}, {code: "_ + 1", out: "22\n"},
			{code: "None"}, {code: "x;"}, {code: "(x +\n 1); # quiet"}, {code: "'a;'", out: "'a;'\n"},
			{code: "x # ;", out: "20\n"}, {code: "x; x + 1", out: "21\n"}, {code: "if x: x"}, {code: "x\ny = 1"},
			{code: "print('a', end='')", out: "a"},
		}},
		{"output below sys.stdout", []want{
			{code: "import os, subprocess\nprint('a')\nos.write(1, b'b\\n')\nprint('c', end='')\nsubprocess.run(['sh', '-c', 'echo d; echo e >&2'])\nprint('f');",
				out: "a\nb\ncd\nf\n", err: "e\n"},
			{code: "import ctypes\nlibc = ctypes.CDLL(None)\nprint('a')\nlibc.printf(b'b\\n')\nprint('c')\nlibc.printf(b'd');", out: "a\nb\nc\nd"},
			{code: "print('next')", out: "next\n"},
		}},
		{"bytes that are not UTF-8", []want{{code: "import sys\nsys.stdout.buffer.write(b'a\\xff\\x00b\\xc3');", out: "a\xff\x00b\xc3"}}},
		{"stdin is empty", []want{{code: "input()", err: "EOFError", exit: 1, line: 70, exception: "EOFError: EOF when reading a line"}}},
		{"CRLF", []want{{code: "x = '''a\r\nb'''\r\nif x:\r\n    x\r\nx", out: "'a\\nb'\n"}}},
		{"descriptors of ours are closed in children", []want{
			{code: "import subprocess\nsubprocess.run(['sh', '-c', '[ -e /dev/fd/2 ] && ! [ -e /dev/fd/3 ] && ! [ -e /dev/fd/200 ] && echo closed'], close_fds=False);", out: "closed\n"},
		}},
		{"empty", []want{{code: ""}, {code: "# only a comment"}}},
	})
}

// TestPythonImportsLittle: every session pays for what the driver imports.
func TestPythonImportsLittle(t *testing.T) {
	t.Parallel()
	o := options(t, Python)
	const list = "import sys\nprint(*sys.modules)"
	plain := exec.Command(o.Path, "-u", "-c", list)
	plain.Env = o.Env
	out, err := plain.Output()
	if err != nil {
		t.Fatal(err)
	}
	usual := append(strings.Fields(string(out)), "__future__", "_ast", "itertools")
	s := start(t, o)
	for _, name := range strings.Fields(string(run(t, s, Step{Code: list}).Stdout.Text)) {
		if !slices.Contains(usual, name) {
			t.Errorf("the driver imports %s", name)
		}
	}
}

func TestPythonLongException(t *testing.T) {
	t.Parallel()
	s := start(t, options(t, Python))
	r := run(t, s, Step{Code: "raise ValueError('é' * 100000)"})
	if r.Status != Finished || !strings.HasPrefix(r.Exception, "ValueError: éé") || len(r.Exception) > 10000 {
		t.Errorf("got %v, exception %.30q of %d bytes", r.Status, r.Exception, len(r.Exception))
	}
}
