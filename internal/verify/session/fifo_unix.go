//go:build unix

package session

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"
)

// A fifo is the engine's end of a FIFO, and an [io.Reader] of what is written to it
// before cut.
//
// A snippet may hold the FIFO open, write without end, or read from it. So the end is
// not marked in the stream: after cut, Read returns what the kernel has buffered at
// that moment, and then io.EOF.
type fifo struct {
	dir  *os.File
	name string
	r    *os.File
	w    *os.File // open, so that there is no EOF before the first writer
	left int      // bytes to read after the cut; -1 before it
}

// makeFIFO creates a FIFO in a folder. As a snippet that may write to the folder could
// replace it, both ends must be FIFOs with the same inode.
func makeFIFO(dir *os.File, name string) (*fifo, error) {
	path := filepath.Join(dir.Name(), name)
	if err := unix.Mkfifo(path, 0o600); err != nil {
		return nil, fmt.Errorf("make FIFO %s: %w", path, err)
	}
	// In this order: opening a FIFO for writing blocks until it has a reader.
	r, err := openFIFO(dir, name, unix.O_RDONLY)
	if err != nil {
		return nil, err
	}
	w, err := openFIFO(dir, name, unix.O_WRONLY)
	if err != nil {
		r.Close()
		return nil, err
	}
	a, err1 := r.Stat()
	b, err2 := w.Stat()
	if err := errors.Join(err1, err2); err != nil || !os.SameFile(a, b) {
		closeAll(r, w)
		return nil, errors.Join(err, fmt.Errorf("FIFO %s was replaced", path))
	}
	// The interpreter may inherit w, which must block like any other output.
	if err := errors.Join(unix.SetNonblock(int(w.Fd()), false), r.SetReadDeadline(time.Time{})); err != nil {
		closeAll(r, w)
		return nil, err
	}
	return &fifo{dir: dir, name: name, r: r, w: w, left: -1}, nil
}

func openFIFO(dir *os.File, name string, mode int) (*os.File, error) {
	path := filepath.Join(dir.Name(), name)
	fd, err := unix.Openat(int(dir.Fd()), name, mode|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: path, Err: err}
	}
	f := os.NewFile(uintptr(fd), path)
	if info, err := f.Stat(); err != nil || info.Mode().Type() != os.ModeNamedPipe {
		f.Close()
		return nil, errors.Join(err, fmt.Errorf("%s is not a FIFO any more", path))
	}
	return f, nil
}

// cut ends the stream with what has been written to it so far. It may be called while
// another goroutine reads.
func (f *fifo) cut() { _ = f.r.SetReadDeadline(time.Unix(1, 0)) }

// Read reads what was written before the cut.
func (f *fifo) Read(p []byte) (int, error) {
	if f.left < 0 {
		n, err := f.r.Read(p)
		if n > 0 || !errors.Is(err, os.ErrDeadlineExceeded) {
			return n, err
		}
		if f.left, err = f.buffered(); err != nil {
			return 0, err
		}
	}
	if f.left == 0 || len(p) == 0 {
		return 0, io.EOF
	}
	n, err := f.readNow(p[:min(len(p), f.left)])
	if n <= 0 { // a snippet has read it
		return 0, io.EOF
	}
	f.left -= n
	return n, err
}

// buffered returns how many bytes can be read without blocking.
func (f *fifo) buffered() (n int, err error) {
	err1 := f.control(func(fd int) { n, err = unix.IoctlGetInt(fd, fionread) })
	return n, errors.Join(err1, err)
}

func (f *fifo) readNow(p []byte) (n int, err error) {
	err1 := f.control(func(fd int) {
		for n, err = unix.Read(fd, p); errors.Is(err, unix.EINTR); n, err = unix.Read(fd, p) {
		}
	})
	return n, errors.Join(err1, err)
}

func (f *fifo) control(do func(fd int)) error {
	raw, err := f.r.SyscallConn()
	if err != nil {
		return err
	}
	return raw.Control(func(fd uintptr) { do(int(fd)) })
}

// discard reads what is written after the cut, until the last writer is gone or the
// FIFO is closed, so that writers do not block.
func (f *fifo) discard() {
	f.w.Close()
	if f.r.SetReadDeadline(time.Time{}) == nil {
		_, _ = io.Copy(io.Discard, f.r)
	}
	f.r.Close()
}

// remove unlinks the FIFO.
func (f *fifo) remove() { _ = unix.Unlinkat(int(f.dir.Fd()), f.name, 0) }

func (f *fifo) close() { closeAll(f.r, f.w) }
