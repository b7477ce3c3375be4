package cuda

import (
	"fmt"
	"unsafe"
)

// Memory is memory of the device.
type Memory struct {
	c       *Context
	address uint64
	size    uint64
}

// Alloc allocates memory of the device without clearing it. The error is [OutOfMemory] if
// there is not enough; see [Context.MemInfo].
func (c *Context) Alloc(bytes uint64) (*Memory, error) {
	if c.closed {
		return nil, ErrClosed
	}
	m := &Memory{c: c, size: bytes}
	if err := c.failed("cuMemAlloc", c.driver.fn.MemAlloc(&m.address, bytes)); err != nil {
		return nil, err
	}
	c.track(m)
	return m, nil
}

// Size returns the size in bytes.
func (m *Memory) Size() uint64 { return m.size }

func (m *Memory) free() error { return m.c.failed("cuMemFree", m.c.driver.fn.MemFree(m.address)) }

// Free frees the memory after the device has finished its work. A second call returns
// [ErrClosed].
func (m *Memory) Free() error { return m.c.untrack(m) }

// span returns an error unless m has n bytes from offset on.
func (m *Memory) span(offset, n uint64) error {
	if !m.c.owns(m) {
		return ErrClosed
	}
	if offset > m.size || n > m.size-offset {
		return fmt.Errorf("%d bytes from %d on are not in a memory of %d", n, offset, m.size)
	}
	return nil
}

// Write copies b to the memory, from offset on, and returns once b may change.
func (m *Memory) Write(offset uint64, b []byte) error {
	if err := m.span(offset, uint64(len(b))); err != nil || len(b) == 0 {
		return err
	}
	return m.c.failed("cuMemcpyHtoD", m.c.driver.fn.CopyHtoD(m.address+offset, unsafe.Pointer(&b[0]), uint64(len(b))))
}

// Read copies the memory from offset on to b, after all earlier work is done.
func (m *Memory) Read(offset uint64, b []byte) error {
	if err := m.span(offset, uint64(len(b))); err != nil || len(b) == 0 {
		return err
	}
	return m.c.failed("cuMemcpyDtoH", m.c.driver.fn.CopyDtoH(unsafe.Pointer(&b[0]), m.address+offset, uint64(len(b))))
}

// Fill sets every byte, without waiting for it.
func (m *Memory) Fill(value byte) error {
	if err := m.span(0, 0); err != nil || m.size == 0 {
		return err
	}
	return m.c.failed("cuMemsetD8Async", m.c.driver.fn.MemsetD8Async(m.address, value, m.size, 0))
}

// HostMemory is page-locked memory of the host, which the device accesses itself. Copies
// of pageable memory are slower.
type HostMemory struct {
	c       *Context
	address unsafe.Pointer
	size    uint64
}

// HostAlloc allocates page-locked memory.
func (c *Context) HostAlloc(bytes uint64) (*HostMemory, error) {
	if c.closed {
		return nil, ErrClosed
	}
	h := &HostMemory{c: c, size: bytes}
	if err := c.failed("cuMemHostAlloc", c.driver.fn.MemHostAlloc(&h.address, bytes, 0)); err != nil {
		return nil, err
	}
	c.track(h)
	return h, nil
}

// Bytes returns the memory. It is nil after Free, and must not be used then.
func (h *HostMemory) Bytes() []byte {
	if !h.c.owns(h) {
		return nil
	}
	return unsafe.Slice((*byte)(h.address), h.size)
}

func (h *HostMemory) free() error {
	return h.c.failed("cuMemFreeHost", h.c.driver.fn.MemFreeHost(h.address))
}

// Free frees the memory.
func (h *HostMemory) Free() error { return h.c.untrack(h) }

func (h *HostMemory) span(n uint64) error {
	if !h.c.owns(h) {
		return ErrClosed
	}
	if n > h.size {
		return fmt.Errorf("%d bytes are not in a host memory of %d", n, h.size)
	}
	return nil
}

// CopyFrom starts to copy the first bytes of from, after all earlier work, and does not
// wait for the end.
func (m *Memory) CopyFrom(from *Memory, bytes uint64) error {
	if err := m.span(0, bytes); err != nil {
		return err
	}
	if err := from.span(0, bytes); err != nil {
		return err
	}
	return m.c.failed("cuMemcpyDtoDAsync", m.c.driver.fn.CopyDtoDAsync(m.address, from.address, bytes, 0))
}

// CopyFromHost is CopyFrom for memory of the host.
func (m *Memory) CopyFromHost(from *HostMemory, bytes uint64) error {
	if err := m.span(0, bytes); err != nil {
		return err
	}
	if err := from.span(bytes); err != nil {
		return err
	}
	return m.c.failed("cuMemcpyHtoDAsync", m.c.driver.fn.CopyHtoDAsync(m.address, from.address, bytes, 0))
}

// CopyToHost starts to copy the first bytes to memory of the host.
func (m *Memory) CopyToHost(to *HostMemory, bytes uint64) error {
	if err := m.span(0, bytes); err != nil {
		return err
	}
	if err := to.span(bytes); err != nil {
		return err
	}
	return m.c.failed("cuMemcpyDtoHAsync", m.c.driver.fn.CopyDtoHAsync(to.address, m.address, bytes, 0))
}
