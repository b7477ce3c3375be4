//go:build linux && (amd64 || arm64) && !static

package cuda

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/machine/cuda/kernels"
)

// minimal is the shortest PTX that can be loaded.
const minimal = ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry nothing() { ret; }\n"

// kernel loads a float32 kernel that accepts any sizes.
func kernel(t *testing.T, c *Context) (*Kernel, kernels.Kernel) {
	t.Helper()
	k := must[kernels.Kernel](t)(kernels.Choose(86, "fp32", 1, 1, 1))
	return must[*Kernel](t)(must[*Module](t)(c.Load(k.PTX())).Kernel(k.Name)), k
}

func TestLoad(t *testing.T) {
	for name, tt := range map[string]struct {
		scenario, image string
		code            Code
		words           string
	}{
		"empty":       {"one", "", InvalidPTX, "Missing .version directive"},
		"no PTX":      {"one", "\x7fELF\x00\x01", InvalidPTX, "Missing .version directive"},
		"newer PTX":   {"two", strings.Replace(minimal, "7.0", "8.5", 1), UnsupportedPTX, "Unsupported .version"},
		"newer GPU":   {"one", strings.Replace(minimal, "sm_80", "sm_90", 1), InvalidPTX, "SM version specified by .target is higher"},
		"no such one": {"one", minimal, 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			child(t, tt.scenario, func(t *testing.T) {
				c := context(t)
				m, err := c.Load([]byte(tt.image))
				if tt.code != 0 {
					is(t, err, tt.code)
					if err == nil || !strings.Contains(err.Error(), tt.words) {
						t.Error(err)
					}
					ok(t, c.Close())
					return
				}
				ok(t, err)
				_, err = m.Kernel("noth")
				is(t, err, NotFound)
				if err == nil || !strings.HasPrefix(err.Error(), "kernel noth: cuModuleGetFunction: ") {
					t.Error(err)
				}
				ok(t, m.Close())
				is(t, m.Close(), ErrClosed)
				_, err = m.Kernel("nothing")
				is(t, err, ErrClosed)
				ok(t, c.Close())
				_, err = c.Load([]byte(minimal))
				is(t, err, ErrClosed)
			})
		})
	}
}

// random returns n numbers between -1 and 1.
func random(r *rand.Rand, n int) []float32 {
	f := make([]float32, n)
	for i := range f {
		f[i] = r.Float32()*2 - 1
	}
	return f
}

// upload copies numbers to the device.
func upload(t *testing.T, c *Context, f []float32) *Memory {
	t.Helper()
	m := must[*Memory](t)(c.Alloc(uint64(4 * len(f))))
	ok(t, m.Write(0, bytesOf(f)))
	return m
}

// worst returns the largest difference between c and the product of a and b, computed in
// float64.
func worst(a, b, c []float32, m, n, k int) (off float64) {
	for i := range m {
		for j := range n {
			sum := 0.0
			for l := range k {
				sum += float64(a[i*k+l]) * float64(b[l*n+j])
			}
			off = max(off, math.Abs(sum-float64(c[i*n+j])))
		}
	}
	return off
}

