package verifycmd

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/cli/env"
	"github.com/gpudocs/gpudocs/internal/cli/exit"
	"github.com/gpudocs/gpudocs/internal/cli/words"
	"github.com/gpudocs/gpudocs/internal/machine/gpu"
	"github.com/gpudocs/gpudocs/internal/project"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/compare"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text"
	"github.com/gpudocs/gpudocs/internal/text/diag"
	"github.com/gpudocs/gpudocs/internal/verify"
	"github.com/gpudocs/gpudocs/internal/verify/remote"
	"github.com/gpudocs/gpudocs/internal/verify/remote/slurmjob"
	"github.com/gpudocs/gpudocs/internal/verify/update"
	"github.com/gpudocs/gpudocs/test/programtest"
)

// TestMain answers the probe, which starts this program again.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == ProbeCommand {
		if err := gpu.RunProbe(os.Stdout); err != nil {
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// A command runs verify in a folder.
type command struct {
	t   *testing.T
	dir string
}

func newCommand(t *testing.T, files map[string]string) *command {
	t.Helper()
	c := &command{t, t.TempDir()}
	for name, text := range files {
		c.write(name, text)
	}
	return c
}

func (c *command) write(name, text string) {
	c.t.Helper()
	file := filepath.Join(c.dir, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o644)); err != nil {
		c.t.Fatal(err)
	}
}

func (c *command) read(name string) string {
	data, _ := os.ReadFile(filepath.Join(c.dir, name)) // "" if there is none
	return string(data)
}

// run runs verify and returns its exit code and all that it printed, with the error that ended it.
func (c *command) run(args ...string) (int, string) {
	c.t.Helper()
	var out bytes.Buffer
	a := env.New(strings.NewReader(""), &out, &out)
	a.Text, a.Site = words.English(), c.dir
	v := NewVerify(a)
	v.SetArgs(args)
	v.SilenceErrors, v.SilenceUsage = true, true
	end := exit.Of(v.ExecuteContext(c.t.Context()))
	if end.Cause != nil {
		out.WriteString(end.Cause.Error() + " | " + diag.Plain(end.Cause).Hint().String())
	}
	return end.Code, strings.ReplaceAll(out.String(), c.dir, "SITE")
}

// want checks an exit code and parts of what was printed, in their order; "!x" must not be printed.
func (c *command) want(args []string, code int, parts ...string) {
	c.t.Helper()
	got, out := c.run(args...)
	if got != code {
		c.t.Errorf("%q: exit code %d, want %d\n%s", args, got, code, out)
	}
	rest := out
	for _, p := range parts {
		if no, is := strings.CutPrefix(p, "!"); is {
			if strings.Contains(out, no) {
				c.t.Errorf("%q: %q is printed:\n%s", args, no, out)
			}
			continue
		}
		_, after, found := strings.Cut(rest, p)
		if !found {
			c.t.Errorf("%q: no %q in:\n%s", args, p, out)
			continue
		}
		rest = after
	}
}

