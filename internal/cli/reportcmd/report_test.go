package reportcmd

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gpudocs/gpudocs/internal/cli/env"
	"github.com/gpudocs/gpudocs/internal/cli/exit"
	"github.com/gpudocs/gpudocs/internal/cli/words"
	"github.com/gpudocs/gpudocs/internal/project"
	"github.com/gpudocs/gpudocs/internal/render/results"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/trust"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/load"
	"github.com/gpudocs/gpudocs/internal/text/diag"
	"github.com/gpudocs/gpudocs/test/programtest"
)

// day is when the checks of these tests ran.
var day = time.Date(2026, 3, 14, 15, 9, 0, 0, time.UTC)

// A lab is a site with reports.
type lab struct {
	t   *testing.T
	dir string
	ids map[string]report.ID // of blocks, by their names
}

// newLab makes a site with a page, a draft, and blocks on both.
func newLab(t *testing.T) *lab {
	t.Helper()
	l := &lab{t, t.TempDir(), map[string]report.ID{}}
	l.write(site.ConfigFile, "")
	l.write("content/en/index.md", "# A\n\n```bash {run name=one}\ntrue\n```\n\n```bash {run name=two}\nfalse\n```\n")
	l.write("content/en/draft.md", "---\ndraft: true\n---\n# D\n\n```bash {run name=soon}\necho soon\n```\n")
	s, diags := load.Load(os.DirFS(l.dir), load.Options{Drafts: true, Editing: true})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	for id, spots := range checksOf(s) {
		l.ids[spots[0].Name] = id
	}
	return l
}

func (l *lab) write(name, text string) {
	l.t.Helper()
	file := filepath.Join(l.dir, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o644)); err != nil {
		l.t.Fatal(err)
	}
}

// check returns the result of a block.
func (l *lab) check(name string, outcome report.Outcome) report.Check {
	page := "index"
	if name == "soon" {
		page = "draft"
	}
	c := report.Check{
		ID: l.ids[name], Kind: report.KindBash, Page: page, Name: name, Outcome: outcome, Ran: day, DurationMS: 1500,
		Places: []report.Place{{File: "content/en/" + page + ".md", Line: 3}}, Interpreter: "bash 5.2",
	}
	if c.ID == "" {
		c.ID = "aaaaaaaaaaaaaaaaaaaaaaaaaa"
	}
	if outcome == report.Failed {
		c.Reason = &report.Reason{Code: report.ReasonExit, Exit: new(int)}
		*c.Reason.Exit = 3
	}
	return c
}

// report writes a machine's report.
func (l *lab) report(machine string, checks ...report.Check) {
	l.t.Helper()
	r := &report.Report{
		Schema: report.Schema, Generator: "made up for this test",
		Machine: report.Machine{Name: machine, OS: "Debian", Arch: "amd64", GPU: report.GPU{Status: report.GPUNone, Code: report.CodeNoLibrary}},
		Checks:  checks,
	}
	dir := filepath.Join(l.dir, project.ResultsDir)
	if err := errors.Join(os.MkdirAll(dir, 0o755), report.Write(filepath.Join(dir, machine+".json"), r)); err != nil {
		l.t.Fatal(err)
	}
}

// run runs a command of report and returns its exit code, what it printed, and the error that ended it.
func (l *lab) run(args ...string) (code int, out, errs string) {
	l.t.Helper()
	var stdout, stderr strings.Builder
	a := env.New(strings.NewReader(""), &stdout, &stderr)
	a.Text, a.Site = words.English(), l.dir
	c := NewReport(a)
	c.SetArgs(args)
	c.SetOut(&stdout)
	c.SetErr(&stderr)
	c.SilenceErrors, c.SilenceUsage = true, true
	end := exit.Of(c.ExecuteContext(l.t.Context()))
	if end.Cause != nil {
		stderr.WriteString(end.Cause.Error() + " | " + diag.Plain(end.Cause).Hint().String())
	}
	return end.Code, strings.ReplaceAll(stdout.String(), l.dir, "SITE"), stderr.String()
}

// want checks an exit code and parts of what was printed, in their order; "!x" must not be printed.
func (l *lab) want(args []string, code int, parts ...string) string {
	l.t.Helper()
	got, out, errs := l.run(args...)
	if got != code {
		l.t.Errorf("%q: exit code %d, want %d\n%s%s", args, got, code, out, errs)
	}
	rest := out + errs
	for _, p := range parts {
		if no, is := strings.CutPrefix(p, "!"); is {
			if strings.Contains(out+errs, no) {
				l.t.Errorf("%q: %q is printed:\n%s%s", args, no, out, errs)
			}
			continue
		}
		_, after, found := strings.Cut(rest, p)
		if !found {
			l.t.Errorf("%q: no %q in:\n%s%s", args, p, out, errs)
			continue
		}
		rest = after
	}
	return out
}

