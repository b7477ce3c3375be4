package slurm

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/gpudocs/gpudocs/internal/filelock"
)

// A Folder is where this machine and the nodes exchange files. The process that created
// it holds it. NewFolder removes the leftovers of killed processes, including their
// jobs.
type Folder struct {
	Path string
	// held is the locked file with the owner of the folder; nil if files cannot be
	// locked.
	held *os.File
}

// Files of the folder with its owner and the number of its job.
const ownerFile, numberFile = ".owner", ".job"

// NewFolder creates a folder below shared, which the nodes must see under the same
// path. Git ignores it.
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

// hold locks the folder. The lock may be valid on this machine only, so the owner is
// the host name, which stays private like the folder.
func (f *Folder) hold() error {
	host, err := os.Hostname()
	if err != nil {
		return err
	}
	file, err := os.OpenFile(f.Join(ownerFile), os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if filelock.TryLock(file) != nil {
		return errors.Join(file.Close(), os.Remove(file.Name()))
	}
	f.held = file
	_, err = fmt.Fprint(file, host)
	return err
}

// Join returns a path below the folder.
func (f Folder) Join(name string) string { return filepath.Join(f.Path, name) }

// Submit submits a script whose job uses the folder, and writes the job's number there.
// If that fails, the job is cancelled.
func (f Folder) Submit(ctx context.Context, s Script) (Job, error) {
	j, err := Submit(ctx, s)
	if err != nil {
		return j, err
	}
	if err := os.WriteFile(f.Join(numberFile), []byte(strings.Join([]string{j.ID, j.Cluster}, " ")), 0o600); err != nil {
		return j, errors.Join(err, j.Cancel())
	}
	return j, nil
}

// Release releases the folder and keeps its files.
func (f Folder) Release() error {
	if f.held == nil {
		return nil
	}
	return f.held.Close()
}

// Remove removes the folder.
func (f Folder) Remove() error { return errors.Join(f.Release(), os.RemoveAll(f.Path)) }

// sweep removes what killed processes of this machine have left. Errors are ignored.
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
		if filelock.TryLock(file) == nil { // its owner is gone
			dir := filepath.Dir(name)
			cancelLeft(ctx, dir)
			_ = os.RemoveAll(dir)
		}
		file.Close()
	}
}

// cancelLeft cancels the job of a folder and waits until it is over, because a running
// job writes its report there. Job numbers are reused, so it only cancels a job that
// works in this folder.
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
	out, _, err := run(ctx, "scontrol", append([]string{"show", "job"}, j.args()...)...)
	if err == nil && strings.Contains(out, dir+"/") {
		_ = j.Cancel() // it may have ended already
	}
}
