package page

import (
	"bytes"
	"sync"
)

// A buffer collects HTML. It is a util.BufWriter, so that goldmark's renderer does not allocate one
// for each block.
type buffer struct{ bytes.Buffer }

// Buffered and Flush implement util.BufWriter: nothing is ever buffered.
func (*buffer) Buffered() int { return 0 }
func (*buffer) Flush() error  { return nil }

var buffers = sync.Pool{New: func() any { return new(buffer) }}

// newBuffer returns an empty buffer, to be released when nothing refers to its contents.
func newBuffer() *buffer { return buffers.Get().(*buffer) }

func release(b *buffer) {
	b.Reset()
	buffers.Put(b)
}
