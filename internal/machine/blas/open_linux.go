//go:build linux && (amd64 || arm64) && !static

package blas

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/ebitengine/purego"
)

// Constants of cblas.h.
const (
	rowMajor = 101
	noTrans  = 111
)

// variants are the prefix and suffix that libraries add to the names of functions, and whether
// their integers have 64 bits.
var variants = []struct {
	prefix, suffix string
	wide           bool
}{
	{"", "", false}, {"scipy_", "64_", true}, {"", "64_", true}, {"scipy_", "", false},
}

// Open loads a library by its path, or by a name that the linker finds. It stays loaded.
func Open(file string) (*Library, error) {
	lib, err := purego.Dlopen(file, purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		return nil, err
	}
	for _, v := range variants {
		sgemm, err := purego.Dlsym(lib, v.prefix+"cblas_sgemm"+v.suffix)
		if err != nil {
			continue
		}
		s := symbols{lib, v.prefix, v.suffix}
		l := &Library{Name: named(file, s.config()), Threads: s.threads()}
		if v.wide {
			l.sgemm = bind[int64](sgemm)
		} else {
			l.sgemm = bind[int32](sgemm)
		}
		return l, nil
	}
	return nil, fmt.Errorf("%s has no cblas_sgemm", file)
}

// bind returns a Go function for cblas_sgemm of a library whose integers are Int.
func bind[Int int32 | int64](symbol uintptr) func(n int, a, b, c []float32) {
	var sgemm func(order, transA, transB int32, m, n, k Int, alpha float32, a *float32, lda Int, b *float32, ldb Int, beta float32, c *float32, ldc Int)
	purego.RegisterFunc(&sgemm, symbol)
	return func(n int, a, b, c []float32) {
		_, _, _ = a[n*n-1], b[n*n-1], c[n*n-1] // otherwise C would read past the end
		i := Int(n)
		sgemm(rowMajor, noTrans, noTrans, i, i, i, 1, &a[0], i, &b[0], i, 0, &c[0], i)
	}
}

// symbols are the functions of a library.
type symbols struct {
	lib            uintptr
	prefix, suffix string
}

// bind sets fn to the function of this name, and reports whether there is one.
func (s symbols) bind(fn any, name string) bool {
	symbol, err := purego.Dlsym(s.lib, s.prefix+name+s.suffix)
	if err == nil {
		purego.RegisterFunc(fn, symbol)
	}
	return err == nil
}

// config returns the library's description of itself, "OpenBLAS 0.3.21 DYNAMIC_ARCH ...", or "".
func (s symbols) config() string {
	var text func() string
	if s.bind(&text, "openblas_get_config") {
		return text()
	}
	if s.bind(&text, "bli_info_get_version_str") {
		return "BLIS " + text()
	}
	var fill func(buffer *byte, length int32)
	if s.bind(&fill, "MKL_Get_Version_String") {
		buffer := make([]byte, 256)
		fill(&buffer[0], int32(len(buffer)))
		version, _, _ := bytes.Cut(buffer, []byte{0})
		return oneMKL(string(version))
	}
	return ""
}

// oneMKL shortens "Intel(R) oneAPI Math Kernel Library Version 2024.1-Product
// Build 20240215 for Intel(R) 64 architecture applications".
func oneMKL(version string) string {
	_, number, _ := strings.Cut(version, "Version ")
	number, _, _ = strings.Cut(number, " ")
	number, _, _ = strings.Cut(number, "-")
	return strings.TrimSpace("oneMKL " + number)
}

// threads returns the number of threads of the library, or 0 if it is unknown.
func (s symbols) threads() int {
	var n func() int32
	for _, name := range []string{"openblas_get_num_threads", "bli_thread_get_num_threads", "MKL_Get_Max_Threads"} {
		if s.bind(&n, name) {
			return max(int(n()), 0)
		}
	}
	return 0
}
