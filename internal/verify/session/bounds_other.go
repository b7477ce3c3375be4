//go:build !linux

package session

import "github.com/gpudocs/gpudocs/internal/report"

// Bounds enforce limits on Linux only.
type Bounds struct{}

// NewBounds returns bounds that enforce nothing.
func NewBounds(Limits) *Bounds { return &Bounds{} }

// Means returns "".
func (*Bounds) Means() string { return "" }

// Containment returns [report.ContainmentGroup]: a process that has left its group is not
// found.
func (*Bounds) Containment() string { return report.ContainmentGroup }

// Close does nothing.
func (*Bounds) Close() error { return nil }
