// Package cudatest builds a fake libcuda.so.1 and cuBLAS, for tests on machines without a GPU. They
// are written in C and compute on the CPU. Their sources in internal/machine/cuda/testdata
// describe what they support and which faults they can simulate.
//
// A process has one scenario, so a test runs its code in a subprocess with the environment that
// Env returns: the test binary again, or gpudocs.
package cudatest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/gpudocs/gpudocs/test/programtest"
)

// A Driver is a folder with the fake libcuda.so.1.
type Driver struct {
	dir, log    string
	sources, cc string
	building    *sync.Mutex // of BLAS
}

// New builds the fake driver. Without a C compiler, or on a system other than Linux, the test is
// skipped.
func New(t testing.TB) *Driver {
	t.Helper()
	d, err := Build(t.TempDir())
	switch {
	case errors.Is(err, ErrCannot):
		t.Skip(err)
	case err != nil:
		t.Fatal(err)
	}
	return d
}

// Old is a flag for a driver without the functions that were added after CUDA 10.
const Old = "-DFAKE_OLD"

// NeedGPU skips a test if this machine has no NVIDIA GPU and the test does not use the fake driver.
// It looks for device files instead of loading the driver, so that errors in loading it fail the
// test.
func NeedGPU(t testing.TB) {
	t.Helper()
	if os.Getenv("FAKE_CUDA") != "" {
		return
	}
	for _, pattern := range []string{"/dev/nvidia[0-9]*", "/dev/dxg"} { // the second in WSL 2
		if found, _ := filepath.Glob(pattern); len(found) > 0 {
			return
		}
	}
	t.Skip("no GPU: there is neither /dev/nvidia0 nor /dev/dxg")
}

// Build builds the fake driver in a folder, for a TestMain, so that tests share it. Each of them
// uses the result of For. The flags are for the C compiler. The error is [ErrCannot] if this
// machine cannot build it.
func Build(dir string, flags ...string) (*Driver, error) {
	sources, cc, err := compiler()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCannot, err)
	}
	d := &Driver{dir: dir, log: filepath.Join(dir, "log"), sources: sources, cc: cc, building: &sync.Mutex{}}
	if err := d.compile(filepath.Join(dir, "libcuda.so.1"), "fake_cuda.c", append(flags, "-lpthread")...); err != nil {
		return nil, err
	}
	return d, nil
}

// For returns the same driver with another log.
func (d *Driver) For(t testing.TB) *Driver {
	copied := *d
	copied.log = filepath.Join(t.TempDir(), "log")
	return &copied
}

// ErrCannot means that this machine cannot build the fakes, so the test should be skipped.
var ErrCannot = errors.New("the fake CUDA cannot be built here")

// Env returns the environment variables with which a program uses the driver, in a scenario: "one"
// is a machine with one GPU.
func (d *Driver) Env(scenario string, more ...string) []string {
	return append([]string{"LD_LIBRARY_PATH=" + d.dir, "FAKE_CUDA=" + scenario, "FAKE_CUDA_LOG=" + d.log}, more...)
}

// Dir returns the folder of libcuda.so.1.
func (d *Driver) Dir() string { return d.dir }

// BLAS creates a folder with a cuBLAS of a major version, such as site-packages/nvidia/cublas/lib.
func (d *Driver) BLAS(t testing.TB, dir string, major int) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	files, err := d.buildBLAS(major)
	if err != nil {
		t.Fatal(err)
	}
	for _, from := range files {
		text, err := os.ReadFile(from)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, filepath.Base(from)), text, 0o755)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// buildBLAS builds the two libraries, once.
func (d *Driver) buildBLAS(major int) (files []string, err error) {
	d.building.Lock()
	defer d.building.Unlock()
	dir := filepath.Join(d.dir, fmt.Sprintf("cublas%d", major))
	blasLt, library := filepath.Join(dir, fmt.Sprintf("libcublasLt.so.%d", major)), filepath.Join(dir, fmt.Sprintf("libcublas.so.%d", major))
	files = []string{blasLt, library}
	if _, err := os.Stat(library); err == nil {
		return files, nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	version := fmt.Sprintf("-DMAJOR=%d", major)
	if err := d.compile(blasLt, "fake_cublaslt.c", version); err != nil {
		return nil, err
	}
	return files, d.compile(library, "fake_cublas.c", version, blasLt, "-ldl")
}

// Log returns the calls of programs, one per line: "alloc 4096", "launch sgemm_sm80 16",
// "gemm 16 16 16 type 0 ...".
func (d *Driver) Log(t testing.TB) []string {
	t.Helper()
	text, err := os.ReadFile(d.log)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}

// CheckFreed fails the test unless there was a context, and everything that was created was freed.
func (d *Driver) CheckFreed(t testing.TB) {
	t.Helper()
	count := map[string]int{}
	for _, line := range d.Log(t) {
		what, _, _ := strings.Cut(line, " ")
		count[what]++
	}
	if count["retain"] == 0 {
		t.Error("no context was created")
	}
	for created, freed := range map[string]string{
		"alloc": "free", "hostalloc": "hostfree", "event": "eventdestroy", "module": "unload", "peer": "unpeer", "retain": "release",
		"cublas": "cublasdestroy",
	} {
		if count[created] != count[freed] {
			t.Errorf("%d x %s, %d x %s", count[created], created, count[freed], freed)
		}
	}
}

// compiler returns the folder of the fakes' sources and the C compiler, or an error with what is
// missing.
func compiler() (sources, cc string, err error) {
	if runtime.GOOS != "linux" {
		return "", "", errors.New("not Linux")
	}
	if err := programtest.Fault("cc"); err != nil {
		return "", "", err
	}
	dir, err := os.Getwd()
	if err != nil {
		return "", "", err
	}
	for {
		sources = filepath.Join(dir, "internal", "machine", "cuda", "testdata")
		if _, err := os.Stat(filepath.Join(sources, "fake_cuda.c")); err == nil {
			return sources, "cc", nil
		}
		if filepath.Dir(dir) == dir {
			return "", "", errors.New("no sources: this is not the repository")
		}
		dir = filepath.Dir(dir)
	}
}

// compile builds a shared library. Its soname is the name of the file, as with the real ones.
func (d *Driver) compile(to, source string, flags ...string) error {
	// Without _FORTIFY_SOURCE longjmp is not checked: the kernels use their own stacks.
	args := []string{"-std=gnu11", "-O2", "-U_FORTIFY_SOURCE", "-shared", "-fPIC", "-fvisibility=hidden", "-Wl,--no-as-needed",
		"-Wl,-soname," + filepath.Base(to), "-o", to, filepath.Join(d.sources, source)}
	if out, err := exec.Command(d.cc, append(args, flags...)...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", filepath.Base(to), err, out)
	}
	return nil
}
