//go:build linux && (amd64 || arm64) && !static

package cuda

import (
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/machine/cuda/cudatest"
)

// withBLAS is child with copies of cuBLAS in the folder that f gets: a Python's site-packages
// with cuBLAS 12, and others.
func withBLAS(t *testing.T, scenario string, more map[string]int, f func(t *testing.T, dir string), env ...string) *cudatest.Driver {
	t.Helper()
	d := fake(t, built)
	dir := os.Getenv("BLAS_DIR")
	if !isChild() {
		dir = t.TempDir()
		d.BLAS(t, filepath.Join(dir, "nvidia/cublas/lib"), 12)
		for folder, major := range more {
			d.BLAS(t, filepath.Join(dir, folder), major)
		}
	}
	passes(t, func(t *testing.T) { f(t, dir) }, d.Env(scenario, append(env, "BLAS_DIR="+dir)...)...)
	return d
}

// half converts to fp16 and back numbers that are exact in it: small integers.
func half(f float32) uint16 {
	b := math.Float32bits(f)
	if f == 0 {
		return 0
	}
	return uint16(b>>16&0x8000 | (b>>13&0x3ffff - 112<<10))
}

func brain(f float32) uint16 { return uint16(math.Float32bits(f) >> 16) }

func TestGemm(t *testing.T) {
	d := withBLAS(t, "one", nil, func(t *testing.T, dir string) {
		c := context(t)
		b := must[*BLAS](t)(c.BLAS(FindBLAS(dir)))
		if b.Version() != "12.4.5" || b.Library().From != FromPip {
			t.Errorf("%s %v", b.Version(), b.Library())
		}
		const m, n, k = 5, 7, 3
		r := rand.New(rand.NewPCG(3, 4))
		numbers := func(n int) []float32 {
			f := make([]float32, n)
			for i := range f {
				f[i] = float32(r.IntN(17) - 8)
			}
			return f
		}
		A, B, want := numbers(m*k), numbers(k*n), make([]float32, m*n)
		for i := range m {
			for j := range n {
				for l := range k {
					want[i*n+j] += A[i*k+l] * B[l*n+j]
				}
			}
		}
		for _, typ := range []Type{FP32, TF32, FP16, BF16} {
			convert := map[Type]func(float32) uint16{FP16: half, BF16: brain}[typ]
			bytes := func(f []float32) []byte {
				if convert == nil {
					return bytesOf(f)
				}
				h := make([]uint16, len(f))
				for i := range f {
					h[i] = convert(f[i])
				}
				return bytesOf(h)
			}
			put := func(f []float32) *Memory {
				m := must[*Memory](t)(c.Alloc(uint64(typ.Size() * len(f))))
				ok(t, m.Write(0, bytes(f)))
				return m
			}
			a, bb, to := put(A), put(B), put(numbers(m*n))
			ok(t, b.Gemm(typ, m, n, k, a, bb, to))
			got := make([]byte, to.Size())
			ok(t, to.Read(0, got))
			if !slices.Equal(got, bytes(want)) {
				t.Errorf("%s: % x, want % x", typ, got, bytes(want))
			}
		}
		ok(t, b.Close())
		is(t, b.Close(), ErrClosed)
		ok(t, c.Close())
	})
	if isChild() {
		return
	}
	d.CheckFreed(t)
	// The call that PyTorch makes: column-major, so with m and n exchanged.
	log := strings.Join(d.Log(t), "\n")
	for _, want := range []string{
		"gemm 7 5 3 type 0 compute 68 algo -1 workspace 8519680",
		"gemm 7 5 3 type 0 compute 77 algo -1 workspace 8519680",
		"gemm 7 5 3 type 2 compute 68 algo 99 workspace 8519680",
		"gemm 7 5 3 type 14 compute 68 algo 99 workspace 8519680",
	} {
		if !strings.Contains(log, want) {
			t.Errorf("no %q in\n%s", want, log)
		}
	}
}

