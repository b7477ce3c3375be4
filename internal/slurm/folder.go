package slurm

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// A Folder is where this machine and the nodes leave files for each other. It is
// held by the process that made it; what one that was killed has left behind,
// its job too, is cleared away when the next folder is made.
type Folder struct {
	Path string
	// held is the locked file that says who holds the folder; nil where files
	// cannot be locked.
	held *os.File
}

// Files of a folder that are ours: who holds it, and the number of its job.
const ownerFile, numberFile = ".owner", ".job"

// NewFolder makes a folder below shared, which the nodes must see under the same
// path, and has git leave all of it alone.
func NewFolder(ctx context.Context, shared string) (Folder, error) {
	shared, err := filepath.Abs(shared)
	if err != nil {
		return Folder{}, err
	}
	if err := os.MkdirAll(shared, 0o755); err != nil {
		return Folder{}, err
	}
	ignore := filepath.Join(shared, ".gitignore")
	if _, err := os.Stat(ignore); errors.Is(err, fs.ErrNotExist) {
		if err := os.WriteFile(ignore, []byte("*\n"), 0o644); err != nil {
			return Folder{}, err
		}
	}
	sweep(ctx, shared)
	dir, err := os.MkdirTemp(shared, "job-")
	if err != nil {
		return Folder{}, err
	}
	// Programs print paths without symbolic links.
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return Folder{}, err
	}
	f := Folder{Path: dir}
	return f, f.hold()
}

// hold locks the folder. The lock may count on this machine only, so the owner
// is its name, which is private as all of the folder.
func (f *Folder) hold() error {
	host, err := os.Hostname()
	if err != nil {
		return err
	}
	file, err := os.OpenFile(f.Join(ownerFile), os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if !lock(file) {
		return errors.Join(file.Close(), os.Remove(file.Name()))
	}
	f.held = file
	_, err = fmt.Fprint(file, host)
	return err
}

// Join is a path below the folder.
func (f Folder) Join(name string) string { return filepath.Join(f.Path, name) }

// Holds notes that the folder is that of the job.
func (f Folder) Holds(j Job) error {
	return os.WriteFile(f.Join(numberFile), []byte(strings.Join([]string{j.ID, j.Cluster}, " ")), 0o600)
}

// Release gives the folder up; what is in it is left.
func (f Folder) Release() error {
	if f.held == nil {
		return nil
	}
	return f.held.Close()
}

// Remove removes the folder.
func (f Folder) Remove() error { return errors.Join(f.Release(), os.RemoveAll(f.Path)) }

// sweep clears away what processes of this machine that were killed have left. It
// is done as well as it can be.
func sweep(ctx context.Context, shared string) {
	host, err := os.Hostname()
	if err != nil {
		return
	}
	owners, _ := filepath.Glob(filepath.Join(shared, "job-*", ownerFile))
	for _, name := range owners {
		owner, err := os.ReadFile(name)
		if err != nil || string(owner) != host {
			continue
		}
		file, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			continue
		}
		if lock(file) { // nobody holds it any more
			dir := filepath.Dir(name)
			cancelLeft(ctx, dir)
			_ = os.RemoveAll(dir)
		}
		file.Close()
	}
}

// cancelLeft cancels the job of a folder and waits until it is over, for what
// still runs writes its report there. Numbers of jobs come round again, so it must
// be one that works there.
func cancelLeft(ctx context.Context, dir string) {
	number, err := os.ReadFile(filepath.Join(dir, numberFile))
	if err != nil {
		return
	}
	id, cluster, _ := strings.Cut(string(number), " ")
	j := Job{ID: id, Cluster: cluster}
	if !jobNumber.MatchString(id) {
		return
	}
	out, _, err := run(ctx, Script{}, nil, "scontrol", append([]string{"show", "job"}, j.args()...)...)
	if err == nil && strings.Contains(out, dir+"/") {
		_ = j.Cancel() // it may have ended by now
	}
}
