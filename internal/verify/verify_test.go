package verify

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gpudocs/gpudocs/internal/machine/pyenv/pyenvtest"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/load"
	"github.com/gpudocs/gpudocs/internal/verify/judge"
	"github.com/gpudocs/gpudocs/test/programtest"
	"github.com/gpudocs/gpudocs/test/reporttest"
)

func TestMain(m *testing.M) {
	debug.SetGCPercent(400) // fewer collections while a report of 64 MiB is in memory
	pyenvtest.Unwrap()
	os.Exit(m.Run())
}

// need skips a test if an interpreter or a compiler does not work on this machine.
func need(t testing.TB, programs ...string) {
	t.Helper()
	programtest.Need(t, programs...)
}

func loadSite(t testing.TB, files map[string]string) *site.Site {
	t.Helper()
	fsys := fstest.MapFS{"gpudocs.toml": {Data: []byte("title = \"T\"\n[env.venv]\npython = \"env/bin/python\"\n[env.conda]\nconda = \"gpu\"\n")}}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	site, diags := load.Load(fsys, load.Options{})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	return site
}

var (
	noGPU  = report.GPU{Status: report.GPUNone, Code: report.CodeNoLibrary}
	broken = report.GPU{Status: report.GPUBroken, Code: report.CodeMismatch}
	oldGPU = report.GPU{Status: report.GPUOk, Driver: "460.91.03", CUDA: "11.2", Devices: []report.Device{{Name: "GTX", MemoryBytes: 8 << 30, Compute: "6.1"}}}
)

func verify(t testing.TB, site *site.Site, gpu report.GPU, o Options) *report.Report {
	t.Helper()
	plan, err := NewPlan(site, Filter{})
	if err != nil {
		t.Fatal(err)
	}
	o.Machine, o.Generator, o.Env = "m", "test", site.Config.Env
	o.Probe = func(context.Context) report.GPU { return gpu }
	r, err := Run(t.Context(), plan, nil, o)
	if err != nil {
		t.Fatal(err)
	}
	if err := report.Write(filepath.Join(t.TempDir(), "m.json"), r); err != nil {
		t.Errorf("the report cannot be written: %v", err)
	}
	return r
}

// outcomes summarizes a report: name, outcome, reason, detail, line.
func outcomes(r *report.Report) []string {
	var out []string
	for _, c := range r.Checks {
		s := c.Name + " " + string(c.Outcome)
		if q := c.Reason; q != nil {
			s += " " + q.Code
			if rest := restOf(*q); rest != "" {
				s += " (" + rest + ")"
			}
			if q.Need != "" {
				s += " (" + q.Need + "; " + q.Found + ")"
			}
			if q.Place != nil {
				s += fmt.Sprintf(" :%d", q.Place.Line)
			}
		}
		out = append(out, s)
	}
	return out
}

// restOf returns the fields of a reason besides its code and requirement, and without the words of a compiler.
func restOf(r report.Reason) string {
	if r.Code == report.ReasonBuild {
		r.Said = ""
	}
	r.Code, r.Need, r.Found = "", "", ""
	return r.Error()
}

