// Package cudatest builds NVIDIA's libcuda.so.1 and cuBLAS for tests on machines
// without a GPU: fakes, written in C, that do the maths on the processor.
// Their sources, in internal/cuda/testdata, say what they can do and which
// faults they can have.
//
// A fake has one scenario to a process, so a test runs the code it is about in
// a child process with the environment that Env makes: the test binary again, or
// gpudocs.
package cudatest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

// A Driver is a folder with the fake libcuda.so.1.
type Driver struct {
	dir, log string
	build    func(to, source string, flags ...string)
}

// New builds the fake driver. Without a C compiler, or on a system that is not
// Linux, the test is skipped.
func New(t testing.TB) *Driver { return build(t) }

// NewOld builds one that lacks the functions that came after CUDA 10.
func NewOld(t testing.TB) *Driver { return build(t, "-DFAKE_OLD") }

func build(t testing.TB, flags ...string) *Driver {
	t.Helper()
	sources, cc, err := Compiler()
	if err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	d := &Driver{dir: dir, log: filepath.Join(dir, "log")}
	d.build = func(to, source string, flags ...string) {
		t.Helper()
		if err := compile(cc, to, filepath.Join(sources, source), flags...); err != nil {
			t.Fatal(err)
		}
	}
	d.build(filepath.Join(dir, "libcuda.so.1"), "fake_cuda.c", append(flags, "-lpthread")...)
	return d
}

// Env is the environment in which a program finds the driver, in one of its
// scenarios: "one", for a machine with one GPU.
func (d *Driver) Env(scenario string, more ...string) []string {
	return append([]string{"LD_LIBRARY_PATH=" + d.dir, "FAKE_CUDA=" + scenario, "FAKE_CUDA_LOG=" + d.log}, more...)
}

// Dir is where libcuda.so.1 is.
func (d *Driver) Dir() string { return d.dir }

// BLAS builds a cuBLAS of that major version in a folder, which it makes:
// site-packages/nvidia/cublas/lib, for one.
func (d *Driver) BLAS(t testing.TB, dir string, major int) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	version := "-DMAJOR=" + strconv.Itoa(major)
	twin := filepath.Join(dir, fmt.Sprintf("libcublasLt.so.%d", major))
	d.build(twin, "fake_cublaslt.c", version)
	d.build(filepath.Join(dir, fmt.Sprintf("libcublas.so.%d", major)), "fake_cublas.c", version, twin, "-ldl")
}

// Log lists what programs did with the driver, a line per thing: "alloc 4096",
// "launch sgemm_sm80 16", "gemm 16 16 16 type 0 ...".
func (d *Driver) Log(t testing.TB) []string {
	t.Helper()
	text, err := os.ReadFile(d.log)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}

// CheckFreed fails the test unless all that was made was freed, and something was.
func (d *Driver) CheckFreed(t testing.TB) {
	t.Helper()
	count := map[string]int{}
	for _, line := range d.Log(t) {
		what, _, _ := strings.Cut(line, " ")
		count[what]++
	}
	if count["retain"] == 0 {
		t.Error("no context was made")
	}
	for made, freed := range map[string]string{
		"alloc": "free", "hostalloc": "hostfree", "event": "eventdestroy", "module": "unload", "retain": "release", "cublas": "cublasdestroy",
	} {
		if count[made] != count[freed] {
			t.Errorf("%d x %s, %d x %s", count[made], made, count[freed], freed)
		}
	}
}

// Compiler returns the folder of the fakes' sources and the C compiler, for
// those who build them by themselves. The error says what is missing.
func Compiler() (sources, cc string, err error) {
	if runtime.GOOS != "linux" {
		return "", "", errors.New("the fake CUDA is for Linux")
	}
	if cc, err = exec.LookPath("cc"); err != nil {
		return "", "", errors.New("no C compiler to build the fake CUDA with")
	}
	dir, err := os.Getwd()
	if err != nil {
		return "", "", err
	}
	for {
		sources = filepath.Join(dir, "internal", "cuda", "testdata")
		if _, err := os.Stat(filepath.Join(sources, "fake_cuda.c")); err == nil {
			return sources, cc, nil
		}
		if filepath.Dir(dir) == dir {
			return "", "", errors.New("the sources of the fake CUDA are not in this repository")
		}
		dir = filepath.Dir(dir)
	}
}

// compile makes a shared library that is named as its file, as the linker knows
// real ones by.
func compile(cc, to, source string, flags ...string) error {
	args := []string{"-std=gnu11", "-O2", "-shared", "-fPIC", "-fvisibility=hidden", "-Wl,--no-as-needed",
		"-Wl,-soname," + filepath.Base(to), "-o", to, source}
	if out, err := exec.Command(cc, append(args, flags...)...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", filepath.Base(to), err, out)
	}
	return nil
}
