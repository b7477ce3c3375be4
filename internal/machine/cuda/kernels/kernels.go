package kernels

import (
	"embed"
	"fmt"
	"slices"
	"strings"
)

//go:embed ptx/*.ptx
var ptx embed.FS

// A Kernel computes C = A * B, with A of m x k elements, B of k x n, C of m x n, all of the same
// type, row-major and without gaps. It has six parameters: the addresses of A, B and C on the
// device (64 bits, multiples of 16), and m, n and k (uint32).
type Kernel struct {
	// Name is the name of the entry in the PTX, for cuModuleGetFunction. File has the PTX.
	Name, File string
	// DType is the type of the elements: fp32, tf32 (float32 in memory), fp16 or bf16. Sums are
	// always float32. They are rounded to fp16 or bf16 once, at the end.
	DType string
	// A block computes TileM x TileN elements of C, in steps of TileK.
	TileM, TileN, TileK int
	// n and k must be multiples of Multiple. m may be any number.
	Multiple int
	// Threads is the number of threads of a block, Shared its dynamic shared memory in bytes.
	// More than 48 KiB must be allowed first (cuFuncSetAttribute).
	Threads, Shared uint32
	// MinCompute is the least compute capability: 80 is 8.0. Any later one works too.
	MinCompute int
}

// PTX returns the text for cuModuleLoadDataEx, which requires a zero byte after it. It may
// contain other kernels too.
func (k Kernel) PTX() []byte {
	text, err := ptx.ReadFile("ptx/" + k.File)
	if err != nil {
		panic(err) // TestPTX checks all files
	}
	return text
}

// Grid returns the number of blocks, in one dimension.
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

// table lists the kernels type by type, the better ones of each type first. src/host.c repeats
// some of it.
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
func All() []Kernel { return slices.Clone(table) }

// Choose returns the best kernel for matrices of a type and these sizes on a GPU of a compute
// capability: 86 is 8.6. If there is none, the error has the capability that is required.
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
	var dtypes []string
	for _, kernel := range table {
		dtypes = append(dtypes, kernel.DType)
	}
	return Kernel{}, fmt.Errorf("no kernel for %s of %d x %d x %d; there are %s up to %d",
		dtype, m, n, k, strings.Join(slices.Compact(dtypes), ", "), MaxSize)
}