// TestVerify: a run on this machine, what it keeps, what it updates, and its exit codes.
func TestVerify(t *testing.T) {
	programtest.Need(t, "bash")
	t.Setenv(project.MachineVariable, "")
	const page = "# A\n\n```bash {run name=one}\necho hello\n```\n\n```text {expect}\nhello\n```\n\n```bash {run name=two}\necho new\n```\n\n```text {expect}\nold\n```\n"
	c := newCommand(t, map[string]string{site.ConfigFile: "", "content/en/index.md": page, "content/en/b.md": "# B\n\n```bash {run name=other}\ntrue\n```\n"})
	c.want([]string{"--plan"}, 0, "3 checks", "bash", "content/en/b.md:3", "other", "content/en/index.md:3", "one")
	c.want([]string{"--plan", "--json"}, 0, `"type":"start"`, `"plan":true`, `"type":"plan"`, `"name":"other"`, `"type":"end","exit":0`)
	if c.read("results/lab.json") != "" {
		t.Error("a plan runs nothing")
	}
	c.want(nil, exit.Usage, "machine", project.MachineVariable)
	c.want([]string{"--machine", "Lab"}, exit.Usage, "Lab")
	c.want([]string{"--machine", "lab", "--drift", "much"}, exit.Usage, "much")
	c.want([]string{"--machine", "lab", "nowhere.md"}, exit.Usage, "nowhere.md", "--plan")
	c.want([]string{"--machine", "lab", "--report", filepath.Join(c.dir, "results", "x.json")}, exit.Usage, "x.json")
	c.want([]string{"--machine", "lab"}, exit.Failed, "passed   content/en/b.md:3  other", "failed   content/en/index.md", "two", "- old", "+ new",
		"machine lab: ", "2 passed, 1 failed", "SITE/results/lab.json")
	if !strings.Contains(c.read("results/lab.json"), `"name": "lab"`) {
		t.Error("no report")
	}
	c.want([]string{"--machine", "lab"}, exit.Failed, "2 ", "two", "2 passed, 1 failed", "2 of them kept", "!passed  content")
	c.want([]string{"--machine", "lab", "--rerun", "--run", "one", "content/en/index.md"}, 0, "one", "1 passed", "!other")
	c.want([]string{"--plan", "--machine", "lab"}, 0, "3 checks", "2 ")
	c.want([]string{"--plan", "--junit", filepath.Join(c.dir, "j.xml")}, exit.Usage, "--plan runs nothing")
	c.want([]string{"--machine", "lab", "--fail-on", "regression"}, 0, "lab")
	c.want([]string{"--machine", "lab", "--json", "--junit", filepath.Join(c.dir, "j.xml")}, exit.Failed, `"type":"start"`, `"name":"lab"`, `"type":"kept","count":2`,
		`"type":"run"`, `"name":"two"`, `"type":"check"`, `"means":"failed"`, `"type":"end","exit":1`, `"report":"SITE/results/lab.json"`)
	if !strings.Contains(c.read("j.xml"), "<testsuite") {
		t.Error("no JUnit file")
	}
	c.want([]string{"--machine", "lab", "--update"}, exit.Failed, "-old", "+new")
	if c.read("content/en/index.md") != page {
		t.Error("an update without an answer was written")
	}
	c.want([]string{"--machine", "lab", "--update", "--yes"}, 0, "-old", "+new", "content/en/index.md")
	if got := c.read("content/en/index.md"); got != strings.Replace(page, "old", "new", 1) {
		t.Errorf("updated to %q", got)
	}
	c.want([]string{"--machine", "lab"}, 0, "3 passed", "3 of them kept")
	c.want([]string{"--machine", "lab", "--update"}, 0, "nothing")
	c.write("results/lab.json", "{")
	c.want([]string{"--machine", "lab"}, exit.Usage, "lab.json")
	if c.read("results/lab.json") != "{" {
		t.Error("a report that cannot be read is replaced")
	}
	c.write("content/en/bad.md", "---\ntitle: [\n---\n")
	c.want([]string{"--machine", "other"}, exit.Usage, "content/en/bad.md", "3 passed", "1 error")
	c.want([]string{"--machine", "other", "content/en/b.md"}, 0, "!bad.md")
	release, err := (&project.Project{Dir: c.dir}).Lock("other")
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	c.want([]string{"--machine", "other"}, exit.Usage, "other")
}