func TestOutcomes(t *testing.T) {
	need(t, "bash", "python3")
	page := "# A\n" +
		"```bash {run name=ok session=s}\nx=1; echo $x\n```\n```text {expect}\n1\n```\n" +
		"```bash {run name=differs session=s}\necho $x\n```\n```text {expect}\n2\n```\n" +
		"```bash {run name=fails}\ntrue\nfalse\ntrue\n```\n" +
		"```bash {run name=exits session=e}\nexit 3\n```\n```bash {run name=behind session=e}\ntrue\n```\n" +
		"```python {run name=typo}\nimport math\ntoruch.cuda\n```\n" +
		"```python {run name=crash session=c}\nimport os\nos._exit(0)\n```\n```python {run name=after session=c}\n1\n```\n" +
		"```python {run name=shown}\n6 * 7\n```\n```text {expect}\n42\n```\n" +
		"```bash {run name=slow timeout=300ms}\necho began; sleep 60\n```\n" +
		"```bash {run name=gpu needs=\"gpus >= 1\" session=g}\ntrue\n```\n```bash {run name=gpu2 session=g}\ntrue\n```\n" +
		"```bash {run name=nobody}\necho 1\n```\n```text {expect when=\"gpus >= 1\"}\n1\n```\n" +
		"```bash {run name=when}\necho cpu\n```\n```text {expect when=\"gpus >= 1\"}\ngpu\n```\n```text {expect when=\"gpus == 0\"}\ncpu\n```\n" +
		"```bash {run name=stream}\necho cpu; echo more >&2\n```\n```text {expect when=\"gpus == 0\"}\ncpu\n```\n```text {expect when=\"gpus >= 1\" stream=stderr}\ngpu\n```\n" +
		"```bash {run name=long}\nhead -c 200000 /dev/zero | tr '\\0' a\n```\n```text {expect}\n...\n```\n" +
		"```python {run name=lost env=venv}\n1\n```\n```python {run name=lost2 env=conda}\n1\n```\n"
	pyenvtest.Nothing(t)
	site := loadSite(t, map[string]string{"content/pt/index.md": page})
	line := func(code string) int {
		before, _, _ := strings.Cut(page, code)
		return strings.Count(before, "\n") + 1
	}
	want := []string{
		"ok passed",
		fmt.Sprintf("differs failed output-differs :%d", line("2\n```\n```bash {run name=fails}")),
		fmt.Sprintf("fails failed exit-code (1) :%d", line("false\n")),
		"exits failed exit-code (3)",
		"behind error session-ended (exits)",
		fmt.Sprintf("typo failed exception (NameError: name 'toruch' is not defined) :%d", line("toruch")),
		"crash error crash (0)",
		"after error session-ended (crash)",
		"shown passed",
		"slow error timeout (time: 0.3)",
		"gpu skipped needs-unmet (no-library) (gpus >= 1; 0)",
		"gpu2 skipped session-skipped (needs-unmet: gpu) (gpus >= 1; )",
		"nobody error no-expectation",
		"when passed",
		"stream passed",
		"long failed output-too-long :79",
		"lost skipped no-interpreter (env/bin/python)",
		"lost2 skipped no-interpreter (conda: gpu)",
	}
	r := verify(t, site, noGPU, Options{})
	got := outcomes(r)
	got[len(got)-1] = regexp.MustCompile(`gpu: [^)]+`).ReplaceAllString(got[len(got)-1], "gpu") // those that there are
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	for _, c := range r.Checks {
		if c.Name == "slow" && c.Stdout.String() != "began\n" {
			t.Errorf("the output before the timeout is lost: %+v", c.Stdout)
		}
		if c.Name == "long" && (c.Stdout.Cut != 200000-2*judge.Kept || len(c.Stdout.Text) > 70_000) {
			t.Errorf("long output: %d bytes kept, %d cut", len(c.Stdout.Text), c.Stdout.Cut)
		}
	}
}

func TestGPULines(t *testing.T) {
	page := "```gpu {name=lab}\ngpus >= 1\ndriver >= 550 # newer\ncuda >= 11.0\nmemory >= 8 GiB\ncompute >= 7.0\n```\n"
	for _, c := range []struct {
		gpu  report.GPU
		want []string
	}{
		{noGPU, []string{"lab.gpus skipped no-gpu (no-library)", "lab.driver skipped no-gpu (no-library)", "lab.cuda skipped no-gpu (no-library)",
			"lab.memory skipped no-gpu (no-library)", "lab.compute skipped no-gpu (no-library)"}},
		{broken, []string{"lab.gpus error gpu-broken (version-mismatch)", "lab.driver error gpu-broken (version-mismatch)", "lab.cuda error gpu-broken (version-mismatch)",
			"lab.memory error gpu-broken (version-mismatch)", "lab.compute error gpu-broken (version-mismatch)"}},
		{oldGPU, []string{"lab.gpus passed", "lab.driver failed requirement (driver >= 550; 460.91.03)", "lab.cuda passed", "lab.memory passed",
			"lab.compute failed requirement (compute >= 7.0; 6.1)"}},
	} {
		r := verify(t, loadSite(t, map[string]string{"content/pt/index.md": page}), c.gpu, Options{})
		if d := cmp.Diff(c.want, outcomes(r)); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.gpu.Status, d)
		}
	}
}

