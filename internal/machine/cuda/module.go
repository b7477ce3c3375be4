package cuda

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"unsafe"
)

// A Module is code that was loaded on the device.
type Module struct {
	c *Context
	h handle
}

// Options of cuModuleLoadDataEx, CUjit_option, and the size of its message buffers.
const (
	jitErrorLog     = 5 // CU_JIT_ERROR_LOG_BUFFER
	jitErrorLogSize = 6 // CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, the value itself in place of a pointer
	logSize         = 4 << 10
)

// Load loads PTX, which the driver compiles for the device, or a cubin. The error is
// [InvalidPTX] or [UnsupportedPTX] with the compiler's messages, or [NoBinary] if the
// image is not for this device.
func (c *Context) Load(image []byte) (*Module, error) {
	if c.closed {
		return nil, ErrClosed
	}
	image = append(image[:len(image):len(image)], 0) // PTX is a C string
	log := make([]byte, logSize)
	options := [...]int32{jitErrorLog, jitErrorLogSize}
	var pins runtime.Pinner
	defer pins.Unpin()
	pins.Pin(&log[0])
	values := [...]uintptr{uintptr(unsafe.Pointer(&log[0])), logSize}
	m := &Module{c: c}
	code := c.driver.fn.ModuleLoad(&m.h, &image[0], uint32(len(options)), &options[0], &values[0])
	if err := c.failed("cuModuleLoadDataEx", code); err != nil {
		var e *Error
		if errors.As(err, &e) {
			e.Log = strings.Join(strings.Fields(cText(log)), " ")
		}
		return nil, err
	}
	c.track(m)
	return m, nil
}

func (m *Module) free() error { return m.c.failed("cuModuleUnload", m.c.driver.fn.ModuleUnload(m.h)) }

// Close unloads it.
func (m *Module) Close() error { return m.c.untrack(m) }

// A Kernel is a function of a module that can be launched.
type Kernel struct {
	m     *Module
	h     handle
	name  string
	sizes []uint64 // of its parameters, in bytes
	sized bool     // whether the driver reported them
}

// Kernel returns the kernel with that name. The error is [NotFound] if there is none.
func (m *Module) Kernel(name string) (*Kernel, error) {
	if !m.c.owns(m) {
		return nil, ErrClosed
	}
	k := &Kernel{m: m, name: name}
	if err := m.c.failed("cuModuleGetFunction", m.c.driver.fn.ModuleGet(&k.h, m.h, name)); err != nil {
		return nil, fmt.Errorf("kernel %s: %w", name, err)
	}
	k.measure()
	return k, nil
}

// measure queries the sizes of the parameters. A driver from before CUDA 12.4 does not
// report them.
func (k *Kernel) measure() {
	for {
		var offset, size uint64
		switch code := k.m.c.driver.fn.FuncParam(k.h, uint64(len(k.sizes)), &offset, &size); {
		case code == 0:
			k.sizes = append(k.sizes, size)
		default:
			k.sized = code == InvalidValue
			return
		}
	}
}

// funcDynamicShared is CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES.
const funcDynamicShared = 8

// AllowShared allows launches with more than 48 KiB of shared memory: up to the given
// number of bytes, which is at most CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN.
func (k *Kernel) AllowShared(bytes int) error {
	if !k.m.c.owns(k.m) {
		return ErrClosed
	}
	return k.m.c.failed("cuFuncSetAttribute", k.m.c.driver.fn.FuncSet(k.h, funcDynamicShared, int32(bytes)))
}

// A Dim is a number of blocks or threads in each direction. 0 is 1.
type Dim struct{ X, Y, Z uint32 }

// Launch starts the kernel and does not wait for it. An error of the kernel itself is
// returned by a later call, such as Synchronize. shared is the dynamic shared memory of a
// block in bytes. An argument is a *Memory, int32, uint32, int64, uint64, float32 or
// float64. Number and sizes must be those of the kernel. Before CUDA 12.4 this cannot be
// checked, and wrong ones crash the process.
func (k *Kernel) Launch(grid, block Dim, shared uint32, arguments ...any) error {
	c := k.m.c
	if !c.owns(k.m) {
		return ErrClosed
	}
	// The driver gets an array of pointers to the arguments, which it copies before it returns.
	values := make([]uint64, len(arguments)+1) // never empty, to have an address
	pointers := make([]unsafe.Pointer, len(values))
	var pins runtime.Pinner
	defer pins.Unpin()
	pins.Pin(&values[0])
	for i, a := range arguments {
		size, err := k.argument(&values[i], a)
		if err == nil && k.sized && i < len(k.sizes) && k.sizes[i] != size {
			err = fmt.Errorf("it has %d bytes, and a %T has %d", k.sizes[i], a, size)
		}
		if err != nil {
			return fmt.Errorf("kernel %s, argument %d: %w", k.name, i, err)
		}
		pointers[i] = unsafe.Pointer(&values[i])
	}
	if k.sized && len(arguments) != len(k.sizes) {
		return fmt.Errorf("kernel %s has %d arguments, not %d", k.name, len(k.sizes), len(arguments))
	}
	grid, block = grid.atLeastOne(), block.atLeastOne()
	return c.failed("cuLaunchKernel", c.driver.fn.Launch(k.h, grid.X, grid.Y, grid.Z, block.X, block.Y, block.Z, shared, 0, &pointers[0], nil))
}

func (d Dim) atLeastOne() Dim { return Dim{max(d.X, 1), max(d.Y, 1), max(d.Z, 1)} }

// argument stores the bytes of an argument, and returns their number.
func (k *Kernel) argument(to *uint64, a any) (size uint64, err error) {
	p := unsafe.Pointer(to)
	switch a := a.(type) {
	case *Memory:
		if a == nil || a.c != k.m.c || !a.c.owns(a) {
			return 0, ErrClosed
		}
		*to = a.address
	case int32:
		*(*int32)(p) = a
		return 4, nil
	case uint32:
		*(*uint32)(p) = a
		return 4, nil
	case float32:
		*(*float32)(p) = a
		return 4, nil
	case int64:
		*(*int64)(p) = a
	case uint64:
		*to = a
	case float64:
		*(*float64)(p) = a
	default:
		return 0, fmt.Errorf("a %T is none that a kernel can have", a)
	}
	return 8, nil
}
