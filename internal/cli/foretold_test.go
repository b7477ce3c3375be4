package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/standing"
	"github.com/gpudocs/gpudocs/internal/verify"
	"github.com/gpudocs/gpudocs/internal/verify/doctor"
)

// foretoldPage has each kind of line and of block.
const foretoldPage = `# A

~~~gpu {name=lab}
gpus >= 1
driver >= 570
cuda >= 12.0
memory >= 40 GiB
compute >= 9.0
gpu == "*100*"
ram >= 1 MiB
cores >= 9999
runs cu118
runs cu130
runs torch
torch
torch >= 2.0
python
has("bash")
has("nothing")
module("x/1")
nvcc
slurm
temperature < 1
ecc == on
nvlink up == all
throttle == none
pcie gen == max
matmul n=64 dtype=fp32
copy peer
~~~

~~~bash {run name=passes}
true
~~~

~~~bash {run name=fails}
false
~~~

~~~bash {run name=memory needs="memory >= 80 GiB"}
true
~~~

~~~bash {run name=nogpu needs="gpus == 0"}
true
~~~

~~~bash {run name=runs needs="runs cu118 or not runs cu118"}
true
~~~

~~~bash {run name=program needs='has("nothing")'}
true
~~~

~~~bash {run name=module needs='module("x/1")'}
true
~~~

~~~bash {run name=first session=s needs="gpus >= 3"}
true
~~~

~~~bash {run name=behind session=s}
true
~~~

~~~bash {run name=when}
echo yes
~~~

~~~text {expect when="memory >= 80 GiB"}
yes
~~~

~~~text {expect when="gpus == 0"}
no
~~~

~~~python {run name=python}
print(1)
~~~

~~~pycon {run name=pycon needs="torch >= 2.0"}
>>> 1
1
~~~

~~~python {run name=lost env=lost}
print(1)
~~~

~~~bash {run name=modules env=modules}
true
~~~

~~~c {run name=c}
int main(void) { return 0; }
~~~

~~~c {run name=built needs="gpus >= 99"}
int main(void) { return 0; }
~~~

~~~cuda {run name=cuda}
int main(void) { return 0; }
~~~

~~~bash {run=sbatch name=job}
#!/bin/bash
true
~~~

~~~bash {run name=matrix matrix="n=1,2"}
n=1
test $n -lt 2
~~~
`

// foretoldSite returns a site with that page, whose bin has bash and a C compiler.
func foretoldSite(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	var errs error
	for name, text := range map[string]string{
		"gpudocs.toml":        "[languages.en]\n[env.lost]\npython = \"nowhere/python\"\n[env.modules]\nmodules = [\"cuda/99\"]\n",
		"content/en/index.md": strings.ReplaceAll(foretoldPage, "~~~", "```"), "bin/.keep": "",
	} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		errs = errors.Join(errs, os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o644))
	}
	for _, program := range []string{"bash", "cc", "gcc", "as", "ld"} {
		path, err := exec.LookPath(program)
		if err != nil {
			t.Skip(err)
		}
		errs = errors.Join(errs, os.Symlink(path, filepath.Join(dir, "bin", program)))
	}
	if errs != nil {
		t.Fatal(errs)
	}
	return dir
}

// TestForetold: what doctor foretells of a check is what verify then finds, on machines of each kind, the
// profiles of NVIDIA's mock among them, at the first run and at the next.
func TestForetold(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("the fake drivers are for Linux")
	}
	if can, _ := condition("gpu"); can {
		t.Skip("the real driver would answer")
	}
	nvml, cuda := newFakes(t.TempDir()), newFakes(t.TempDir())
	if err := errors.Join(nvml.nvml(), cuda.gpu()); err != nil {
		t.Skip(err)
	}
	both := "LD_LIBRARY_PATH=" + nvml.dir + ":" + cuda.dir
	machines := map[string][]string{
		"none":     {"X=1"},
		"two":      {both, "FAKE_NVML=two", "FAKE_CUDA=two", "FAKE_CUDA_FREE=320"},
		"hidden":   {both, "FAKE_NVML=two", "FAKE_CUDA=two", "CUDA_VISIBLE_DEVICES="},
		"onlynvml": {"LD_LIBRARY_PATH=" + nvml.dir, "FAKE_NVML=two"},
		"onlycuda": {"LD_LIBRARY_PATH=" + cuda.dir, "FAKE_CUDA=spark", "FAKE_CUDA_FREE=320"},
		"cudafail": {both, "FAKE_NVML=two", "FAKE_CUDA=unknown"},
		"mismatch": {both, "FAKE_NVML=mismatch", "FAKE_CUDA=mismatch"},
		"lost":     {both, "FAKE_NVML=lost-late", "FAKE_CUDA=two"},
		"divided":  {both, "FAKE_NVML=divided", "FAKE_CUDA=none"},
	}
	t.Run("mock", func(t *testing.T) {
		m := newMock(t)
		for _, name := range mockProfiles {
			machines[name] = []string{"LD_LIBRARY_PATH=" + m.dir, "MOCK_NVML_CONFIG=" + m.file(name)}
		}
	})
	dir := foretoldSite(t)
	for _, machine := range slices.Sorted(maps.Keys(machines)) {
		t.Run(machine, func(t *testing.T) {
			var before *report.Report
			for range 2 {
				before = foretold(t, dir, machine, before, machines[machine])
			}
		})
	}
}