// TestPycon: what a real Python does is judged; package judge has the rest.
func TestPycon(t *testing.T) {
	need(t, "python3")
	cases := []struct{ name, code, want string }{
		{"values", ">>> x = 2\n>>> x\n2\n>>> print('a')\na\n", "b passed"},
		{"blank line", ">>> print('a\\n\\nb')\na\n<BLANKLINE>\nb\n", "b passed"},
		{"several lines", ">>> def f():\n...     return 1\n...\n>>> f()\n1\n", "b passed"},
		{"no line end", ">>> print('a', end='')\na\n>>> print('b', end='')\nb\n", "b passed"},
		{"traceback", ">>> 1/0\nTraceback (most recent call last):\n  File \"x\", line 99\nZeroDivisionError: division by zero\n", "b passed"},
		{"other traceback", ">>> int('a')\nTraceback (most recent call last):\nZeroDivisionError: division by zero\n", "b failed exception (ValueError: invalid literal for int() with base 10: 'a') :2"},
		{"exception, and on", ">>> toruch\n>>> 2\n2\n", "b failed exception (NameError: name 'toruch' is not defined) :2"},
		{"crash", ">>> import os\n>>> os._exit(0)\n>>> 1\n1\n", "b error crash (0) :3"},
	}
	files := map[string]string{}
	for i, c := range cases {
		files[fmt.Sprintf("content/pt/p%02d.md", i)] = fmt.Sprintf("```pycon {run name=b%02d}\n%s```\n", i, c.code)
	}
	r := verify(t, loadSite(t, files), noGPU, Options{})
	if len(r.Checks) != len(cases) {
		t.Fatalf("got %q", outcomes(r))
	}
	for i, c := range cases {
		if got := outcomes(r)[i]; got != strings.Replace(c.want, "b", fmt.Sprintf("b%02d", i), 1) {
			t.Errorf("%s: got %q, want %q: %s", c.name, got, c.want, reporttest.Text(r.Checks[i]))
		}
	}
}

// TestOneCheckForTranslations: code that is the same in two languages runs once, and the blocks
// after it run too.
func TestOneCheckForTranslations(t *testing.T) {
	need(t, "bash")
	counter := filepath.Join(t.TempDir(), "ran")
	t.Setenv("COUNTER", counter)
	code := "```bash {run name=%s session=s}\necho ran >> \"$COUNTER\"\n```\n"
	more := "```bash {run name=more session=s}\necho more >> \"$COUNTER\"\n```\n"
	site := loadSite(t, map[string]string{
		"content/pt/a.md": "# Olá\n" + fmt.Sprintf(code, "um"),
		"content/es/a.md": "# Hola\n\nMás prosa.\n" + fmt.Sprintf(code, "uno") + more,
		"content/pt/b.md": "```bash {run name=other}\necho other >> \"$COUNTER\"\n```\n",
	})
	r := verify(t, site, noGPU, Options{})
	ran, _ := os.ReadFile(counter)
	if got := strings.Fields(string(ran)); !slices.Equal(slices.Sorted(slices.Values(got)), []string{"more", "other", "ran"}) {
		t.Errorf("ran %q", got)
	}
	if len(r.Checks) != 3 || len(r.Checks[0].Places) != 2 {
		t.Error(reporttest.Text(r.Checks...))
	}
}

