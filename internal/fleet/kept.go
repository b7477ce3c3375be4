package fleet

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

const (
	// maxKept bounds how many packed programs are kept: this one, and those for other systems.
	maxKept = 4
	// draftName begins the name of one that is being written; after maxDraft nobody does any more.
	draftName = "draft-"
	maxDraft  = time.Hour
)

// errKept tells that a packed program is damaged, or may be another's.
var errKept = errors.New("the packed program is not what was kept")

// A shelf is a folder of the user's where packed programs are kept between runs, for
// compressing one takes a second; "" keeps nothing. A file is named after the sum of the program,
// and begins with the sum of the rest, so one that is damaged is made anew. That tells nothing of who
// has written it: what others than the user may write is not used. Any number of
// processes may use a shelf at once.
type shelf string

func (s shelf) file(sum []byte) string { return filepath.Join(string(s), hex.EncodeToString(sum)) }

// get returns the packed form of the program that has a sum.
func (s shelf) get(sum []byte) ([]byte, error) {
	if info, err := os.Stat(string(s)); err != nil || !private(info) {
		return nil, errors.Join(err, errKept)
	}
	f, err := os.Open(s.file(sum))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || !private(info) {
		return nil, errors.Join(err, errKept)
	}
	data, err := io.ReadAll(f)
	if err != nil || len(data) < sha256.Size {
		return nil, errors.Join(err, errKept)
	}
	own, data := data[:sha256.Size], data[sha256.Size:]
	if got := sha256.Sum256(data); !bytes.Equal(got[:], own) {
		return nil, errKept
	}
	now := time.Now()
	_ = os.Chtimes(f.Name(), now, now) // it is the newest again
	return data, nil
}

// put keeps the packed form of a program, if it can: else the next run makes it again.
func (s shelf) put(sum, data []byte) {
	if s != "" && s.write(s.file(sum), data) == nil {
		s.tidy()
	}
}

// write puts a file into its place whole.
func (s shelf) write(file string, data []byte) error {
	if err := os.MkdirAll(string(s), 0o700); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(string(s), draftName)
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name()) // is gone where all went well
	sum := sha256.Sum256(data)
	_, err = tmp.Write(sum[:])
	if err == nil {
		_, err = tmp.Write(data)
	}
	if err := errors.Join(err, tmp.Close()); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), file)
}

// tidy removes all but the newest programs, and what killed processes have left.
func (s shelf) tidy() {
	entries, err := os.ReadDir(string(s))
	if err != nil {
		return
	}
	type kept struct {
		file string
		used time.Time
	}
	var all []kept
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			continue // another process has removed it
		}
		k := kept{filepath.Join(string(s), e.Name()), info.ModTime()}
		switch {
		case !strings.HasPrefix(e.Name(), draftName):
			all = append(all, k)
		case time.Since(k.used) > maxDraft:
			_ = os.Remove(k.file)
		}
	}
	slices.SortFunc(all, func(a, b kept) int { return cmp.Or(b.used.Compare(a.used), cmp.Compare(a.file, b.file)) })
	for _, k := range all[min(maxKept, len(all)):] {
		_ = os.Remove(k.file)
	}
}
