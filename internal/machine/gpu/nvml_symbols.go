//go:build linux && cgo && (amd64 || arm64)

package gpu

/*
#cgo LDFLAGS: -ldl
#include <dlfcn.h>

struct gpudocs_function { const char *name; void *address; };
extern struct gpudocs_function gpudocs_nvml[], gpudocs_nvml_end[];

static void bind(void)
{
	void *library = dlopen("libnvidia-ml.so.1", RTLD_LAZY | RTLD_GLOBAL);
	if (!library)
		return;
	for (struct gpudocs_function *f = gpudocs_nvml; f < gpudocs_nvml_end; f++) {
		void *address = dlsym(library, f->name);
		if (address)
			f->address = address;
	}
}
*/
import "C"

// bindNVML loads NVML and fills the table of nvml_linux.S with its functions.
//
// go-nvml leaves its calls to the dynamic linker, which ends the process with exit code 127 at the
// first call of a function that the library does not have, or before main if symbols are bound at
// the start (LD_BIND_NOW, -z now, musl).
// So the program defines each function itself, and those that the library does not have return
// [nvml.ERROR_FUNCTION_NOT_FOUND]. TestSymbols fails if the table does not have a function that
// go-nvml calls.
func bindNVML() { C.bind() }