// fullCheck is a failed check with all that a report may have of it.
func fullCheck(l *lab) report.Check {
	c := l.check("two", report.Failed)
	c.Diff = []report.DiffLine{{Op: "-", Text: "want"}, {Op: "+", Text: "got"}}
	c.Stdout, c.Stderr = &report.Stream{Text: "got\x1b[2J\n", Cut: 7}, &report.Stream{Text: "problem\n"}
	c.Captures = []report.Capture{{Name: "rate", Value: "3.5", Unit: "GB/s"}}
	c.Build = &report.Build{Outcome: report.Passed, Tool: "nvcc 12.4", DurationMS: 1900, Stderr: &report.Stream{Text: "warning\n"}}
	c.Tasks = []report.Task{{Index: 3, Outcome: report.Failed, Reason: &report.Reason{Code: report.ReasonExit, Exit: new(int)}, DurationMS: 500}}
	c.Packages = []report.Package{{Name: "torch", Version: "2.5"}, {Name: "numpy"}}
	c.History = []report.Past{
		{Outcome: report.Passed, Ran: day.AddDate(0, 0, -1), DurationMS: 1000},
		{Outcome: report.Failed, Code: report.ReasonExit, Ran: day.AddDate(0, 0, -2), DurationMS: 12345},
	}
	return c
}

// TestShow: what report show prints of one and of several reports. Results of drafts have their blocks, too.
func TestShow(t *testing.T) {
	l := newLab(t)
	unsteady := l.check("one", report.Passed)
	unsteady.Tries = []report.Try{{Outcome: report.Failed, Reason: &report.Reason{Code: report.ReasonTimeout}, Stdout: &report.Stream{Text: "first try\n"}}}
	full := fullCheck(l)
	l.report("deepnine", unsteady, full, l.check("soon", report.Passed))
	l.want([]string{"show"}, 0, "deepnine: Debian, amd64, no GPU", "2 passed, 1 failed", "results/deepnine.json", "made up for this test",
		"passed", "draft", "soon", "index", "one", "1.50s", "2026-03-14 15:09", "failed", "two", "exit code 3", "!no longer")
	l.want([]string{"show", "--failed"}, 0, "index", "two", "!soon", "!  one")
	l.want([]string{"show", "deepnine", "--check", "two"}, 0, "failed  index: two", "content/en/index.md:3", "exit code 3", "bash 5.2", "ID "+string(l.ids["two"]),
		"nvcc 12.4", "1.90s", "rate = 3.5 GB/s", "warning", "stdout", "7", "got\uFFFD[2J", "stderr", "problem", "- want", "+ got", "2026-03-13", "1.00s", "!soon")
	l.want([]string{"show", "--check", "index:one"}, 0, "passed  index: one", "first try")
	l.want([]string{"show", "--check", string(l.ids["two"]), "--failed"}, 0, "failed  index: two")
	l.want([]string{"show", "--check", "one", "--failed"}, 0, "!index: one")
	l.want([]string{"show", "--check", "tow"}, exit.Usage, `tow`, `did you mean "two"?`)
	l.want([]string{"show", "deepten"}, exit.Usage, "deepten")

	gone := l.check("gone", report.Passed)
	l.report("deepten", l.check("one", report.Failed), l.check("soon", report.Failed), gone)
	matrix := l.want([]string{"show"}, 0, "deepnine: Debian", "deepten: Debian", "deepnine  deepten", "draft", "soon", "index", "one", "two",
		"✓ passed   ✗ failed   · ", "1 result")
	for row, want := range map[string]string{"soon": "✓ ✗", "one": "✓ ✗", "two": "✗ ·"} {
		line := regexp.MustCompile(`(?m)^  ` + row + ` .*$`).FindString(matrix)
		if got := strings.Join(strings.Fields(line)[min(1, len(strings.Fields(line))):], " "); got != want {
			t.Errorf("%s: %q, want %q in\n%s", row, got, want, matrix)
		}
	}
	local := filepath.Join(l.dir, project.PrivateDir, "results")
	if err := errors.Join(os.MkdirAll(local, 0o755), os.Rename(filepath.Join(l.dir, "results", "deepten.json"), filepath.Join(local, "deepten.json"))); err != nil {
		t.Fatal(err)
	}
	l.want([]string{"show", "deepten"}, 0, "deepten.json", ", made by --verify here")
	l.report("deepten", l.check("one", report.Failed), l.check("soon", report.Failed), gone)
	if err := os.RemoveAll(local); err != nil {
		t.Fatal(err)
	}
	l.want([]string{"show", "--list"}, 0, "deepnine: ", "two", "\n\ndeepten: ", "soon", "1 result")
	l.want([]string{"show", "deepten", "--failed"}, 0, "one", "!1 result")
	out := l.want([]string{"show", "--json", "--failed"}, 0)
	var machines []string
	for line := range strings.Lines(out) {
		var r struct {
			File string
			report.Report
		}
		if err := json.Unmarshal([]byte(line), &r); err != nil || len(r.Checks) == 0 || r.File == "" {
			t.Fatal(err, line)
		}
		for _, c := range r.Checks {
			machines = append(machines, r.Machine.Name+" "+c.Name)
		}
	}
	if want := []string{"deepnine two", "deepten one", "deepten soon"}; !slices.Equal(machines, want) {
		t.Errorf("--json --failed: %q", machines)
	}
	l.write("results/broken.json", "{")
	l.want([]string{"show"}, exit.Usage, "deepnine  deepten", "broken.json", "1 file")
	l.want([]string{"show", "--list"}, exit.Usage, "deepten: ", "broken.json")
}

