//go:build unix

package session

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// A stream reads one FIFO: up to the marker for the step, then, for as long as
// any process holds the other end, to drop it.
type stream struct {
	path   string
	marker []byte
	kept   keeper
	// w is ours, to write the marker. While it is open there is no end of
	// file, and no process fails for want of a reader.
	w, r    *os.File
	marked  chan struct{} // closed when kept is complete
	drained chan struct{} // closed when the last writer is gone
}

func openStream(path string, head, tail int) (*stream, error) {
	if err := unix.Mkfifo(path, 0o600); err != nil {
		return nil, fmt.Errorf("make FIFO %s: %w", path, err)
	}
	// For reading and writing first: opening one end alone would wait for the other.
	w, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	r, err := os.Open(path)
	if err != nil {
		w.Close()
		return nil, err
	}
	s := &stream{
		path:   path,
		marker: make([]byte, 32), // below PIPE_BUF: written in one piece
		kept:   keeper{maxHead: head, maxTail: tail},
		w:      w, r: r,
		marked: make(chan struct{}), drained: make(chan struct{}),
	}
	rand.Read(s.marker)
	go s.read()
	return s, nil
}

func (s *stream) read() {
	defer close(s.drained)
	defer s.r.Close()
	s.readStep()
	close(s.marked)
	io.Copy(io.Discard, s.r)
}

func (s *stream) readStep() {
	buf := make([]byte, 32<<10)
	held := 0 // bytes at the front of buf that may begin the marker
	for {
		n, err := s.r.Read(buf[held:])
		n += held
		if i := bytes.Index(buf[:n], s.marker); i >= 0 {
			s.kept.write(buf[:i])
			return
		}
		if err != nil {
			s.kept.write(buf[:n])
			return
		}
		held = min(n, len(s.marker)-1)
		s.kept.write(buf[:n-held])
		copy(buf, buf[n-held:n])
	}
}

// finish ends the step's part of the stream. The name goes too, so that the
// next step can have it; whoever has the FIFO open keeps it.
func (s *stream) finish() error {
	_, err := s.w.Write(s.marker)
	if err == nil {
		<-s.marked
	}
	s.w.Close()
	os.Remove(s.path)
	return err
}

// close gives up on writers that are still there.
func (s *stream) close() { s.r.Close() }

func (s *stream) isDrained() bool {
	select {
	case <-s.drained:
		return true
	default:
		return false
	}
}
