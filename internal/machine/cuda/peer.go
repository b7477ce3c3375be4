package cuda

import "errors"

// A Peer is memory of another device than the context's.
type Peer struct {
	c     *Context
	other *Context // of the other device; current only within in
	m     *Memory
	// Direct reports whether copies go from device to device. If not, the driver copies through memory of the host.
	Direct bool
}

// Peer allocates memory on another device, and lets this one access it if the machine allows that.
func (c *Context) Peer(v Device, bytes uint64) (_ *Peer, err error) {
	if c.closed {
		return nil, ErrClosed
	}
	fn := &c.driver.fn
	p := &Peer{c: c, other: &Context{device: v, driver: c.driver, resources: map[resource]int{}}}
	if err := c.failed("cuDevicePrimaryCtxRetain", fn.PrimaryRetain(&p.other.h, v.id)); err != nil {
		return nil, err
	}
	c.track(p)
	defer func() {
		if err != nil {
			err = errors.Join(err, c.untrack(p))
		}
	}()
	if err := p.in(func() (err error) { p.m, err = p.other.Alloc(bytes); return err }); err != nil {
		return nil, err
	}
	var can int32
	if err := c.failed("cuDeviceCanAccessPeer", fn.CanAccessPeer(&can, c.device.id, v.id)); err != nil {
		return nil, err
	}
	if can == 0 {
		return p, nil
	}
	code := fn.EnablePeer(p.other.h, 0)
	if p.Direct = code == 0; !p.Direct && code != peerLimit {
		return nil, c.failed("cuCtxEnablePeerAccess", code)
	}
	return p, nil
}

// in calls f while the context of the other device is current.
func (p *Peer) in(f func() error) error {
	set := func(c *Context) error { return c.failed("cuCtxSetCurrent", c.driver.fn.CtxSetCurrent(c.h)) }
	if err := set(p.other); err != nil {
		return err
	}
	return errors.Join(f(), set(p.c))
}

func (p *Peer) free() error {
	fn := &p.c.driver.fn
	var errs []error
	if p.Direct {
		errs = append(errs, p.c.failed("cuCtxDisablePeerAccess", fn.DisablePeer(p.other.h)))
	}
	if p.m != nil {
		errs = append(errs, p.in(p.m.Free))
	}
	return errors.Join(append(errs, p.c.failed("cuDevicePrimaryCtxRelease", fn.PrimaryRelease(p.other.device.id)))...)
}

// Free frees the memory. A second call returns [ErrClosed].
func (p *Peer) Free() error { return p.c.untrack(p) }

// Size returns the size in bytes.
func (p *Peer) Size() uint64 { return p.m.size }

// Fill sets every byte, and waits for it.
func (p *Peer) Fill(value byte) error {
	return p.in(func() error { return errors.Join(p.m.Fill(value), p.other.Synchronize()) })
}

// Read copies the memory from offset on to b. The work of the context must be done.
func (p *Peer) Read(offset uint64, b []byte) error {
	return p.in(func() error { return p.m.Read(offset, b) })
}

// CopyFrom starts to copy the first bytes of the context's memory from, after all earlier work of the
// context, and does not wait for the end.
func (p *Peer) CopyFrom(from *Memory, bytes uint64) error {
	if !p.c.owns(p) {
		return ErrClosed
	}
	if err := p.m.span(0, bytes); err != nil {
		return err
	}
	if err := from.span(0, bytes); err != nil {
		return err
	}
	return p.c.failed("cuMemcpyPeerAsync", p.c.driver.fn.CopyPeerAsync(p.m.address, p.other.h, from.address, p.c.h, bytes, 0))
}