// TestLocal: what build --verify runs and keeps.
func TestLocal(t *testing.T) {
	programtest.Need(t, "bash")
	c := newCommand(t, map[string]string{site.ConfigFile: "", "content/en/index.md": "# A\n\n```bash {run name=one}\nexit 3\n```\n"})
	a := env.New(nil, io.Discard, io.Discard)
	p, err := project.Open(c.dir)
	if err != nil {
		t.Fatal(err)
	}
	out, err := Local(t.Context(), a, p, "local")
	if err != nil || !out.Failed || len(out.Report.Checks) != 1 || len(out.Run.Checks) != 1 {
		t.Errorf("%+v, %v", out, err)
	}
	if previous, err := project.Previous(p.LocalFile("local"), "local"); err != nil || previous.Report == nil {
		t.Error(err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Local(gone, a, p, "local"); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	for _, name := range []string{"Local", ""} {
		if _, err := Local(t.Context(), a, p, name); exit.Of(err).Code != exit.Usage {
			t.Errorf("%q: %v", name, err)
		}
	}
	c.write("content/en/index.md", "")
	c.write(site.ConfigFile, "x")
	if _, err := Local(t.Context(), a, p, "local"); exit.Of(err).Code != exit.Usage {
		t.Error(err)
	}
}

// TestFlags: values and combinations of flags that are refused, in the words of the refusal.
func TestFlags(t *testing.T) {
	for args, want := range map[string]string{
		"":                                 "",
		"--timeout -1s":                    "verify.timeout-invalid",
		"--timeout 24h":                    "",
		"--timeout 24h1s":                  "verify.timeout-invalid",
		"--yes":                            "verify.yes-without-update",
		"--yes --update":                   "",
		"--update --plan":                  "verify.plan-excludes-update",
		"--fail-on never":                  "verify.fail-on-invalid",
		"--fail-on future":                 "",
		"--jobs -1":                        "verify.jobs-invalid",
		"--jobs 0":                         "",
		"--host a --machine b":             "verify.flag-excludes-host",
		"--host a --json":                  "verify.flag-excludes-host",
		"--host a --jobs 2 --sign k":       "",
		"--host a --host-timeout 0s":       "verify.host-timeout-invalid",
		"--host a --host-timeout 1h":       "",
		"--host a --host-timeout 1h0m1s":   "verify.host-timeout-invalid",
		"--host-timeout 5s":                "verify.flag-needs-host",
		"--host-binary x":                  "verify.flag-needs-host",
		"--host A":                         "verify.host-invalid",
		"--host a=user@b --host c --rerun": "",
		"--host a --host-binary x --fail-on failure": "",
	} {
		a := env.New(nil, io.Discard, io.Discard)
		c := NewVerify(a)
		f := &verifyFlags{}
		c.ResetFlags()
		f.add(c)
		if err := c.ParseFlags(strings.Fields(args)); err != nil {
			t.Fatal(args, err)
		}
		_, err := f.check()
		message, _ := errors.AsType[text.Message](err)
		if message.Key() != want || want != "" && exit.Of(err).Code != exit.Usage {
			t.Errorf("%s: %q (%v), want %q", args, message.Key(), err, want)
		}
	}
	for _, tt := range []struct {
		f    verifyFlags
		want bool
	}{{verifyFlags{}, true}, {verifyFlags{rerun: true}, false}, {verifyFlags{run: []string{"a"}}, false}} {
		if got := tt.f.keeps(); got != tt.want {
			t.Errorf("%+v: %v", tt.f, got)
		}
	}
}

// TestNameJob: which label the reports of a job get, and which lists need one of their own.
func TestNameJob(t *testing.T) {
	t.Setenv(project.MachineVariable, "from-env")
	for _, tt := range []struct {
		options         []string
		machine, report string
		want            string // the label, or the key of the refusal
	}{
		{[]string{"gres=gpu:1"}, "lab", "", "lab"},
		{[]string{"gres=gpu:1"}, "", "", "from-env"},
		{[]string{"gres=gpu:1,machine=own"}, "", "", "own"},
		{[]string{"gres=gpu:1,machine=own"}, "lab", "", "verify.machine-many-reports"},
		{[]string{"machine=a", "machine=b"}, "lab", "", "verify.machine-many-reports"},
		{[]string{"machine=a", "gres=gpu:1"}, "", "", "verify.slurm-report-unnamed"},
		{[]string{"machine=a"}, "", "x.json", "a"},
		{[]string{"machine=a", "machine=b"}, "", "x.json", "verify.report-flag-many-reports"},
		{[]string{"nodes=2,machine=a%n"}, "", "", "a%n"},
		{[]string{"nodes=2,machine=a%n"}, "", "x.json", "verify.report-flag-many-reports"},
	} {
		v := &verification{
			Env:         env.New(nil, io.Discard, io.Discard),
			verifyFlags: &verifyFlags{machine: tt.machine, report: tt.report, slurm: slurmFlags{options: tt.options}},
			project:     &project.Project{Dir: "site"},
		}
		o, err := slurmjob.Parse(tt.options[len(tt.options)-1])
		if err != nil {
			t.Fatal(err)
		}
		err = v.nameJob(t.Context(), &o)
		got := string(o.Machine)
		if message, is := errors.AsType[text.Message](err); is {
			got = message.Key()
		}
		if got != tt.want {
			t.Errorf("%+v: %s, %v", tt, got, err)
		}
	}
}

// TestRemoteOutcomes: what is told of runs on other machines, and the worst exit code.
func TestRemoteOutcomes(t *testing.T) {
	english := words.English()
	r := &report.Report{Checks: []report.Check{{Kind: "bash", Outcome: report.Passed}}}
	for _, tt := range []struct {
		r    remote.Result
		want string
	}{
		{remote.Result{Report: r}, "1 passed, 0 failed, 0 error, 0 skipped\tlab.json"},
		{remote.Result{Err: context.Canceled}, english.Get("host_interrupted")},
		{remote.Result{Err: io.EOF}, english.Get("host_no_report")},
		{remote.Result{Report: r, Err: io.EOF}, english.Get("host_part", "tally", "1 passed, 0 failed, 0 error, 0 skipped\tlab.json")},
	} {
		if got := hostOutcome(english, tt.r, "lab.json"); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.r, got, tt.want)
		}
	}
	for _, tt := range []struct {
		codes []int
		want  int
	}{{nil, 0}, {[]int{0, 0}, 0}, {[]int{0, 1}, 1}, {[]int{1, 3, 0}, 3}} {
		var results []remote.Result
		for _, code := range tt.codes {
			results = append(results, remote.Result{Code: code})
		}
		if got := exit.Of(worst(t.Context(), results)).Code; got != tt.want {
			t.Errorf("%v: %d", tt.codes, got)
		}
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if got := exit.Of(worst(gone, nil)).Code; got != exit.Signal {
		t.Error("interrupted:", got)
	}
	seen := map[string]bool{}
	for s := remote.Submitted; s <= remote.Nameless; s++ {
		seen[jobStep(english, s, diag.Plain("detail"))] = true
	}
	if len(seen) != int(remote.Nameless)+1 {
		t.Errorf("two steps have the same words: %v", seen)
	}
	var errs strings.Builder
	a := env.New(nil, io.Discard, &errs)
	a.Text = english
	explained := remote.Result{Label: "lab", Err: &remote.Error{Message: diag.Plain("no way\nmore of it"), Hint: diag.Plain("try again"), Output: "line\n"}}
	explained.Omitted.Lines, explained.Omitted.Bytes = 3, 1025
	explainHost(a, explained)
	for _, want := range []string{"lab: no way\n", "  more of it\n  line\n", "  hint: try again\n", "3 lines", "2 "} {
		if !strings.Contains(errs.String(), want) {
			t.Errorf("no %q in\n%s", want, &errs)
		}
	}
}

// TestColored: the outcome at the beginning of a line from another machine gets its colour.
func TestColored(t *testing.T) {
	t.Setenv("NO_COLOR", "")
	a := env.New(nil, io.Discard, io.Discard)
	a.Text = words.English()
	for _, tt := range []struct{ force, line, want string }{
		{"1", "failed  a.md:3  x", "\x1b[31mfailed\x1b[0m  a.md:3  x"},
		{"1", "something else  x", "something else  x"},
		{"0", "failed  a.md:3  x", "failed  a.md:3  x"},
	} {
		t.Setenv("CLICOLOR_FORCE", tt.force)
		if got := colored(a, tt.line); got != tt.want {
			t.Errorf("%q: %q", tt.line, got)
		}
	}
}

// TestPrintDiff: the change of a page, in colours if there are any; line ends of Windows are no change.
func TestPrintDiff(t *testing.T) {
	t.Setenv("NO_COLOR", "")
	page := update.PageUpdate{Name: "a.md", Old: []byte("a\r\nold\r\n"), New: []byte("a\nnew\n")}
	for force, want := range map[string]string{
		"0": "--- a.md\n+++ a.md\n@@ -1,2 +1,2 @@\n a\n-old\n+new\n",
		"1": "\x1b[31m--- a.md\x1b[0m\n\x1b[32m+++ a.md\x1b[0m\n\x1b[36m@@ -1,2 +1,2 @@\x1b[0m\n a\n\x1b[31m-old\x1b[0m\n\x1b[32m+new\x1b[0m\n",
	} {
		t.Setenv("CLICOLOR_FORCE", force)
		var out strings.Builder
		printDiff(env.New(nil, &out, io.Discard), page)
		if out.String() != want {
			t.Errorf("colours %s: %q", force, out.String())
		}
	}
}

// TestSync: only environments that are made from a lock are made, and one that cannot be made does not keep others from it.
func TestSync(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	var errs strings.Builder
	a := env.New(nil, io.Discard, &errs)
	a.Text, a.Site = words.English(), t.TempDir()
	if err := os.WriteFile(filepath.Join(a.Site, "requirements.txt"), []byte("x==1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	all := map[string]site.Environment{"bare": {Python: "python3"}, "locked": {UV: "requirements.txt"}, "too": {UV: "requirements.txt"}}
	if err := Sync(t.Context(), a, all, []string{"bare"}); err != nil || errs.Len() > 0 {
		t.Errorf("nothing to make: %v, %s", err, &errs)
	}
	if err := Sync(t.Context(), a, all, []string{"locked"}); exit.Of(err).Code != exit.Broken || !strings.Contains(err.Error(), "locked") || errs.Len() > 0 {
		t.Errorf("no tool: %v, %s", err, &errs)
	}
	err := Sync(t.Context(), a, all, []string{"bare", "locked", "too"})
	if e := exit.Of(err); e.Code != exit.Broken || e.Cause != nil || strings.Count(errs.String(), "gpudocs: ") != 2 || strings.Contains(errs.String(), "bare") {
		t.Errorf("two without a tool: %v, %s", err, &errs)
	}
	program(t, "uv", "echo 'no such package' >&2\nexit 1\n")
	errs.Reset()
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	if err := Sync(t.Context(), a, all, []string{"locked"}); exit.Of(err).Code != exit.Usage || !strings.Contains(errs.String(), "  no such package\n") {
		t.Errorf("the tool refuses: %v, %s", err, &errs)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Sync(gone, a, all, []string{"locked"}); !errors.Is(err, context.Canceled) {
		t.Error("interrupted:", err)
	}
}

// TestPlanText compares all that --plan prints.
func TestPlanText(t *testing.T) {
	c := newCommand(t, map[string]string{
		site.ConfigFile: "[verify]\nprocesses = 50\n[env.gpu]\npython = \"python3\"\nmodules = [\"cuda\"]\n",
		"content/en/index.md": "# A\n\n```python {run name=py env=gpu session=s needs=\"gpus >= 1\" timeout=5s}\n1\n```\n\n" +
			"```bash {run name=sh}\ntrue\n```\n\n```gpu {name=lab}\ndriver >= 550\n```\n",
	})
	want := `3 checks would run; nothing was run
  no sandbox: snippets have your rights; processes 50
  environment gpu: modules = cuda
  content/en/index.md:12  gpu  lab: driver >= 550
  python in environment gpu, session s
    content/en/index.md:3  python  py  timeout 5s  needs gpus >= 1
  bash
    content/en/index.md:7  bash  sh  timeout 1m0s
`
	if code, got := c.run("--plan"); code != 0 || got != want {
		t.Errorf("exit code %d, got\n%s\nwant\n%s", code, got, want)
	}
}

// TestPlanWords: what --plan says of environments and of the sandbox.
func TestPlanWords(t *testing.T) {
	for want, e := range map[string]site.Environment{
		"":                             {},
		"modules = cuda, gcc":          {Modules: []string{"cuda", "gcc"}},
		"setup = a":                    {Setup: " a\n"},
		"modules = x; container = img": {Modules: []string{"x"}, Container: "img"},
	} {
		if got := preparation(e); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	english := words.English()
	plain, boxed := sandboxText(english, site.Verify{}), sandboxText(english, site.Verify{Sandbox: "bubblewrap", Processes: 7})
	if plain == "" || !strings.Contains(boxed, "bubblewrap") || !strings.Contains(boxed, "7") || strings.Contains(plain, "7") {
		t.Errorf("%q, %q", plain, boxed)
	}
}

// program puts a shell script into a folder that is PATH.
func program(t *testing.T, name, script string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
}

// TestElsewhere: runs on other machines need their programs, and names for the reports; a plan of jobs asks Slurm.
func TestElsewhere(t *testing.T) {
	c := newCommand(t, map[string]string{site.ConfigFile: "", "content/en/index.md": "# A\n\n```bash {run=sbatch name=job}\n#!/bin/bash\n#SBATCH --time=1\ntrue\n```\n"})
	t.Setenv("PATH", t.TempDir())
	c.want([]string{"--plan"}, 0, "1 check", "sbatch", "job", "sbatch")
	c.want([]string{"--plan", "--host", "lab=ana@address"}, 0, "lab", "ana@address")
	c.want([]string{"--slurm", "machine=a"}, exit.Usage, "sbatch")
	c.want([]string{"--slurm", "machine=a", "--slurm-wait", "0s"}, exit.Usage, "--slurm-wait 0s")
	c.want([]string{"--slurm", "machine=a", "--update"}, exit.Usage, "--update")
	c.want([]string{"--host", "lab"}, exit.Broken, "ssh")
	c.want([]string{"--host", "lab", "--host-binary", filepath.Join(c.dir, "none")}, exit.Usage, "none")
	program(t, "sbatch", "echo 'sbatch: Job 7 to start at noon' >&2\n")
	c.want([]string{"--plan", "--slurm", "machine=a"}, 0, "content/en/index.md:3", "job", "noon", "--slurm machine=a", "noon")
	c.want([]string{"--slurm", "machine=a", "--slurm", "machine=a"}, exit.Usage, "the report of a ")
	c.want([]string{"--slurm", "machine=%x"}, exit.Usage, "machine=%x")
	program(t, "sbatch", "echo 'sbatch: error: no such partition' >&2\nexit 1\n")
	c.want([]string{"--plan"}, exit.Failed, "job", "no such partition")
}

// cancelling is an output that ends a run when a text is written.
type cancelling struct {
	bytes.Buffer
	at     string
	cancel func()
}

func (c *cancelling) Write(data []byte) (int, error) {
	if strings.Contains(string(data), c.at) {
		c.cancel()
	}
	return c.Buffer.Write(data)
}

// TestVerifyInterrupted: what was finished is written, and the exit code says that the rest is missing.
func TestVerifyInterrupted(t *testing.T) {
	programtest.Need(t, "bash")
	c := newCommand(t, map[string]string{site.ConfigFile: "", "content/en/index.md": "# A\n\n```bash {run name=one}\ntrue\n```\n\n```bash {run name=two}\nsleep 100\n```\n"})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	out := &cancelling{at: "  one", cancel: cancel}
	a := env.New(strings.NewReader(""), out, out)
	a.Text, a.Site = words.English(), c.dir
	v := NewVerify(a)
	v.SetArgs([]string{"--machine", "lab", "--jobs", "1"})
	v.SilenceErrors, v.SilenceUsage = true, true
	if e := exit.Of(v.ExecuteContext(ctx)); e.Code != exit.Signal || !strings.Contains(out.String(), "interrupted; what was finished is in ") {
		t.Errorf("exit code %d\n%s", e.Code, out)
	}
	previous, err := project.Previous(filepath.Join(c.dir, "results", "lab.json"), "lab")
	if err != nil || previous.Report == nil || len(previous.Report.Checks) != 1 || previous.Report.Checks[0].Name != "one" {
		t.Errorf("%+v, %v", previous.Report, err)
	}
}

// TestVerifySigned: with a key the report is signed, and with a wrong one nothing is run.
func TestVerifySigned(t *testing.T) {
	programtest.Need(t, "bash", "ssh-keygen")
	c := newCommand(t, map[string]string{site.ConfigFile: "[trust]\nallowed_signers = \"signers\"\n", "content/en/index.md": "# A\n\n```bash {run name=one}\ntrue\n```\n"})
	key := filepath.Join(c.dir, "key")
	if out, err := exec.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", key).CombinedOutput(); err != nil {
		t.Fatal(err, string(out))
	}
	c.write("signers", "lab "+c.read("key.pub"))
	c.want([]string{"--machine", "other", "--sign", key}, exit.Usage, "key", "signers", "!passed")
	c.want([]string{"--machine", "lab", "--sign", key + "s"}, exit.Usage, "keys", "!passed")
	c.want([]string{"--machine", "lab", "--sign", key}, 0, "passed   ", "results/lab.json and its signature")
	if c.read("results/lab.json"+report.SignatureExtension) == "" {
		t.Error("no signature")
	}
	c.want([]string{"--machine", "lab", "--sign", key}, 0, "1 of them kept")
	c.want([]string{"--machine", "lab"}, 0, "no longer signed")
	if c.read("results/lab.json"+report.SignatureExtension) != "" {
		t.Error("the signature of the old report stays")
	}
	c.want([]string{"--machine", "lab", "--sign", key}, exit.Usage, "not signed")
	c.write("signers", "what\n")
	c.want([]string{"--machine", "lab"}, exit.Usage, "signers:1:", "nothing was run")
}

// TestLost: what a machine has lost together with its checks.
func TestLost(t *testing.T) {
	english := words.English()
	one := report.GPU{Status: report.GPUOk, Driver: "550.54.14", Devices: []report.Device{{Name: "NVIDIA A100"}}}
	newer := one
	newer.Driver = "580.65.06"
	gone := []compare.Change{{Name: "torch", B: &report.Check{Reason: &report.Reason{Code: report.ReasonNoInterpreter, Program: "python3"}}}}
	for _, tt := range []struct {
		before, after report.GPU
		changes       []compare.Change
		want          string
	}{
		{one, report.GPU{}, nil, ""},
		{one, report.GPU{Status: report.GPUNone}, gone, "lab: A100 → no GPU"},
		{one, newer, gone, "lab: driver 550.54.14 → 580.65.06"},
		{one, one, gone, "lab: torch → not found: python3"},
	} {
		p := pair{machine("lab", ""), machine("lab", "")}
		p.before.Machine.GPU, p.after.Machine.GPU = tt.before, tt.after
		if got := lost(english, p, tt.changes); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}

// TestProgressLine: what a line has of a check, and that a block that has ended does not run any more.
func TestProgressLine(t *testing.T) {
	var out strings.Builder
	p := &progress{a: env.New(nil, &out, io.Discard)}
	p.a.Text = words.English()
	one, two := &site.Block{Name: "one"}, &site.Block{Name: "two"}
	for _, e := range []verify.Event{{Started: one}, {Started: two}, {Ended: one}} {
		p.event(e)
	}
	if len(p.running) != 1 || p.running[0].Block != two {
		t.Errorf("running: %v", p.running)
	}
	at := []report.Place{{File: "a.md", Line: 3}}
	reason := &report.Reason{Code: report.ReasonNoInterpreter, Program: "rustc"}
	for _, tt := range []struct {
		check report.Check
		want  string
	}{
		{report.Check{Kind: "bash", Name: "x", Outcome: report.Passed, DurationMS: 1500}, "passed   a.md:3  x  1.50s\n"},
		{report.Check{Kind: "bash", Name: "x", Outcome: report.Passed, Tries: make([]report.Try, 1)}, "passed   a.md:3  x  0.00s  unsteady: passed at try 2\n"},
		{report.Check{Kind: report.KindGPU, Name: "lab.matmul", Outcome: report.Passed, Found: "60 TFLOP/s", Measurement: &report.Measurement{}}, "passed   a.md:3  lab.matmul  60 TFLOP/s  0.00s\n"},
		{report.Check{Kind: report.KindGPU, Name: "lab.driver", Outcome: report.Passed, Found: "550"}, "passed   a.md:3  lab.driver\n"},
		{report.Check{Kind: "bash", Name: "x", Outcome: report.Errored, Reason: reason}, "error    a.md:3  x  0.00s\n         not found: rustc"},
	} {
		out.Reset()
		tt.check.Places = at
		p.event(verify.Event{Finished: &tt.check})
		if !strings.HasPrefix(out.String(), tt.want) {
			t.Errorf("%q, want %q", out.String(), tt.want)
		}
	}
}
