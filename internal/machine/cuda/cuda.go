// Package cuda calls NVIDIA's driver library, libcuda, and cuBLAS: without cgo, a
// header or a toolkit, for as much as it takes to measure a GPU.
//
//	d, err := cuda.Open()               // libcuda is loaded; nothing in it is called
//	err = d.Init()                      // here it fails where something is wrong
//	v, err := d.Device(0)
//	c, err := v.Context()               // binds the goroutine to its thread
//	defer c.Close()                     // frees all that follows
//	m, err := c.Alloc(3 * n * n * 4)
//	b, err := c.BLAS(cuda.FindBLAS(cuda.SystemDirs()...))
//	err = b.Gemm(cuda.FP32, n, n, n, x, y, z)
//	err = c.Synchronize()               // only now it is done
//
// # Words
//
// The host is the machine, the device a GPU in it. A context is where a device
// works for one process. A kernel is a function that runs on the device; to
// launch it is to put it into the queue of what the device does. PTX is the
// assembly language that the driver compiles for the device it has. Page-locked
// memory is memory of the host that the device can read and write by itself.
//
// # Processes and threads
//
// Use it in a process that may be lost. A driver can crash and can hang, in any
// call, and libraries that were loaded stay. Nothing here has a time limit, for
// a call into C cannot be ended.
//
// A context belongs to a thread, so [Device.Context] binds the calling goroutine
// to its thread until [Context.Close]. All that is of a context must be called
// from that goroutine. One context at a time.
//
// What a context has is freed with it; used after that, or after it was freed
// by itself, it gives [ErrClosed]. Ranges and sizes are checked before C sees them.
// C keeps no pointer to Go's memory when a call returns.
//
// # Errors
//
// An [Error] is what a call of libcuda returned, a [BLASError] what one of cuBLAS
// did; errors.Is tells which, by [OutOfMemory] or [BLASNotSupported]. Launches,
// products and copies without waiting return before they are done: their errors
// come from a later call, and those of the device itself, [IllegalAddress] or
// [LaunchFailed], from all calls from then on. Words of the dynamic linker are in
// errors, but no folder of cuBLAS's; PCI addresses and UUIDs are in none.
//
// # Functions
//
// Each function is looked up by the name that cuda.h gives it, which is cuMemAlloc_v2
// for cuMemAlloc. One that the library lacks is no error until it is called, and
// then the error says so. A driver of CUDA 10 has all that is needed; what came
// later is done without where it is not there: cuDevicePrimaryCtxRelease_v2 (11.0),
// cuDeviceGetUuid_v2 (11.4), cuFuncGetParamInfo (12.4).
//
// # cuBLAS
//
// [FindBLAS] looks into folders, and [Context.BLAS] tries what it found, newest
// first: cuBLAS of a later CUDA than the driver's does not work, nor one that has
// dropped the device or does not know it yet. [BLAS.Gemm] asks for just what
// PyTorch asks for, with the same workspace, and should be as fast.
//
// # Systems
//
// Linux on amd64 and arm64, WSL2 included; elsewhere, and in a program built with
// -tags static, Open returns [ErrUnsupported]. A program with this package in it
// needs libc also when built with CGO_ENABLED=0, for there is no loading of
// libraries without the system's loader: glibc of any age, as no version of a
// function is asked for. That tag makes one that needs no library.
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
	"errors"
	"fmt"
	"strings"
)

// places are where libcuda.so.1 is, in the order they are tried: where the
// dynamic linker looks, which is LD_LIBRARY_PATH and the folders of
// ldconfig; WSL2's folder, which an own /etc/ld.so.conf may not name
// (https://docs.nvidia.com/cuda/wsl-user-guide/, "Getting Started with CUDA on WSL 2");
// the folder that container hosts without a toolkit mount the driver at; NixOS.
var places = []string{
	"libcuda.so.1",
	"/usr/lib/wsl/lib/libcuda.so.1",
	"/usr/local/nvidia/lib64/libcuda.so.1",
	"/run/opengl-driver/lib/libcuda.so.1",
}

// A Driver is a libcuda that was loaded.
type Driver struct {
	fn   functions
	blas map[int]string // the cuBLAS that was loaded, by its major version
}

// Open loads libcuda. It calls nothing in it, so it works where [Driver.Init]
// may hang. The error is [ErrNoLibrary] where there is none, [ErrUnsupported]
// on other systems than Linux, or says why the one that is there did not load.
func Open() (*Driver, error) {
	var errs []error
	for _, place := range places {
		l, err := load(place)
		if errors.Is(err, ErrUnsupported) {
			return nil, err
		}
		if err == nil {
			d := &Driver{blas: map[int]string{}}
			l.bind(int64(missing), d.fn.table())
			return d, nil
		}
		if !notThere(err, place) {
			errs = append(errs, fmt.Errorf("libcuda.so.1 is there and cannot be loaded: %w", err))
		}
	}
	if len(errs) > 0 {
		return nil, errs[0]
	}
	return nil, ErrNoLibrary
}

// notThere reports whether a library could not be loaded because there is no such
// file, and not because of one that it needs. The words are glibc's and musl's.
func notThere(err error, path string) bool {
	text := err.Error()
	return strings.HasPrefix(text, path+": cannot open shared object file: No such file") ||
		strings.HasPrefix(text, "Error loading shared library "+path+": No such file")
}

// Init initialises libcuda, which every other call but Version needs. It may
// take seconds where the driver wakes the GPUs, and on a sick machine for ever.
func (d *Driver) Init() error { return d.failed("cuInit", d.fn.init(0)) }

// Version is that of CUDA that libcuda was made for: 12040 is 12.4.
func (d *Driver) Version() (int, error) {
	var v int32
	err := d.failed("cuDriverGetVersion", d.fn.getVersion(&v))
	return int(v), err
}

// Count is the number of GPUs that CUDA shows this process. It knows
// CUDA_VISIBLE_DEVICES and leaves out what it cannot use.
func (d *Driver) Count() (int, error) {
	var n int32
	err := d.failed("cuDeviceGetCount", d.fn.deviceGetCount(&n))
	return int(n), err
}
