//go:build !linux

package session

// Bounds enforce limits on Linux only.
type Bounds struct{}

// NewBounds returns bounds that enforce nothing.
func NewBounds(Limits) *Bounds { return &Bounds{} }

// Means returns "".
func (*Bounds) Means() string { return "" }

// Containment returns InGroup: a process that has left its group is not found.
func (*Bounds) Containment() string { return InGroup }

// Close does nothing.
func (*Bounds) Close() error { return nil }
