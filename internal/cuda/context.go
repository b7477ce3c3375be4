package cuda

import (
	"cmp"
	"errors"
	"maps"
	"runtime"
	"slices"
	"time"
)

// A Context is where one device works for this process. What is asked of it is
// done in order, one thing after the other: copies, launches and events all go
// to CUDA's default stream, as cuBLAS's do.
type Context struct {
	device Device
	driver *Driver
	owned  map[owned]int // what is not freed yet, and the place of each in the order it was made
	made   int
	closed bool
}

// owned is what a context must free before it goes.
type owned interface{ free() error }

// Device is whose context it is.
func (c *Context) Device() Device { return c.device }

// Close frees what has not been freed, the last first, gives the context back and lets the
// goroutine go from its thread. Closing again does nothing.
func (c *Context) Close() error {
	if c.closed {
		return nil
	}
	var errs []error
	all := slices.SortedFunc(maps.Keys(c.owned), func(a, b owned) int { return cmp.Compare(c.owned[b], c.owned[a]) })
	for _, o := range all {
		errs = append(errs, c.drop(o))
	}
	c.closed = true
	errs = append(errs,
		c.failed("cuCtxSetCurrent", c.driver.fn.ctxSetCurrent(0)),
		c.failed("cuDevicePrimaryCtxRelease", c.driver.fn.primaryRelease(c.device.id)))
	runtime.UnlockOSThread()
	return errors.Join(errs...)
}

// Synchronize waits until the device has done all that it was asked, and
// returns the error that came up meanwhile: a launch returns before it runs.
func (c *Context) Synchronize() error {
	if c.closed {
		return ErrClosed
	}
	return c.failed("cuCtxSynchronize", c.driver.fn.ctxSynchronize())
}

// MemInfo is the memory that is free now and that there is, in bytes.
func (c *Context) MemInfo() (free, total uint64, err error) {
	if c.closed {
		return 0, 0, ErrClosed
	}
	err = c.failed("cuMemGetInfo", c.driver.fn.memGetInfo(&free, &total))
	return free, total, err
}

func (c *Context) failed(call string, code Code) error { return c.driver.failed(call, code) }

// own remembers o, to free it.
func (c *Context) own(o owned) {
	c.made++
	c.owned[o] = c.made
}

// holds tells whether o is the context's and has not been freed.
func (c *Context) holds(o owned) bool {
	_, ok := c.owned[o]
	return ok && !c.closed
}

// drop frees o, once.
func (c *Context) drop(o owned) error {
	if !c.holds(o) {
		return ErrClosed
	}
	delete(c.owned, o)
	return o.free()
}

// An Event is a point in what a context does, and the time it is reached.
type Event struct {
	c *Context
	h handle
}

// Event makes one.
func (c *Context) Event() (*Event, error) {
	if c.closed {
		return nil, ErrClosed
	}
	e := &Event{c: c}
	if err := c.failed("cuEventCreate", c.driver.fn.eventCreate(&e.h, 0)); err != nil {
		return nil, err
	}
	c.own(e)
	return e, nil
}

func (e *Event) free() error { return e.c.failed("cuEventDestroy", e.c.driver.fn.eventDestroy(e.h)) }

// Close frees it.
func (e *Event) Close() error { return e.c.drop(e) }

// Record puts the event behind all that was asked so far.
func (e *Event) Record() error {
	if !e.c.holds(e) {
		return ErrClosed
	}
	return e.c.failed("cuEventRecord", e.c.driver.fn.eventRecord(e.h, 0))
}

// Reached tells whether the device has come to the event, without waiting.
func (e *Event) Reached() (bool, error) {
	if !e.c.holds(e) {
		return false, ErrClosed
	}
	code := e.c.driver.fn.eventQuery(e.h)
	if code == NotReady {
		return false, nil
	}
	err := e.c.failed("cuEventQuery", code)
	return err == nil, err
}

// Synchronize waits until the device has come to the event.
func (e *Event) Synchronize() error {
	if !e.c.holds(e) {
		return ErrClosed
	}
	return e.c.failed("cuEventSynchronize", e.c.driver.fn.eventSynchronize(e.h))
}

// Since is the time from start to e by the device's clock, to about half a
// microsecond. Both must have been reached.
func (e *Event) Since(start *Event) (time.Duration, error) {
	if !e.c.holds(e) || start == nil || !e.c.holds(start) {
		return 0, ErrClosed
	}
	var ms float32
	err := e.c.failed("cuEventElapsedTime", e.c.driver.fn.eventElapsed(&ms, start.h, e.h))
	return time.Duration(float64(ms) * float64(time.Millisecond)), err
}