// TF32 rounds the elements, and FP32 does not.
func TestTF32(t *testing.T) {
	withBLAS(t, "modern", nil, func(t *testing.T, dir string) {
		c := context(t)
		b := must[*BLAS](t)(c.BLAS(FindBLAS(dir)))
		const fine = 1 + 1.0/4096 // 12 bits of mantissa
		one, to := upload(t, c, []float32{fine}, 0), upload(t, c, []float32{0}, 0)
		for typ, want := range map[Type]float32{FP32: fine * fine, TF32: 1} {
			got := []float32{0}
			ok(t, b.Gemm(typ, 1, 1, 1, one, one, to))
			ok(t, to.Read(0, bytesOf(got)))
			if got[0] != want {
				t.Errorf("%s: %v, want %v", typ, got[0], want)
			}
		}
		if b.workspace.Size() != 32<<20 {
			t.Errorf("workspace of %d bytes", b.workspace.Size())
		}
		ok(t, c.Close())
	})
}

func TestGemmRefuses(t *testing.T) {
	withBLAS(t, "two", map[string]int{"torch/lib": 11}, func(t *testing.T, dir string) {
		c := must[*Context](t)(must[Device](t)(open(t).Device(1)).Context()) // the GTX 1080 Ti
		b := must[*BLAS](t)(c.BLAS(FindBLAS(dir)))
		if b.Library().Major != 11 || b.Library().From != FromTorch {
			t.Errorf("%v", b.Library())
		}
		m := must[*Memory](t)(c.Alloc(4 * 16))
		ok(t, b.Gemm(FP32, 4, 4, 4, m, m, m))
		for name, err := range map[string]error{
			"tf32 before Ampere": b.Gemm(TF32, 4, 4, 4, m, m, m),
			"no type":            b.Gemm("fp8", 4, 4, 4, m, m, m),
			"no rows":            b.Gemm(FP32, 0, 4, 4, m, m, m),
			"too large for a":    b.Gemm(FP32, 4, 4, 5, m, m, m),
			"too large for c":    b.Gemm(FP32, 5, 4, 1, m, m, m),
			"far too large":      b.Gemm(FP32, math.MaxInt32, math.MaxInt32, 1, m, m, m),
			"larger than int32":  b.Gemm(FP16, 1, math.MaxInt32+1, 1, m, m, m),
			"nothing":            b.Gemm(FP32, 4, 4, 4, m, nil, m),
		} {
			if err == nil {
				t.Errorf("%s is used", name)
			}
		}
		ok(t, b.Close())
		is(t, b.Gemm(FP32, 4, 4, 4, m, m, m), ErrClosed)
		ok(t, c.Close())
		_, err := c.BLAS(FindBLAS(dir))
		is(t, err, ErrClosed)
	})
}

