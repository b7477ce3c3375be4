package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"

	"github.com/rogpeppe/go-internal/testscript"
)

// fakes are fake NVIDIA libraries, written in C, that scripts share: compiling them takes
// longer than most scripts do. Each is compiled once, when the first script needs it.
type fakes struct {
	dir       string
	nvml, gpu func() error
}

func newFakes(dir string) *fakes {
	compile := func(name, source string, flags ...string) func() error {
		return sync.OnceValue(func() error {
			args := append([]string{"-std=gnu11", "-shared", "-fPIC", "-o", filepath.Join(dir, name), filepath.FromSlash(source)}, flags...)
			if out, err := exec.Command("cc", args...).CombinedOutput(); err != nil {
				return fmt.Errorf("%s: %w\n%s", name, err, out)
			}
			return nil
		})
	}
	return &fakes{dir,
		compile("libnvidia-ml.so.1", "../../internal/machine/gpu/testdata/fake_nvml.c"),
		compile("libcuda.so.1", "../../internal/machine/cuda/testdata/fake_cuda.c", "-O2", "-fvisibility=hidden", "-lpthread"),
	}
}

// fake copies a library to a folder, which it creates.
func (f *fakes) fake(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, len(args) == 2 && (args[0] == "nvml" || args[0] == "cuda"), neg, "fake nvml|cuda DIR")
	name, make := "libnvidia-ml.so.1", f.nvml
	if args[0] == "cuda" {
		name, make = "libcuda.so.1", f.gpu
	}
	ts.Check(make())
	library, err := os.ReadFile(filepath.Join(f.dir, name))
	ts.Check(err)
	dir := ts.MkAbs(args[1])
	ts.Check(os.MkdirAll(dir, 0o755))
	ts.Check(os.WriteFile(filepath.Join(dir, name), library, 0o755))
}
