package history

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// A Tree is the state of a folder in a commit.
type Tree struct {
	Commit string
	dir    string
	prefix string // the folder in the repository
}

// ErrNoRef is the error for a tag or a branch that does not exist.
var ErrNoRef = diag.Say("cli.git-without-ref")

// fullHash matches the whole name of a commit. A part of one is not enough: it could be the name of a tag that is gone.
var fullHash = lazyregexp.New(`^([0-9a-f]{40}|[0-9a-f]{64})$`)

// Find returns the state of the folder dir in a tag, a branch, a branch that only the remote repository "origin" had, a
// commit, or HEAD. If no ref has that name, the error is [ErrNoRef].
func Find(ctx context.Context, dir, ref string) (Tree, error) {
	t := Tree{dir: dir}
	if _, err := exec.LookPath("git"); err != nil || !inRepository(dir) {
		return t, diag.Say("cli.git-without-repository")
	}
	prefix, err := output(ctx, dir, "rev-parse", "--show-prefix")
	if err != nil {
		return t, err
	}
	t.prefix = prefix
	names := []string{"refs/tags/" + ref, "refs/heads/" + ref, "refs/remotes/origin/" + ref}
	if ref == "HEAD" || fullHash.MatchString(ref) {
		names = []string{ref}
	}
	for _, name := range names {
		if t.Commit, _ = output(ctx, dir, "rev-parse", "--verify", "--quiet", name+"^{commit}"); t.Commit != "" {
			return t, nil
		}
	}
	if err := ctx.Err(); err != nil {
		return t, err
	}
	return t, ErrNoRef
}

// Extract writes the files below a subfolder, as they are in the repository, into another folder. No file is written
// outside of that, a symbolic link stays one, and a submodule is left out. git archive could do it, but runs filters.
func (t Tree) Extract(ctx context.Context, under string, to *os.Root) error {
	var below []string
	at := ""
	if folder := path.Join(t.prefix, under, "."); folder != "." {
		at = folder + "/"
		below = []string{at}
	}
	var entries []entry
	var hashes strings.Builder
	err := git(ctx, t.dir, func(r io.Reader) error {
		items := bufio.NewReaderSize(r, maxItem)
		for {
			item, err := next(items)
			if err == io.EOF {
				return nil
			} else if err != nil {
				return err
			}
			head, name, _ := strings.Cut(item, "\t")
			if f := strings.Fields(head); len(f) == 3 && f[1] == "blob" {
				entries = append(entries, entry{f[0] == "120000", filepath.FromSlash(strings.TrimPrefix(name, at))})
				hashes.WriteString(f[2] + "\n")
			}
		}
	}, append([]string{"ls-tree", "-r", "-z", "--full-tree", t.Commit}, below...)...)
	if err != nil {
		return err
	}
	return gitWith(ctx, t.dir, strings.NewReader(hashes.String()), func(r io.Reader) error {
		from := bufio.NewReader(r)
		for _, e := range entries {
			var hash, kind string
			var size int64
			if _, err := fmt.Fscanf(from, "%s %s %d\n", &hash, &kind, &size); err != nil || kind != "blob" {
				return fmt.Errorf("git: no content of %s", diag.Printable(e.name))
			}
			if err := e.write(io.LimitReader(from, size), to); err != nil {
				return err
			}
			if _, err := from.Discard(1); err != nil {
				return err
			}
		}
		return nil
	}, "cat-file", "--batch")
}

// An entry is a file or a symbolic link of a tree.
type entry struct {
	link bool
	name string
}

func (e entry) write(data io.Reader, to *os.Root) error {
	if err := to.MkdirAll(filepath.Dir(e.name), 0o755); err != nil {
		return err
	}
	if e.link {
		target, err := io.ReadAll(data)
		if err != nil {
			return err
		}
		return to.Symlink(string(target), e.name)
	}
	f, err := to.OpenFile(e.name, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o644)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, data)
	return errors.Join(err, f.Close())
}
