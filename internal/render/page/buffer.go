package page

import (
	"bytes"
	"sync"
)

// A buffer collects HTML. It is what goldmark's renderer writes to, which would make one of
// its own for each block else.
type buffer struct{ bytes.Buffer }

// Buffered and Flush make it a util.BufWriter: nothing waits to be written.
func (*buffer) Buffered() int { return 0 }
func (*buffer) Flush() error  { return nil }

var buffers = sync.Pool{New: func() any { return new(buffer) }}

// newBuffer returns an empty one, to be released when nothing refers to what it holds.
func newBuffer() *buffer { return buffers.Get().(*buffer) }

func release(b *buffer) {
	b.Reset()
	buffers.Put(b)
}
