package cuda

import (
	"cmp"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// The origins of a cuBLAS.
const (
	FromPip    = "pip"    // the package nvidia-cublas, -cu12 or -cu11
	FromTorch  = "torch"  // a wheel of PyTorch that brings its own
	FromConda  = "conda"  // a conda environment
	FromSystem = "system" // the toolkit, a package of the system, or LD_LIBRARY_PATH
)

// A Library is a file of cuBLAS.
type Library struct {
	Path  string // of libcublas.so.12; it must not leave the machine
	Major int    // 12
	From  string // one of the constants above
}

// oldest is the oldest major version whose cublasGemmEx has the arguments that are used:
// the compute type was added in 11.0
// (https://docs.nvidia.com/cuda/archive/11.0/cublas/, cublasGemmEx).
const oldest = 11

// site are the folders of cuBLAS in Python's site-packages. Wheels for CUDA 13 share one folder,
// earlier ones have their own.
var site = []string{"nvidia/cublas/lib", "nvidia/cu[0-9]*/lib", "torch/lib"}

// inside returns the folders of cuBLAS relative to a folder that may contain it itself, or
// be Python's site-packages or the root of a conda environment, a venv or a toolkit.
func inside() []string {
	folders := append([]string{"."}, site...)
	folders = append(folders, "lib", "lib64", "targets/"+target()+"/lib")
	for _, packages := range []string{"lib/python3*/site-packages", "lib64/python3*/site-packages", "lib/python3*/dist-packages",
		"local/lib/python3*/dist-packages"} {
		for _, s := range site {
			folders = append(folders, path.Join(packages, s))
		}
	}
	return folders
}

// target returns the toolkit's name for this architecture.
func target() string {
	if runtime.GOARCH == "arm64" {
		return "sbsa-linux"
	}
	return "x86_64-linux"
}

// FindBLAS returns the copies of cuBLAS in folders. Each folder may contain the library
// itself, or be Python's site-packages or the root of a conda environment, a venv or a
// toolkit. Newer major versions come first; equal ones are in the order of the folders.
// Nothing is loaded: [Context.BLAS] finds out which of them works.
func FindBLAS(dirs ...string) []Library {
	var found []Library
	seen := map[string]bool{}
	for _, dir := range dirs {
		if !filepath.IsAbs(dir) {
			continue // a relative folder depends on the working folder
		}
		tree := os.DirFS(dir)
		for _, folder := range inside() {
			files, _ := fs.Glob(tree, path.Join(folder, "libcublas.so.*")) // the pattern is valid
			for _, file := range files {
				major, err := strconv.Atoi(strings.TrimPrefix(path.Base(file), "libcublas.so."))
				if err != nil || major < oldest {
					continue
				}
				full := filepath.Join(dir, filepath.FromSlash(file))
				real, err := filepath.EvalSymlinks(full)
				if err != nil || seen[real] {
					continue
				}
				seen[real] = true
				found = append(found, Library{Path: full, Major: major, From: from(tree, file)})
			}
		}
	}
	slices.SortStableFunc(found, func(a, b Library) int { return cmp.Compare(b.Major, a.Major) })
	return found
}

// from returns the origin of a file, judged by its folder.
func from(tree fs.FS, file string) string {
	switch folder := path.Dir(file); {
	case strings.HasSuffix(folder, "torch/lib"):
		return FromTorch
	case strings.Contains("/"+folder, "/nvidia/"):
		return FromPip
	}
	if _, err := fs.Stat(tree, "conda-meta"); err == nil {
		return FromConda
	}
	return FromSystem
}

// SystemDirs returns the folders of this machine that may contain cuBLAS, for [FindBLAS]:
// those in LD_LIBRARY_PATH, CUDA_HOME and CUDA_PATH, the dynamic linker's, and those of
// the toolkit, Debian and Arch.
func SystemDirs() []string {
	return systemDirs("/", os.Getenv)
}

func systemDirs(root string, getenv func(string) string) []string {
	dirs := filepath.SplitList(getenv("LD_LIBRARY_PATH"))
	dirs = append(dirs, getenv("CUDA_HOME"), getenv("CUDA_PATH"))
	dirs = append(dirs, linkerDirs(root)...)
	for _, pattern := range []string{
		"usr/local/cuda", "usr/local/cuda-*", "opt/cuda",
		"usr/lib/x86_64-linux-gnu", "usr/lib/aarch64-linux-gnu", "usr/lib64",
		"opt/nvidia/hpc_sdk/Linux_*/*/math_libs", "opt/nvidia/hpc_sdk/Linux_*/*/math_libs/*",
	} {
		matches, _ := fs.Glob(os.DirFS(root), pattern)
		slices.Reverse(matches) // cuda-12.4 before cuda-12.0
		for _, m := range matches {
			dirs = append(dirs, filepath.Join(root, m))
		}
	}
	return slices.DeleteFunc(dirs, func(d string) bool { return d == "" })
}

// linkerDirs returns the folders in the files of ld.so.conf.d, to which the toolkit's
// packages and NVIDIA's images add theirs.
func linkerDirs(root string) (dirs []string) {
	files, _ := fs.Glob(os.DirFS(root), "etc/ld.so.conf.d/*.conf")
	for _, file := range files {
		text, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			continue
		}
		for line := range strings.Lines(string(text)) {
			if line = strings.TrimSpace(line); strings.HasPrefix(line, "/") {
				dirs = append(dirs, line)
			}
		}
	}
	return dirs
}
