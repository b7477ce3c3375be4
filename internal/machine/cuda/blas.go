package cuda

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strings"
)

// A Type is that of the elements of a matrix, and how they are multiplied.
type Type string

// The types. Sums are kept in float32 for all of them.
const (
	FP32 Type = "fp32"
	TF32 Type = "tf32" // float32 in memory, rounded to 10 bits of mantissa by the tensor cores
	FP16 Type = "fp16"
	BF16 Type = "bf16"
)

// Size is the bytes of an element, 0 for a type that is none.
func (t Type) Size() int {
	switch t {
	case FP32, TF32:
		return 4
	case FP16, BF16:
		return 2
	}
	return 0
}

// ErrNoBLAS says that there is no cuBLAS to try.
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

// BLAS makes the first of the libraries work that can: a newer cuBLAS than the
// driver is passed over, and so is one that does not load, does not know the
// device or cannot multiply. The error says why each of them was, in the order of
// libraries; it is [ErrNoBLAS] where there are none.
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

// try makes one library work. Minor versions do not matter: cuBLAS 12.9 runs on
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
	if err := b.failed("cublasCreate", b.fn.create(&b.h)); err != nil {
		return nil, errors.Join(err, b.workspace.Free())
	}
	c.track(b)
	if err := b.prepare(); err != nil {
		return nil, errors.Join(err, b.Close())
	}
	return b, nil
}

// loadBLAS loads the library and its twin. libcublas needs libcublasLt of the
// very same version, and the linker might find another one: that of its folder
// is loaded first, and then serves for the name. For the same reason a second
// copy of a major version is not loaded beside the first.
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
	l.bind(int64(statusMissing), b.fn.table())
	return nil
}

// withoutFolder is the linker's words, which go into reports, without a folder
// of this machine.
func withoutFolder(err error, path string) string {
	return strings.ReplaceAll(err.Error(), filepath.Dir(path)+string(filepath.Separator), "")
}

// prepare sets up the handle as PyTorch does, and multiplies once: a library
// that has no code for the device may say so only then.
func (b *BLAS) prepare() error {
	if err := b.failed("cublasSetWorkspace", b.fn.setWorkspace(b.h, b.workspace.address, b.workspace.size)); err != nil {
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

// workspace is how much memory PyTorch gives cuBLAS, in bytes, by the major
// number of the compute capability: which kernel cuBLAS takes depends on it.
// PyTorch, aten/src/ATen/cuda/CublasHandlePool.cpp, parseChosenWorkspaceSize,
// follows https://docs.nvidia.com/cuda/cublas/#cublassetworkspace, which
// recommends 32 MiB for Hopper and 4 MiB for what came before.
func workspace(major int) uint64 {
	if major >= 9 {
		return 32 << 20
	}
	return 2*4096<<10 + 8*16<<10
}

// Version is cuBLAS's own: 12.8.4.
func (b *BLAS) Version() string { return b.version }

// Library is the file it was loaded from.
func (b *BLAS) Library() Library { return b.library }

// Close frees it and its workspace.
func (b *BLAS) Close() error {
	if !b.c.owns(b) {
		return ErrClosed
	}
	return errors.Join(b.c.untrack(b), b.c.untrack(b.workspace))
}

func (b *BLAS) free() error { return b.failed("cublasDestroy", b.fn.destroy(b.h)) }

// Gemm multiplies: C (m x n) = A (m x k) B (k x n), the rows of each one after
// the other, and does not wait for it. It asks cuBLAS for what torch.matmul asks
// it for, so that both take the same kernel:
//
//	fp32  CUBLAS_COMPUTE_32F, which rounds nothing
//	tf32  CUBLAS_COMPUTE_32F_FAST_TF32, as torch.backends.cuda.matmul.allow_tf32
//	fp16  in and out, CUBLAS_COMPUTE_32F; partial sums of a product that is split may be rounded to fp16
//	bf16  likewise
//
// Sources: PyTorch, aten/src/ATen/cuda/CUDABlas.cpp, gemm_internal_cublas; and
// https://docs.nvidia.com/cuda/cublas/#cublasgemmex,
// https://docs.nvidia.com/cuda/cublas/#cublasmath-t. TF32 is refused where
// the GPU has none (before compute capability 8.0), as cuBLAS would multiply in
// fp32 and not say so; NVIDIA_TF32_OVERRIDE=0 in the environment makes it do that
// on any GPU.
func (b *BLAS) Gemm(t Type, m, n, k int, A, B, C *Memory) error {
	if !b.c.owns(b) {
		return ErrClosed
	}
	if t == TF32 && b.major < 8 {
		return fmt.Errorf("tf32 needs compute capability 8.0, and this GPU has %d.x", b.major)
	}
	size := t.Size()
	if size == 0 {
		return fmt.Errorf("type %q is not fp32, tf32, fp16 or bf16", t)
	}
	for _, x := range []struct {
		memory        *Memory
		rows, columns int
	}{{A, m, k}, {B, k, n}, {C, m, n}} {
		if x.rows < 1 || x.columns < 1 || x.rows > math.MaxInt32 || x.columns > math.MaxInt32 {
			return fmt.Errorf("no matrix has %d x %d elements", x.rows, x.columns)
		}
		if x.memory == nil || x.memory.c != b.c {
			return ErrClosed
		}
		if err := x.memory.span(0, uint64(x.rows)*uint64(x.columns)*uint64(size)); err != nil {
			return err
		}
	}
	return b.gemm(t, int32(m), int32(n), int32(k), A.address, B.address, C.address)
}

// gemm gives cuBLAS, which wants columns one after the other, the transposed
// product: the rows of C are the columns of C', and C' = B' A'.
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
	return b.failed("cublasGemmEx", b.fn.gemmEx(b.h, opN, opN, n, m, k,
		&b.one, B, in, n, A, in, k, &b.zero, C, in, n, compute, algo))
}
