package history

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gpudocs/gpudocs/test/programtest"
)

// repository is a git repository whose commits are an hour apart.
type repository struct {
	*testing.T
	dir     string
	commits int
}

var start = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

func newRepository(t *testing.T) *repository {
	programtest.Need(t, "git")
	for _, v := range []string{"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"} { // a hook sets them
		t.Setenv(v, "")
		os.Unsetenv(v)
	}
	t.Setenv("GIT_CONFIG_GLOBAL", filepath.Join(t.TempDir(), "none"))
	r := &repository{T: t, dir: t.TempDir()}
	r.git("init", "-q", "-b", "main")
	return r
}

func (r *repository) git(args ...string) {
	r.Helper()
	c := exec.Command("git", slices.Concat([]string{"-c", "user.name=a", "-c", "user.email=a@example.org"}, args)...)
	c.Dir = r.dir
	date := start.Add(time.Duration(r.commits) * time.Hour).Format(time.RFC3339)
	c.Env = append(os.Environ(), "GIT_COMMITTER_DATE="+date, "GIT_AUTHOR_DATE=2020-01-01T00:00:00Z")
	if out, err := c.CombinedOutput(); err != nil {
		r.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

func (r *repository) write(name, text string) {
	r.Helper()
	file := filepath.Join(r.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		r.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		r.Fatal(err)
	}
}

func (r *repository) commit() {
	r.Helper()
	r.git("add", "-A")
	r.git("commit", "-q", "--allow-empty", "-m", "c")
	r.commits++
}

// show lists the dates as the number of the commit, counted from 0.
func show(d Dates) string {
	var lines []string
	for name, at := range d.Changed {
		lines = append(lines, fmt.Sprintf("%s %d", name, int(at.Sub(start).Hours())))
	}
	for name := range d.Cut {
		lines = append(lines, name+" cut")
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

func (r *repository) want(dir, want string) {
	r.Helper()
	d, err := Read(r.Context(), filepath.Join(dir, "site"), "content", "HEAD")
	if err != nil {
		r.Fatal(err)
	}
	if diff := cmp.Diff(want, show(d)); diff != "" {
		r.Errorf("(-want +got)\n%s", diff)
	}
}

// history creates a repository with everything that can happen to a file.
func history(t *testing.T) *repository {
	r := newRepository(t)
	r.write("site/content/pt/a b.md", "a\n")
	r.write("site/content/pt/ação.md", "b\n")
	r.write("site/results/x.json", "{}")
	r.write("README.md", "x")
	r.commit() // 0
	r.write("site/content/pt/edited.md", "1\n")
	r.write("site/content/pt/gone.md", "1\n")
	r.commit() // 1
	r.git("mv", "site/content/pt/a b.md", "site/content/pt/moved.md")
	r.git("rm", "-q", "site/content/pt/gone.md")
	r.commit() // 2
	r.git("checkout", "-q", "-b", "side")
	r.write("site/content/pt/edited.md", "2\n")
	r.commit() // 3
	r.git("checkout", "-q", "main")
	r.write("site/content/pt/new\tname.md", "x\n")
	r.commit() // 4
	r.git("merge", "-q", "--no-ff", "-m", "m", "side")
	r.commits++ // 5
	r.git("mv", "site/content/pt/moved.md", "site/content/pt/again.md")
	r.commit() // 6
	r.write("site/content/pt/uncommitted.md", "x\n")
	return r
}

func TestRead(t *testing.T) {
	r := history(t)
	// Deleted files keep a date, which has no effect.
	r.want(r.dir, "content/pt/again.md 0\ncontent/pt/ação.md 0\ncontent/pt/edited.md 3\ncontent/pt/gone.md 1\ncontent/pt/new\tname.md 4")
}

func TestShallow(t *testing.T) {
	r := history(t)
	clone := filepath.Join(t.TempDir(), "clone")
	r.git("clone", "-q", "--depth", "2", "file://"+filepath.ToSlash(r.dir), clone)
	// The shallow clone ends at the merge, which appears to have added all files.
	r.want(clone, "content/pt/again.md cut\ncontent/pt/ação.md cut\ncontent/pt/edited.md cut\ncontent/pt/new\tname.md cut")
	r.write("site/content/pt/ação.md", "c\n")
	r.commit() // 7
	clone = filepath.Join(t.TempDir(), "clone")
	r.git("clone", "-q", "--depth", "2", "file://"+filepath.ToSlash(r.dir), clone)
	r.want(clone, "content/pt/again.md cut\ncontent/pt/ação.md 7\ncontent/pt/edited.md cut\ncontent/pt/new\tname.md cut\ncontent/pt/uncommitted.md 7")
}

func TestNothingToRead(t *testing.T) {
	r := newRepository(t)
	r.write("site/content/pt/a.md", "x")
	r.want(r.dir, "") // no commit yet
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "site"), 0o755); err != nil {
		t.Fatal(err)
	}
	r.want(dir, "") // no repository
	t.Setenv("PATH", t.TempDir())
	r.want(r.dir, "") // no git
}

// The content may be a repository of its own, or lie elsewhere.
func TestContentElsewhere(t *testing.T) {
	source := newRepository(t)
	source.write("pt/a.md", "a\n")
	source.commit()
	r := newRepository(t)
	r.write("site/gpudocs.toml", "")
	r.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", source.dir, "site/content")
	r.commit()
	r.want(r.dir, "content/pt/a.md 0")

	r = newRepository(t)
	r.write("docs/pt/a.md", "a\n")
	r.commit()
	r.write("site/gpudocs.toml", "")
	if err := os.Symlink(filepath.Join("..", "docs"), filepath.Join(r.dir, "site", "content")); err != nil {
		t.Skip(err)
	}
	r.want(r.dir, "content/pt/a.md 0")
}

// Configuration changes what git log lists.
func TestConfigured(t *testing.T) {
	r := history(t)
	want := "content/pt/again.md 0\ncontent/pt/ação.md 0\ncontent/pt/edited.md 3\ncontent/pt/gone.md 1\ncontent/pt/new\tname.md 4"
	for _, c := range [][2]string{{"log.showRoot", "false"}, {"log.follow", "true"}, {"diff.renames", "false"}, {"log.diffMerges", "first-parent"}, {"diff.noprefix", "true"}} {
		r.git("config", c[0], c[1])
		r.want(r.dir, want)
	}
}

// Programs that the repository configures must not run: a textconv, a diff driver, a file system monitor.
func TestNothingRuns(t *testing.T) {
	r := history(t)
	mark := filepath.Join(t.TempDir(), "mark")
	script := filepath.Join(r.dir, "run.sh")
	if err := os.WriteFile(script, []byte("#!/bin/sh\ntouch '"+mark+"'\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	r.write(".gitattributes", "*.md diff=x filter=x\n")
	r.commit()
	for _, key := range []string{"diff.x.textconv", "diff.x.command", "diff.external", "core.fsmonitor", "core.pager", "filter.x.smudge"} {
		r.git("config", key, script)
	}
	if d, err := Read(t.Context(), filepath.Join(r.dir, "site"), "content", "HEAD"); err != nil || len(d.Changed) == 0 {
		t.Fatalf("%d dates, %v", len(d.Changed), err)
	}
	tree, err := Find(t.Context(), filepath.Join(r.dir, "site"), "main")
	if err != nil {
		t.Fatal(err)
	}
	if got := extracted(t, tree, ""); !strings.Contains(got, "content/pt/edited.md") {
		t.Fatal(got)
	}
	if _, err := os.Stat(mark); err == nil {
		t.Error("a program of the repository ran")
	}
}

func TestBrokenRepository(t *testing.T) {
	r := newRepository(t)
	r.write("site/content/x", "")
	r.write(".git/config", "[core\n")
	if _, err := Read(t.Context(), filepath.Join(r.dir, "site"), "content", "HEAD"); err == nil || !strings.HasPrefix(err.Error(), "git: ") {
		t.Errorf("got %v, want git's own message", err)
	}
}

func FuzzReader(f *testing.F) {
	f.Add([]byte("\x011795307933 7ae9\x00\nM\x00a\x00A\x00b\x00\x011795307932 c44d\x00\nR100\x00x\x00a\x00"))
	f.Add([]byte("M\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		r := reader{dates: Dates{Changed: map[string]time.Time{}, Cut: map[string]bool{}}, now: map[string]string{}, ends: map[string]bool{"c44d": true}}
		_ = r.read(bytes.NewReader(data))
		for name := range r.dates.Cut {
			if _, both := r.dates.Changed[name]; both {
				t.Errorf("%q is dated and cut", name)
			}
		}
	})
}

func BenchmarkRead(b *testing.B) {
	for b.Loop() {
		d, err := Read(b.Context(), "../../..", "internal", "HEAD")
		if err != nil {
			b.Fatal(err)
		}
		if len(d.Changed) == 0 {
			b.Skip("no history here")
		}
	}
}
