package gpu_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/machine/cuda"
	"github.com/gpudocs/gpudocs/internal/machine/cuda/cudatest"
)

// openGPU returns a context of the first GPU, or skips the test.
func openGPU(t *testing.T) *cuda.Context {
	t.Helper()
	cudatest.NeedGPU(t)
	d, err := cuda.Open()
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Init(); err != nil {
		t.Fatal(err)
	}
	v, err := d.Device(0)
	if err != nil {
		t.Fatal(err)
	}
	c, err := v.Context()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

// A trial is a product with a known result: the factors are -1, 0 and 1, so that all sums are
// integers, which are exact in each type, whatever the order of the additions.
type trial struct {
	m, n, k int
	a, b    []int8
	want    []int
}

func newTrial(m, n, k int) trial {
	r := rand.New(rand.NewPCG(uint64(m), uint64(n)<<32|uint64(k)))
	p := trial{m, n, k, make([]int8, m*k), make([]int8, k*n), make([]int, m*n)}
	for _, factors := range [][]int8{p.a, p.b} {
		for i := range factors {
			factors[i] = int8(r.IntN(3) - 1)
		}
	}
	for i := range m {
		for l := range k {
			for j, x := range p.b[l*n : (l+1)*n] {
				p.want[i*n+j] += int(p.a[i*k+l]) * int(x)
			}
		}
	}
	return p
}

// guard is the number of elements after C that must not be written.
const guard = 1024

// run multiplies on the GPU with launch, and compares all elements.
func (p trial) run(c *cuda.Context, dtype string, launch func(A, B, C *cuda.Memory) error) error {
	size := cuda.Type(dtype).Size()
	var memory [3]*cuda.Memory
	for i, elements := range []int{len(p.a), len(p.b), len(p.want) + guard} {
		var err error
		if memory[i], err = c.Alloc(uint64(max(1, elements) * size)); err != nil {
			return err
		}
		defer memory[i].Free()
	}
	for i, factors := range [][]int8{p.a, p.b} {
		if err := memory[i].Write(0, encode(dtype, factors)); err != nil {
			return err
		}
	}
	const untouched = 0xff // which is not a number in any of the types
	if err := memory[2].Fill(untouched); err != nil {
		return err
	}
	got := make([]byte, (len(p.want)+guard)*size)
	if err := errors.Join(launch(memory[0], memory[1], memory[2]), c.Synchronize(), memory[2].Read(0, got)); err != nil {
		return err
	}
	for i, want := range p.want {
		if x := decode(dtype, got[i*size:]); x != float64(want) {
			return fmt.Errorf("element %d, %d is %v, want %d", i/p.n, i%p.n, x, want)
		}
	}
	if slices.ContainsFunc(got[len(p.want)*size:], func(b byte) bool { return b != untouched }) {
		return errors.New("something was written after the last element")
	}
	return nil
}

// encode writes -1, 0 and 1 as elements of a type.
func encode(dtype string, factors []int8) (out []byte) {
	for _, f := range factors {
		bits := math.Float32bits(float32(f))
		switch dtype {
		case "bf16":
			out = binary.LittleEndian.AppendUint16(out, uint16(bits>>16))
		case "fp16":
			out = binary.LittleEndian.AppendUint16(out, map[int8]uint16{-1: 0xbc00, 0: 0, 1: 0x3c00}[f])
		default:
			out = binary.LittleEndian.AppendUint32(out, bits)
		}
	}
	return out
}

// decode reads an element of a type.
func decode(dtype string, b []byte) float64 {
	switch dtype {
	case "bf16":
		return float64(math.Float32frombits(uint32(binary.LittleEndian.Uint16(b)) << 16))
	case "fp16":
		bits := binary.LittleEndian.Uint16(b)
		sign, exponent, fraction := bits>>15, int(bits>>10&31), float64(bits&1023)
		x := math.Ldexp(1024+fraction, exponent-25)
		switch exponent {
		case 0:
			x = math.Ldexp(fraction, -24)
		case 31:
			x = math.NaN()
		}
		if sign == 1 {
			return -x
		}
		return x
	}
	return float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
}

// odd are shapes m, n, k that fit no tile, and edges of tiles.
var odd = [][3]int{
	{1, 1, 1}, {127, 129, 65}, {128, 128, 8}, {129, 127, 9}, {257, 64, 31}, {64, 257, 33}, {1, 300, 7}, {300, 1, 9}, {5, 3, 2049}, {383, 511, 77}, {640, 384, 1000},
}

// rehearsed is set while the tests run on a driver that computes on the CPU, for which the
// largest shape takes longer than all others.
const rehearsed = "GPUDOCS_REHEARSED"

func init() {
	if os.Getenv(rehearsed) != "" {
		odd = odd[:len(odd)-1]
	}
}

// The PTX kernel must be correct for every shape.
func TestGPUKernel(t *testing.T) {
	c := openGPU(t)
	k, err := c.SGEMM()
	if errors.Is(err, cuda.ErrOldGPU) {
		t.Skip(err)
	} else if err != nil {
		t.Fatal(err)
	}
	for _, s := range append([][3]int{{128, 128, 8}, {384, 256, 40}}, odd...) { // the first fit its tiles
		p := newTrial(s[0], s[1], s[2])
		if err := p.run(c, "fp32", func(A, B, C *cuda.Memory) error { return k.Multiply(p.m, p.n, p.k, A, B, C) }); err != nil {
			t.Fatalf("%v: %v", s, err) // after an error the context may be unusable
		}
	}
}

// cuBLAS must be called correctly, for shapes in which an exchange of rows and columns is
// noticed.
func TestGPUCuBLAS(t *testing.T) {
	c := openGPU(t)
	b, err := c.BLAS(cuda.FindBLAS(append(strings.Split(os.Getenv("CUBLAS_DIRS"), ":"), cuda.SystemDirs()...)...))
	if errors.Is(err, cuda.ErrNoBLAS) {
		t.Skip(err)
	} else if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	major, _, err := c.Device().Compute()
	if err != nil {
		t.Fatal(err)
	}
	for _, dtype := range []string{"fp32", "tf32", "fp16", "bf16"} {
		if major < 8 && (dtype == "tf32" || dtype == "bf16") {
			continue
		}
		for _, s := range odd {
			p := newTrial(s[0], s[1], s[2])
			if err := p.run(c, dtype, func(A, B, C *cuda.Memory) error { return b.Gemm(cuda.Type(dtype), p.m, p.n, p.k, A, B, C) }); err != nil {
				t.Errorf("cuBLAS %s, %s, %v: %v", b.Version(), dtype, s, err)
			}
		}
		t.Logf("cuBLAS %s, %s: correct", b.Version(), dtype)
	}
}

// The tests above also run here, on a driver that computes on the CPU.
func TestKernelsRehearsed(t *testing.T) {
	t.Parallel()
	d := cudatest.New(t)
	dir := t.TempDir()
	d.BLAS(t, dir, 12)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, "-test.run", "^TestGPU", "-test.v")
	cmd.Env = append(os.Environ(), d.Env("one", "CUBLAS_DIRS="+dir, rehearsed+"=1")...)
	out, err := cmd.CombinedOutput()
	if err != nil || strings.Count(string(out), "--- PASS") != 2 {
		t.Errorf("%v\n%s", err, out)
	}
	d.CheckFreed(t)
}
