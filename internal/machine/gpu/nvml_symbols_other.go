//go:build linux && cgo && !amd64 && !arm64

package gpu

// bindNVML does nothing where nvml_linux.S has no code: the dynamic linker binds.
func bindNVML() {}
