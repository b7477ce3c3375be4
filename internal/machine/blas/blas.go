// Package blas multiplies matrices on the CPU with the BLAS of the machine, for a fair comparison
// with its GPU: a simple loop would be a hundred times slower than the usual libraries.
//
// A BLAS is a shared library with the C interface, cblas_sgemm
// (https://www.netlib.org/blas/blast-forum/cinterface.pdf). [Find] looks for
// OpenBLAS, BLIS and oneMKL in the search path of the linker, then for the OpenBLAS in
// numpy's wheels, and finally for libblas.so.3, which is the slow
// reference implementation unless another library is installed under its name. [Open]
// asks the library which one it is. The functions of numpy's copies have a
// suffix, and in newer copies a prefix, to avoid conflicts
// (https://github.com/MacPython/openblas-libs); with the suffix 64_ their integers have
// 64 bits.
//
// A library can crash, or end the process (as oneMKL does if a part of it is
// missing), so open it in a process that may die. The number of threads is
// up to the library and its environment variables, such as OPENBLAS_NUM_THREADS.
//
// Loading needs no cgo. Only Linux on amd64 and arm64 is supported: elsewhere, and in
// a program that was built with -tags static, [Open] returns [ErrUnsupported].
package blas

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
)

// ErrUnsupported means that gpudocs cannot load libraries on this system.
var ErrUnsupported = errors.New("gpudocs cannot load a BLAS on this system")

// ErrNone means that no library was found.
var ErrNone = errors.New("no BLAS was found: libopenblas.so.0, libblis.so.4, libmkl_rt.so.2, libblas.so.3, or numpy's own")

// A Library is a BLAS that was loaded.
type Library struct {
	// Name is the name with the version: "OpenBLAS 0.3.21".
	Name string
	// Threads is the number of its threads, or 0 if unknown.
	Threads int
	sgemm   func(n int, a, b, c []float32)
}

// Multiply calculates c = a b, for matrices of n x n elements in rows.
func (l *Library) Multiply(n int, a, b, c []float32) { l.sgemm(n, a, b, c) }

// sonames are the libraries in the linker's search path, the fastest first.
var sonames = []string{"libopenblas.so.0", "libblis.so.4", "libblis.so.3", "libmkl_rt.so.2", "libmkl_rt.so.1"}

// last is the library that is tried last.
const last = "libblas.so.3"

// bundled returns the places of libraries below the root of a Python environment: those of conda,
// and those of numpy's wheels, new and old.
func bundled() []string {
	patterns := []string{"lib/libopenblas.so.0", "lib/libmkl_rt.so.2"}
	for _, packages := range []string{"lib/python3*/site-packages", "lib64/python3*/site-packages", "lib/python3*/dist-packages", "local/lib/python3*/dist-packages"} {
		for _, file := range []string{"numpy.libs/libscipy_openblas*.so*", "numpy.libs/libopenblas*.so*",
			"scipy_openblas64/lib/libscipy_openblas64_.so", "scipy_openblas32/lib/libscipy_openblas.so"} {
			patterns = append(patterns, packages+"/"+file)
		}
	}
	return patterns
}

// Find opens the first library that can be loaded, from the linker's search path or from folders,
// which are roots of Python environments. If there is none the error is [ErrNone] or
// [ErrUnsupported].
func Find(folders ...string) (*Library, error) {
	for _, file := range candidates(folders) {
		l, err := Open(file)
		if err == nil || errors.Is(err, ErrUnsupported) {
			return l, err
		}
	}
	return nil, ErrNone
}

// candidates returns the libraries to try, in order.
func candidates(folders []string) []string {
	files := slices.Clone(sonames)
	for _, dir := range folders {
		for _, pattern := range bundled() {
			found, _ := filepath.Glob(filepath.Join(escape.Replace(dir), pattern)) // only a bad pattern is an error
			files = append(files, found...)
		}
	}
	return append(files, last)
}

// escape escapes a folder's name for a pattern.
var escape = strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`)

// named returns the name of a library, from its own description if it has one.
func named(file, config string) string {
	words := strings.Fields(config)
	switch {
	case len(words) >= 2 && words[0] == "OpenBLAS":
		return strings.Join(words[:2], " ")
	case config != "":
		return config
	case filepath.Base(file) == last:
		return last + ", probably the reference BLAS"
	}
	return filepath.Base(file)
}
