package slurm

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// Output is what a job wrote to a file.
type Output struct {
	// Text is all of it or, if Cut is not 0, its head and its tail.
	Text []byte
	// Cut is the number of bytes left out between them, Head the length of the head.
	Cut  int64
	Head int
	// Size and SHA256 are those of the whole file.
	Size   int64
	SHA256 string
}

// lateFile is how long a file that a node has written may take to be seen here:
// network file systems keep in mind for some seconds what is in a folder.
const lateFile = 10 * time.Second

// Late tries until ok, for what a node has written last.
func (f Folder) Late(ok func() bool) {
	for end := time.Now().Add(lateFile); !ok() && time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		refresh(f.Path)
	}
}

// refresh has the file system look at a folder again, for it changes.
func refresh(dir string) {
	if file, err := os.CreateTemp(dir, ".look-"); err == nil {
		file.Close()
		_ = os.Remove(file.Name())
	}
}

// ReadOutput reads a job's output file, of a long one its head and its tail.
// What is no regular file, /dev/null for example, is empty.
func ReadOutput(name string, head, tail int64) (Output, error) {
	f, err := openLate(name)
	if err != nil {
		return Output{}, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return Output{}, err
	}
	written := io.LimitReader(f, info.Size()) // something may go on writing
	hash := sha256.New()
	var first bytes.Buffer
	if _, err := io.CopyN(io.MultiWriter(hash, &first), written, head+tail); err != nil && err != io.EOF {
		return Output{}, err
	}
	more, err := io.Copy(hash, written)
	out := Output{Text: first.Bytes(), Size: int64(first.Len()) + more, SHA256: hex.EncodeToString(hash.Sum(nil))}
	if err != nil || more == 0 {
		return out, err
	}
	last := make([]byte, tail)
	if _, err := f.ReadAt(last, out.Size-tail); err != nil && err != io.EOF {
		return Output{}, err
	}
	out.Head, out.Cut = int(head), out.Size-head-tail
	out.Text = append(first.Bytes()[:head:head], last...)
	return out, nil
}

// openLate opens a file that may not be seen yet. What is no regular file reads as empty.
func openLate(name string) (*os.File, error) {
	for end := time.Now().Add(lateFile); ; time.Sleep(200 * time.Millisecond) {
		file, err := openRegular(name)
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

// openRegular opens a regular file. A job may put a named pipe in its place, which is not
// waited for.
func openRegular(name string) (*os.File, error) {
	file, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, errors.Join(file.Close(), err, errNotRegular)
	}
	return file, nil
}

// A Follower hands on the lines that are written to the files *.out of a folder.
type Follower struct {
	Folder Folder
	// Line is told a line and the file's name without .out.
	Line func(of, line string)
	seen map[string]*followed
}

type followed struct {
	at   int64
	rest []byte // of a line that is not complete
}

// outSuffix ends the names of the files that a [Follower] reads.
const outSuffix = ".out"

// maxLine bounds what is kept of a line that does not end.
const maxLine = 64 << 10

// Read hands on what is new. Files that cannot be read now are read later.
func (f *Follower) Read() {
	names, err := filepath.Glob(filepath.Join(f.Folder.Path, "*"+outSuffix))
	if err != nil {
		return
	}
	for _, name := range names {
		if f.seen[name] == nil {
			if f.seen == nil {
				f.seen = map[string]*followed{}
			}
			f.seen[name] = &followed{}
		}
		f.file(name, f.seen[name])
	}
}

func (f *Follower) file(name string, s *followed) {
	file, err := openRegular(name)
	if err != nil {
		return
	}
	defer file.Close()
	new, err := io.ReadAll(io.NewSectionReader(file, s.at, 1<<40))
	if err != nil {
		return
	}
	s.at += int64(len(new))
	s.rest = append(s.rest, new...)
	for {
		end := bytes.IndexByte(s.rest, '\n')
		if end < 0 && len(s.rest) < maxLine {
			return
		}
		line := s.rest
		if end >= 0 {
			line = s.rest[:end]
		}
		f.say(name, line)
		s.rest = s.rest[min(len(line)+1, len(s.rest)):]
	}
}

// Close hands on what is left.
func (f *Follower) Close() {
	f.Read()
	for name, s := range f.seen {
		if len(s.rest) > 0 {
			f.say(name, s.rest)
			s.rest = nil
		}
	}
}

func (f *Follower) say(name string, line []byte) {
	f.Line(strings.TrimSuffix(filepath.Base(name), outSuffix), string(line))
}
