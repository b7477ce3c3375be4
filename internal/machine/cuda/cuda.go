// Package cuda calls NVIDIA's driver library, libcuda, and cuBLAS without cgo, headers or
// a toolkit. It has what is needed to measure a GPU.
//
//	d, err := cuda.Open()               // loads libcuda and calls nothing in it
//	err = d.Init()                      // fails if something is wrong
//	v, err := d.Device(0)
//	c, err := v.Context()               // binds the goroutine to its thread
//	defer c.Close()                     // frees everything that follows
//	m, err := c.Alloc(3 * n * n * 4)
//	b, err := c.BLAS(cuda.FindBLAS(cuda.SystemDirs()...))
//	err = b.Gemm(cuda.FP32, n, n, n, x, y, z)
//	err = c.Synchronize()               // waits for the result
//
// # Terms
//
// The host is the machine, the device a GPU in it. A context is the state of a device for
// one process. A kernel is a function that runs on the device. Launching it adds it to the
// device's queue. PTX is the assembly language that the driver compiles for the device.
// Page-locked memory is memory of the host that the device can access itself.
//
// # Processes and threads
//
// Use this package in a subprocess. A driver can crash or hang in any call, and libraries
// are never unloaded. Nothing here has a time limit, because a call into C cannot be
// interrupted.
//
// A context belongs to a thread, so [Device.Context] binds the calling goroutine to its
// thread until [Context.Close]. Only that goroutine may use the context and what belongs
// to it. There can be one context at a time.
//
// Closing a context frees what belongs to it. Using anything after it was freed returns
// [ErrClosed]. Ranges and sizes are checked before C gets them. C keeps no pointer to Go's
// memory when a call returns.
//
// # Errors
//
// An [Error] comes from libcuda, a [BLASError] from cuBLAS. Use errors.Is with
// [OutOfMemory] or [BLASNotSupported], for example. Launches, matrix multiplications and
// asynchronous copies return before they are done: their errors are returned by a later
// call, and errors of the device itself, [IllegalAddress] or [LaunchFailed], by all later
// calls. Errors may contain messages of the dynamic linker, without cuBLAS's folder. They
// contain no PCI addresses and UUIDs.
//
// # Functions
//
// Each function is looked up by the name that cuda.h defines for it, such as
// cuMemAlloc_v2 for cuMemAlloc. A missing function is an error only when it is called. A
// driver of CUDA 10 has all that are required.
//
// # cuBLAS
//
// [FindBLAS] searches folders, and [Context.BLAS] tries what was found, newest first: a
// cuBLAS of a later CUDA than the driver's does not work, nor one that does not support
// the device. [BLAS.Gemm] calls it as PyTorch does, with the same workspace, and should be
// as fast.
//
// # Without cuBLAS
//
// [Context.SGEMM] multiplies float32 with a kernel of gpudocs, which the driver compiles. There
// is none for the other types.
//
// # Systems
//
// Linux on amd64 and arm64, including WSL2. On other systems, and in a program built with
// -tags static, Open returns [ErrUnsupported]. A program with this package needs libc
// even if built with CGO_ENABLED=0, because libraries are loaded by the system's loader.
// Any version of glibc works. With -tags static it needs no library.
//
// # Sources
//
// CUDA Driver API, https://docs.nvidia.com/cuda/cuda-driver-api/, cuBLAS,
// https://docs.nvidia.com/cuda/cublas/; the values of constants are those of cuda.h,
// library_types.h and cublas_api.h of CUDA 11.8, which do not change.
//
// # Tests
//
// Package cudatest builds a libcuda and a cuBLAS that need no GPU.
package cuda

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
)

// places are where libcuda.so.1 may be, in the order of trying: where the dynamic linker
// finds it (LD_LIBRARY_PATH and the folders of ldconfig); WSL2's folder, which a changed
// /etc/ld.so.conf may lack
// (https://docs.nvidia.com/cuda/wsl-user-guide/, "Getting Started with CUDA on WSL 2");
// the folder in which hosts of containers without a toolkit mount the driver; NixOS.
var places = []string{
	SharedLibrary,
	"/usr/lib/wsl/lib/libcuda.so.1",
	"/usr/local/nvidia/lib64/libcuda.so.1",
	"/run/opengl-driver/lib/libcuda.so.1",
}

// A Driver is a loaded libcuda.
type Driver struct {
	fn   functions
	blas map[int]string // the cuBLAS that was loaded, by its major version
}

// Open loads libcuda. It calls nothing in it, so it does not hang, unlike [Driver.Init].
// The error is [ErrNoLibrary] if there is none, [ErrUnsupported] on systems other than
// Linux, or the reason why it could not be loaded.
func Open() (*Driver, error) {
	var first error
	for _, place := range places {
		l, err := load(place)
		if errors.Is(err, ErrUnsupported) {
			return nil, err
		}
		if err == nil {
			d := &Driver{blas: map[int]string{}}
			l.bind(int64(missing), &d.fn)
			return d, nil
		}
		if !notThere(err, place) {
			first = cmp.Or(first, fmt.Errorf("libcuda.so.1 is there and cannot be loaded: %w", err))
		}
	}
	return nil, cmp.Or(first, ErrNoLibrary)
}

// notThere reports whether a library could not be loaded because the file is missing, and
// not one that it depends on. The messages are those of glibc and musl.
func notThere(err error, path string) bool {
	text := err.Error()
	return strings.HasPrefix(text, path+": cannot open shared object file: No such file") ||
		strings.HasPrefix(text, "Error loading shared library "+path+": No such file")
}

// Init initialises libcuda. All calls but Version require it. It may take seconds if the
// driver has to wake the GPUs, and hang on a broken machine.
func (d *Driver) Init() error { return d.failed("cuInit", d.fn.Init(0)) }

// Version returns the CUDA version of libcuda: 12040 is 12.4.
func (d *Driver) Version() (int, error) {
	var v int32
	err := d.failed("cuDriverGetVersion", d.fn.GetVersion(&v))
	return int(v), err
}

// Count returns the number of GPUs that CUDA lists for this process. It applies
// CUDA_VISIBLE_DEVICES and omits GPUs that it cannot use.
func (d *Driver) Count() (int, error) {
	var n int32
	err := d.failed("cuDeviceGetCount", d.fn.DeviceGetCount(&n))
	return int(n), err
}
