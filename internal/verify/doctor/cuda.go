package doctor

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"

	"github.com/gpudocs/gpudocs/internal/machine/cuda"
	"github.com/gpudocs/gpudocs/internal/machine/pyenv"
	"github.com/gpudocs/gpudocs/internal/machine/system"
)

// variables are the environment variables that change what CUDA programs and frameworks
// see or load. An empty one may matter: an empty CUDA_VISIBLE_DEVICES hides all GPUs.
var variables = []string{
	"CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER", "NVIDIA_VISIBLE_DEVICES", "CUDA_HOME", "CUDA_PATH", "LD_LIBRARY_PATH", "LD_PRELOAD",
	"CUDA_LAUNCH_BLOCKING", "CUDA_MODULE_LOADING", "CUDA_FORCE_PTX_JIT", "CUDA_DISABLE_PTX_JIT", "PYTORCH_CUDA_ALLOC_CONF",
	"PYTORCH_NVML_BASED_CUDA_CHECK", "TF_FORCE_GPU_ALLOW_GROWTH", "XLA_FLAGS", "JAX_PLATFORMS", "PYTHONPATH",
}

// askCUDA finds what is installed from files alone: nvcc is not run.
func askCUDA(root fs.FS, lookup func(string) (string, bool)) CUDA {
	getenv := func(name string) string {
		value, _ := lookup(name)
		return value
	}
	c := CUDA{Installed: []Toolkit{}, Variables: []Variable{}}
	c.Module, c.Open = system.KernelModule(root)
	for _, dir := range append(cuda.SystemDirs(), driverDirs...) {
		file := filepath.Join(dir, "libcuda.so.1")
		if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() {
			c.Library = file
			break
		}
	}
	c.Installed = toolkits(getenv)
	for _, name := range variables {
		if value, ok := lookup(name); ok {
			c.Variables = append(c.Variables, Variable{name, value})
		}
	}
	return c
}

// driverDirs are the folders in which the dynamic linker may find the driver's library, besides those in which cuBLAS
// may be.
var driverDirs = []string{"/usr/lib/wsl/lib", "/run/opengl-driver/lib", "/lib/x86_64-linux-gnu", "/lib/aarch64-linux-gnu",
	"/lib64", "/lib", "/usr/lib"}

// toolkits finds the CUDA toolkits in the usual folders, by the variables, and by
// the nvcc in PATH.
func toolkits(getenv func(string) string) []Toolkit {
	dirs, _ := filepath.Glob("/usr/local/cuda*") // the pattern is well-formed
	slices.Sort(dirs)
	dirs = append(dirs, "/opt/cuda", "/usr/lib/nvidia-cuda-toolkit", getenv("CUDA_HOME"), getenv("CUDA_PATH"))
	nvcc, _ := pyenv.LookPath("nvcc", []string{"PATH=" + getenv("PATH")})
	if nvcc, _ = filepath.EvalSymlinks(nvcc); nvcc != "" {
		nvcc = filepath.Dir(filepath.Dir(nvcc))
	}
	dirs = append(dirs, nvcc)
	found, seen := []Toolkit{}, map[string]bool{}
	for _, dir := range dirs {
		real, err := filepath.EvalSymlinks(dir)
		if dir == "" || err != nil || seen[real] || !isToolkit(real) {
			continue
		}
		seen[real] = true
		found = append(found, Toolkit{Version: toolkitVersion(os.DirFS(real)), Path: real, NVCC: real == nvcc})
	}
	return found
}

// isToolkit recognizes a toolkit by its compiler or by its list of versions.
func isToolkit(dir string) bool {
	for _, name := range []string{"bin/nvcc", "version.json", "version.txt"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			return true
		}
	}
	return false
}

var (
	oldVersion    = regexp.MustCompile(`^CUDA Version (\d+\.\d+(?:\.\d+)?)`)
	headerVersion = regexp.MustCompile(`(?m)^#define CUDA_VERSION (\d{4,6})\b`)
)

// toolkitVersion returns the version in version.json (since 11.1), in version.txt
// (before), or in the header cuda.h (packages of distributions).
func toolkitVersion(dir fs.FS) string {
	var v struct {
		CUDA struct{ Version string }
	}
	if json.Unmarshal([]byte(system.Text(dir, "version.json")), &v) == nil && versionLike.MatchString(v.CUDA.Version) {
		return v.CUDA.Version
	}
	if m := oldVersion.FindStringSubmatch(system.Text(dir, "version.txt")); m != nil {
		return m[1]
	}
	headers, _ := fs.Glob(dir, "targets/*/include/cuda.h")
	for _, name := range append([]string{"include/cuda.h"}, headers...) {
		if m := headerVersion.FindStringSubmatch(system.Text(dir, name)); m != nil {
			n, _ := strconv.Atoi(m[1]) // 12040 is 12.4
			return strconv.Itoa(n/1000) + "." + strconv.Itoa(n%1000/10)
		}
	}
	return ""
}

var versionLike = regexp.MustCompile(`^\d+(\.\d+){1,3}$`)
