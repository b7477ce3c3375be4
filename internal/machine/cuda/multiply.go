package cuda

import (
	_ "embed"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"unsafe"
)

//go:generate sh sgemm/ptx.sh

// sgemmPTX has two kernels: sgemm_sm50 for rows that begin on multiples of 16 bytes, and the slower
// sgemm_any_sm50 for all others. The driver compiles PTX of an older compute capability for any
// newer GPU. It is committed, so that a build of gpudocs needs no clang and a measurement no CUDA
// toolkit. sgemm/sgemm.c explains what limits the speed.
//
//go:embed sgemm/sgemm_sm50.ptx
var sgemmPTX []byte

const (
	sgemmCompute = 50  // the least compute capability, 5.0
	sgemmTile    = 128 // a block computes so many rows and columns of C
	sgemmThreads = 256
	sgemmShared  = 16640 // bytes
)

// An SGEMM multiplies matrices of float32 with a kernel of gpudocs, which needs nothing but the
// driver.
type SGEMM struct {
	c            *Context
	module       handle
	aligned, any handle // the kernels
}

// ErrOldGPU means that the kernel does not run on the GPU.
var ErrOldGPU = errors.New("the kernel needs compute capability 5.0")

// SGEMM loads the kernel. The error is [ErrOldGPU] on a GPU before compute capability 5.0.
func (c *Context) SGEMM() (*SGEMM, error) {
	if c.closed {
		return nil, ErrClosed
	}
	major, minor, err := c.device.Compute()
	if err != nil {
		return nil, err
	}
	if 10*major+minor < sgemmCompute {
		return nil, fmt.Errorf("%w, and this GPU has %d.%d", ErrOldGPU, major, minor)
	}
	g := &SGEMM{c: c}
	if g.module, err = c.load(sgemmPTX); err != nil {
		return nil, err
	}
	c.track(g)
	for name, kernel := range map[string]*handle{"sgemm_sm50": &g.aligned, "sgemm_any_sm50": &g.any} {
		if err := c.failed("cuModuleGetFunction", c.driver.fn.ModuleGet(kernel, g.module, name)); err != nil {
			return nil, errors.Join(fmt.Errorf("kernel %s: %w", name, err), g.Close())
		}
	}
	return g, nil
}

// Options of cuModuleLoadDataEx, CUjit_option, and the size of its message buffers.
const (
	jitErrorLog     = 5 // CU_JIT_ERROR_LOG_BUFFER
	jitErrorLogSize = 6 // CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, the value itself in place of a pointer
	logSize         = 4 << 10
)

// load loads PTX, which the driver compiles for the device. The error is [InvalidPTX] or
// [UnsupportedPTX] with the compiler's messages.
func (c *Context) load(ptx []byte) (module handle, err error) {
	ptx = append(ptx[:len(ptx):len(ptx)], 0) // a C string
	log := make([]byte, logSize)
	options := [...]int32{jitErrorLog, jitErrorLogSize}
	var pins runtime.Pinner
	defer pins.Unpin()
	pins.Pin(&log[0])
	values := [...]uintptr{uintptr(unsafe.Pointer(&log[0])), logSize}
	code := c.driver.fn.ModuleLoad(&module, &ptx[0], uint32(len(options)), &options[0], &values[0])
	err = c.failed("cuModuleLoadDataEx", code)
	var e *Error
	if errors.As(err, &e) {
		e.Log = strings.Join(strings.Fields(cText(log)), " ")
	}
	return module, err
}

func (g *SGEMM) free() error {
	return g.c.failed("cuModuleUnload", g.c.driver.fn.ModuleUnload(g.module))
}

// Close unloads it.
func (g *SGEMM) Close() error { return g.c.untrack(g) }

// Multiply starts the matrix multiplication C (m x n) = A (m x k) B (k x n), all in row-major order,
// and does not wait for it. An error of the kernel itself is returned by a later call, such as
// Synchronize. It is much slower unless n and k are multiples of 4, and best with multiples of 128.
func (g *SGEMM) Multiply(m, n, k int, A, B, C *Memory) error {
	if !g.c.owns(g) {
		return ErrClosed
	}
	if err := g.c.checkMatrices(FP32, m, n, k, A, B, C); err != nil {
		return err
	}
	kernel := g.aligned
	if n%4 != 0 || k%4 != 0 {
		kernel = g.any
	}
	// The driver gets an array of pointers to the arguments, which it copies before it returns.
	addresses, sizes := [...]uint64{A.address, B.address, C.address}, [...]uint32{uint32(m), uint32(n), uint32(k)}
	var pins runtime.Pinner
	defer pins.Unpin()
	pins.Pin(&addresses)
	pins.Pin(&sizes)
	var arguments []unsafe.Pointer
	for i := range addresses {
		arguments = append(arguments, unsafe.Pointer(&addresses[i]))
	}
	for i := range sizes {
		arguments = append(arguments, unsafe.Pointer(&sizes[i]))
	}
	tiles := func(size int) uint32 { return uint32((size + sgemmTile - 1) / sgemmTile) }
	code := g.c.driver.fn.Launch(kernel, tiles(m)*tiles(n), 1, 1, sgemmThreads, 1, 1, sgemmShared, 0, &arguments[0], nil)
	return g.c.failed("cuLaunchKernel", code)
}
