package judge

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/ask"
	"github.com/gpudocs/gpudocs/internal/report/match"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/recipe"
	"github.com/gpudocs/gpudocs/internal/verify/session"
)

func stream(text string) *report.Stream {
	if text == "" {
		return nil
	}
	return &report.Stream{Text: text}
}

// expect returns an expectation at line 40 of a page.
func expect(t *testing.T, text, when string) *site.Expect {
	t.Helper()
	e := &site.Expect{File: "a.md", Line: 40, Text: text}
	e.Parsed, _ = match.Parse(text, e.Tolerance)
	if when != "" {
		var err error
		if e.When, err = ask.Parse(when); err != nil {
			t.Fatal(err)
		}
	}
	return e
}

// shown is what a check says: its outcome, why, where, and what it keeps.
func shown(c *report.Check) string {
	s := string(c.Outcome)
	if r := c.Reason; r != nil {
		s += " " + r.Error()
		if r.Place != nil {
			s += fmt.Sprintf(" :%d", r.Place.Line)
		}
	}
	if c.Exit != nil {
		s += fmt.Sprint(" exit=", *c.Exit)
	}
	if out := c.Stdout.String() + c.Stderr.String(); out != "" {
		s += " printed=" + strings.ReplaceAll(out, "\n", "|")
	}
	if b := c.Build; b != nil {
		s += fmt.Sprintf(" build=%s %s %g %s%s", b.Outcome, b.Tool, b.DurationMS, b.Stdout, b.Stderr)
	}
	for _, d := range c.Diff {
		s += " " + d.Op + d.Text
	}
	for _, v := range c.Captures {
		s += " " + v.Name + "=" + v.Value
	}
	for _, task := range c.Tasks {
		s += fmt.Sprintf(" %d=%s", task.Index, task.Outcome)
	}
	return s
}

// TestBlock: a check follows from what its block did.
func TestBlock(t *testing.T) {
	t.Parallel()
	limit := &report.Limit{What: report.LimitMemory, Amount: 5}
	end := func(e session.End) Output { return Output{Step: Step{End: e, Stdout: stream("a\n")}} }
	two := expect(t, "a\n", "gpus == 0")
	other := expect(t, "b\n", "gpus == 0")
	exit3 := 3
	needs3 := expect(t, "a\n", "")
	needs3.Exit = &exit3
	of := func(kind site.Kind, exit int, expects ...*site.Expect) *site.Block {
		return &site.Block{Kind: kind, Exit: exit, Expects: expects, CodeFile: "a.md", CodeLine: 10, Session: &site.Session{}}
	}
	for _, tt := range []struct {
		name  string
		block *site.Block
		out   Output
		want  string
	}{
		{"nothing is expected", of(site.Bash, 0), end(session.End{}), "passed exit=0 printed=a|"},
		{"what is expected", of(site.Bash, 0, expect(t, "a\n", "")), end(session.End{}), "passed exit=0 printed=a|"},
		{"a value", of(site.Bash, 0, expect(t, "<v:word>\n", "")), end(session.End{}), "passed exit=0 printed=a| v=a"},
		{"something else", of(site.Bash, 0, expect(t, "b\n", "")), end(session.End{}), "failed output-differs :40 exit=0 printed=a| -b +a"},
		{"two expectations", of(site.Bash, 0, two, other), end(session.End{}), "error expectations :39 exit=0 printed=a|"},
		{"two expectations of a block that fails", of(site.Bash, 0, two, other), end(session.End{Exit: 2, FailLine: 11}), "failed exit-code: 2 :11 exit=2 printed=a|"},
		{"an exit code", of(site.Bash, 0), end(session.End{Exit: 2, FailLine: 11}), "failed exit-code: 2 :11 exit=2 printed=a|"},
		{"the expected exit code", of(site.Bash, 2), end(session.End{Exit: 2, FailLine: 11}), "passed exit=2 printed=a|"},
		{"the exit code of the expectation", of(site.Bash, 2, needs3), end(session.End{Exit: 3}), "passed exit=3 printed=a|"},
		{"an exit code that is not the expected one", of(site.Bash, 2), end(session.End{}), "failed exit-code: 0: expected 2 exit=0 printed=a|"},
		{"an exception", of(site.Python, 0), end(session.End{Exit: 1, Exception: "E: no", FailLine: 12}), "failed exception: E: no :12 exit=1 printed=a|"},
		{"a long exception", of(site.Python, 0), end(session.End{Exit: 1, Exception: strings.Repeat("e", 5000)}), "failed exception: " + strings.Repeat("e", 4093) + "... exit=1 printed=a|"},
		{"a crash", of(site.Python, 0), end(session.End{Status: session.Crashed, Exit: 7, FailLine: 12}), "error crash: 7 :12 printed=a|"},
		{"a signal", of(site.Python, 0), end(session.End{Status: session.Crashed, Exit: 137, Signal: "SIGKILL"}), "error crash: SIGKILL printed=a|"},
		{"too long", of(site.Bash, 0), Output{Step: Step{End: session.End{Status: session.TimedOut, Exit: -1}, Exceeded: report.Seconds(time.Second)}}, "error timeout: time: 1"},
		{"too much memory", of(site.Bash, 0), Output{Step: Step{End: session.End{Status: session.Limited, Exit: -1}, Exceeded: limit}}, "error limit: memory: 5"},
		{"it did not run", of(site.Sbatch, 0), Output{Outcome: report.Failed, Reason: &report.Reason{Code: report.ReasonSlurm, Why: report.JobRejected}}, "failed slurm: rejected"},
	} {
		c := &report.Check{}
		Block(tt.block, ask.MachineOf(report.Machine{GPU: report.GPU{Status: report.GPUNone}}), &tt.out, c)
		if d := cmp.Diff(tt.want, shown(c)); d != "" {
			t.Errorf("%s (-want +got)\n%s", tt.name, d)
		}
	}
}

