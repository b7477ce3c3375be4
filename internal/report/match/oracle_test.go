package match

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/test/programtest"
)

// askPython has Python answer questions: each question and each answer is a line of JSON. The program
// defines answer(question).
func askPython[Q, A any](t *testing.T, program string, questions []Q) []A {
	t.Helper()
	programtest.Need(t, "python3") // to compare with
	const loop = `
import json, sys
for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))))
`
	cmd := exec.Command("python3", "-c", program+loop)
	cmd.Env = append(os.Environ(), "PYTHONUTF8=1")
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	written := make(chan error, 1)
	go func() {
		w := bufio.NewWriter(in)
		e := json.NewEncoder(w)
		var err error
		for _, q := range questions {
			err = errors.Join(err, e.Encode(q))
		}
		written <- errors.Join(err, w.Flush(), in.Close())
	}()
	var answers []A
	for d := json.NewDecoder(out); ; {
		var a A
		if err := d.Decode(&a); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		answers = append(answers, a)
	}
	if err := errors.Join(<-written, cmd.Wait()); err != nil || len(answers) != len(questions) {
		t.Fatalf("%d answers to %d questions: %v", len(answers), len(questions), err)
	}
	return answers
}

type outputCase struct {
	Want, Got string
	Flags     []string
}

// nasty are the parts of random cases.
var nasty = []string{
	"...", "...", "....", "..", "<BLANKLINE>", "<BLANKLINE>\n", "<BLANKLINE> ", " ", "  ", "\n", "\n", "\n\n", "\t", "\r", "\v", "\f", "\x1c", "\x1f", "\x00", "\x7f",
	"True", "False", "1", "0", "True\n", "1\n", "False\n", "0\n", "a", "b", "ab", "aa", "é", "\\xe9", "\u00a0", "\u0085", "\u2028", "😀", "\\U0001f600", "\\u2028", "€", "<", ">", ".",
}

// random returns a random case: two texts that often have much in common.
func random(r *rand.Rand, names []string) outputCase {
	text := func() (parts []string) {
		for range r.IntN(8) {
			parts = append(parts, nasty[r.IntN(len(nasty))])
		}
		return parts
	}
	var c outputCase
	want := text()
	got := slices.Clone(want)
	if r.IntN(4) == 0 {
		got = text()
	}
	wild := r.IntN(3) == 0
	for i, part := range got {
		switch {
		case wild && r.IntN(3) == 0:
			got[i] = nasty[r.IntN(len(nasty))]
		case r.IntN(4) == 0:
		case strings.HasPrefix(part, "..."):
			got[i] = strings.Join(text(), "")
		case strings.HasPrefix(part, "<B"):
			got[i] = strings.Repeat(" ", r.IntN(3)) + strings.TrimPrefix(part, "<BLANKLINE>")
		case strings.TrimSpace(part) == "" && r.IntN(2) == 0:
			got[i] = strings.Repeat(part, r.IntN(3))
		}
	}
	c.Want, c.Got = strings.Join(want, ""), strings.Join(got, "")
	if r.IntN(2) == 0 {
		c.Want, c.Got = c.Want+"\n", c.Got+"\n"
	}
	for _, name := range names {
		if r.IntN(2) == 0 {
			c.Flags = append(c.Flags, name)
		}
	}
	return c
}

// TestDoctestAgainstPython compares verdicts with Python's own on random cases.
func TestDoctestAgainstPython(t *testing.T) {
	const cases = 40_000
	var names []string
	for _, name := range flagList() {
		if name != "NUMBER" { // pytest's only
			names = append(names, name)
		}
	}
	r := rand.New(rand.NewPCG(5, 6))
	list := make([]outputCase, cases)
	for i := range list {
		list[i] = random(r, names)
	}
	answers := askPython[outputCase, bool](t, `
import doctest
check = doctest.OutputChecker().check_output
def answer(case):
    flags = 0
    for name in case["Flags"] or []:
        flags |= doctest.OPTIONFLAGS_BY_NAME[name]
    return check(case["Want"], case["Got"], flags)
`, list)
	accepted := map[bool]int{}
	for i, c := range list {
		var flags Flags
		for _, name := range c.Flags {
			flags |= flagNames[name]
		}
		if got := Doctest(c.Want, c.Got, flags); got != answers[i] {
			t.Errorf("want %q, got %q, %v: got %v, Python %v", c.Want, c.Got, c.Flags, got, answers[i])
		}
		accepted[answers[i] && c.Want != c.Got]++
	}
	if accepted[true] < cases/20 {
		t.Errorf("only %d cases are accepted without being equal, too few for a test", accepted[true])
	}
	t.Logf("%d cases, %d accepted without being equal", cases, accepted[true])
}

type exampleAnswer struct {
	Source, Want string
	Message      *string
	Line         int
	Options      map[string]bool
}

