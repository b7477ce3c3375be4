//go:build !(linux && cgo)

package gpu

import "github.com/gpudocs/gpudocs/internal/report"

// A Sampler reads the current clocks and power of one GPU with NVML, which this program
// cannot load.
type Sampler struct{}

// NewSampler returns nil.
func NewSampler(string) *Sampler { return nil }

// Sample is never called.
func (s *Sampler) Sample() *report.Readings { return blank() }