// TestShowCheck compares all that is printed of a check.
func TestShowCheck(t *testing.T) {
	l := newLab(t)
	l.report("deepnine", fullCheck(l))
	want := `deepnine: Debian, amd64, no GPU (the NVIDIA driver is not installed)
  0 passed, 1 failed, 0 error, 0 skipped
  SITE/results/deepnine.json, last ran 2026-03-14 15:09, by made up for this test

failed  index: two
  content/en/index.md:3
  reason: ended with exit code 3: got
  ran 2026-03-14 15:09 UTC  kind bash, 1.50s, bash 5.2, torch 2.5, numpy not installed, ID ` + string(l.ids["two"]) + `
  compiled with nvcc 12.4 in 1.90s
  rate = 3.5 GB/s
  stderr of the compiler:
    warning
  task 3: failed (should have failed, but ended without an error (exit code 0)), 0.50s
  stdout, 7 bytes left out of its middle:
    got�[2J
  stderr:
    problem
  difference (- expected, + found):
    - want
    + got
  before:
    passed   2026-03-13 15:09    1.00s
    failed   2026-03-12 15:09   12.35s  exit-code
`
	if _, got, errs := l.run("show", "deepnine", "--check", "two"); got != want || errs != "" {
		t.Errorf("got\n%s%s\nwant\n%s", got, errs, want)
	}
}

// TestSigned: how the verdict on a signature is told, and which verdict is in a heading.
func TestSigned(t *testing.T) {
	r := project.Report{Report: &report.Report{Machine: report.Machine{Name: "lab"}}, File: "lab.json"}
	for status, want := range map[trust.Status][2]string{
		trust.NotSigned:    {"", "lab (lab.json)"},
		trust.Signed:       {"signed by ana", "lab (lab.json)"},
		trust.Unknown:      {"its signature does not count: why", "lab (lab.json)"},
		trust.OtherMachine: {"its signature does not count: why", "lab (lab.json)"},
		trust.Mismatch:     {"its signature does not match: why", "lab (lab.json, its signature does not match: why)"},
	} {
		r.Verdict = trust.Verdict{Status: status, By: "ana", Reason: diag.Plain("why")}
		if got := [2]string{signed(words.English(), r), title(words.English(), r)}; got != want {
			t.Errorf("%v: %q, want %q", status, got, want)
		}
	}
	r.Rev, r.File, r.Verdict = "0123456789abcdef", "", trust.Verdict{}
	r.Checks = []report.Check{{Ran: day}}
	if got := title(words.English(), r); got != "lab@0123456789 (2026-03-14 15:09)" {
		t.Error(got)
	}
}

