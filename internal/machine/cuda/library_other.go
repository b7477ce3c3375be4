//go:build !linux || (!amd64 && !arm64) || static

package cuda

type library struct{}

func load(string) (library, error) { return library{}, ErrUnsupported }

func (library) symbol(string) uintptr { return 0 }

func register(any, uintptr) {}
