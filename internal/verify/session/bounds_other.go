//go:build !linux

package session

// Bounds are for Linux; elsewhere nothing holds a session within limits.
type Bounds struct{}

// NewBounds returns bounds that hold nothing.
func NewBounds(Limits) *Bounds { return &Bounds{} }

// Means is empty: there are none.
func (*Bounds) Means() string { return "" }

// Containment is InGroup: nothing finds a process that has left its group.
func (*Bounds) Containment() string { return InGroup }

// Close does nothing.
func (*Bounds) Close() error { return nil }
