package bench

import (
	"context"
	"errors"
	"slices"

	"github.com/gpudocs/gpudocs/internal/machine/cuda"
	"github.com/gpudocs/gpudocs/internal/report"
)

// peers copies to each of the other GPUs in turn. The slowest copy is the result.
func (g *device) peers(ctx context.Context) error {
	if g.gpus < 2 {
		return &fault{report.WhyNotSupported, "there is no other GPU"}
	}
	n, err := g.fitting(hostCopy, leastCopy, 1)
	if err != nil {
		return err
	}
	m, list, err := g.filled(n, 1)
	if err != nil {
		return err
	}
	result := g.m
	defer func() { g.m = result }()
	var all []report.Peer
	for i := range g.gpus {
		if i == result.Device {
			continue
		}
		g.m = &report.Measured{Device: result.Device}
		p, err := g.peer(ctx, i, m[0], list)
		if err != nil {
			return err
		}
		if all = append(all, p); len(all) == 1 || g.m.Rate < result.Rate {
			*result = *g.m
		}
	}
	result.Peers = all
	result.Wrong = slices.ContainsFunc(all, func(p report.Peer) bool { return p.Wrong })
	return nil
}

// peer copies to another GPU, and sets the results in g.m.
func (g *device) peer(ctx context.Context, other int, from *cuda.Memory, list []byte) (r report.Peer, err error) {
	v, err := g.driver.Device(other)
	if err != nil {
		return r, err
	}
	p, err := g.c.Peer(v, from.Size())
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, p.Free()) }()
	if err := p.Fill(0); err != nil {
		return r, err
	}
	if err := g.timing(ctx, func() error { return p.CopyFrom(from, from.Size()) }, float64(from.Size())/1e9); err != nil {
		return r, err
	}
	if err := g.checkCopy(p, list); err != nil {
		return r, err
	}
	return report.Peer{Device: other, Rate: g.m.Rate, Direct: p.Direct, Wrong: g.m.Wrong}, nil
}
