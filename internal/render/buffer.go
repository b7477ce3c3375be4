package render

import "bytes"

// A buffer collects HTML. It is what goldmark's renderer writes to, which would make one of
// its own for each block else.
type buffer struct{ bytes.Buffer }

// Buffered and Flush make it a util.BufWriter: nothing waits to be written.
func (*buffer) Buffered() int { return 0 }
func (*buffer) Flush() error  { return nil }

// buffer returns an empty one, to be released when nothing refers to what it holds.
func (s *Site) buffer() *buffer {
	if b, ok := s.buffers.Get().(*buffer); ok {
		return b
	}
	return &buffer{}
}

func (s *Site) release(b *buffer) {
	b.Reset()
	s.buffers.Put(b)
}
