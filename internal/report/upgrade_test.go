package report

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestUpgradeReasons: the detail of a reason of schema 1 becomes its fields. What is not known becomes what others said.
func TestUpgradeReasons(t *testing.T) {
	for _, c := range []struct{ code, detail, need, found, want string }{
		{ReasonNeeds, "", "gpus >= 1", "0", "needs-unmet: no-library: gpus >= 1: 0"},
		{ReasonNeeds, "", "driver >= 550", "470.1", "needs-unmet: driver >= 550: 470.1"},
		{ReasonUnmet, "", "driver >= 550", "470.1", "requirement: driver >= 550: 470.1"},
		{ReasonSoftware, "lab, Python 3.11.7", "torch >= 2", "torch 1.10.0", "software-unmet: torch >= 2: torch 1.10.0: lab: Python 3.11.7"},
		{ReasonNoGPU, "no-library", "", "", "no-gpu: no-library"},
		{ReasonBroken, "gpu-lost", "", "", "gpu-broken: gpu-lost"},
		{ReasonSession, "setup", "", "", "session-ended: setup"},
		{ReasonSession, "setup (signal: segmentation fault)", "", "", "session-ended: setup: SIGSEGV"},
		{ReasonSessionSkip, "#2", "", "", "session-skipped: #2"},
		{ReasonNotReached, "imports", "", "torch", "not-reached: imports: torch"},
		{ReasonNoInterpreter, "julia", "", "", "no-interpreter: julia"},
		{ReasonNoInterpreter, "python3 or python", "", "", "no-interpreter: python3"},
		{ReasonNoInterpreter, `conda environment "gpu"; found: base`, "", "", "no-interpreter: conda: gpu: base"},
		{ReasonNoInterpreter, `conda environment "gpu"; found: none`, "", "", "no-interpreter: conda: gpu"},
		{ReasonNoInterpreter, `python in conda environment "gpu"`, "", "", "no-interpreter: conda-python: gpu"},
		{ReasonNoInterpreter, "bash in the image", "", "", "no-interpreter: image: bash"},
		{ReasonNoInterpreter, "kernel ir (it does not start)", "", "", "no-interpreter: kernel-start: ir"},
		{ReasonNoInterpreter, "kernel ir", "", "", "no-interpreter: kernel: ir"},
		{ReasonEnvironment, "not synced; gpudocs env --sync makes it", "", "", "no-environment: not-synced"},
		{ReasonEnvironment, "docker://a/b:1 is not on this machine; gpudocs env --sync downloads it", "", "", "no-environment: image-missing: docker://a/b:1"},
		{ReasonEnvironment, "module gcc/12 was not loaded", "", "", "no-environment: module-failed: gcc/12"},
		{ReasonEnvironment, "module gcc/12: unknown", "", "", "no-environment: module-failed: gcc/12: unknown"},
		{ReasonEnvironment, "there is no module system, neither Lmod nor Environment Modules", "", "", "no-environment: no-module-system"},
		{ReasonEnvironment, "there is no bash", "", "", "no-environment: no-program: bash"},
		{ReasonEnvironment, "there is no uv.lock", "", "", "no-environment: no-file: uv.lock"},
		{ReasonEnvironment, "setup failed with exit code 3: no licence", "", "", "no-environment: setup-failed: 3: no licence"},
		{ReasonEnvironment, "setup ended its shell: stop", "", "", "no-environment: setup-ended: stop"},
		{ReasonEnvironment, "something else", "", "", "no-environment: failed: something else"},
		{ReasonExit, "3", "", "", "exit-code: 3"},
		{ReasonExit, "0", "1", "", "exit-code: 0: expected 1"},
		{ReasonBuild, "2", "", "x.cu(3): error: y", "build-failed: 2: x.cu(3): error: y"},
		{ReasonException, "NameError: x", "", "", "exception: NameError: x"},
		{ReasonManyExpect, "7, 12", "", "", "expectations"},
		{ReasonLimit, "memory 8 GiB", "", "", "limit: memory: 8589934592"},
		{ReasonLimit, "processes 4096", "", "", "limit: processes: 4096"},
		{ReasonTimeout, "1m30s", "", "", "timeout: time: 90"},
		{ReasonCrash, "exit code 0", "", "", "crash: 0"},
		{ReasonCrash, "signal: killed", "", "", "crash: SIGKILL"},
		{ReasonNoSandbox, "bwrap (bubblewrap) is not installed", "", "", "no-sandbox: no-bwrap"},
		{ReasonNoSandbox, "Slurm runs a job outside of it", "", "", "no-sandbox: job"},
		{ReasonNoSandbox, "a container is no sandbox", "", "", "no-sandbox: container"},
		{ReasonNoSandbox, "TMPDIR cannot be hidden, for the home folder or the site is in the way: set it to another folder", "", "", "no-sandbox: tmpdir"},
		{ReasonNoSandbox, "bwrap: No permissions", "", "", "no-sandbox: failed: bwrap: No permissions"},
		{ReasonSlurm, "", "", "", "slurm"},
		{ReasonSlurm, "rejected: invalid partition", "", "", "slurm: rejected: invalid partition"},
		{ReasonSlurm, "did not start within 30m0s: Resources", "", "", "slurm: queue: time: 1800: Resources"},
		{ReasonSlurm, "would never start: BadConstraints", "", "", "slurm: never-starts: BadConstraints"},
		{ReasonSlurm, "TIMEOUT: the job's time limit is 00:10:00", "", "", "slurm: time-limit: 00:10:00"},
		{ReasonSlurm, "FAILED: signal: killed", "", "", "slurm: signal: SIGKILL"},
		{ReasonSlurm, "FAILED: exit code 7", "", "", "slurm: exit: 7"},
		{ReasonSlurm, "NODE_FAIL", "", "", "slurm: ended: NODE_FAIL"},
		{ReasonSlurm, "task 3: exit code 5; and 2 more", "", "", "slurm: tasks"},
		{ReasonSlurm, "not known to Slurm any more", "", "", "slurm: forgotten"},
		{ReasonEngine, "fork/exec: no such file", "", "", "engine: fork/exec: no such file"},
		{ReasonBound, "rate", ">= 700 GB/s", "400 GB/s", "out-of-bounds: >= 700 GB/s: 400 GB/s: rate"},
		{ReasonDrift, "rate", "430 GB/s", "400 GB/s", "drift: 430 GB/s: 400 GB/s: rate"},
		{ReasonWrong, "GPU 0 → GPU 1", "", "", "wrong-result: GPU 0: GPU 1"},
		{ReasonFiles, "a.csv has changed since the site was read", "", "", "files: changed: a.csv"},
		{ReasonFiles, "a.csv has changed while the block ran", "", "", "files: changing: a.csv"},
		{ReasonFiles, "an earlier block of the session has made a.csv", "", "", "files: made: a.csv"},
		{ReasonFiles, "permission denied", "", "", "files: permission denied"},
		{ReasonMeasure, "no-memory", "", "", "not-measured: no-memory"},
		{ReasonMeasure, "not-supported", "temperature", "", "not-measured: not-supported: temperature"},
		{ReasonMismatch, "", "", "", "output-differs"},
		{"of-later", "words", "", "", "of-later: words"},
	} {
		r := Reason{Code: c.code, Detail1: c.detail, Need: c.need, Found: c.found}
		r.upgrade(GPU{Status: GPUNone, Code: CodeNoLibrary})
		if r.Error() != c.want || r.Detail1 != "" {
			t.Errorf("%s %q: got %q, want %q", c.code, c.detail, r.Error(), c.want)
		}
		again := r
		again.upgrade(GPU{Status: GPUNone, Code: CodeNoLibrary})
		if again.Error() != r.Error() {
			t.Errorf("%s %q, upgraded again: %q, was %q", c.code, c.detail, again.Error(), r.Error())
		}
	}
	r := Reason{Code: ReasonNeeds, Need: "ram >= 64 GiB"}
	if r.upgrade(GPU{Status: GPUOk}); r.Why != NeedUnknown {
		t.Errorf("%v", &r)
	}
	for by, why := range map[string]string{ByNoDriver: CodeNotLoaded, ByDriver: ""} { // what is behind a verdict
		r := Reason{Code: ReasonNeeds, Need: "runs cu124", Verdict: &Verdict{What: "cu124", Answer: RunsNo, By: by}}
		if r.upgrade(GPU{Status: GPUNone, Code: CodeNotLoaded}); r.Why != why {
			t.Errorf("%s: %v", by, &r)
		}
	}
}

// TestReasonsOfOldReports: the reports of this repository, of whatever schema, have reasons without prose of gpudocs.
func TestReasonsOfOldReports(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(results, "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		r, err := Parse(file, read(t, file))
		if err != nil {
			t.Fatal(err)
		}
		if said := r.Machine.GPU.Detail; strings.Contains(said, "cannot be loaded") || strings.Contains(said, "was not found") {
			t.Errorf("%s: the driver has not said %q", file, said)
		}
		n := 0
		for i := range r.Checks {
			for _, why := range r.Checks[i].reasons() {
				n++
				for _, words := range []string{"exit code ", "signal: ", "not synced", "is not installed", "cannot be loaded", "has changed"} {
					if why.Detail1 != "" || why.Code != ReasonException && strings.Contains(why.Said, words) {
						t.Errorf("%s: %v", file, why)
					}
				}
			}
		}
		if n == 0 {
			t.Errorf("%s has no reasons", file)
		}
	}
}
