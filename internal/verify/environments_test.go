package verify

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpudocs/gpudocs/internal/machine/pyenv/pyenvtest"
	"github.com/gpudocs/gpudocs/internal/report"
)

// venv creates a virtual environment with a fake torch that is built for a CUDA toolkit, or for
// none if that is "None".
func venv(t *testing.T, version, cuda string) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "secret")
	if out, err := exec.Command(pyenvtest.Python(t), "-m", "venv", "--without-pip", dir).CombinedOutput(); err != nil {
		t.Skipf("no environment can be made: %v, %s", err, out)
	}
	packages, _ := filepath.Glob(filepath.Join(dir, "lib/python3*/site-packages"))
	if len(packages) != 1 {
		t.Fatalf("packages belong into one of %q", packages)
	}
	for name, text := range map[string]string{
		"torch/__init__.py": "raise SystemExit('it was imported')\n",
		"torch/version.py":  "__version__ = '" + version + "'\ncuda = " + cuda + "\nhip = None\nwhere = __file__\n",
		"jax/__init__.py":   "", "jax/version.py": "_version = '" + dir + "'\n",
	} {
		pyenvtest.Write(t, filepath.Join(packages[0], name), text)
	}
	return dir
}

// TestEnvironmentsOfReport: a report describes the environments that the plan uses or has
// conditions for, and keeps the descriptions of others from an earlier report.
func TestEnvironmentsOfReport(t *testing.T) {
	need(t, "bash")
	pyenvtest.Nothing(t)
	a, b := venv(t, "2.0+cpu", "None"), venv(t, "2.6.0+cpu", "None")
	t.Setenv("PATH", filepath.Join(a, "bin")+":/usr/bin:/bin")
	config := "[env.used]\npython = \"" + b + "/bin/python\"\n[env.named]\npython = \"" + a + "/bin/python\"\n[env.other]\npython = \"" + b + "/bin/python\"\n" +
		"[env.missing]\npython = \"/nowhere/python\"\n[env.empty]\npython = \"/bin/true\"\n"
	files := func(page string) map[string]string {
		return map[string]string{"gpudocs.toml": config, "content/pt/a.md": page}
	}
	of := func(name, version string) report.Environment {
		return report.Environment{Name: name, Interpreter: "Python", Frameworks: []report.Framework{{Name: "torch", Version: version, CPUOnly: true}, {Name: "jax"}}}
	}
	bash := "```bash {run name=b}\ntrue\n```\n"
	for _, c := range []struct {
		name, page string
		want       []report.Environment
	}{
		{"nothing to ask", bash, nil},
		{"a Python session", "```python {run}\n1;\n```\n", []report.Environment{of("", "2.0+cpu")}},
		{"environments of sessions", "```python {run env=used}\n1;\n```\n```bash {run env=named}\ntrue\n```\n",
			[]report.Environment{of("named", "2.0+cpu"), of("used", "2.6.0+cpu")}},
		{"a gpu block", "```gpu {env=used}\ngpus >= 1\n```\n", []report.Environment{of("used", "2.6.0+cpu")}},
		{"a framework", "```gpu {}\nruns torch\n```\n", []report.Environment{of("", "2.0+cpu")}},
		{"a toolkit", "```gpu {}\nruns cu124\n```\n", nil},
		{"needs", "```bash {run needs=\"gpus >= 1 and not (driver < 1 or runs jax)\"}\ntrue\n```\n", []report.Environment{of("", "2.0+cpu")}},
		{"when", bash + "```text {expect when=\"runs torch\"}\n```\n```text {expect when=\"not runs torch\"}\n```\n", []report.Environment{of("", "2.0+cpu")}},
		{"a version", "```gpu {}\ntorch >= 1.12\n```\n", []report.Environment{of("", "2.0+cpu")}},
		{"a name", "```bash {run env=used needs=\"gpus == 0 or not (python)\"}\ntrue\n```\n", []report.Environment{of("used", "2.6.0+cpu")}},
		{"Slurm", "```gpu {}\nslurm\n```\n", nil},
		{"what gives no answer", "```gpu {env=missing}\nruns torch\n```\n```gpu {env=empty}\nruns jax\n```\n", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			site := loadSite(t, files(c.page))
			r := verify(t, site, noGPU, Options{})
			got := r.Machine.Environments
			for i := range got {
				got[i].Interpreter, _, _ = strings.Cut(got[i].Interpreter, " ")
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
			text, _ := json.Marshal(r)
			if strings.Contains(string(text), "secret") {
				t.Errorf("the report has a path: %s", text)
			}
		})
	}
}

func TestKeepEnvironments(t *testing.T) {
	need(t, "bash", "python3")
	page := "```bash {run name=b}\ntrue\n```\n```python {run name=p}\n1;\n```\n"
	site := loadSite(t, map[string]string{"gpudocs.toml": "[env.a]\npython = \"python3\"\n[env.b]\npython = \"python3\"\n", "content/pt/a.md": page})
	r, _ := rerun(t, site, oldGPU, nil, Options{})
	own := r.Machine.Environments
	if len(own) != 1 || own[0].Name != "" {
		t.Fatalf("%+v", own)
	}
	torch := report.Environment{Name: "a", Interpreter: "Python 3.6.9", Frameworks: []report.Framework{{Name: "torch", Version: "1.0"}}}
	r.Machine.Environments = []report.Environment{{Name: "", Interpreter: "Python 2.7.18"}, torch, {Name: "gone"}}
	again, ran := rerun(t, site, oldGPU, r, Options{})
	if d := cmp.Diff(append(own, torch), again.Machine.Environments); d != "" || len(ran) != 0 {
		t.Errorf("ran %q, (-want +got)\n%s", ran, d)
	}
	newer := oldGPU
	newer.Driver = "550.54.14"
	if again, _ := rerun(t, site, newer, r, Options{}); len(again.Machine.Environments) != 1 {
		t.Errorf("without results of the earlier run: %+v", again.Machine.Environments)
	}
}

// TestRunsWhatIsInstalled: the verdict on a framework is about the one in the environment of
// the block.
func TestRunsWhatIsInstalled(t *testing.T) {
	need(t, "bash")
	pyenvtest.Nothing(t)
	config := "[env.cpu]\npython = \"" + venv(t, "2.6.0+cpu", "None") + "/bin/python\"\n[env.cuda]\npython = \"" + venv(t, "2.6.0+cu124", "'12.4'") + "/bin/python\"\n"
	page := "```gpu {name=cpu env=cpu}\nruns torch\nruns numba\n```\n```gpu {name=cuda env=cuda}\nruns torch\n```\n```bash {run name=b env=cuda needs=\"runs torch\"}\ntrue\n```\n"
	r := verify(t, loadSite(t, map[string]string{"gpudocs.toml": config, "content/pt/a.md": page}), oldGPU, Options{})
	want := []string{
		"cpu.torch failed requirement (runs torch) torch no cpu-only; torch 2.6.0+cpu, driver 460.91.03, CUDA 11.2",
		"cpu.numba failed requirement (runs numba) numba no not-installed; driver 460.91.03, CUDA 11.2",
		"cuda.torch failed requirement (runs torch) torch no driver; torch 2.6.0+cu124, driver 460.91.03, CUDA 11.2",
		"b skipped needs-unmet (runs torch) torch no driver",
	}
	if d := cmp.Diff(want, checkLines(r.Checks)); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}