func TestPartialRuns(t *testing.T) {
	need(t, "bash")
	files := map[string]string{
		"content/pt/a.md": "```bash {run name=a1 session=s}\nx=1\n```\n```bash {run name=a2 session=s}\necho $x\n```\n```bash {run name=a3 session=s}\nfalse\n```\n",
		"content/pt/b.md": "```bash {run name=b}\ntrue\n```\n```gpu {name=g}\ngpus >= 1\n```\n",
	}
	s := loadSite(t, files)
	full := verify(t, s, noGPU, Options{})
	run := func(site *site.Site, f Filter, previous *report.Report) (*report.Report, []string) {
		t.Helper()
		plan, err := NewPlan(site, f)
		if err != nil {
			t.Fatal(err)
		}
		var ran []string
		r, err := Run(t.Context(), plan, previous, Options{Machine: "m", Probe: func(context.Context) report.GPU { return noGPU },
			Progress: func(e Event) {
				if e.Finished != nil {
					ran = append(ran, e.Finished.Name)
				}
			}})
		if err != nil {
			t.Fatal(err)
		}
		return r, ran
	}
	if _, ran := run(s, Filter{Names: []string{"a2"}}, nil); !slices.Equal(ran, []string{"a1", "a2"}) {
		t.Errorf("--run a2 ran %q", ran)
	}
	if _, ran := run(s, Filter{Names: []string{"a1", "g.gpus"}}, nil); !slices.Equal(ran, []string{"g.gpus", "a1"}) {
		t.Errorf("--run a1 --run g.gpus ran %q", ran)
	}
	if _, ran := run(s, Filter{Names: []string{"g.gpus"}}, nil); !slices.Equal(ran, []string{"g.gpus"}) {
		t.Errorf("--run g.gpus ran %q", ran)
	}
	r, ran := run(s, Filter{Paths: []string{"content/pt/b.md"}}, full)
	if !slices.Equal(ran, []string{"g.gpus", "b"}) || len(r.Checks) != len(full.Checks) {
		t.Errorf("one page: ran %q, kept %q", ran, outcomes(r))
	}
	if r, ran := run(s, Filter{Known: Known(full)}, full); len(ran) != 0 || len(r.Checks) != len(full.Checks) {
		t.Errorf("all results are known, but %q ran", ran)
	}
	files["content/pt/a.md"] = strings.Replace(files["content/pt/a.md"], "echo $x", "echo $x$x", 1)
	edited := loadSite(t, files)
	if _, ran := run(edited, Filter{Known: Known(full)}, full); !slices.Equal(ran, []string{"a1", "a2", "a3"}) {
		t.Errorf("after an edit %q ran", ran)
	}
	// An old result without another run stays, to be shown as stale.
	r, _ = run(edited, Filter{Paths: []string{"content/pt/b.md"}}, full)
	names := outcomes(r)
	if len(names) != len(full.Checks) {
		t.Errorf("stale results are lost: %q", names)
	}
	if _, ran := run(s, Filter{Names: []string{"a2", "g.gpus"}, Known: Known(full)}, full); len(ran) != 0 {
		t.Errorf("the results of the named blocks are known, but %q ran", ran)
	}
	for _, f := range []Filter{{Paths: []string{"content/pt/none.md"}}, {Names: []string{"none"}}, {Names: []string{"a2", "none"}}} {
		if _, err := NewPlan(s, f); err == nil {
			t.Errorf("%+v chooses nothing and gives no error", f)
		}
	}
}

func TestInterrupted(t *testing.T) {
	need(t, "bash")
	site := loadSite(t, map[string]string{"content/pt/a.md": "```bash {run name=a}\ntrue\n```\n```bash {run name=b}\nsleep 60\n```\n```bash {run name=c}\ntrue\n```\n"})
	plan, _ := NewPlan(site, Filter{})
	ctx, cancel := context.WithCancel(t.Context())
	r, err := Run(ctx, plan, nil, Options{Machine: "m", Probe: func(context.Context) report.GPU { return noGPU }, Progress: func(e Event) {
		if e.Started != nil && e.Started.Name == "b" {
			time.AfterFunc(100*time.Millisecond, cancel)
		}
	}})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if got := outcomes(r); !slices.Equal(got, []string{"a passed"}) {
		t.Errorf("the report holds %q", got)
	}
}