// TestHeads: columns have the names of machines if they fit, else numbers, and then names of blocks are cut.
func TestHeads(t *testing.T) {
	a := env.New(nil, &strings.Builder{}, &strings.Builder{})
	rows := []*results.Row{{Name: "short"}, {Name: strings.Repeat("x", 38)}}
	var reports []project.Report
	for _, tt := range []struct {
		machine     string
		first, last string
		width       int
	}{ // 40 columns of names, and 100 in all
		{strings.Repeat("a", 28), "", "", 40}, {strings.Repeat("b", 28), "", "", 40}, {"c", "1", "3", 40},
	} {
		reports = append(reports, project.Report{Report: &report.Report{Machine: report.Machine{Name: tt.machine}}})
		heads, width := headsOf(a, reports, rows)
		first, last := heads[0], heads[len(heads)-1]
		if tt.first == "" {
			tt.first, tt.last = reports[0].Machine.Name, tt.machine
		}
		if first != tt.first || last != tt.last || width != tt.width {
			t.Errorf("%d machines: %q, width %d", len(reports), heads, width)
		}
	}
	for range 30 {
		reports = append(reports, reports[0])
	}
	if heads, width := headsOf(a, reports, rows); heads[32] != "33" || width != 16 {
		t.Errorf("%q, width %d", heads, width)
	}
}

// TestDiff: which differences are told, and which are failures.
func TestDiff(t *testing.T) {
	l := newLab(t)
	slow, said := l.check("one", report.Passed), l.check("two", report.Passed)
	edited := l.check("one", report.Failed)
	edited.ID = "bbbbbbbbbbbbbbbbbbbbbbbbbb"
	slow.DurationMS, said.Stdout = 15000, &report.Stream{Text: "a\nb\n"}
	other := said
	other.Stdout = &report.Stream{Text: "a\nc\n"}
	l.report("before", l.check("one", report.Passed), said)
	for _, tt := range []struct {
		name   string
		checks []report.Check
		code   int
		want   []string
	}{
		{"nothing", []report.Check{l.check("one", report.Passed), said}, 0, []string{"A: before (SITE/results/before.json, 2026-03-14 15:09)", "B: after", "2 checks"}},
		{"worse", []report.Check{l.check("one", report.Failed), said}, 1, []string{"1 ", "index: one  passed -> failed (ended with exit code 3)", "1 check"}},
		{"edited", []report.Check{edited, said}, 1, []string{"one  passed -> failed (ended with exit code 3) (its code or what is expected differs too)"}},
		{"other output", []report.Check{l.check("one", report.Passed), other}, 0, []string{"index: two", "stdout:", "- b", "+ c", "!- a"}},
		{"slower", []report.Check{slow, said}, 0, []string{"index: one  1.50s -> 15.00s"}},
		{"one less", []report.Check{said}, 0, []string{"index: one  passed"}},
		{"one more", []report.Check{l.check("one", report.Passed), said, l.check("soon", report.Failed)}, 0, []string{"draft: soon  failed (ended with exit code 3)"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l.t = t
			l.report("after", tt.checks...)
			l.want([]string{"diff", "before", "after"}, tt.code, tt.want...)
			var document struct {
				A, B struct{ Machine, LastRan string }
			}
			_, out, _ := l.run("diff", "--json", "before", "after")
			if err := json.Unmarshal([]byte(out), &document); err != nil || document.A.Machine != "before" || document.B.Machine != "after" {
				t.Error(err, out)
			}
		})
	}
	l.t = t
	l.want([]string{"diff", "before", filepath.Join(l.dir, "results", "after.json")}, 0, "draft: soon")
	l.want([]string{"diff", "before", "afte"}, exit.Usage, `did you mean "after"?`)
	l.want([]string{"diff", "before@", "after"}, exit.Usage, "commit")
	l.want([]string{"diff", "before@-x", "after"}, exit.Usage, "-x")
}