// sessions are Python sessions in the forms that authors write.
var sessions = []string{
	">>> 1\n1\n",
	"text\n>>> 1\n1\n\ntext\n>>> 2\n2",
	"  >>> x = 1\n  >>> x\n  1\n",
	"  >>> x\n  1\n      2\n\n>>> y\n",
	">>> for i in range(2):\n...     print(i)\n...\n0\n1\n",
	">>>\n>>> # a comment\n>>> 1 # doctest: +SKIP\n>>> f(\n... # doctest: -ELLIPSIS, +NORMALIZE_WHITESPACE\n... )\nx",
	">>> print('# doctest: +SKIP')\n# doctest: +SKIP\n",
	">>> #doctest:+SKIP -NORMALIZE_WHITESPACE\n... 1\n",
	">>> 1/0\nTraceback (most recent call last):\n  File \"x\", line 1\n    1/0\nZeroDivisionError: division by zero\n",
	">>> 1/0\nTraceback (innermost last):   \n    ...\nE: two\nlines\n>>> 2\n",
	">>> 1/0\nTraceback (most recent call last):\nE\n",
	">>> 1/0\nTraceback (most recent call last): x\nE\n",
	">>> 1/0\nx\nTraceback (most recent call last):\nE\n",
	">>> 1/0\nTraceback (most recent call last):\n  é\né.Fehler: ä\n  b",
	">>> 1/0\nTraceback (most recent call last):\n  File\n\nE: x\n",
	">>> x\n<BLANKLINE>\na\n   \nno\n",
	">>> x\na >>> b\n>>>> y\n",
	">>> x  \n  a  \n b\n",
	"... x\n>>> y\n",
}

var broken = []string{">>>1\n", ">>> 1\n...2\n", "  >>> 1\n x\n", "  >>> 1\n... x\n", ">>> 1 # doctest: +NOPE\n", ">>> 1 # doctest: SKIP\n", ">>> # doctest: +SKIP\n", ">>> x\n...\n....\n"}

// TestExamplesAgainstPython compares the parser of sessions with doctest's.
func TestExamplesAgainstPython(t *testing.T) {
	list := slices.Concat(sessions, broken)
	answers := askPython[string, []exampleAnswer](t, `
import doctest
names = {v: k for k, v in doctest.OPTIONFLAGS_BY_NAME.items()}
def answer(text):
    try:
        return [dict(Source=e.source, Want=e.want, Message=e.exc_msg, Line=e.lineno,
                     Options={names[k]: v for k, v in e.options.items()})
                for e in doctest.DocTestParser().get_examples(text)]
    except ValueError:
        return None
`, list)
	for i, text := range list {
		examples, faults := Examples(text)
		if (answers[i] == nil) != (len(faults) > 0) {
			t.Errorf("%q: faults %+v, and Python reads %+v", text, faults, answers[i])
			continue
		}
		examples = slices.DeleteFunc(examples, func(e Example) bool { return e.Blank })
		if answers[i] == nil {
			continue
		}
		if len(examples) != len(answers[i]) {
			t.Errorf("%q: %+v, and Python reads %+v", text, examples, answers[i])
			continue
		}
		for k, e := range examples {
			a := answers[i][k]
			message := ""
			if a.Message != nil {
				message = *a.Message
			}
			flags := DefaultFlags
			for name, on := range a.Options {
				flags &^= flagNames[name]
				if on {
					flags |= flagNames[name]
				}
			}
			if e.Code != a.Source || e.Want != a.Want || e.Exception != message || e.Line != a.Line || e.Flags != flags {
				t.Errorf("%q: %+v, and Python reads %+v, %q", text, e, a, message)
			}
		}
	}
}

