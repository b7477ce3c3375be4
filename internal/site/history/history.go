// Package history asks git when the files of a site were last changed, and for the files of earlier states.
//
// # What counts as a change
//
// The newest commit, by its committer's date in UTC, that added or edited a file. A file that was
// only moved keeps its date. Merges and uncommitted changes do not count. One process reads the
// whole history, trees only: no content of files, no filters and no hooks of the repository.
//
// # What git does not know
//
// A shallow clone, the default in CI, ends at a commit that seems to have added every file. Such
// dates are omitted and counted ([Dates.Cut]). If there is no repository, there are no dates, which
// is not an error.
//
// # Earlier states
//
// [Find] finds the commit of a tag or a branch, and [Tree.Extract] writes its files into a folder. Neither changes the
// repository, its index or its working tree, and no hook runs.
package history

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// Dates are the dates of the files below a folder.
type Dates struct {
	// Changed are the dates by the file's slash path below the folder.
	Changed map[string]time.Time
	// Cut are the files whose last change is older than the shallow clone.
	Cut map[string]bool
}

// Read reads the history of the files below dir/under up to a commit. If git cannot read the repository, the error
// is its message.
func Read(ctx context.Context, dir, under, commit string) (Dates, error) {
	d := Dates{Changed: map[string]time.Time{}, Cut: map[string]bool{}}
	// Git runs in the folder itself, which may be a submodule or a link.
	dir, err := filepath.EvalSymlinks(filepath.Join(dir, under))
	if err != nil {
		return d, nil // no folder, no dates
	}
	if _, err := exec.LookPath("git"); err != nil || !inRepository(dir) {
		return d, nil
	}
	ends, err := boundary(ctx, dir)
	if err != nil {
		return d, err
	}
	r := reader{dates: d, under: under + "/", now: map[string]string{}, ends: ends}
	// %x01 distinguishes a commit from the names that follow it, which are arbitrary bytes.
	err = git(ctx, dir, r.read, "log", "-z", "--format=%x01%ct %H", "--name-status", "-M100%", "--relative",
		"--root", "--no-show-signature", "--no-ext-diff", "--no-color", commit, "--", ".")
	if errors.Is(err, errNoCommit) {
		return d, nil // a repository without a commit
	}
	return d, err
}

// inRepository reports whether a folder is in a repository, so that a site without one needs no
// process.
func inRepository(dir string) bool {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return false
	}
	if os.Getenv("GIT_DIR") != "" {
		return true
	}
	for {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return true
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return false
		}
		dir = parent
	}
}

// boundary returns the commits at which a shallow clone ends.
func boundary(ctx context.Context, dir string) (map[string]bool, error) {
	out, err := output(ctx, dir, "rev-parse", "--is-shallow-repository", "--git-path", "shallow")
	if err != nil {
		return nil, err
	}
	shallow, file, _ := strings.Cut(out, "\n")
	if shallow != "true" {
		return nil, nil
	}
	if !filepath.IsAbs(file) {
		file = filepath.Join(dir, file)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	ends := map[string]bool{}
	for _, hash := range strings.Fields(string(data)) {
		ends[hash] = true
	}
	return ends, nil
}

// A reader finds the newest change of each file in git's list, which begins with the newest commit.
type reader struct {
	dates Dates
	under string // the prefix of each name
	// now maps the former names of moved files to the current ones.
	now  map[string]string
	ends map[string]bool
}

func (r *reader) read(from io.Reader) error {
	items := bufio.NewReaderSize(from, maxItem)
	var at time.Time
	end := false
	for {
		item, err := next(items)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if commit, ok := strings.CutPrefix(item, "\x01"); ok {
			seconds, hash, _ := strings.Cut(commit, " ")
			s, err := strconv.ParseInt(seconds, 10, 64)
			if err != nil {
				return errors.New("git: a commit without a date")
			}
			at, end = time.Unix(s, 0).UTC(), r.ends[hash]
			continue
		}
		status := strings.TrimPrefix(item, "\n")
		name, err := next(items)
		if err != nil || status == "" {
			return errors.New("git: a list that ends early")
		}
		switch status[0] {
		case 'R':
			to, err := next(items)
			if err != nil {
				return errors.New("git: a list that ends early")
			}
			r.now[name] = r.present(to)
		case 'D':
		default:
			r.change(r.present(name), at, end)
		}
	}
}

func (r *reader) present(name string) string {
	if now, moved := r.now[name]; moved {
		return now
	}
	return name
}

func (r *reader) change(name string, at time.Time, end bool) {
	name = r.under + name
	if _, known := r.dates.Changed[name]; known || r.dates.Cut[name] {
		return
	}
	if end {
		r.dates.Cut[name] = true
		return
	}
	r.dates.Changed[name] = at
}

// maxItem limits a name or another text between two NULs, in bytes.
const maxItem = 64 << 10

func next(r *bufio.Reader) (string, error) {
	item, err := r.ReadSlice(0)
	switch {
	case err == io.EOF && len(item) == 0:
		return "", io.EOF
	case err != nil && err != io.EOF:
		return "", errors.New("git: a name of more than 64 KiB")
	}
	return strings.TrimSuffix(string(item), "\x00"), nil
}

var errNoCommit = diag.Say("cli.git-without-commit")

// output returns what git prints, without the last line end.
func output(ctx context.Context, dir string, args ...string) (string, error) {
	var b strings.Builder
	err := git(ctx, dir, func(r io.Reader) error { _, err := io.Copy(&b, io.LimitReader(r, maxItem)); return err }, args...)
	return strings.TrimSuffix(b.String(), "\n"), err
}

// git runs git, and passes its output to take.
func git(ctx context.Context, dir string, take func(io.Reader) error, args ...string) error {
	return gitWith(ctx, dir, nil, take, args...)
}

// gitWith is git with an input.
func gitWith(ctx context.Context, dir string, input io.Reader, take func(io.Reader) error, args ...string) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	c := exec.CommandContext(ctx, "git", args...)
	c.Dir, c.Stdin = dir, input
	c.Env = append(os.Environ(), "LC_ALL=C", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "GIT_NO_LAZY_FETCH=1")
	var problems bytes.Buffer
	c.Stderr = &problems
	out, err := c.StdoutPipe()
	if err != nil {
		return err
	}
	if err := c.Start(); err != nil {
		return err
	}
	failed := take(out)
	if failed != nil {
		cancel() // it may be blocked writing
	}
	err = c.Wait()
	if failed != nil {
		return failed
	}
	if err != nil && ctx.Err() == nil {
		first, _, _ := strings.Cut(strings.TrimSpace(problems.String()), "\n")
		if strings.Contains(first, "'HEAD'") {
			return errNoCommit
		}
		return errors.New(diag.Printable("git: " + strings.TrimPrefix(first, "fatal: ")))
	}
	return err
}
