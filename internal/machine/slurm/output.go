package slurm

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/gpudocs/gpudocs/internal/machine/subprocess"
)

// lateFile is how long a file that a node has written may stay invisible here: network
// file systems cache folders for some seconds.
const lateFile = 10 * time.Second

// Late calls ok until it returns true, to wait for what a node has written last.
func (f Folder) Late(ok func() bool) {
	for end := time.Now().Add(lateFile); !ok() && time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		refresh(f.Path)
	}
}

// refresh changes a folder so that the file system reads it again.
func refresh(dir string) {
	if file, err := os.CreateTemp(dir, ".look-"); err == nil {
		file.Close()
		_ = os.Remove(file.Name())
	}
}

// ReadOutput reads a job's output file, or the head and the tail of a long one. If it
// is not a regular file, such as /dev/null, the output is empty.
func ReadOutput(name string, head, tail int) (subprocess.Output, error) {
	f, err := openLate(name)
	if err != nil {
		return subprocess.Output{}, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return subprocess.Output{}, err
	}
	out := &subprocess.HeadTail{MaxHead: head, MaxTail: tail}
	_, err = io.Copy(out, io.LimitReader(f, info.Size())) // something may still write
	return out.Output(), err
}

// openLate opens a file that may not be visible yet. Anything but a regular file reads
// as empty.
func openLate(name string) (*os.File, error) {
	for end := time.Now().Add(lateFile); ; time.Sleep(200 * time.Millisecond) {
		file, err := OpenRegular(name)
		switch {
		case err == nil:
			return file, nil
		case errors.Is(err, errNotRegular):
			return os.Open(os.DevNull)
		case !errors.Is(err, fs.ErrNotExist) || time.Now().After(end):
			return nil, err
		}
		refresh(filepath.Dir(name))
	}
}

var errNotRegular = errors.New("not a regular file")

// OpenRegular opens a regular file. It does not wait if a job has put a named pipe
// there.
func OpenRegular(name string) (*os.File, error) {
	file, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, errors.Join(file.Close(), err, errNotRegular)
	}
	return file, nil
}
