//go:build linux && cgo && !amd64 && !arm64

package gpu

// bindNVML does nothing, because nvml_linux.S has no code for this CPU: the dynamic linker binds.
func bindNVML() {}
