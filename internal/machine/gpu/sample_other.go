//go:build !(linux && cgo)

package gpu

import "github.com/gpudocs/gpudocs/internal/report"

// A Sampler reads how one GPU runs at the moment: with NVML, which this program
// cannot ask.
type Sampler struct{}

// NewSampler returns nil.
func NewSampler(string) *Sampler { return nil }

// Sample is not called: there is no Sampler.
func (s *Sampler) Sample() *report.Readings { return blank() }
