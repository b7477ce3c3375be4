//go:build unix

package session

import (
	"io"
	"os"

	"github.com/gpudocs/gpudocs/internal/machine/subprocess"
)

// A stream keeps what is written to a FIFO during a step, and drops what processes that
// outlive the step write later.
type stream struct {
	*fifo
	buffer  subprocess.HeadTail
	ended   chan struct{} // closed once buffer is complete
	drained chan struct{} // closed once the last writer is gone
}

func openStream(dir *os.File, name string, head, tail int) (*stream, error) {
	f, err := makeFIFO(dir, name)
	if err != nil {
		return nil, err
	}
	s := &stream{
		fifo: f, buffer: subprocess.HeadTail{MaxHead: head, MaxTail: tail},
		ended: make(chan struct{}), drained: make(chan struct{}),
	}
	go s.read()
	return s, nil
}

func (s *stream) read() {
	defer close(s.drained)
	// An error ends the stream like EOF.
	_, _ = io.CopyBuffer(&s.buffer, struct{ io.Reader }{s.fifo}, make([]byte, 32<<10))
	close(s.ended)
	s.discard()
}

// finish ends the step's part of the stream with what was written so far. The name is
// free for the next step, while the FIFO stays open in other processes.
func (s *stream) finish() {
	s.cut()
	<-s.ended
	s.remove()
}

func (s *stream) isDrained() bool {
	select {
	case <-s.drained:
		return true
	default:
		return false
	}
}
