// Package gpu_test rehearses run.sh, the acceptance test on a machine with a GPU, on machines
// without one: with a fake nvidia-smi, gpudocs and PyTorch, so that the script is known to
// work.
package gpu_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/machine/cuda/cudatest"
	"github.com/gpudocs/gpudocs/internal/machine/pyenv/pyenvtest"
	"github.com/gpudocs/gpudocs/test/programtest"
)

func TestMain(m *testing.M) {
	pyenvtest.Unwrap()
	os.Exit(m.Run())
}

// A rehearsal is one run of run.sh.
type rehearsal struct {
	code     int
	out      string // what it printed
	dir, tmp string // the folder of its output, and of the copied repository
}

// rehearse copies what run.sh needs to a folder of its own, and runs it there.
func rehearse(t *testing.T, label string, env ...string) rehearsal {
	t.Helper()
	return rehearseIn(t, t.TempDir(), label, env...)
}

func rehearseIn(t *testing.T, root, label string, env ...string) rehearsal {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("run.sh is for Linux")
	}
	programtest.Need(t, "bash")
	python, err := exec.Command("python3", "-c", "import sys; print(sys.executable)").Output()
	if err != nil {
		t.Skip("no python3")
	}
	here := filepath.Join(root, "test", "gpu")
	for _, dir := range []string{here, filepath.Join(root, "results"), filepath.Join(root, "out")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range []string{"run.sh", "accept.py", "torch_side.py"} {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(here, file), data, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	fakes, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	nocgo := filepath.Join(root, "gpudocs-nocgo")
	if err := os.Symlink(filepath.Join(fakes, "fake_gpudocs.py"), nocgo); err != nil {
		t.Fatal(err)
	}
	inputs, err := filepath.Abs("../../internal/machine/gpu/testdata/smi-570")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("bash", filepath.Join(here, "run.sh"), label)
	cmd.Dir = root
	cmd.Env = append(os.Environ(),
		// The real Python comes before a wrapper of it, because the fakes start it often.
		"PATH="+strings.Join([]string{filepath.Join(fakes, "bin"), filepath.Dir(string(python)), os.Getenv("PATH")}, string(os.PathListSeparator)),
		"PYTHONPATH="+fakes, "PYTHONDONTWRITEBYTECODE=1",
		"GPUDOCS="+filepath.Join(fakes, "fake_gpudocs.py"), "GPUDOCS_NOCGO="+nocgo, "OUT="+filepath.Join(root, "out"),
		"FAKE_SMI_XML="+inputs+".xml", "FAKE_DEVICES="+inputs+".json",
		"FAKE_MS=2", "FAKE_PTX_MS=2.4", "FAKE_TORCH_MS=1.98", "ACCEPTANCE_SIZES=64", "ACCEPTANCE_WARM_UP=0", "ACCEPTANCE_ROUNDS=1")
	cmd.Env = append(cmd.Env, env...)
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return rehearsal{cmd.ProcessState.ExitCode(), string(out), filepath.Join(root, "out"), root}
}

// check matches the output with regular expressions.
func (r rehearsal) check(t *testing.T, code int, patterns ...string) {
	t.Helper()
	if r.code != code {
		t.Errorf("exit code %d, want %d", r.code, code)
	}
	for _, p := range patterns {
		if !regexp.MustCompile("(?m)" + p).MatchString(r.out) {
			t.Errorf("nothing matches %q", p)
		}
	}
	if t.Failed() {
		t.Log(r.out)
	}
}

func TestRehearsal(t *testing.T) {
	t.Parallel()
	r := rehearse(t, "", "ACCEPTANCE_SIZES=64,96", "ACCEPTANCE_ROUNDS=3")
	r.check(t, 0,
		`^gpudocs made up$`,
		`^GPUs +2 +2 +same$`,
		`^GPUs by CUDA +2 +2 +same$`,
		`^CUDA +12.8 +12.8 +same$`,
		`^GPU 0 mig.instances +\['1g.5gb 4864 MiB 14 SM'\] .* +same$`,
		`^GPU 1 memory_mib +81559 +81559 +same$`,
		`^GPU 0 memory_mib +- +- +same`,
		`^GPU 1 power.limit_w +700 +700 +same$`,
		`^GPU 1 ecc.uncorrected +10 +10 +same$`,
		`^GPU 0 mig.enabled +True +True +same$`,
		`^GPU 1 clocks.sm_mhz +1755 +1755 +not compared`,
		`^MIG devices +1g.5gb +1g.5gb +same$`,
		`^sources: nvml and nvidia-smi$`,
		`^GPU 0 sms +108 +- +not compared \(source\)$`,
		`^matmul bf16 n=96 +gpudocs +2.0000 ms .*torch +1.9800 ms, ratio 0.990 of at least 0.98: ok$`,
		`^PTX fp32 n=64 .*ratio 0.833 of at least 0.50: ok$`,
		`^device-to-host .*: ok$`,
		`^report: results/nvidia-a100-sxm4-40gb.json$`,
		`^ok       matmul against torch.matmul, in turn$`,
		`^skipped  GPU kernels with odd shapes$`,
	)
	for _, file := range []string{"acceptance.log", "doctor.json", "doctor.txt", "figures.jsonl", "nvidia-a100-sxm4-40gb.json"} {
		if info, err := os.Stat(filepath.Join(r.dir, file)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", file, err)
		}
	}
	log, err := os.ReadFile(filepath.Join(r.dir, "acceptance.log"))
	if err != nil || !strings.Contains(string(log), "ok       report of this repository's site") {
		t.Errorf("the log is incomplete: %v\n%s", err, log)
	}
	if left, _ := filepath.Glob(filepath.Join(r.tmp, "test", "gpu", "__pycache__")); left != nil {
		t.Error(left)
	}
}

// Each fault must be detected, and only that one. Uncommon ones run in .ci/long.
func TestRehearsalFinds(t *testing.T) {
	for _, tt := range []struct {
		common   bool
		name     string
		env      []string
		code     int
		patterns []string
	}{
		{true, "a field that differs, and slower than torch", []string{"FAKE_SMI_EDIT=clocks.max.sm=1", "FAKE_TORCH_MS=1.9"}, 1, []string{
			`^GPU 1 clocks.max_sm_mhz +1980 +1 +DIFFERS`, `^FAILED   inventory`, `^ok       NVML against`,
			`^matmul fp32 n=64: 0.950, measured again$`, `^matmul fp32 n=64 .*: TOO SLOW$`, `^FAILED   matmul`, `^ok       memory bandwidth`}},
		{false, "a value that is not known to one, and a wrong result", []string{"FAKE_SMI_EDIT=ecc.mode.current=[N/A]", "FAKE_WRONG=1"}, 1, []string{
			`^GPU 0 ecc.enabled +True +- +DIFFERS`, `^matmul fp32 n=64 +FAILED: the result is WRONG`, `^FAILED   matmul`}},
		{false, "a temperature within its tolerance, and a slow kernel", []string{"FAKE_SMI_EDIT=temperature.gpu=33", "FAKE_PTX_MS=9"}, 1, []string{
			`^GPU 0 temperature_c +29 +33 +same \(within 5\)`, `^GPU 1 temperature_c +64 +33 +DIFFERS`,
			`^PTX fp32 n=64 .*ratio 0.222 .*: TOO SLOW$`, `^FAILED   own PTX`, `^ok       matmul`}},
		{false, "another driver, and a GPU that fails", []string{"FAKE_SMI_EDIT=driver_version=1.2.3", "FAKE_WHY=lost", "FAKE_COUNT=1"}, 1, []string{
			`^GPUs by CUDA +1 +2 +DIFFERS$`,
			`^driver +570.124.06 +1.2.3 +DIFFERS`, `^matmul fp32 n=64 +FAILED: gpudocs bench: lost$`}},
		{false, "an older nvidia-smi, and a type that the GPU lacks", []string{"FAKE_SMI_OLD=compute_cap,mig.mode.current", "FAKE_WHY=not-supported"}, 0, []string{
			`^GPU 0 compute +8.0 +- +not compared \(this nvidia-smi does not know compute_cap\)$`, `^GPU 1 persistence +True +True +same$`,
			`^matmul bf16 n=64 +skipped: gpudocs: not-supported$`, `^skipped  matmul`}},
		{false, "a gpudocs that crashes, and a UUID in what doctor says", []string{"FAKE_CRASH=1", "FAKE_LEAK=GPU-0a1b2c3d-0000"}, 1, []string{
			`^bandwidth +FAILED: gpudocs bench memory: exit code 1: made-up crash$`, `^doctor --json holds UUID$`, `^FAILED   doctor`}},
		{false, "out of memory in torch, and no gpudocs without cgo", []string{"FAKE_TORCH_FAILS=1", "GPUDOCS_NOCGO="}, 0, []string{
			`skipped: PyTorch: CUDA out of memory \(made up\)$`, `^skipped  matmul`, `^ok       memory`, `^skipped  NVML against`}},
		{false, "torch without a GPU", []string{"FAKE_TORCH_BLIND=1"}, 0, []string{`^skipped: PyTorch 0.0.0\+made.up sees no GPU$`, `^skipped  matmul`, `^ok       own PTX`}},
		{false, "no torch, and no time", []string{"PYTHON=" + pyenvtest.Bare(t), "PYTHONPATH=", "SECONDS_MAX=-1"}, 0, []string{
			`^skipped: no PyTorch in this Python`, `^PTX fp32 n=64 +skipped: no time left$`, `^ok       inventory`}},
		{true, "no Python", []string{"PYTHON=no-such-python"}, 0, []string{`^skipped: no python3$`, `^skipped  inventory`, `^report: results/lab.json$`}},
		{true, "no gpudocs", []string{"GPUDOCS=/no/such/gpudocs"}, 2, []string{`^== gpudocs$`}},
	} {
		if !tt.common && os.Getenv("GPUDOCS_LONG") == "" {
			continue
		}
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			rehearse(t, "lab", tt.env...).check(t, tt.code, tt.patterns...)
		})
	}
}