// raising are examples with exceptions; each is run by Python's DocTestRunner.
var raising = []struct{ code, want string }{
	{"1/0", "Traceback (most recent call last):\n    ...\nZeroDivisionError: division by zero\n"},
	{"1/0", "Traceback (innermost last):\n  whatever\nZeroDivisionError: division by zero\n"},
	{"1/0", "Traceback (most recent call last):\nZeroDivisionError: ...\n"},
	{"1/0", "Traceback (most recent call last):\nZeroDivisionError\n"},
	{"1/0", "ZeroDivisionError: division by zero\n"},
	{"1/0", ""},
	{"1/0 # doctest: -ELLIPSIS", "Traceback (most recent call last):\nZeroDivisionError: ...\n"},
	{"1/0 # doctest: +IGNORE_EXCEPTION_DETAIL", "Traceback (most recent call last):\nZeroDivisionError: other\n"},
	{"1/0 # doctest: +IGNORE_EXCEPTION_DETAIL", "Traceback (most recent call last):\nsome.module.ZeroDivisionError\n"},
	{"1/0 # doctest: +IGNORE_EXCEPTION_DETAIL", "Traceback (most recent call last):\nValueError: division by zero\n"},
	{"raise ValueError('a\\nb\\n  c')", "Traceback (most recent call last):\n    ...\nValueError: a\nb\n  c\n"},
	{"raise ValueError('a\\nb')", "Traceback (most recent call last):\n    ...\nValueError: a\n"},
	{"raise ValueError('a\\nb') # doctest: +IGNORE_EXCEPTION_DETAIL", "Traceback (most recent call last):\n    ...\nValueError: x\n"},
	{"raise ValueError('a   b') # doctest: +NORMALIZE_WHITESPACE", "Traceback (most recent call last):\nValueError: a b\n"},
	{"raise ValueError", "Traceback (most recent call last):\nValueError\n"},
	{"raise ValueError('é')", "Traceback (most recent call last):\nValueError: \\xe9\n"},
	{"import decimal; raise decimal.Overflow('x')", "Traceback (most recent call last):\ndecimal.Overflow: x\n"},
	{"import decimal; raise decimal.Overflow('x')", "Traceback (most recent call last):\nOverflow: x\n"},
	{"import decimal; raise decimal.Overflow('x') # doctest: +IGNORE_EXCEPTION_DETAIL", "Traceback (most recent call last):\nOverflow: y\n"},
	{"x = = 1", "Traceback (most recent call last):\n  File \"<stdin>\", line 1\n    x = = 1\n        ^\nSyntaxError: invalid syntax\n"},
	{"print('printed'); 1/0", "Traceback (most recent call last):\nZeroDivisionError: division by zero\n"},
	{"1/0", "Traceback (most recent call last): \n  File \"x\"\n\tin f\n...\n*\nZeroDivisionError: division by zero\n"},
	{"1", "Traceback (most recent call last):\nZeroDivisionError: division by zero\n"},
}

type raisedAnswer struct {
	Passed    bool
	Exception *string
	Output    string
}

// TestExceptionsAgainstPython compares the verdicts on exceptions with those of Python's
// DocTestRunner, with the exception's text from Python.
func TestExceptionsAgainstPython(t *testing.T) {
	var list []string
	for _, c := range raising {
		list = append(list, ">>> "+c.code+"\n"+c.want)
	}
	answers := askPython[string, raisedAnswer](t, `
import doctest, traceback
class Runner(doctest.DocTestRunner):
    text, output = None, ""
    def report_start(self, out, test, example): pass
    def report_success(self, out, test, example, got): self.output = got
    def report_failure(self, out, test, example, got): self.output = got
    def report_unexpected_exception(self, out, test, example, exc): pass
def answer(text):
    test = doctest.DocTestParser().get_doctest(text, {}, "t", None, 0)
    runner = Runner(verbose=False, optionflags=doctest.ELLIPSIS)
    failed, _ = runner.run(test, clear_globs=False)
    exception, output = None, runner.output
    try:
        import contextlib, io
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(test.examples[0].source, "<t>", "single"), {})
    except Exception as e:
        lines = traceback.format_exception_only(type(e), e)
        if isinstance(e, SyntaxError):
            lines = [l for l in lines if l.startswith("SyntaxError")]
        exception, output = "".join(lines).rstrip("\n"), ""
    return dict(Passed=failed == 0, Exception=exception, Output=output)
`, list)
	passed := 0
	for i, text := range list {
		examples, faults := Examples(text)
		if len(faults) > 0 || len(examples) != 1 {
			t.Errorf("%q: %+v", text, faults)
			continue
		}
		e, a := examples[0], answers[i]
		var got bool
		if a.Exception != nil {
			got = e.Raised(*a.Exception)
		} else {
			got = e.Judge(a.Output).Same
		}
		if got != a.Passed {
			t.Errorf("%q raises %v: got passed %v, Python %v", text, a.Exception, got, a.Passed)
		}
		if a.Passed {
			passed++
		}
	}
	if passed < len(list)/3 {
		t.Errorf("only %d of %d pass, too few for a test", passed, len(list))
	}
}