// Each unusable cuBLAS has a reason, and the next one is tried.
func TestBLASChoice(t *testing.T) {
	for _, tt := range []struct {
		name, scenario, fault string
		more                  map[string]int
		want                  int
		reasons               []string
	}{
		{"the newest", "modern", "", map[string]int{"nvidia/cu13/lib": 13, "torch/lib": 11}, 13, nil},
		{"not newer than the driver", "one", "", map[string]int{"nvidia/cu13/lib": 13, "torch/lib": 11}, 12, nil},
		{"none that is old enough", "two", "", map[string]int{"nvidia/cu13/lib": 13}, 0, []string{
			"cuBLAS 13 (pip): needs a driver of CUDA 13, and this one is of CUDA 11.2",
			"cuBLAS 12 (pip): needs a driver of CUDA 12, and this one is of CUDA 11.2",
		}},
		{"creation fails", "one", "create", map[string]int{"torch/lib": 12}, 0, []string{
			"cuBLAS 12 (pip): cublasCreate: CUBLAS_STATUS_NOT_INITIALIZED",
			"cuBLAS 12 (torch): another copy of this version is loaded already",
		}},
		{"knows no such device", "one", "arch", nil, 0, []string{"cuBLAS 12 (pip): cublasGemmEx: CUBLAS_STATUS_ARCH_MISMATCH"}},
		{"no room for the workspace", "full", "", nil, 0, []string{"cuBLAS 12 (pip): cuMemAlloc: out of memory (CUDA_ERROR_OUT_OF_MEMORY, 2)"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := withBLAS(t, tt.scenario, tt.more, func(t *testing.T, dir string) {
				c := context(t)
				b, err := c.BLAS(FindBLAS(dir))
				if tt.want != 0 {
					ok(t, err)
					if b.Library().Major != tt.want {
						t.Errorf("used %v", b.Library())
					}
				} else if got := strings.Split(errText(err), "\n"); !slices.Equal(got, tt.reasons) {
					t.Errorf("got %q\nwant %q", got, tt.reasons)
				}
				ok(t, c.Close())
			}, "FAKE_CUBLAS="+tt.fault)
			if !isChild() {
				d.CheckFreed(t)
			}
		})
	}
}

func errText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// Two GPUs, one after the other, use the same library.
func TestBLASAgain(t *testing.T) {
	withBLAS(t, "two", map[string]int{"torch/lib": 11}, func(t *testing.T, dir string) {
		d := open(t)
		for i := range 2 {
			c := must[*Context](t)(must[Device](t)(d.Device(i)).Context())
			must[*BLAS](t)(c.BLAS(FindBLAS(dir)))
			ok(t, c.Close())
		}
	})
}

// The error of a library that does not load names no folder, because it is published.
func TestBLASBroken(t *testing.T) {
	child(t, "one", func(t *testing.T) {
		c := context(t)
		_, err := c.BLAS(nil)
		is(t, err, ErrNoBLAS)
		dir := t.TempDir()
		for name, files := range map[string]map[string]string{
			"libcublas.so.12":   {"libcublas.so.12": "not a library"},
			"libcublasLt.so.12": {"libcublasLt.so.12": "not a library", "libcublas.so.12": ""},
		} {
			folder := filepath.Join(dir, name)
			ok(t, os.Mkdir(folder, 0o755))
			for file, text := range files {
				ok(t, os.WriteFile(filepath.Join(folder, file), []byte(text), 0o644))
			}
			_, err := c.BLAS(FindBLAS(folder))
			if text := errText(err); !strings.HasPrefix(text, "cuBLAS 12 (system): cannot be loaded: "+name+": ") || strings.Contains(text, dir) {
				t.Error(err)
			}
		}
		ok(t, c.Close())
	})
}

// Finding wrong results is up to the caller; the fake can produce some.
func TestWrong(t *testing.T) {
	withBLAS(t, "wrong", nil, func(t *testing.T, dir string) {
		c := context(t)
		b := must[*BLAS](t)(c.BLAS(FindBLAS(dir)))
		two, to, got := upload(t, c, []float32{2}, 0), upload(t, c, []float32{0}, 0), []float32{0}
		ok(t, b.Gemm(FP32, 1, 1, 1, two, two, to))
		ok(t, to.Read(0, bytesOf(got)))
		if math.Abs(float64(got[0])-4) < 0.5 {
			t.Errorf("got the correct %v, want a wrong result", got[0])
		}
		ok(t, c.Close())
	})
}

func TestBLASError(t *testing.T) {
	t.Parallel()
	err := error(&BLASError{"cublasGemmEx", BLASNotSupported})
	if !errors.Is(err, BLASNotSupported) || err.Error() != "cublasGemmEx: CUBLAS_STATUS_NOT_SUPPORTED" {
		t.Error(err)
	}
	if text := Status(77).Error(); text != "cuBLAS error 77" {
		t.Error(text)
	}
}
