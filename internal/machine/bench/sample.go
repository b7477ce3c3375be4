package bench

import "github.com/gpudocs/gpudocs/internal/machine/gpu"

// watch starts to sample the GPU, if NVML knows it.
func (g *device) watch() *watcher {
	bus, err := g.PCIBusID()
	if err != nil {
		return watch(nil)
	}
	s := gpu.NewSampler(bus)
	if s == nil {
		return watch(nil)
	}
	return watch(func() (mhz int, watts float64, throttle []string) {
		r := s.Sample()
		if r.Clocks.SM != nil {
			mhz = *r.Clocks.SM
		}
		if r.Power.Draw != nil {
			watts = *r.Power.Draw
		}
		return mhz, watts, r.Throttle
	})
}
