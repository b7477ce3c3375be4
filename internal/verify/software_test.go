package verify

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpudocs/gpudocs/internal/machine/pyenv/pyenvtest"
	"github.com/gpudocs/gpudocs/internal/report"
)

// fakeSlurm puts an sbatch that only prints its version first into PATH, which is otherwise
// path, and returns the file in which it records its calls.
func fakeSlurm(t *testing.T, version, path string) (calls string) {
	t.Helper()
	dir := t.TempDir()
	calls = filepath.Join(dir, "calls")
	pyenvtest.Write(t, filepath.Join(dir, "sbatch"), "#!/bin/sh\necho \"$@\" >> '"+calls+"'\necho slurm-wlm "+version+"\n")
	if err := os.Chmod(filepath.Join(dir, "sbatch"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":"+path)
	return calls
}

// TestSoftware: requirements of software decide about blocks, expectations and lines, in the
// environment of each, and on a machine without a GPU.
func TestSoftware(t *testing.T) {
	need(t, "bash")
	pyenvtest.Nothing(t)
	own, lab := venv(t, "1.13.0a0", "None"), venv(t, "2.6.0+cpu", "None")
	calls := fakeSlurm(t, "21.08.8-2", own+"/bin:/usr/bin:/bin")
	config := "[env.lab]\npython = \"" + lab + "/bin/python\"\n[env.gone]\npython = \"/nowhere/python\"\n"
	block := func(name, more string) string {
		return "```bash {run name=" + name + " " + more + "}\necho " + name + "\n```\n"
	}
	page := block("old", `needs="torch >= 1.13, not torch >= 2"`) + block("new", `needs="torch >= 2"`) + block("lab", `env=lab needs="torch >= 2"`) +
		block("none", `needs="numba"`) + block("without", `needs="not numba and python >= 3"`) + block("future", `env=lab needs="python >= 4.0"`) +
		block("untold", `needs="jax >= 0.4"`) + block("slurm", `needs="slurm >= 22.05"`) + block("gone", `env=gone needs=torch`) +
		block("when", "") + "```text {expect when=\"not torch\"}\nno\n```\n```text {expect when=\"torch < 2\"}\nwhen\n```\n" +
		"```gpu {name=here}\ntorch >= 1.12\ntorch >= 2\nnumba\njax >= 0.4\njax\npython < 3\nslurm >= 21.08\nslurm >= 23\n```\n```gpu {name=there env=lab}\ntorch >= 2\n```\n```gpu {name=away env=gone}\ntorch\n```\n"
	site := loadSite(t, map[string]string{"gpudocs.toml": config, "content/pt/a.md": page})
	r := verify(t, site, noGPU, Options{})
	python := ""
	for _, e := range r.Machine.Environments {
		python = e.Interpreter
	}
	var got []string
	for _, s := range checkLines(r.Checks) {
		got = append(got, strings.ReplaceAll(s, python, "Python"))
	}
	version := strings.TrimPrefix(python, "Python ")
	want := []string{
		"old passed",
		"new skipped software-unmet (python3: Python) (torch >= 2)",
		"lab passed",
		"none skipped software-unmet (python3: Python) (numba)",
		"without passed",
		"future skipped software-unmet (lab: Python) (python >= 4.0)",
		"untold skipped software-unmet (python3: Python) (jax >= 0.4)",
		"slurm skipped software-unmet (slurm >= 22.05)",
		"gone skipped no-interpreter (/nowhere/python)",
		"when passed",
		"here.torch passed; 1.13.0a0",
		"here.torch failed software-unmet (python3: Python) (torch >= 2); 1.13.0a0",
		"here.numba failed software-unmet (python3: Python) (numba)",
		"here.jax skipped software-unmet (python3: Python) (jax >= 0.4); ?",
		"here.jax passed; ?",
		"here.python failed software-unmet (python3: Python) (python < 3); " + version,
		"here.slurm passed; 21.08.8-2",
		"here.slurm failed software-unmet (slurm >= 23); 21.08.8-2",
		"there.torch passed; 2.6.0+cpu",
		"away.torch skipped needs-unmet (unknown: gone) (torch)",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	for _, c := range r.Checks {
		if found := map[string]string{"new": "torch 1.13.0a0", "none": "", "future": "python " + version, "untold": "jax ?", "slurm": "slurm 21.08.8-2"}; c.Kind == report.KindBash && c.Reason != nil && c.Reason.Found != found[c.Name] {
			t.Errorf("%s found %q", c.Name, c.Reason.Found)
		}
	}
	if d := cmp.Diff(&report.Slurm{Version: "21.08.8-2"}, r.Machine.Slurm); d != "" {
		t.Errorf("Slurm (-want +got)\n%s", d)
	}
	if data, err := os.ReadFile(calls); err != nil || string(data) != "--version\n" {
		t.Errorf("calls of sbatch: %q, %v", data, err)
	}
}

// TestSlurmIsAskedFor: Slurm is only queried if a plan requires it, and its description in an
// earlier report stays for the results that are kept.
func TestSlurmIsAskedFor(t *testing.T) {
	need(t, "bash")
	calls := fakeSlurm(t, "23.11.4", "/usr/bin:/bin")
	bash := "```bash {run name=b}\ntrue\n```\n"
	for name, c := range map[string]struct {
		page string
		asks bool
	}{
		"nothing": {bash + "```gpu {name=lab}\nruns cu124\n```\n", false},
		"a line":  {"```gpu {name=lab}\nslurm\n```\n", true},
		"needs":   {"```bash {run needs=\"gpus >= 1 or not (slurm)\"}\ntrue\n```\n", true},
		"when":    {bash + "```text {expect when=\"slurm\"}\n```\n```text {expect when=\"not slurm\"}\n```\n", true},
	} {
		_ = os.Remove(calls)
		r := verify(t, loadSite(t, map[string]string{"content/pt/a.md": c.page}), noGPU, Options{})
		if _, err := os.Stat(calls); (err == nil) != c.asks || (r.Machine.Slurm != nil) != c.asks {
			t.Errorf("%s: %v, %+v", name, err, r.Machine.Slurm)
		}
	}
	site := loadSite(t, map[string]string{"content/pt/a.md": "```bash {run name=job needs=slurm}\ntrue\n```\n" + bash})
	r := verify(t, site, noGPU, Options{})
	plan, err := NewPlan(site, Filter{Names: []string{"b"}})
	if err != nil {
		t.Fatal(err)
	}
	part, err := Run(t.Context(), plan, r, Options{Machine: "m", Generator: "test", Probe: func(context.Context) report.GPU { return noGPU }})
	if err != nil || part.Machine.Slurm == nil || part.Machine.Slurm.Version != "23.11.4" {
		t.Errorf("without another query: %+v, %v", part, err)
	}
	// Another version of the software that a block names makes it run again.
	if _, ran := rerun(t, site, noGPU, r, Options{}); len(ran) != 0 {
		t.Errorf("ran again: %q", ran)
	}
	fakeSlurm(t, "24.05.1", "/usr/bin:/bin")
	if _, ran := rerun(t, site, noGPU, r, Options{}); len(ran) != 1 || ran[0] != "job" {
		t.Errorf("with another Slurm ran %q", ran)
	}
}
