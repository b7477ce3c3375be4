// Package cuda calls NVIDIA's driver library, libcuda, and cuBLAS.
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

// notThere tells whether a library could not be loaded because there is no such
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