// TestVersions: older versions of a report are read from git, by a date or a commit.
func TestVersions(t *testing.T) {
	if err := programtest.Fault("git"); err != nil {
		t.Skip(err)
	}
	l := newLab(t)
	git := func(date string, args ...string) {
		t.Helper()
		c := exec.Command("git", append([]string{"-c", "user.name=A", "-c", "user.email=a@example.org"}, args...)...)
		c.Dir, c.Env = l.dir, append(os.Environ(), "GIT_AUTHOR_DATE="+date, "GIT_COMMITTER_DATE="+date, "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
	}
	git("", "init", "-q", ".")
	l.report("lab", l.check("one", report.Passed))
	git("", "add", "results")
	git("2026-03-01T12:00:00Z", "commit", "-qm", "one")
	l.report("lab", l.check("one", report.Failed))
	git("2026-03-02T12:00:00Z", "commit", "-qam", "two")
	for when, code := range map[string]int{
		"2026-03-01": exit.Failed, "2026-03-01T12:00": exit.Failed, "2026-03-02T11:59:59Z": exit.Failed, "HEAD~1": exit.Failed,
		"2026-03-02": exit.Fine, "2026-03-02T12:00:00Z": exit.Fine, "HEAD": exit.Fine,
	} {
		parts := []string{"A: lab@", "B: lab (SITE/results/lab.json"}
		if code == exit.Failed {
			parts = append(parts, "one  passed -> failed")
		}
		l.want([]string{"diff", "lab@" + when, "lab"}, code, parts...)
	}
	for when, why := range map[string]string{"2026-02-28": "none is as old", "2026-03-01T11:59": "none is as old", "nowhere": "nowhere", "": `""`} {
		l.want([]string{"diff", "lab@" + when, "lab"}, exit.Usage, why)
	}
	l.want([]string{"diff", "other@HEAD", "lab"}, exit.Usage, "results/other.json")
	out := l.want([]string{"diff", "--json", "lab@HEAD~1", "lab"}, exit.Failed)
	if !regexp.MustCompile(`"commit":"[0-9a-f]{40}"`).MatchString(out) {
		t.Error(out)
	}
}

// TestPrune: results without a block, and old ones, are removed, unless it is a dry run.
func TestPrune(t *testing.T) {
	l := newLab(t)
	past := l.check("one", report.Passed)
	past.History = []report.Past{{Outcome: report.Failed, Code: report.ReasonExit, Ran: day.AddDate(0, 0, -1)}, {Outcome: report.Passed, Ran: day.AddDate(0, 0, -2)}}
	l.report("deepnine", past, l.check("gone", report.Failed), l.check("soon", report.Passed))
	checks := func() (names []string) {
		t.Helper()
		r, err := report.ReadFile(filepath.Join(l.dir, "results", "deepnine.json"))
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range r.Checks {
			names = append(names, strings.Repeat("+", len(c.History))+c.Name)
		}
		slices.Sort(names)
		return names
	}
	same := func(want ...string) {
		t.Helper()
		if got := checks(); !slices.Equal(got, want) {
			t.Errorf("left %q, want %q", got, want)
		}
	}
	l.want([]string{"prune", "--dry-run"}, 0, "results/deepnine.json", "1 of 3", "index: gone (failed, 2026-03-14 15:09): ", "--dry-run: nothing")
	same("++one", "gone", "soon")
	l.want([]string{"prune", "deepnine"}, 0, "index: gone", "!dry-run")
	same("++one", "soon")
	l.want([]string{"prune"}, 0, "results/deepnine.json", "!index")
	l.want([]string{"prune", "--history", "1"}, 0, "1 ")
	same("+one", "soon")
	l.want([]string{"prune", "--older", "2y", "--dry-run"}, 0, "!index: one")
	l.want([]string{"prune", "--history", "-1"}, exit.Usage, "-1")
	l.want([]string{"prune", "a/b.json"}, exit.Usage, "a/b.json", "machines")
	l.want([]string{"prune", "--sign", filepath.Join(l.dir, "none")}, exit.Usage, "none")
	release, err := (&project.Project{Dir: l.dir}).Lock("deepnine")
	if err != nil {
		t.Fatal(err)
	}
	l.want([]string{"prune", "deepnine"}, exit.Usage, "deepnine")
	l.want([]string{"prune", "deepnine", "--dry-run"}, 0)
	release()
	l.write("content/en/index.md", "---\ntitle: [\n---\n")
	l.want([]string{"prune"}, exit.Usage, "nothing")
	same("+one", "soon")
}

// TestAge: durations of --older.
func TestAge(t *testing.T) {
	const hour = time.Hour
	for s, want := range map[string]time.Duration{
		"1d": 24 * hour, "2w": 14 * 24 * hour, "1y": 365 * 24 * hour, "36h": 36 * hour, "200y": 200 * 365 * 24 * hour,
		"201y": 0, "0d": 0, "-1h": 0, "0s": 0, "1": 0, "d": 0, "1m": time.Minute, "1 d": 0, "": 0,
	} {
		var a age
		err := a.Set(s)
		if (err == nil) != (want > 0) || err == nil && time.Duration(a) != want {
			t.Errorf("%q: %v, %v, want %v", s, time.Duration(a), err, want)
		}
		if got := a.String(); err == nil && got != want.String() || s == "" && got != "" {
			t.Errorf("%q: %s", s, got)
		}
	}
}
