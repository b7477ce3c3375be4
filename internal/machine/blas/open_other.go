//go:build !linux || (!amd64 && !arm64) || static

package blas

// Open returns [ErrUnsupported]: libraries can only be loaded on Linux, and not by a static program.
func Open(string) (*Library, error) { return nil, ErrUnsupported }
