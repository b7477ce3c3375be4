//go:build !unix

package verify

// Lock grants the lock to everybody: no session runs on this system.
func Lock(string) (release func(), err error) { return func() {}, nil }