// A machine with a Go that cannot build (no network, too old) uses the packed programs.
func TestRehearsalPacked(t *testing.T) {
	t.Parallel()
	root, tools := t.TempDir(), t.TempDir()
	bin := filepath.Join(root, "test", "gpu", "bin")
	if err := os.MkdirAll(bin, 0o755); err != nil {
		t.Fatal(err)
	}
	fake, err := filepath.Abs("testdata/fake_gpudocs.py")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"gpudocs", "gpudocs-nocgo"} {
		if err := os.Symlink(fake, filepath.Join(bin, name)); err != nil {
			t.Fatal(err)
		}
	}
	for file, script := range map[string]string{
		filepath.Join(tools, "go"):     "#!/bin/sh\necho made-up go: no network >&2\nexit 1\n",
		filepath.Join(bin, "gpu.test"): "#!/bin/sh\necho '--- PASS: TestGPUKernel (0.00s)'\n",
	} {
		if err := os.WriteFile(file, []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	fakes, err := filepath.Abs("testdata/bin")
	if err != nil {
		t.Fatal(err)
	}
	path := strings.Join([]string{tools, fakes, os.Getenv("PATH")}, string(os.PathListSeparator))
	rehearseIn(t, root, "lab", "PATH="+path, "GPUDOCS=", "GPUDOCS_NOCGO=").check(t, 0,
		`^Go could not build it`, `^using what 'run.sh pack' built$`, `^--- PASS: TestGPUKernel`, `^ok       GPU kernels with odd shapes$`)
}

// The real gpudocs, with cgo and without, on fake drivers: NVML and nvidia-smi of the same
// machine, and a CUDA that computes on the CPU. Its speed is meaningless, so no ratio is
// required. A build without cgo compiles nearly everything again, so only .ci/long does it.
// Otherwise the gpudocs without cgo is the other one, which does not find NVML.
func TestRehearsalWithGpudocs(t *testing.T) {
	if testing.Short() {
		t.Skip("builds gpudocs")
	}
	t.Parallel()
	programtest.Need(t, "cc")
	root, lib := t.TempDir(), t.TempDir()
	cuda := cudatest.New(t)
	cuda.BLAS(t, lib, 12)
	do(t, nil, "cc", "-shared", "-fPIC", "-DFAKE_460", "-o", filepath.Join(lib, "libnvidia-ml.so.1"), "../../internal/machine/gpu/testdata/fake_nvml.c")
	with, without := filepath.Join(root, "with"), filepath.Join(root, "without")
	do(t, []string{"CGO_ENABLED=1"}, "go", "build", "-ldflags=-s -w", "-o", with, "../../cmd/gpudocs")
	if os.Getenv("GPUDOCS_LONG") != "" {
		do(t, []string{"CGO_ENABLED=0"}, "go", "build", "-ldflags=-s -w", "-o", without, "../../cmd/gpudocs")
	} else if err := os.WriteFile(without, []byte("#!/bin/sh\nLD_LIBRARY_PATH='"+cuda.Dir()+"' exec '"+with+"' \"$@\"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"gpudocs.toml":        "title = \"rehearsal\"\n[languages.en]\nname = \"English\"\n",
		"content/en/index.md": "---\ntitle: Rehearsal\n---\n\n```gpu {name=lab}\ngpus >= 1\n```\n",
	} {
		file := filepath.Join(root, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	inputs, err := filepath.Abs("../../internal/machine/gpu/testdata/smi-460.xml")
	if err != nil {
		t.Fatal(err)
	}
	// HOME, because gpudocs asks each Python that it finds there, some seven times.
	env := append(cuda.Env("one"), "HOME="+root, "PYENV_ROOT=", "LD_LIBRARY_PATH="+cuda.Dir()+":"+lib, "FAKE_NVML=geforce", "FAKE_SMI_XML="+inputs, "FAKE_SMI_OLD=compute_cap",
		"GPUDOCS="+with, "GPUDOCS_NOCGO="+without, "ACCEPTANCE_MATMUL=0", "ACCEPTANCE_KERNEL=0", "ACCEPTANCE_COPIES=0", "ACCEPTANCE_ITERS=20", "ACCEPTANCE_ROUNDS=1",
		"ACCEPTANCE_COPIED=bandwidth device-to-host", "FAKE_CUDA_FREE=350")
	rehearseIn(t, root, "", env...).check(t, 0,
		`^gpudocs asked nvml; status ok$`,
		`^GPU 1 clocks.max_memory_mhz +9751 +9751 +same$`,
		`^GPU 0 mig.enabled +- +- +same \(not-supported\)$`,
		`^sources: nvml and nvidia-smi$`,
		`^GPU 1 remapped_rows.pending +False +False +same$`,
		`^doctor --json holds no host name, UUID or PCI address$`,
		`^matmul bf16 n=64 .*cuBLAS 12.*: ok$`,
		`^PTX fp32 n=64 .*gpudocs PTX.*: ok$`,
		`^bandwidth .*: ok$`,
		`^report: results/geforce-gtx-1080-ti.json$`,
	)
}

// do runs a program, which must succeed.
func do(t *testing.T, env []string, program string, args ...string) {
	t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Env = append(os.Environ(), env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", cmd, err, out)
	}
}

// Without nvidia-smi nothing can be compared, which is a failure.
func TestRehearsalWithoutGPU(t *testing.T) {
	if path, err := exec.LookPath("nvidia-smi"); err == nil {
		t.Skip("there is one: " + path)
	}
	rehearse(t, "lab", "PATH="+os.Getenv("PATH")).check(t, 2, `^no nvidia-smi in PATH`)
}

func TestShellcheck(t *testing.T) {
	programtest.Need(t, "shellcheck")
	if out, err := exec.Command("shellcheck", "run.sh", "../../.ci/run", "../../.ci/long", "../../.ci/licences").CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