func TestScratchIsPrivateAndRemoved(t *testing.T) {
	need(t, "bash")
	base := t.TempDir()
	t.Setenv("TMPDIR", base)
	t.Setenv("GPUDOCS_MACHINE", "secret")
	site := loadSite(t, map[string]string{"content/pt/a.md": "```bash {run name=a}\npwd; ls -A; mktemp -u | sed 's/tmp\\..*/tmp.X/'; echo ${GPUDOCS_MACHINE-unset} $NO_COLOR $TERM $COLUMNS $LC_ALL\nmkdir d; touch d/f; chmod 500 d\n```\n```text {expect}\n$WORK\n$SCRATCH/tmp/tmp.X\nunset 1 dumb 80 C.UTF-8\n```\n"})
	r := verify(t, site, noGPU, Options{})
	if got := outcomes(r); !slices.Equal(got, []string{"a passed"}) {
		t.Errorf("%q: %s", got, reporttest.Text(r.Checks[0]))
	}
	if left, _ := os.ReadDir(base); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestEnvironments runs in a fake conda environment and in a relative path: both are links to
// the installed Python.
func TestEnvironments(t *testing.T) {
	need(t, "bash", "python3")
	python := pyenvtest.Python(t)
	home, root := pyenvtest.Nothing(t), t.TempDir()
	prefix := pyenvtest.Prefix(t, python, home, "elsewhere", "gpu")
	pyenvtest.Prefix(t, python, root, "env")
	pyenvtest.Write(t, filepath.Join(home, ".conda", "environments.txt"), filepath.Join(root, "gone")+"\n"+prefix+"\n")
	site := loadSite(t, map[string]string{"content/pt/a.md": "```bash {run name=conda env=conda}\ncommand -v python\n```\n```text {expect}\n~/elsewhere/gpu/bin/python\n```\n" +
		"```python {run name=inside env=conda}\nimport os, sys\nprint(sys.executable, os.environ['CONDA_PREFIX'], os.environ['CONDA_DEFAULT_ENV'])\n```\n" +
		"```text {expect}\n~/elsewhere/gpu/bin/python ~/elsewhere/gpu gpu\n```\n" +
		"```python {run name=venv env=venv}\n1\n```\n```text {expect}\n1\n```\n"})
	if got := outcomes(verify(t, site, noGPU, Options{Root: root})); !slices.Equal(got, []string{"conda passed", "inside passed", "venv passed"}) {
		t.Errorf("%q", got)
	}
}

// TestInterruptedProbe: an interrupted probe reports the driver as broken, which must not get
// into a report.
func TestInterruptedProbe(t *testing.T) {
	site := loadSite(t, map[string]string{"content/pt/a.md": "```gpu {name=g}\ngpus >= 1\n```\n"})
	plan, _ := NewPlan(site, Filter{})
	ctx, cancel := context.WithCancel(t.Context())
	r, err := Run(ctx, plan, nil, Options{Machine: "m", Probe: func(context.Context) report.GPU {
		cancel()
		return report.GPU{Status: report.GPUBroken, Code: report.CodeProbeTimeout}
	}})
	if r != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("report %+v, error %v", r, err)
	}
}

// TestChangedSandbox: results from outside of the sandbox are not published as results from
// inside.
func TestChangedSandbox(t *testing.T) {
	need(t, "bash")
	programtest.NeedSandbox(t)
	s := loadSite(t, map[string]string{"content/pt/a.md": "```bash {run name=a}\ntrue\n```\n```bash {run name=b}\ntrue b\n```\n"})
	previous := verify(t, s, noGPU, Options{})
	plan, err := NewPlan(s, Filter{Names: []string{"b"}})
	if err != nil {
		t.Fatal(err)
	}
	r, err := Run(t.Context(), plan, previous, Options{Machine: "m", Confine: site.Verify{Sandbox: site.SandboxBwrap},
		Probe: func(context.Context) report.GPU { return noGPU }})
	if err != nil {
		t.Fatal(err)
	}
	if got := outcomes(r); !slices.Equal(got, []string{"b passed"}) {
		t.Errorf("%q", got)
	}
}

// TestChangedDriver: results with another driver are not published as results with this one.
func TestChangedDriver(t *testing.T) {
	need(t, "bash")
	site := loadSite(t, map[string]string{"content/pt/a.md": "```bash {run name=a}\ntrue\n```\n```bash {run name=b}\ntrue b\n```\n"})
	newer := oldGPU
	newer.Driver = "550.54.14"
	for _, c := range []struct {
		now     report.GPU
		want    []string
		dropped int
	}{
		{oldGPU, []string{"a passed", "b passed"}, 0},
		{newer, []string{"b passed"}, 2},
	} {
		previous := verify(t, site, oldGPU, Options{})
		plan, err := NewPlan(site, Filter{Names: []string{"b"}})
		if err != nil {
			t.Fatal(err)
		}
		dropped := 0
		r, err := Run(t.Context(), plan, previous, Options{Machine: "m", Probe: func(context.Context) report.GPU { return c.now },
			Progress: func(e Event) { dropped += e.Dropped }})
		if got := outcomes(r); err != nil || !slices.Equal(got, c.want) || dropped != c.dropped {
			t.Errorf("driver %s: %q, %d dropped, %v", c.now.Driver, got, dropped, err)
		}
	}
}
