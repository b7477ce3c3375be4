package verify

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/site"
)

// rerun runs a site after an earlier report, keeps the checks that it proves, and returns the
// names of the checks that ran.
func rerun(t testing.TB, site *site.Site, gpu report.GPU, previous *report.Report, o Options) (*report.Report, []string) {
	t.Helper()
	plan, err := NewPlan(site, Filter{})
	if err != nil {
		t.Fatal(err)
	}
	var ran []string
	o.Machine, o.Generator, o.Env, o.Keep = "m", "test", site.Config.Env, true
	o.Packages = site.Config.Packages
	o.Probe = func(context.Context) report.GPU { return gpu }
	o.Progress = func(e Event) {
		if e.Finished != nil {
			ran = append(ran, e.Finished.Name)
		}
	}
	r, err := Run(t.Context(), plan, previous, o)
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(ran)
	return r, ran
}

// TestKeep changes one by one the things on which an outcome depends.
func TestKeep(t *testing.T) {
	need(t, "bash", "python3")
	page := "```bash {run name=b}\ntrue\n```\n```python {run name=p1 session=s}\nx = 1\n```\n```python {run name=p2 session=s}\nx;\n```\n" +
		"```bash {run name=fails}\nfalse\n```\n```gpu {name=g}\ngpus >= 1\n```\n"
	always := []string{"fails", "g.gpus"}
	all := []string{"b", "fails", "g.gpus", "p1", "p2"}
	newer := oldGPU
	newer.Driver = "550.54.14"
	of := func(name string, edit func(*report.Check)) func(*report.Report) {
		return func(r *report.Report) {
			for i := range r.Checks {
				if r.Checks[i].Name == name {
					edit(&r.Checks[i])
				}
			}
		}
	}
	site := loadSite(t, map[string]string{"content/pt/a.md": page})
	first, _ := rerun(t, site, oldGPU, nil, Options{})
	written, err := json.Marshal(first)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		edit func(*report.Report) // of the earlier report
		now  report.GPU
		want []string
	}{
		{"nothing", func(*report.Report) {}, oldGPU, always},
		{"the driver", func(*report.Report) {}, newer, all},
		{"the GPU is gone", func(*report.Report) {}, noGPU, all},
		{"the system", func(r *report.Report) { r.Machine.OS = "Debian GNU/Linux 1.1 (buzz)" }, oldGPU, all},
		{"the CPU", func(r *report.Report) { r.Machine.CPU = "Intel 80386" }, oldGPU, all},
		{"the sandbox", func(r *report.Report) { r.Machine.Sandbox = report.SandboxBwrap }, oldGPU, all},
		{"bash", of("b", func(c *report.Check) { c.Interpreter = "bash 1.0.0" }), oldGPU, []string{"b", "fails", "g.gpus"}},
		{"Python of the first block", of("p1", func(c *report.Check) { c.Interpreter = "Python 2.7.18" }), oldGPU, []string{"fails", "g.gpus", "p1"}},
		{"Python of the last block", of("p2", func(c *report.Check) { c.Interpreter = "" }), oldGPU, []string{"fails", "g.gpus", "p1", "p2"}},
		{"a package is not declared any more", of("b", func(c *report.Check) { c.Packages = []report.Package{{Name: "torch", Version: "2"}} }), oldGPU,
			[]string{"b", "fails", "g.gpus"}},
		{"it failed before", of("b", func(c *report.Check) {
			c.Outcome, c.Reason = report.Failed, &report.Reason{Code: report.ReasonExit}
		}), oldGPU, []string{"b", "fails", "g.gpus"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := new(report.Report)
			if err := json.Unmarshal(written, before); err != nil {
				t.Fatal(err)
			}
			c.edit(before)
			r, ran := rerun(t, site, c.now, before, Options{})
			if !slices.Equal(ran, c.want) {
				t.Errorf("ran %q, want %q", ran, c.want)
			}
			if len(r.Checks) != len(all) {
				t.Errorf("the report holds %q", outcomes(r))
			}
			for i, k := range r.Checks {
				kept := !slices.Contains(ran, k.Name)
				if kept && len(k.History) != 0 || !kept && (len(k.History) != 1 || k.History[0].Outcome != before.Checks[i].Outcome) {
					t.Errorf("history of %s, kept %v: %+v", k.Name, kept, k.History)
				}
			}
		})
	}
}

