package cuda

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strings"
)

// A Type is the type of the elements of a matrix, and how they are multiplied.
type Type string

// The types. Sums are kept in float32 for all of them.
const (
	FP32 Type = "fp32"
	TF32 Type = "tf32" // float32 in memory, rounded to 10 bits of mantissa by the tensor cores
	FP16 Type = "fp16"
	BF16 Type = "bf16"
)

// Size returns the size of an element in bytes, 0 for an invalid type.
func (t Type) Size() int {
	switch t {
	case FP32, TF32:
		return 4
	case FP16, BF16:
		return 2
	}
	return 0
}

// ErrNoBLAS means that there is no cuBLAS to try.
var ErrNoBLAS = errors.New("no cuBLAS was found")

// A BLAS is a cuBLAS that was loaded and works on the device of a context.
type BLAS struct {
	c         *Context
	fn        blasFunctions
	h         handle
	library   Library
	version   string
	major     int // of the device's compute capability
	workspace *Memory
	one, zero float32
}

// BLAS loads the first of the libraries that works. It skips a cuBLAS that is newer than
// the driver, cannot be loaded, does not support the device or cannot multiply. The error
// has the reason for each, in the order of libraries. It is [ErrNoBLAS] if there are none.
func (c *Context) BLAS(libraries []Library) (*BLAS, error) {
	if c.closed {
		return nil, ErrClosed
	}
	version, err := c.driver.Version()
	if err != nil {
		return nil, err
	}
	var reasons []error
	for _, l := range libraries {
		b, err := c.try(l, version)
		if err == nil {
			return b, nil
		}
		reasons = append(reasons, fmt.Errorf("cuBLAS %d (%s): %w", l.Major, l.From, err))
	}
	if len(reasons) == 0 {
		return nil, ErrNoBLAS
	}
	return nil, errors.Join(reasons...)
}

// try loads one library and tests it. Minor versions do not matter: cuBLAS 12.9 runs on
// a driver of CUDA 12.0, by minor-version compatibility
// (https://docs.nvidia.com/deploy/cuda-compatibility/minor-version-compatibility.html).
func (c *Context) try(l Library, driver int) (*BLAS, error) {
	if l.Major > driver/1000 {
		return nil, fmt.Errorf("needs a driver of CUDA %d, and this one is of CUDA %d.%d", l.Major, driver/1000, driver%1000/10)
	}
	b := &BLAS{c: c, library: l, one: 1}
	if err := c.driver.loadBLAS(b); err != nil {
		return nil, err
	}
	var err error
	if b.major, err = c.device.Attribute(ComputeMajor); err != nil {
		return nil, err
	}
	b.version = b.fn.version()
	if b.workspace, err = c.Alloc(workspace(b.major)); err != nil {
		return nil, err
	}
	if err := b.failed("cublasCreate", b.fn.Create(&b.h)); err != nil {
		return nil, errors.Join(err, b.workspace.Free())
	}
	c.track(b)
	if err := b.prepare(); err != nil {
		return nil, errors.Join(err, b.Close())
	}
	return b, nil
}

// loadBLAS loads the library and libcublasLt, which must have the very same version. As
// the linker might find another one, that of the same folder is loaded first and then
// used for the name. For the same reason no second copy of a major version is loaded.
func (d *Driver) loadBLAS(b *BLAS) error {
	path := b.library.Path
	if first, ok := d.blas[b.library.Major]; ok && first != path {
		return errors.New("another copy of this version is loaded already")
	}
	blasLt := filepath.Join(filepath.Dir(path), strings.Replace(filepath.Base(path), "libcublas.", "libcublasLt.", 1))
	if _, err := load(blasLt); err != nil && !notThere(err, blasLt) {
		return fmt.Errorf("cannot be loaded: %s", withoutFolder(err, path))
	}
	l, err := load(path)
	if err != nil {
		return fmt.Errorf("cannot be loaded: %s", withoutFolder(err, path))
	}
	d.blas[b.library.Major] = path
	l.bind(int64(missingFunction), &b.fn)
	return nil
}

// withoutFolder returns the linker's message, which goes into reports, without the folder
// of the library.
func withoutFolder(err error, path string) string {
	return strings.ReplaceAll(err.Error(), filepath.Dir(path)+string(filepath.Separator), "")
}

// prepare sets up the handle as PyTorch does, and multiplies once, because a library
// without code for the device may fail only then.
func (b *BLAS) prepare() error {
	if err := b.failed("cublasSetWorkspace", b.fn.SetWorkspace(b.h, b.workspace.address, b.workspace.size)); err != nil {
		return err
	}
	const n = 16
	m, err := b.c.Alloc(3 * n * n * 4)
	if err != nil {
		return err
	}
	err = m.Fill(0)
	if err == nil {
		bytes := uint64(n * n * 4)
		err = b.gemm(FP32, n, n, n, m.address, m.address+bytes, m.address+2*bytes)
	}
	if err == nil {
		err = b.c.Synchronize()
	}
	return errors.Join(err, m.Free())
}