func TestLaunch(t *testing.T) {
	child(t, "one", func(t *testing.T) {
		c := context(t)
		const m, n, depth = 130, 70, 33
		k, spec := kernel(t, c)
		r := rand.New(rand.NewPCG(1, 2))
		A, B, C := random(r, m*depth), random(r, depth*n), make([]float32, m*n)
		a, b, to := upload(t, c, A), upload(t, c, B), upload(t, c, C)
		launch := func(grid Dim, arguments ...any) error {
			return k.Launch(grid, Dim{X: spec.Threads}, spec.Shared, arguments...)
		}
		ok(t, launch(Dim{X: spec.Grid(m, n)}, a, b, to, uint32(m), uint32(n), uint32(depth)))
		ok(t, to.Read(0, bytesOf(C)))
		if off := worst(A, B, C, m, n, depth); off > 1e-5 {
			t.Errorf("the largest error is %g", off)
		}
		is(t, launch(Dim{X: 1, Y: 2}, a, b, to, uint32(m), uint32(n), uint32(depth)), InvalidValue)
		is(t, k.Launch(Dim{}, Dim{X: 2048}, 0, a, b, to, uint32(m), uint32(n), uint32(depth)), InvalidValue)
		ok(t, k.AllowShared(99<<10))
		is(t, k.AllowShared(100<<10), InvalidValue)
		for text, err := range map[string]error{
			"has 6 arguments, not 5":      launch(Dim{}, a, b, to, uint32(m), uint32(n)),
			"has 6 arguments, not 7":      launch(Dim{}, a, b, to, uint32(m), uint32(n), uint32(depth), uint32(1)),
			"argument 3: it has 4 bytes":  launch(Dim{}, a, b, to, uint64(m), uint32(n), uint32(depth)),
			"argument 0: it has 8 bytes":  launch(Dim{}, float32(1), b, to, uint32(m), uint32(n), uint32(depth)),
			"argument 0: a bool is none ": launch(Dim{}, true),
		} {
			if err == nil || !strings.Contains(err.Error(), text) {
				t.Errorf("%v, want %s", err, text)
			}
		}
		if err := launch(Dim{}, a, 5); err == nil || !strings.Contains(err.Error(), "argument 1: a int is none") {
			t.Error(err)
		}
		ok(t, b.Free())
		is(t, launch(Dim{}, a, b), ErrClosed)
		is(t, launch(Dim{}, a, (*Memory)(nil)), ErrClosed)
		ok(t, k.m.Close())
		is(t, launch(Dim{}, a, to), ErrClosed)
		is(t, k.AllowShared(1), ErrClosed)
		ok(t, c.Close())
	})
}

// All kernels load and multiply on a GPU that supports them.
func TestKernels(t *testing.T) {
	for _, k := range kernels.All() {
		t.Run(k.Name, func(t *testing.T) {
			child(t, "one", func(t *testing.T) {
				c := context(t)
				size := Type(k.DType).Size()
				if size == 0 {
					t.Fatalf("type %s", k.DType)
				}
				f := must[*Kernel](t)(must[*Module](t)(c.Load(k.PTX())).Kernel(k.Name))
				if k.Shared > 48<<10 {
					ok(t, f.AllowShared(int(k.Shared)))
				}
				const n = 128
				ones := map[string][]byte{
					"fp32": bytesOf([]float32{1}), "tf32": bytesOf([]float32{1}), "fp16": bytesOf([]uint16{0x3c00}), "bf16": bytesOf([]uint16{0x3f80}),
				}
				want := map[string][]byte{
					"fp32": bytesOf([]float32{n}), "tf32": bytesOf([]float32{n}), "fp16": bytesOf([]uint16{0x5800}), "bf16": bytesOf([]uint16{0x4300}),
				}
				var m [3]*Memory
				for i := range m {
					m[i] = must[*Memory](t)(c.Alloc(uint64(n * n * size)))
					ok(t, m[i].Write(0, bytes.Repeat(ones[k.DType], n*n)))
				}
				ok(t, f.Launch(Dim{X: k.Grid(n, n)}, Dim{X: k.Threads}, k.Shared, m[0], m[1], m[2], uint32(n), uint32(n), uint32(n)))
				got := make([]byte, m[2].Size())
				ok(t, m[2].Read(0, got))
				if !bytes.Equal(got, bytes.Repeat(want[k.DType], n*n)) {
					t.Errorf("% x ...", got[:16])
				}
				ok(t, c.Close())
			})
		})
	}
}

// The error of a kernel that reads outside of its memory is returned by the next wait.
func TestLaunchBeyond(t *testing.T) {
	child(t, "one", func(t *testing.T) {
		c := context(t)
		k, spec := kernel(t, c)
		small := must[*Memory](t)(c.Alloc(1000))
		ok(t, k.Launch(Dim{X: 1}, Dim{X: spec.Threads}, spec.Shared, small, small, small, uint32(100), uint32(100), uint32(8)))
		is(t, c.Synchronize(), IllegalAddress)
		if err := c.Close(); !errors.Is(err, IllegalAddress) {
			t.Error(err)
		}
	})
}
