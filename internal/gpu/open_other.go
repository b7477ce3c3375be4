//go:build !unix

package gpu

// mayOpen is never asked where there are no device files.
func mayOpen(string) error { return nil }
