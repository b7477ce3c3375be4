package blas

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/test/programtest"
)

// installed skips a test if this machine has no OpenBLAS in the folders of Linux distributions.
func installed(t *testing.T) {
	t.Helper()
	for _, pattern := range []string{"/usr/lib/*/libopenblas.so.0", "/usr/lib*/libopenblas.so.0"} {
		if found, _ := filepath.Glob(pattern); len(found) > 0 {
			return
		}
	}
	t.Skip("OpenBLAS is not installed")
}

// TestMultiply uses the BLAS of the machine that runs the tests, if it has one.
func TestMultiply(t *testing.T) {
	installed(t)
	l, err := Find()
	if errors.Is(err, ErrUnsupported) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s, %d threads", l.Name, l.Threads)
	for _, n := range []int{1, 2, 3, 17, 64, 129} {
		a, b, c := make([]float32, n*n), make([]float32, n*n), make([]float32, n*n)
		for i := range a {
			a[i], b[i], c[i] = float32(i%7-3), float32(i%5-2), 99
		}
		l.Multiply(n, a, b, c)
		for i := range n {
			for j := range n {
				sum := float32(0) // exact, because the elements are small integers
				for k := range n {
					sum += a[i*n+k] * b[k*n+j]
				}
				if c[i*n+j] != sum {
					t.Fatalf("n=%d: c[%d,%d] = %v, want %v", n, i, j, c[i*n+j], sum)
				}
			}
		}
	}
	if l.Name == "" || l.Threads < 0 || strings.Contains(l.Name, "/") {
		t.Errorf("%+v", l)
	}
}

// TestSuffixed calls a library in the form that numpy brings: with a prefix, a suffix and
// integers of 64 bits.
func TestSuffixed(t *testing.T) {
	programtest.Need(t, "cc")
	if _, err := Open("libgpudocs-is-not-there.so.9"); errors.Is(err, ErrUnsupported) {
		t.Skip(err)
	}
	dir := t.TempDir()
	source, file := filepath.Join(dir, "blas.c"), filepath.Join(dir, "libscipy_openblas64_.so")
	if err := os.WriteFile(source, []byte(`
#include <stdint.h>
char *scipy_openblas_get_config64_(void) { return "OpenBLAS 0.3.27  USE64BITINT Zen"; }
int scipy_openblas_get_num_threads64_(void) { return 3; }
void scipy_cblas_sgemm64_(int order, int ta, int tb, int64_t m, int64_t n, int64_t k, float alpha,
		const float *a, int64_t lda, const float *b, int64_t ldb, float beta, float *c, int64_t ldc) {
	if (order != 101 || ta != 111 || tb != 111 || m != n || n != k || lda != n || ldb != n || ldc != n) return;
	for (int64_t i = 0; i < n; i++)
		for (int64_t j = 0; j < n; j++) {
			float s = beta;
			for (int64_t l = 0; l < n; l++) s += alpha * a[i*n+l] * b[l*n+j];
			c[i*n+j] = s;
		}
}`), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("cc", "-shared", "-fPIC", "-o", file, source).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	l, err := Open(file)
	if err != nil {
		t.Fatal(err)
	}
	c := make([]float32, 4)
	l.Multiply(2, []float32{1, 2, 3, 4}, []float32{5, 6, 7, 8}, c)
	if want := []float32{19, 22, 43, 50}; !slices.Equal(c, want) || l.Name != "OpenBLAS 0.3.27" || l.Threads != 3 {
		t.Errorf("%v by %q with %d threads", c, l.Name, l.Threads)
	}
}

func TestShortSlice(t *testing.T) {
	installed(t)
	l, err := Find()
	if errors.Is(err, ErrUnsupported) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if recover() == nil {
			t.Error("a matrix that is too short was accepted")
		}
	}()
	l.Multiply(4, make([]float32, 16), make([]float32, 16), make([]float32, 15))
}

func TestOpenErrors(t *testing.T) {
	if _, err := Open("libgpudocs-is-not-there.so.9"); errors.Is(err, ErrUnsupported) {
		t.Skip(err)
	}
	text := filepath.Join(t.TempDir(), "libopenblas.so.0")
	if err := os.WriteFile(text, []byte("no library\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{text, "libgpudocs-is-not-there.so.9", "libc.so.6"} {
		if l, err := Open(file); err == nil {
			t.Errorf("%s: %+v", file, l)
		}
	}
}

func TestCandidates(t *testing.T) {
	dir, packages := filepath.Join(t.TempDir(), "odd [x] *"), "lib/python3.12/site-packages/"
	for _, file := range []string{packages + "numpy.libs/libscipy_openblas64_-0cf96a72.so", packages + "numpy.libs/libgfortran-1.so", "lib/libopenblas.so.0"} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(file)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, file), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got := candidates([]string{dir, "/no/such/folder"})
	want := append(slices.Clone(sonames), filepath.Join(dir, "lib/libopenblas.so.0"), filepath.Join(dir, packages+"numpy.libs/libscipy_openblas64_-0cf96a72.so"), last)
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

func TestNamed(t *testing.T) {
	for _, c := range []struct{ file, config, want string }{
		{"libopenblas.so.0", "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH NO_AFFINITY Haswell MAX_THREADS=64", "OpenBLAS 0.3.21"},
		{"libblis.so.4", "BLIS 0.9.0", "BLIS 0.9.0"},
		{"libblas.so.3", "OpenBLAS 0.3.21 x", "OpenBLAS 0.3.21"},
		{"libblas.so.3", "", "libblas.so.3, probably the reference BLAS"},
		{"/opt/lib/libother.so", "", "libother.so"},
	} {
		if got := named(c.file, c.config); got != c.want {
			t.Errorf("%s %q: %q, want %q", c.file, c.config, got, c.want)
		}
	}
}
