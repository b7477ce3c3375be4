//go:build !linux || (!amd64 && !arm64) || static

package blas

// Open gives an error: libraries are loaded on Linux only, and not by a static program.
func Open(string) (*Library, error) { return nil, ErrUnsupported }
