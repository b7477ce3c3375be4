package cuda

import (
	"cmp"
	"errors"
	"maps"
	"runtime"
	"slices"
	"time"
)

// A Context is the state of one device for this process. Its copies, launches, events and
// calls of cuBLAS are executed in order, because all use CUDA's default stream.
type Context struct {
	device    Device
	driver    *Driver
	h         handle
	resources map[resource]int // what is not freed yet, with its position in the order of creation
	created   int
	closed    bool
}

// A resource must be freed before its context is closed.
type resource interface{ free() error }

// Device returns the device of the context.
func (c *Context) Device() Device { return c.device }

// Close frees what has not been freed, in reverse order, releases the context, and unbinds
// the goroutine from its thread. Closing again does nothing.
func (c *Context) Close() error {
	if c.closed {
		return nil
	}
	var errs []error
	all := slices.SortedFunc(maps.Keys(c.resources), func(a, b resource) int { return cmp.Compare(c.resources[b], c.resources[a]) })
	for _, o := range all {
		errs = append(errs, c.untrack(o))
	}
	c.closed = true
	errs = append(errs,
		c.failed("cuCtxSetCurrent", c.driver.fn.CtxSetCurrent(0)),
		c.failed("cuDevicePrimaryCtxRelease", c.driver.fn.PrimaryRelease(c.device.id)))
	runtime.UnlockOSThread()
	return errors.Join(errs...)
}

// Synchronize waits until the device has finished its work, and returns its error.
func (c *Context) Synchronize() error {
	if c.closed {
		return ErrClosed
	}
	return c.failed("cuCtxSynchronize", c.driver.fn.CtxSynchronize())
}

// MemInfo returns the free and the total memory, in bytes.
func (c *Context) MemInfo() (free, total uint64, err error) {
	if c.closed {
		return 0, 0, ErrClosed
	}
	err = c.failed("cuMemGetInfo", c.driver.fn.MemGetInfo(&free, &total))
	return free, total, err
}

func (c *Context) failed(call string, code Code) error { return c.driver.failed(call, code) }

// track adds o to what is freed with the context.
func (c *Context) track(o resource) {
	c.created++
	c.resources[o] = c.created
}

// owns reports whether o belongs to the context and has not been freed.
func (c *Context) owns(o resource) bool {
	_, ok := c.resources[o]
	return ok && !c.closed
}

// untrack frees o, once.
func (c *Context) untrack(o resource) error {
	if !c.owns(o) {
		return ErrClosed
	}
	delete(c.resources, o)
	return o.free()
}

// An Event is a point in the work of a context, with the time at which it is reached.
type Event struct {
	c *Context
	h handle
}

// Event creates an event.
func (c *Context) Event() (*Event, error) {
	if c.closed {
		return nil, ErrClosed
	}
	e := &Event{c: c}
	if err := c.failed("cuEventCreate", c.driver.fn.EventCreate(&e.h, 0)); err != nil {
		return nil, err
	}
	c.track(e)
	return e, nil
}

func (e *Event) free() error { return e.c.failed("cuEventDestroy", e.c.driver.fn.EventDestroy(e.h)) }

// Close frees it.
func (e *Event) Close() error { return e.c.untrack(e) }

// Record places the event after all work that was requested so far.
func (e *Event) Record() error {
	if !e.c.owns(e) {
		return ErrClosed
	}
	return e.c.failed("cuEventRecord", e.c.driver.fn.EventRecord(e.h, 0))
}

// Since returns the time from start to e by the device's clock, with a resolution of about
// half a microsecond. Both must have been reached.
func (e *Event) Since(start *Event) (time.Duration, error) {
	if !e.c.owns(e) || start == nil || !e.c.owns(start) {
		return 0, ErrClosed
	}
	var ms float32
	err := e.c.failed("cuEventElapsedTime", e.c.driver.fn.EventElapsed(&ms, start.h, e.h))
	return time.Duration(float64(ms) * float64(time.Millisecond)), err
}
