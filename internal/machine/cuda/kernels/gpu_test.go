package kernels_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/machine/cuda"
	"github.com/gpudocs/gpudocs/internal/machine/cuda/cudatest"
	"github.com/gpudocs/gpudocs/internal/machine/cuda/kernels"
)

// TestGPU runs every supported kernel on every GPU of this machine: go test
// ./internal/machine/cuda/kernels -run TestGPU -v.
func TestGPU(t *testing.T) {
	cudatest.NeedGPU(t)
	driver, err := cuda.Open()
	ok(t, err)
	ok(t, driver.Init())
	count := must[int](t)(driver.Count())
	if count == 0 {
		t.Fatal("the driver counts no GPU")
	}
	for i := range count {
		device := must[cuda.Device](t)(driver.Device(i))
		t.Run(must[string](t)(device.Name()), func(t *testing.T) { onDevice(t, device) })
	}
}

func onDevice(t *testing.T, device cuda.Device) {
	major, minor, err := device.Compute()
	ok(t, err)
	c := must[*cuda.Context](t)(device.Context())
	defer func() { ok(t, c.Close()) }()
	shapes := [][3]int{{1, 1, 1}, {127, 129, 65}, {128, 128, 8}, {257, 64, 31}, {130, 72, 40}}
	if !testing.Short() {
		shapes = append(shapes, [3]int{5, 3, 2049}, [3]int{300, 260, 1000}, [3]int{1000, 1000, 200}, [3]int{1280, 640, 512}, [3]int{9 * 128, 130, 3})
	}
	for _, k := range kernels.All() {
		if k.MinCompute > 10*major+minor {
			t.Logf("%s is for compute capability %d.%d", k.Name, k.MinCompute/10, k.MinCompute%10)
			continue
		}
		module := must[*cuda.Module](t)(c.Load(k.PTX()))
		f := must[*cuda.Kernel](t)(module.Kernel(k.Name))
		for _, s := range shapes {
			if !k.Fits(s[0], s[1], s[2]) {
				continue
			}
			if err := multiply(c, f, k, s[0], s[1], s[2]); err != nil {
				t.Errorf("%s, %v: %v", k.Name, s, err)
			}
		}
		ok(t, module.Close())
	}
}

// multiply multiplies matrices of integers, small enough for every sum to be exact in every
// type, and checks that nothing after C has changed.
func multiply(c *cuda.Context, f *cuda.Kernel, k kernels.Kernel, m, n, depth int) error {
	const canary = 512
	r := rand.New(rand.NewPCG(1, 2))
	A, B := numbers(r, m*depth), numbers(r, depth*n)
	a, err := upload(c, k.DType, A)
	if err != nil {
		return err
	}
	defer a.Free()
	b, err := upload(c, k.DType, B)
	if err != nil {
		return err
	}
	defer b.Free()
	width := len(encode(k.DType, 0))
	to, err := c.Alloc(uint64(m*n*width + canary))
	if err != nil {
		return err
	}
	defer to.Free()
	got := make([]byte, m*n*width+canary)
	if err := errors.Join(
		to.Fill(0xab),
		f.Launch(cuda.Dim{X: k.Grid(m, n)}, cuda.Dim{X: k.Threads}, k.Shared, a, b, to, uint32(m), uint32(n), uint32(depth)),
		c.Synchronize(), to.Read(0, got),
	); err != nil {
		return err
	}
	if bytes.Count(got[m*n*width:], []byte{0xab}) != canary {
		return errors.New("it wrote past the end of C")
	}
	for i := range m {
		for j := range n {
			sum := 0
			for l := range depth {
				sum += A[i*depth+l] * B[l*n+j]
			}
			at := i*n + j
			if v := decode(got[at*width:][:width], k.DType); v != float64(sum) {
				return fmt.Errorf("C[%d][%d] is %g, not %d", i, j, v, sum)
			}
		}
	}
	return nil
}

func numbers(r *rand.Rand, n int) []int {
	v := make([]int, n)
	for i := range v {
		v[i] = r.IntN(3) - 1
	}
	return v
}

func upload(c *cuda.Context, dtype string, v []int) (*cuda.Memory, error) {
	var bytes []byte
	for _, x := range v {
		bytes = append(bytes, encode(dtype, x)...)
	}
	m, err := c.Alloc(uint64(len(bytes)))
	if err != nil {
		return nil, err
	}
	return m, m.Write(0, bytes)
}

// encode supports only -1, 0 and 1.
func encode(dtype string, v int) []byte {
	bits := math.Float32bits(float32(v))
	switch dtype {
	case "fp16":
		bits = bits >> 16 & 0x8000
		if v != 0 {
			bits |= 0x3c00
		}
		return []byte{byte(bits), byte(bits >> 8)}
	case "bf16":
		return []byte{byte(bits >> 16), byte(bits >> 24)}
	}
	return []byte{byte(bits), byte(bits >> 8), byte(bits >> 16), byte(bits >> 24)}
}

func decode(b []byte, dtype string) float64 {
	switch dtype {
	case "fp16":
		bits := uint32(b[0]) | uint32(b[1])<<8
		if bits&0x7c00 == 0x7c00 {
			return math.NaN()
		}
		v := float64(bits&0x3ff|0x400) * math.Ldexp(1, int(bits>>10&31)-25)
		if bits&0x7c00 == 0 {
			v = math.Ldexp(float64(bits&0x3ff), -24)
		}
		return math.Copysign(v, 1-2*float64(bits>>15))
	case "bf16":
		return float64(math.Float32frombits(uint32(b[0])<<16 | uint32(b[1])<<24))
	}
	return float64(math.Float32frombits(uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24))
}

// TestGPUFake runs TestGPU with a driver that has no GPU and computes with the kernels' own
// sources, to show that the test works.
func TestGPUFake(t *testing.T) {
	t.Parallel()
	driver := cudatest.New(t)
	cmd := exec.Command(os.Args[0], "-test.run=^TestGPU$", "-test.short", "-test.v")
	cmd.Env = append(os.Environ(), driver.Env("one")...)
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: TestGPU/") {
		t.Errorf("%v\n%s", err, out)
	}
}

func must[T any](t *testing.T) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		ok(t, err)
		return v
	}
}

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