func TestJudge(t *testing.T) {
	for _, c := range []struct{ session, got, diff, captures string }{
		{">>> x\n1\n", "1\n", " 1", "[]"},
		{">>> x\n1\n", "True\n", " True", "[]"},
		{">>> x\na...z\n", "a\nb\nz\n", " a| b| z", "[]"},
		{">>> x\na...z\n", "a b z\n", " a« b »z", "[]"},
		{">>> x # doctest: -ELLIPSIS\na...z\n", "a b z\n", "-a...z|+a b z", "[]"},
		{">>> x\na\n...\nz\n", "a\nb\nz\n", " a| «b»| z", "[]"},
		{">>> x\na\n<BLANKLINE>\nz\n", "a\n\nz\n", " a| | z", "[]"},
		{">>> x\na\n", "a\n\n", "-a|+a|+<BLANKLINE>", "[]"},
		{">>> x\na\n", "a  \n", " a", "[]"},
		{">>> x\na b\n", "a  b\n", "-a b|+a  b", "[]"},
		{">>> x # doctest: +NORMALIZE_WHITESPACE\na b\nc\n", "a  b c\n", " a  b c", "[]"},
		{">>> x\n[...]\nbw <bw:number GB/s>\n", "a\nbw 5.5 GB/s\n", " «a»| bw «5.5» GB/s", "[{bw 5.5 GB/s}]"},
		{">>> x\n\\d+ (re)\n", "55\n", " «55»", "[]"},
		{">>> x\na* (glob)\n", "ab\n", " a«b»", "[]"},
		{">>> x\n<a:int>\n", "x\n", "-<a:int>|+x", "[]"},
		{">>> x # doctest: +NUMBER\n3.14 a\n", "3.1415 a\n", " «3.1415» a", "[]"},
		{">>> x # doctest: +NUMBER\n3.0\n", "3\n", "-3.0|+3", "[]"},
		{">>> x\n3.14\n", "3.1415\n", "-3.14|+3.1415", "[]"},
	} {
		examples, faults := Examples(c.session)
		if len(faults) > 0 {
			t.Fatal(c.session, faults)
		}
		r := examples[0].Judge(c.got)
		if got := show(r.Diff); got != c.diff || r.Same == strings.ContainsAny(c.diff, "-+") {
			t.Errorf("%q, %q: %v %s, want %s", c.session, c.got, r.Same, got, c.diff)
		}
		if got := captured(r.Captures); got != c.captures {
			t.Errorf("%q, %q: %s, want %s", c.session, c.got, got, c.captures)
		}
	}
	e, _ := Examples(">>> x\nTraceback (most recent call last):\nE: [0-9]+ (re)\n")
	if !e[0].Raised("E: 55") || e[0].Raised("E: x") {
		t.Error("a matcher in an exception is accepted")
	}
}

// TestCapturesOfASession: the examples of a session together capture at most as many values as
// one expectation may.
func TestCapturesOfASession(t *testing.T) {
	var session strings.Builder
	for i := range report.MaxCaptures {
		fmt.Fprintf(&session, ">>> x\n<v%d:int>\n", i)
	}
	if _, faults := Examples(session.String()); len(faults) > 0 {
		t.Errorf("%d values: %+v", report.MaxCaptures, faults)
	}
	session.WriteString(">>> x\n<last:int>\n")
	_, faults := Examples(session.String())
	if len(faults) != 1 || faults[0].Line != 2*report.MaxCaptures || !strings.Contains(faults[0].Message.String(), "captures at most 64 values") {
		t.Errorf("%d values: %+v", report.MaxCaptures+1, faults)
	}
}

// TestNumberFlag has the cases of pytest's documentation and tests.
func TestNumberFlag(t *testing.T) {
	for _, c := range []struct {
		want, got string
		same      bool
	}{
		{"3.0", "3.0", true}, {"3e0", "3.0", true}, {"3.0", "3.1", false}, {"3.0", "3.09", true}, {"3.", "3.9", true}, {"3", "3.0", false}, {"3", "3", true}, {"3", "4", false},
		{"3.14", "3.141592653589793", true}, {"3.14", "3.12", false}, {"3.1416", "3.141592653589793", true}, {"1e5", "1.00001e5", true}, {"1.0e5", "1.1e5", true},
		{"314159", "314159.4", false}, {"1e3", "2e3", true}, {"1e3", "3e3", false}, {"[1.5, 2.5]", "[1.49, 2.51]", true}, {"1.5 2.5", "1.49", false}, {"-1.5", "+1.5", false},
		{"1...", "1.23", false},
	} {
		if got := Doctest(c.want+"\n", c.got+"\n", Number); got != c.same {
			t.Errorf("%q, %q: %v", c.want, c.got, got)
		}
	}
}

func FuzzExamples(f *testing.F) {
	for _, s := range slices.Concat(sessions, broken) {
		f.Add(s, "1\n")
	}
	f.Fuzz(func(t *testing.T, text, got string) {
		examples, faults := Examples(text)
		all := strings.Split(text, "\n")
		for _, fault := range faults {
			if fault.Line >= len(all) || fault.From < 0 || fault.To <= fault.From || fault.To > len(all[fault.Line])+1 {
				t.Errorf("%q: %+v", text, fault)
			}
		}
		for _, e := range examples {
			if e.Judge(e.Want).Same != true && e.Flags&Ellipsis != 0 {
				t.Errorf("%q does not match itself, in %q", e.Want, text)
			}
			e.Judge(got)
			e.Raised(got)
		}
	})
}
