//go:build unix

package session

import (
	"io"
	"os"
)

// A stream keeps what is written to a FIFO during a step. What is written later, by
// processes that outlive the step, it drops.
type stream struct {
	*fifo
	kept    keeper
	ended   chan struct{} // closed when kept is complete
	drained chan struct{} // closed when the last writer is gone
}

func openStream(dir *os.File, name string, head, tail int) (*stream, error) {
	f, err := makeFIFO(dir, name)
	if err != nil {
		return nil, err
	}
	s := &stream{
		fifo: f, kept: keeper{maxHead: head, maxTail: tail},
		ended: make(chan struct{}), drained: make(chan struct{}),
	}
	go s.read()
	return s, nil
}

func (s *stream) read() {
	defer close(s.drained)
	// An error ends the stream like its end: what was read counts.
	_, _ = io.CopyBuffer(&s.kept, struct{ io.Reader }{s.fifo}, make([]byte, 32<<10))
	close(s.ended)
	s.discard()
}

// finish ends the step's part of the stream with what was written until now. The name
// is free for the next step; whoever has the FIFO open keeps it.
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
