package bench

import (
	"bytes"
	"cmp"
	"context"
	"math/rand/v2"

	"github.com/gpudocs/gpudocs/internal/machine/cuda"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/ask"
)

// Sizes of a copy. If memory is short it is smaller, down to a size that still takes
// longer than its launch and, within the GPU's memory, is many times its cache.
const (
	deviceCopy = 1 << 30
	hostCopy   = 256 << 20
	leastCopy  = 16 << 20
	caches     = 4
)

// pattern returns what is copied, repeatedly: a prime number of random bytes, so that no
// two pages are the same.
func pattern() []byte {
	r := rand.New(rand.NewPCG(seed, 2))
	list := make([]byte, period)
	for i := range list {
		list[i] = byte(r.Uint32())
	}
	return list
}

// fitting returns the largest size of a copy, from most down to least, for which that
// many pieces fit into the GPU's memory.
func (g *device) fitting(most, least uint64, pieces int) (uint64, error) {
	bytes := max(cmp.Or(g.CopyBytes, most), least)
	for ; bytes/2 >= least; bytes /= 2 {
		if g.need(bytes*uint64(pieces)) == nil {
			break
		}
	}
	return bytes, g.need(bytes * uint64(pieces))
}

// leastBandwidth returns the size below which a copy would stay in the cache: an RTX 4090
// has 72 MB of it, a B200 126 MB.
func (g *device) leastBandwidth() uint64 {
	cache, _ := g.Device.Attribute(cuda.L2CacheSize) // 0 if unknown
	return max(leastCopy, caches*uint64(cache))
}

// bandwidth copies within the GPU's memory, which reads and writes each byte.
func (g *device) bandwidth(ctx context.Context) error {
	n, err := g.fitting(deviceCopy, g.leastBandwidth(), 2)
	if err != nil {
		return err
	}
	m, list, err := g.filled(n, 2)
	if err != nil {
		return err
	}
	if err := m[1].Fill(0); err != nil {
		return err
	}
	if err := g.timing(ctx, func() error { return m[1].CopyFrom(m[0], n) }, 2*float64(n)/1e9); err != nil {
		return err
	}
	g.m.Peak = g.memoryPeak()
	return g.checkCopy(m[1], list)
}

// filled allocates pieces of memory and fills the first with a pattern.
func (g *device) filled(n uint64, pieces int) ([]*cuda.Memory, []byte, error) {
	m, err := g.alloc(n, pieces)
	if err != nil {
		return nil, nil, err
	}
	list := pattern()
	return m, list, fill(m[0], list)
}

// memoryPeak returns the peak bandwidth, or 0 if it is unknown.
func (g *device) memoryPeak() float64 {
	clock, _ := g.Device.Attribute(cuda.MemoryClockRate)
	width, _ := g.Device.Attribute(cuda.MemoryBusWidth)
	return peakBandwidth(clock, width)
}

// hostCopy copies between the GPU's memory and page-locked host memory.
func (g *device) hostCopy(ctx context.Context) error {
	n, err := g.fitting(hostCopy, leastCopy, 1)
	if err != nil {
		return err
	}
	host, n, err := g.hostMemory(n)
	if err != nil {
		return err
	}
	m, err := g.alloc(n, 1)
	if err != nil {
		return err
	}
	list := pattern()
	if g.Spec.What == ask.HostToDevice {
		repeat(host.Bytes(), list)
		if err := m[0].Fill(0); err != nil {
			return err
		}
		if err := g.timing(ctx, func() error { return m[0].CopyFromHost(host, n) }, float64(n)/1e9); err != nil {
			return err
		}
		return g.checkCopy(m[0], list)
	}
	if err := fill(m[0], list); err != nil {
		return err
	}
	clear(host.Bytes())
	if err := g.timing(ctx, func() error { return m[0].CopyToHost(host, n) }, float64(n)/1e9); err != nil {
		return err
	}
	g.m.Wrong = !repeats(host.Bytes(), list)
	return nil
}

// hostMemory allocates page-locked memory, or less if there is too little.
func (g *device) hostMemory(n uint64) (*cuda.HostMemory, uint64, error) {
	for ; ; n /= 2 {
		host, err := g.c.HostAlloc(n)
		switch {
		case err == nil:
			return host, n, nil
		case faultOf(err).Why != report.WhyNoMemory:
			return nil, 0, err
		case n/2 < leastCopy:
			return nil, 0, &fault{report.WhyNoMemory, "the machine has too little memory to lock " + gibibytes(n) + " of it"}
		}
	}
}

// checkCopy compares some pieces of a copy.
func (g *device) checkCopy(m interface {
	Size() uint64
	Read(offset uint64, b []byte) error
}, list []byte) error {
	r := rand.New(rand.NewPCG(seed, 3))
	const piece = 4 << 10
	got, want := make([]byte, piece), make([]byte, piece)
	for i := range samples {
		at := uint64(r.Int64N(int64(m.Size() - piece + 1)))
		if i == 0 {
			at = m.Size() - piece
		}
		if err := m.Read(at, got); err != nil {
			return err
		}
		for j := range want {
			want[j] = list[(at+uint64(j))%uint64(len(list))]
		}
		g.m.Wrong = g.m.Wrong || !bytes.Equal(got, want)
	}
	return nil
}

// repeat fills to with repetitions of a list.
func repeat(to, list []byte) {
	for len(to) > 0 {
		to = to[copy(to, list):]
	}
}

// repeats reports whether b consists of repetitions of a list.
func repeats(b, list []byte) bool {
	for len(b) > 0 {
		n := min(len(b), len(list))
		if !bytes.Equal(b[:n], list[:n]) {
			return false
		}
		b = b[n:]
	}
	return true
}
