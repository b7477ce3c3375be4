package kernels

import (
	"embed"
	"fmt"
	"strings"
)

//go:embed ptx/*.ptx
var ptx embed.FS

// A Kernel computes C = A * B with A of m x k elements, B of k x n, C of m x n,
// all three row-major, without gaps and of the same type. It is launched with
// six parameters: the addresses of A, B and C on the device (64 bits each, on a
// multiple of 16), m, n and k (uint32 each).
type Kernel struct {
	// Name is that of the entry in the PTX, for cuModuleGetFunction, and File
	// where the PTX is.
	Name, File string
	// DType is that of the matrices: fp32, tf32 (float32 in memory), fp16 or
	// bf16. Sums are float32 always; fp16 and bf16 are rounded once, at the end.
	DType string
	// A block computes TileM x TileN elements of C, in steps of TileK.
	TileM, TileN, TileK int
	// Multiple is what n and k must be multiples of; m may be any.
	Multiple int
	// Threads of a block, and its dynamic shared memory in bytes; more than
	// 48 KiB has to be allowed first (cuFuncSetAttribute).
	Threads, Shared uint32
	// MinCompute is the least compute capability, 80 for 8.0. Any later one is
	// right.
	MinCompute int
}

// PTX is the text for cuModuleLoadDataEx, which wants a zero byte after it. It
// may hold other kernels, too.
func (k Kernel) PTX() []byte {
	text, err := ptx.ReadFile("ptx/" + k.File)
	if err != nil {
		panic(err) // TestPTX holds that they are all there
	}
	return text
}

// Grid is the number of blocks, in one dimension.
func (k Kernel) Grid(m, n int) uint32 {
	return uint32((m + k.TileM - 1) / k.TileM * ((n + k.TileN - 1) / k.TileN))
}

// Fits reports whether the kernel computes matrices of these sizes.
func (k Kernel) Fits(m, n, depth int) bool {
	return m > 0 && n > 0 && depth >= 0 && m <= MaxSize && n <= MaxSize && depth <= MaxSize &&
		n%k.Multiple == 0 && depth%k.Multiple == 0
}

// MaxSize is the largest m, n or k.
const MaxSize = 1 << 20

// The better ones of a type come first; those of a type follow one another. Some
// of it is in src/host.c, too.
var table = []Kernel{
	fp32("sgemm_sm80", 80, 4, 33280),
	fp32("sgemm_any_sm80", 80, 1, 33280),
	fp32("sgemm_sm50", 50, 4, 16640),
	fp32("sgemm_any_sm50", 50, 1, 16640),
	tensor("gemm_tf32_sm80", "tf32", 80, 16, 128, 48<<10),
	tensor("gemm_fp16_sm80", "fp16", 80, 32, 128, 48<<10),
	tensor("gemm_fp16_sm70", "fp16", 70, 32, 256, 37888),
	tensor("gemm_bf16_sm80", "bf16", 80, 32, 128, 48<<10),
}

func fp32(name string, compute, multiple int, shared uint32) Kernel {
	return Kernel{Name: name, File: fmt.Sprintf("sgemm_sm%d.ptx", compute), DType: "fp32", MinCompute: compute,
		TileM: 128, TileN: 128, TileK: 8, Multiple: multiple, Threads: 256, Shared: shared}
}

func tensor(name, dtype string, compute, depth int, threads, shared uint32) Kernel {
	return Kernel{Name: name, File: name + ".ptx", DType: dtype, MinCompute: compute,
		TileM: 128, TileN: 128, TileK: depth, Multiple: 1, Threads: threads, Shared: shared}
}

// All lists the kernels, the better ones of each type first.
func All() []Kernel { return append([]Kernel(nil), table...) }

// Choose returns the best kernel for matrices of a type and of these sizes on
// a GPU of that compute capability, 86 for 8.6. The error says what the GPU
// would need.
func Choose(compute int, dtype string, m, n, k int) (Kernel, error) {
	least := 0
	for _, kernel := range table {
		switch {
		case kernel.DType != dtype || !kernel.Fits(m, n, k):
		case kernel.MinCompute > compute:
			least = kernel.MinCompute
		default:
			return kernel, nil
		}
	}
	if least > 0 {
		return Kernel{}, fmt.Errorf("no kernel for %s on compute capability %d.%d: it needs %d.%d", dtype, compute/10, compute%10, least/10, least%10)
	}
	return Kernel{}, fmt.Errorf("no kernel for %s of %d x %d x %d; there are %s up to %d", dtype, m, n, k, strings.Join(DTypes(), ", "), MaxSize)
}

// DTypes lists the types that there are kernels for, on some GPU.
func DTypes() []string {
	var names []string
	for _, k := range table {
		if len(names) == 0 || names[len(names)-1] != k.DType {
			names = append(names, k.DType)
		}
	}
	return names
}