// TestBuild: what a compiler did decides, and the compiler's line of the block is the place.
func TestBuild(t *testing.T) {
	t.Parallel()
	gcc, _ := recipe.Builtin("c")
	block := func(exit int, fails bool, expects ...*site.Expect) *site.Block {
		return &site.Block{
			Kind: "c", Name: "p", Recipe: &gcc, NoBuild: fails, Exit: exit, Expects: expects,
			Code: "1\n2\n3\n", CodeFile: "a.md", File: "a.md", CodeLine: 10, Session: &site.Session{},
		}
	}
	const message = "p.c:2:3: error: x\n"
	step := func(exit int, status session.Status, stderr string) *Step {
		return &Step{End: session.End{Exit: exit, Status: status, Duration: time.Millisecond}, Stderr: stream(stderr)}
	}
	onStderr := expect(t, "[...]error: y\n", "")
	onStderr.Stderr = true
	for _, tt := range []struct {
		name    string
		block   *site.Block
		skipped bool
		build   *Step
		ran     Step
		want    string
	}{
		{"built and run", block(0, false), false, step(0, 0, ""), Step{Stdout: stream("a\n")}, "passed exit=0 printed=a| build=passed gcc 1 "},
		{"built, and fails", block(0, false), false, step(0, 0, ""), Step{End: session.End{Exit: 1}, Stderr: stream("at p.c:3\n")}, "failed exit-code: 1 :12 exit=1 printed=at p.c:3| build=passed gcc 1 "},
		{"built and not run", block(0, false), true, step(0, 0, ""), Step{}, "skipped needs-unmet build=passed gcc 1 "},
		{"not built", block(0, false), false, step(1, 0, message), Step{}, "failed build-failed: 1: error: x :11 exit=1 build=failed gcc 1 " + message},
		{"not built, and was not to run", block(0, false), true, step(1, 0, message), Step{}, "failed build-failed: 1: error: x :11 exit=1 build=failed gcc 1 " + message},
		{"the compiler hangs", block(0, false), false, step(-1, session.TimedOut, message), Step{}, "error timeout build=failed gcc 1 " + message},
		{"the compiler crashes", block(0, false), false, step(139, session.Crashed, message), Step{}, "error crash: 139 build=failed gcc 1 " + message},
		{"not to be built", block(0, true), false, step(1, 0, message), Step{}, "passed exit=1 printed=p.c:2:3: error: x| build=failed gcc 1 "},
		{"not to be built, with another message", block(0, true, onStderr), false, step(1, 0, message), Step{},
			"failed output-differs :40 exit=1 printed=p.c:2:3: error: x| build=failed gcc 1  -[...]error: y +p.c:2:3: error: x"},
		{"not to be built, with another exit code", block(2, true), false, step(1, 0, message), Step{}, "failed exit-code: 1: expected 2 :11 exit=1 printed=p.c:2:3: error: x| build=failed gcc 1 "},
		{"built, and not to be", block(0, true), false, step(0, 0, ""), Step{}, "failed build-passed build=passed gcc 1 "},
	} {
		c := &report.Check{}
		if tt.skipped {
			c.Outcome, c.Reason = report.Skipped, &report.Reason{Code: report.ReasonNeeds}
		}
		Block(tt.block, nil, &Output{Step: tt.ran, Build: tt.build, Tool: "gcc"}, c)
		if d := cmp.Diff(tt.want, shown(c)); d != "" {
			t.Errorf("%s (-want +got)\n%s", tt.name, d)
		}
	}
}

