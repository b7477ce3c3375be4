//go:build linux && (amd64 || arm64) && !static

package cuda

import (
	"runtime"

	"github.com/ebitengine/purego"
)

// A library is a loaded library. It is never unloaded, because NVIDIA's start threads.
type library struct{ handle uintptr }

// load loads a library by its path, or by a name that the dynamic linker finds.
func load(path string) (library, error) {
	// The linker stores the message of an error per thread.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	handle, err := purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL)
	return library{handle}, err
}

// symbol returns the address of a function, or 0 if there is none.
func (l library) symbol(name string) uintptr {
	address, err := purego.Dlsym(l.handle, name)
	if err != nil {
		return 0
	}
	return address
}

func register(variable any, address uintptr) { purego.RegisterFunc(variable, address) }
