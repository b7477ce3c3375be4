// Package atomicfile replaces files as a whole: a reader finds the old content or the new one, never a part of either, at
// any moment and after a crash.
//
// The new content is written to a temporary file in the same folder, synced to disk, and
// renamed. A full disk, a missing permission or a killed process leaves the old file as it
// is; what a killed process leaves beside it is removed by [Sweep]. The folder itself is not
// synced, so after a power failure the old content may be back.
//
// github.com/google/renameio does the same, but does not build on Windows, and cannot prepare several files before it
// replaces the first. Package publish swaps folders.
package atomicfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Write replaces the content of a file. See [Prepare] for its mode and its folder.
func Write(file string, data []byte, perm fs.FileMode) error {
	p, err := Prepare(file, data, perm)
	if err != nil {
		return err
	}
	defer p.Discard()
	return p.Commit()
}

// A Pending is the new content of a file, complete and on disk, but not in its place yet.
type Pending struct{ tmp, file string }

// Prepare writes the new content of a file to a temporary file beside it. [Pending.Commit]
// puts it into its place; [Pending.Discard] must be called in any case.
//
// The file gets exactly the permissions perm, whatever the umask. A missing folder is
// created; others may enter it if they may read the file and the umask allows it.
func Prepare(file string, data []byte, perm fs.FileMode) (*Pending, error) {
	tmp, err := create(file, perm)
	if err != nil {
		return nil, err
	}
	_, err = tmp.Write(data)
	if perm != 0o600 { // which it has; not every file system can change it
		err = errors.Join(err, tmp.Chmod(perm))
	}
	if err = errors.Join(err, tmp.Sync(), tmp.Close()); err != nil {
		return nil, errors.Join(fmt.Errorf("%s was not written: %w", file, err), os.Remove(tmp.Name()))
	}
	return &Pending{tmp.Name(), file}, nil
}

// Commit replaces the file. A symbolic link is replaced itself, not the file it leads to.
func (p *Pending) Commit() error { return os.Rename(p.tmp, p.file) }

// Discard removes the temporary file. After a successful Commit it does nothing.
func (p *Pending) Discard() { _ = os.Remove(p.tmp) }

// Writable returns nil if [Write] could create its temporary file now. It creates the file's
// folder if that is missing.
func Writable(file string, perm fs.FileMode) error {
	tmp, err := create(file, perm)
	if err != nil {
		return err
	}
	return errors.Join(tmp.Close(), os.Remove(tmp.Name()))
}

// create creates a temporary file, which only its owner may read, and the folder of both.
func create(file string, perm fs.FileMode) (*os.File, error) {
	dir := filepath.Dir(file)
	if err := os.MkdirAll(dir, perm|perm&0o444>>2); err != nil { // to enter where one may read
		return nil, err
	}
	return os.CreateTemp(dir, "."+filepath.Base(file)+".*")
}

// Sweep removes the temporary files that killed processes have left beside a file. The
// caller must know that no other process is writing the file.
func Sweep(file string) {
	dir := filepath.Dir(file)
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if of, ok := Target(e.Name()); ok && of == filepath.Base(file) && e.Type().IsRegular() {
			_ = os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}

// Target returns the name of the file that a temporary file of the given name is to replace.
// It reports false if the name is not that of a temporary file of this package.
func Target(tmp string) (name string, ok bool) {
	rest, ok := strings.CutPrefix(tmp, ".")
	dot := strings.LastIndexByte(rest, '.')
	if !ok || dot < 1 || dot+1 == len(rest) || strings.Trim(rest[dot+1:], "0123456789") != "" {
		return "", false
	}
	return rest[:dot], true
}