// workspace returns the size of the workspace that PyTorch gives to cuBLAS, in bytes, for
// the major number of a compute capability. cuBLAS's choice of a kernel depends on it.
// PyTorch, aten/src/ATen/cuda/CublasHandlePool.cpp, parseChosenWorkspaceSize,
// follows https://docs.nvidia.com/cuda/cublas/#cublassetworkspace, which
// recommends 32 MiB for Hopper and 4 MiB for older GPUs.
func workspace(major int) uint64 {
	if major >= 9 {
		return 32 << 20
	}
	return 2*4096<<10 + 8*16<<10
}

// Version returns the version of cuBLAS: 12.8.4.
func (b *BLAS) Version() string { return b.version }

// Library returns the file from which it was loaded.
func (b *BLAS) Library() Library { return b.library }

// Close frees it and its workspace.
func (b *BLAS) Close() error {
	if !b.c.owns(b) {
		return ErrClosed
	}
	return errors.Join(b.c.untrack(b), b.c.untrack(b.workspace))
}

func (b *BLAS) free() error { return b.failed("cublasDestroy", b.fn.Destroy(b.h)) }

// Gemm starts the matrix multiplication C (m x n) = A (m x k) B (k x n), all in row-major
// order, and does not wait for it. It calls cuBLAS as torch.matmul does, so that both use
// the same kernel:
//
//	fp32  CUBLAS_COMPUTE_32F, without rounding of the input
//	tf32  CUBLAS_COMPUTE_32F_FAST_TF32, as torch.backends.cuda.matmul.allow_tf32
//	fp16  in and out, CUBLAS_COMPUTE_32F; partial sums of a split multiplication may be rounded to fp16
//	bf16  as fp16
//
// Sources: PyTorch, aten/src/ATen/cuda/CUDABlas.cpp, gemm_internal_cublas; and
// https://docs.nvidia.com/cuda/cublas/#cublasgemmex,
// https://docs.nvidia.com/cuda/cublas/#cublasmath-t. TF32 is refused on a GPU without it
// (before compute capability 8.0), because cuBLAS would silently use fp32, as it does on
// any GPU with NVIDIA_TF32_OVERRIDE=0 in the environment.
func (b *BLAS) Gemm(t Type, m, n, k int, A, B, C *Memory) error {
	if !b.c.owns(b) {
		return ErrClosed
	}
	if t == TF32 && b.major < 8 {
		return fmt.Errorf("tf32 needs compute capability 8.0, and this GPU has %d.x", b.major)
	}
	if t.Size() == 0 {
		return fmt.Errorf("type %q is not fp32, tf32, fp16 or bf16", t)
	}
	if err := b.c.checkMatrices(t, m, n, k, A, B, C); err != nil {
		return err
	}
	return b.gemm(t, int32(m), int32(n), int32(k), A.address, B.address, C.address)
}

// checkMatrices checks that A, B and C hold matrices of m x k, k x n and m x n elements.
func (c *Context) checkMatrices(t Type, m, n, k int, A, B, C *Memory) error {
	for _, x := range []struct {
		memory        *Memory
		rows, columns int
	}{{A, m, k}, {B, k, n}, {C, m, n}} {
		if x.rows < 1 || x.columns < 1 || x.rows > math.MaxInt32 || x.columns > math.MaxInt32 {
			return fmt.Errorf("no matrix has %d x %d elements", x.rows, x.columns)
		}
		if x.memory == nil || x.memory.c != c {
			return ErrClosed
		}
		if err := x.memory.span(0, uint64(x.rows)*uint64(x.columns)*uint64(t.Size())); err != nil {
			return err
		}
	}
	return nil
}

// gemm calls cuBLAS, which uses column-major order, with transposed matrices: C' = B' A'.
func (b *BLAS) gemm(t Type, m, n, k int32, A, B, C uint64) error {
	in, compute, algo := int32(cudaR32F), int32(compute32F), int32(gemmDefault)
	switch t {
	case TF32:
		compute = compute32FFastTF32
	case FP16:
		in, algo = cudaR16F, gemmDefaultTensorOp
	case BF16:
		in, algo = cudaR16BF, gemmDefaultTensorOp
	}
	return b.failed("cublasGemmEx", b.fn.GemmEx(b.h, opN, opN, n, m, k,
		&b.one, B, in, n, A, in, k, &b.zero, C, in, n, compute, algo))
}