// TestJob: of an array the worst task decides, and the output of all is compared.
func TestJob(t *testing.T) {
	t.Parallel()
	task := func(exit int) report.Task { return report.Task{Index: exit, Exit: &exit} }
	skipped := report.Task{Index: 9, Outcome: report.Skipped, Reason: &report.Reason{Code: report.ReasonSlurm, Why: report.JobQueue}}
	lost := report.Task{Index: 8, Outcome: report.Errored, Reason: &report.Reason{Code: report.ReasonSlurm, Why: report.JobForgotten}}
	for _, tt := range []struct {
		name  string
		exit  int
		array bool
		tasks []report.Task
		out   string
		want  string
	}{
		{"a job", 0, false, []report.Task{task(0)}, "a\n", "passed exit=0 printed=a|"},
		{"a job that prints something else", 0, false, []report.Task{task(0)}, "b\n", "failed output-differs :40 exit=0 printed=b| -a +b"},
		{"a job that fails", 0, false, []report.Task{task(2)}, "a\n", "failed exit-code: 2 exit=2 printed=a|"},
		{"a job that is to fail", 2, false, []report.Task{task(2)}, "a\n", "passed exit=2 printed=a|"},
		{"a job that waits", 0, false, []report.Task{skipped}, "", "skipped slurm: queue"},
		{"an array", 3, true, []report.Task{task(3), task(3)}, "a\n", "passed exit=3 printed=a| 3=passed 3=passed"},
		{"one task fails", 0, true, []report.Task{task(0), task(1)}, "a\n", "failed slurm: tasks printed=a| 0=passed 1=failed"},
		{"a failure is worse than a skip", 0, true, []report.Task{task(1), skipped, task(0)}, "a\n", "failed slurm: tasks printed=a| 1=failed 9=skipped 0=passed"},
		{"a skip is worse than a pass", 0, true, []report.Task{task(0), skipped}, "a\n", "skipped slurm: tasks printed=a| 0=passed 9=skipped"},
		{"an error is worst", 0, true, []report.Task{lost, task(1)}, "a\n", "error slurm: tasks printed=a| 8=error 1=failed"},
	} {
		b := &site.Block{Kind: site.Sbatch, Exit: tt.exit, Expects: []*site.Expect{expect(t, "a\n", "")}, Session: &site.Session{}}
		c := &report.Check{}
		Block(b, nil, &Output{Step: Step{Stdout: stream(tt.out)}, Tasks: tt.tasks, Array: tt.array}, c)
		if d := cmp.Diff(tt.want, shown(c)); d != "" {
			t.Errorf("%s (-want +got)\n%s", tt.name, d)
		}
	}
}

