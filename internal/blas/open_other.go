//go:build !linux

package blas

// Open gives an error: only on Linux are libraries loaded.
func Open(string) (*Library, error) { return nil, ErrUnsupported }