// TestKeepEnvironment: another Python under the same name invalidates a check, even if its
// version is the same.
func TestKeepEnvironment(t *testing.T) {
	need(t, "python3")
	dir := t.TempDir()
	for _, name := range []string{"a", "b"} {
		if out, err := exec.Command("python3", "-m", "venv", "--without-pip", filepath.Join(dir, name)).CombinedOutput(); err != nil {
			t.Skipf("no environment can be made: %v, %s", err, out)
		}
	}
	in := func(name string) *site.Site {
		return loadSite(t, map[string]string{
			"gpudocs.toml":    "[env.e]\npython = \"" + filepath.Join(dir, name, "bin/python") + "\"\n",
			"content/pt/a.md": "```python {run name=p env=e}\nimport sys\nsys.prefix[-1]\n```\n```text {expect}\n'a'\n```\n",
		})
	}
	before, _ := rerun(t, in("a"), noGPU, nil, Options{})
	if r, ran := rerun(t, in("a"), noGPU, before, Options{}); len(ran) != 0 || r.Checks[0].Outcome != report.Passed {
		t.Errorf("with the same Python: ran %q, %q", ran, outcomes(r))
	}
	if r, ran := rerun(t, in("b"), noGPU, before, Options{}); len(ran) != 1 || r.Checks[0].Outcome != report.Failed {
		t.Errorf("with another Python: ran %q, %q", ran, outcomes(r))
	}
}

// TestKeepNeedsTheSandbox: if the site demands a sandbox and there is none, no check of an
// earlier run is kept.
func TestKeepNeedsTheSandbox(t *testing.T) {
	need(t, "bash")
	s := loadSite(t, map[string]string{"content/pt/a.md": "```bash {run name=b}\ntrue\n```\n"})
	before, _ := rerun(t, s, noGPU, nil, Options{})
	bin := t.TempDir()
	bash, _ := exec.LookPath("bash")
	if err := os.Symlink(bash, filepath.Join(bin, "bash")); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin)
	r, _ := rerun(t, s, noGPU, before, Options{Confine: site.Verify{Sandbox: site.SandboxBwrap}})
	if got := outcomes(r); len(got) != 1 || !strings.HasPrefix(got[0], "b skipped no-sandbox") {
		t.Errorf("%q", got)
	}
}

// TestTools: the report has the version and packages of each interpreter, which is queried once
// however many sessions it has.
func TestTools(t *testing.T) {
	need(t, "bash", "python3")
	lib := t.TempDir()
	writeText(t, filepath.Join(lib, "demo-1.2+cu121.dist-info", "METADATA"), "Metadata-Version: 2.1\nName: demo\nVersion: 1.2+cu121\n")
	// A start-up file that prints, and counts how often it ran.
	queries := filepath.Join(lib, "queries")
	writeText(t, filepath.Join(lib, "sitecustomize.py"), "import sys\nif 'def answer(question)' in ''.join(sys.orig_argv):\n    open("+`"`+queries+`"`+", 'a').write('.')\nprint('hello')\n")
	t.Setenv("PYTHONPATH", lib)
	page := strings.Repeat("```python {run}\n1;\n```\n```bash {run}\ntrue\n```\n", 5)
	files := map[string]string{"content/pt/a.md": page}
	site := loadSite(t, files)
	site.Config.Packages = []string{"no-such-package", "demo", "demo"}
	r, _ := rerun(t, site, noGPU, nil, Options{})
	want := []report.Package{{Name: "demo", Version: "1.2+cu121"}, {Name: "no-such-package"}}
	for _, c := range r.Checks {
		name := map[string]string{report.KindBash: "bash ", report.KindPython: "Python 3."}[c.Kind]
		if !strings.HasPrefix(c.Interpreter, name) || strings.ContainsAny(c.Interpreter, "()\n") || !slices.Equal(c.Packages, want) {
			t.Errorf("%s ran in %q with %+v", c.Kind, c.Interpreter, c.Packages)
		}
	}
	if data, _ := os.ReadFile(queries); string(data) != "." {
		t.Errorf("queried %q, want once", data)
	}
}

// TestMuteInterpreter: checks in an interpreter that does not answer are not kept.
func TestMuteInterpreter(t *testing.T) {
	need(t, "bash", "python3")
	lib := t.TempDir()
	writeText(t, filepath.Join(lib, "sitecustomize.py"), "import os, sys\nif 'def answer(question)' in ''.join(sys.orig_argv):\n    os._exit(0)\n")
	t.Setenv("PYTHONPATH", lib)
	site := loadSite(t, map[string]string{"content/pt/a.md": "```python {run name=p}\n1;\n```\n"})
	r, _ := rerun(t, site, noGPU, nil, Options{})
	if c := r.Checks[0]; c.Outcome != report.Passed || c.Interpreter != "" {
		t.Errorf("%+v", c)
	}
	if _, ran := rerun(t, site, noGPU, r, Options{}); !slices.Equal(ran, []string{"p"}) {
		t.Errorf("ran %q", ran)
	}
}

func writeText(t testing.TB, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