// TestExamples: a Python session is judged example by example.
func TestExamples(t *testing.T) {
	t.Parallel()
	const code = ">>> f(1)\n1\n>>> f(2)\n<v:int>\n>>> skipped  # doctest: +SKIP\n>>> f(3)\nTraceback (most recent call last):\nE: no\n"
	all, _ := match.Examples(code)
	if len(all) != 4 {
		t.Fatal(len(all))
	}
	b := &site.Block{Kind: site.Pycon, Code: code, Examples: all, CodeFile: "a.md", CodeLine: 10, Session: &site.Session{}}
	did := func(out, stderr string, e session.End) *Step {
		return &Step{End: e, Stdout: stream(out), Stderr: stream(stderr)}
	}
	raised := session.End{Exit: 1, Exception: "E: no"}
	one, two := did("1\n", "", session.End{}), did("2\n", "w", session.End{})
	no := did("", "", raised)
	cut := did("2\n", "", session.End{})
	cut.Stdout.Cut = 5
	const shownAll = ">>> f(1)|1|>>> f(2)|2|>>> skipped  # doctest: +SKIP|>>> f(3)|"
	for _, tt := range []struct {
		name     string
		examples []*Step
		last     Step
		want     string
	}{
		{"all as expected", []*Step{one, two, nil, no}, Step{}, "passed printed=" + shownAll + "w v=2"},
		{"another output", []*Step{did("5\n", "", session.End{}), two, nil, no}, Step{}, "failed output-differs :10 printed=>>> f(1)|5|>>> f(2)|2|>>> skipped  # doctest: +SKIP|>>> f(3)|w" +
			"  >>> f(1) -1 +5  >>> f(2)  2  >>> skipped  # doctest: +SKIP  >>> f(3)  Traceback (most recent call last):  E: no"},
		{"output without its end", []*Step{one, did("2", "", session.End{}), nil, no}, Step{}, "passed printed=" + shownAll + " v=2"},
		{"too much output", []*Step{one, cut, nil, no}, Step{}, "failed output-too-long :12 printed=" + shownAll},
		{"an exception, and nothing was expected", []*Step{no, two, nil, no}, Step{}, "failed exception: E: no :10 exit=1 printed=>>> f(1)|>>> f(2)|2|>>> skipped  # doctest: +SKIP|>>> f(3)|w" +
			"  >>> f(1) -1 +Traceback (most recent call last): +E: no  >>> f(2)  2  >>> skipped  # doctest: +SKIP  >>> f(3)  Traceback (most recent call last):  E: no"},
		{"the expected exception does not come", []*Step{one, two, nil, did("", "", session.End{})}, Step{}, "failed output-differs :15 printed=" + shownAll + "w" +
			"  >>> f(1)  1  >>> f(2)  2  >>> skipped  # doctest: +SKIP  >>> f(3) -Traceback (most recent call last): -E: no"},
		{"the first failure counts", []*Step{did("5\n", "", session.End{}), did("x\n", "", session.End{Exit: 3}), nil, no}, Step{}, "failed output-differs :10 printed=>>> f(1)|5|>>> f(2)|x|>>> skipped  # doctest: +SKIP|>>> f(3)|" +
			"  >>> f(1) -1 +5  >>> f(2)  >>> skipped  # doctest: +SKIP  >>> f(3)  Traceback (most recent call last):  E: no"},
		{"but an error counts more", []*Step{did("5\n", "", session.End{}), did("", "", session.End{Status: session.Crashed, Exit: 7})}, Step{End: session.End{Status: session.Crashed, Exit: 7}},
			"error crash: 7 :12 printed=>>> f(1)|5|>>> f(2)|"},
		{"the figures fail", []*Step{one, two, nil, no}, *did("", "late", session.End{Exit: 4}), "failed exit-code: 4 exit=4 printed=" + shownAll + "wlate"},
		{"nothing ran", []*Step{nil, nil, nil, nil}, Step{}, "skipped skip"},
	} {
		c := &report.Check{}
		o := &Output{Step: tt.last, Examples: tt.examples}
		Block(b, nil, o, c)
		if d := cmp.Diff(tt.want, shown(c)); d != "" {
			t.Errorf("%s (-want +got)\n%s", tt.name, d)
		}
	}
	got := (&Output{Examples: []*Step{one, nil, cut, no}}).Printed()
	if d := cmp.Diff([]Printed{{Output: "1\n"}, {}, {Output: "2\n", Cut: true}, {Exception: "E: no"}}, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

// TestEnds: the middle of a long text is cut, and its letters stay whole.
func TestEnds(t *testing.T) {
	t.Parallel()
	if Ends("", 1, 1) != nil {
		t.Error("no text is a stream")
	}
	if s := Ends("abcd", 2, 2); s.Text != "abcd" || s.Cut != 0 {
		t.Errorf("%+v", s)
	}
	if s := Ends("abcde", 2, 2); s.Text != "ab\n[...]\nde" || s.Cut != 1 || s.Bytes != 5 || len(s.SHA256) != 64 {
		t.Errorf("%+v", s)
	}
	if s := Ends("aébcdé", 2, 1); s.Text != "a\n[...]\n" || s.Cut != 5 {
		t.Errorf("%+v", s)
	}
}