// foretold compares what doctor says of each check with what verify finds, and returns the report.
func foretold(t *testing.T, dir, machine string, before *report.Report, env []string) *report.Report {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) []byte {
		t.Helper()
		cmd := &exec.Cmd{Path: self, Args: append([]string{"gpudocs"}, args...), Dir: dir}
		cmd.Env = append([]string{"HOME=" + dir, "PATH=" + filepath.Join(dir, "bin"), "LC_ALL=en", "TMPDIR=" + os.TempDir()}, env...)
		out, err := cmd.Output()
		if code := cmd.ProcessState.ExitCode(); err != nil && code != 1 {
			t.Fatalf("%v: %v\n%s", args, err, err.(*exec.ExitError).Stderr)
		}
		return out
	}
	ran := map[report.ID]time.Time{}
	if before != nil {
		for i := range before.Checks { // the times of a report are in seconds
			c := &before.Checks[i]
			c.Ran = c.Ran.Add(-time.Hour)
			ran[c.ID] = c.Ran
		}
		if err := report.Write(filepath.Join(dir, "results", machine+".json"), before); err != nil {
			t.Fatal(err)
		}
	}
	var d doctor.Diagnosis
	if err := json.Unmarshal(run("doctor", "--json", "--machine", machine), &d); err != nil {
		t.Fatal(err)
	}
	run("verify", "--machine", machine)
	r := (mock{}).report(t, machine, dir)
	if len(d.Site.Checks) != len(r.Checks) {
		t.Fatalf("doctor has %d checks, verify %d", len(d.Site.Checks), len(r.Checks))
	}
	answers := 0
	for i, said := range d.Site.Checks {
		c := &r.Checks[i]
		name := fmt.Sprintf("%s %q", c.Name, c.Want)
		if said.Name != c.Name || said.Kind != c.Kind || said.Place != c.Places[0] {
			t.Errorf("%s: doctor has %+v", name, said)
		}
		want := fate(c, ran[c.ID].Equal(c.Ran))
		if want == verify.WouldAnswer {
			answers++
		}
		if said.Decision != want {
			t.Errorf("%s: doctor says %s, verify %s (%v)", name, said.Decision, standing.Of(c).Word(), c.Reason)
		}
		if want == verify.WouldRun || want == verify.WouldKeep { // the reason is found by running it
			continue
		}
		if diff := cmp.Diff(c.Reason, said.Reason); diff != "" {
			t.Errorf("%s: the reason that doctor gives (+) and that of verify (-):\n%s", name, diff)
		}
	}
	if d.Site.Answered != answers || answers == 0 {
		t.Errorf("doctor counts %d answers, verify %d", d.Site.Answered, answers)
	}
	return r
}

// fate returns what doctor must foretell of a check. Only running a block tells what comes of it.
func fate(c *report.Check, kept bool) string {
	block := c.Kind != report.KindGPU
	switch s := standing.Of(c).Standing; {
	case kept && (block || c.Measurement != nil):
		return verify.WouldKeep
	case s == standing.Answered:
		return verify.WouldAnswer
	case c.Outcome == report.Skipped:
		return verify.WouldSkip
	case s == standing.Passed, block:
		return verify.WouldRun
	case c.Measurement != nil && c.Reason.Code == report.ReasonUnmet: // it was measured
		return verify.WouldRun
	}
	return verify.WouldFail
}
