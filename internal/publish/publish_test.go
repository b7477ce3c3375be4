package publish

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// site is a site in memory; a file whose text begins with "!" cannot be generated.
type site map[string]string

func (s site) Paths() []string { return slices.Sorted(maps.Keys(s)) }

func (s site) File(name string) ([]byte, bool, error) {
	text, ok := s[name]
	if strings.HasPrefix(text, "!") {
		return nil, true, errors.New(text[1:])
	}
	return []byte(text), ok, nil
}

// read returns the files of a folder.
func read(t *testing.T, dir string) site {
	t.Helper()
	got := site{}
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	err = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, _ := filepath.Rel(dir, name)
		data, err := os.ReadFile(name)
		got[filepath.ToSlash(rel)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func names(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return strings.Join(out, " ")
}

func publishTo(t *testing.T, dir string, s site) {
	t.Helper()
	if err := Write(t.Context(), dir, s, Options{}); err != nil {
		t.Fatal(err)
	}
	if got := read(t, dir); !maps.Equal(got, s) {
		t.Errorf("%s holds %v, want %v", dir, got, s)
	}
}

var (
	marker = "_theme/0123abcd/chroma.css"
	first  = site{marker: "", "index.html": "1", "pt/a/index.html": "a"}
	second = site{marker: "", "index.html": "2", "pt/b.html": "b"}
)

func TestWrite(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	publishTo(t, filepath.Join(root, "deep", "public"), first)
	publishTo(t, filepath.Join(root, "deep", "public"), second)
	if err := os.Mkdir(filepath.Join(root, "deep", "empty"), 0o755); err != nil {
		t.Fatal(err)
	}
	publishTo(t, filepath.Join(root, "deep", "empty"), first)
	if got := names(t, filepath.Join(root, "deep")); got != "empty public" {
		t.Errorf("left behind: %s", got)
	}
	info, err := os.Stat(filepath.Join(root, "deep", "public"))
	if err != nil || info.Mode().Perm() != 0o755 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}

func TestFailureKeepsTheOld(t *testing.T) {
	t.Parallel()
	over, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		name string
		ctx  context.Context
		site site
		want string
	}{
		{"a page fails", t.Context(), site{marker: "", "a.html": "a", "b.html": "!no such layout"}, "no such layout"},
		{"a name leads out", t.Context(), site{marker: "", "../up.html": "x"}, "escapes"},
		{"a name leads out and in", t.Context(), site{marker: "", "pt/../../public/up.html": "x"}, "escapes"},
		{"a name is a path", t.Context(), site{marker: "", "/tmp/up.html": "x"}, "escapes"},
		{"interrupted", over, second, "context canceled"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			dir := filepath.Join(root, "public")
			publishTo(t, dir, first)
			if err := Write(c.ctx, dir, c.site, Options{}); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %s", err, c.want)
			}
			if got := read(t, dir); !maps.Equal(got, first) {
				t.Errorf("the old site is gone: %v", got)
			}
			if got := names(t, root); got != "public" {
				t.Errorf("left behind: %s", got)
			}
		})
	}
}

func TestForeignFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	foreign := filepath.Join(dir, "thesis.txt")
	if err := os.WriteFile(foreign, []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := Write(t.Context(), dir, first, Options{}); !errors.Is(err, ErrForeign) {
		t.Errorf("error %v, want %v", err, ErrForeign)
	}
	if got := read(t, dir); !maps.Equal(got, site{"thesis.txt": "mine"}) {
		t.Errorf("the folder holds %v", got)
	}
	if err := Check(foreign); err == nil || errors.Is(err, ErrForeign) {
		t.Errorf("a file as output: %v", err)
	}
}

// TestSecondNames checks that an unchanged file stays the same file, with its modification time, unless the text,
// permissions or kind of the one in the previous output differ from what would be written.
func TestSecondNames(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no rights of files, and links need some")
	}
	dir := filepath.Join(t.TempDir(), "public")
	outside := filepath.Join(t.TempDir(), "b")
	s := site{marker: "", "index.html": "1", "pt/a/index.html": "a", "pt/b/index.html": "b", "pt/c.png": "c", "pt/d.png": "d", "pt/e.png": "e", "pt/long": strings.Repeat("long ", 1<<15)}
	publishTo(t, dir, s)
	at := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	before := map[string]fs.FileInfo{}
	for name := range s {
		before[name], _ = os.Stat(at(name))
	}
	s["index.html"] = "2"
	for _, err := range []error{
		os.WriteFile(at("pt/c.png"), []byte("C"), 0o644),                // edited by hand
		os.Chmod(at("pt/d.png"), before["pt/d.png"].Mode()^0o040),       // of a build with another umask
		os.Rename(at("pt/b"), outside), os.Symlink(outside, at("pt/b")), // a folder lies elsewhere now
		os.Rename(at("pt/e.png"), outside+"e"), os.Symlink(outside+"e", at("pt/e.png")), // and so does a file
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	publishTo(t, dir, s)
	for name := range s {
		now, err := os.Lstat(at(name))
		if err != nil {
			t.Fatal(err)
		}
		if got, want := os.SameFile(before[name], now), slices.Contains([]string{marker, "pt/a/index.html", "pt/long"}, name); got != want {
			t.Errorf("%s is the same file: %v", name, got)
		}
		if now.Mode() != before[name].Mode() {
			t.Errorf("%s: %v, was %v", name, now.Mode(), before[name].Mode())
		}
	}
}

// TestLink checks that if the output is a symbolic link, its target is replaced, not the link.
func TestLink(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	real, link := filepath.Join(root, "disk", "www"), filepath.Join(root, "public")
	if err := errors.Join(os.MkdirAll(real, 0o755), os.Symlink(real, link)); err != nil {
		t.Fatal(err)
	}
	publishTo(t, link, first)
	publishTo(t, link, second)
	if got := read(t, real); !maps.Equal(got, second) {
		t.Errorf("the real folder holds %v", got)
	}
	if to, err := os.Readlink(link); err != nil || to != real {
		t.Errorf("the link leads to %q, %v", to, err)
	}
	if err := os.RemoveAll(filepath.Join(root, "disk")); err != nil {
		t.Fatal(err)
	}
	publishTo(t, link, first)
	if got := read(t, real); !maps.Equal(got, first) {
		t.Errorf("the target of a dangling link holds %v", got)
	}
}

// TestSweep checks that a build removes the temporary folders of killed builds, but neither those of
// a running build nor files with similar names.
func TestSweep(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for _, name := range []string{".public.new-1", ".public.new-2", ".public.new-3.old", ".public.new-", ".public.new-x", ".public.new-1.bak", ".other.new-3", "public", "2024", "2024.old"} {
		if err := os.MkdirAll(filepath.Join(root, name, "pt"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(root, ".public.new-4"), nil, 0o644); err != nil { // no folder, so no build's
		t.Fatal(err)
	}
	release, err := hold(filepath.Join(root, ".public.new-2"))
	if errors.Is(err, errors.ErrUnsupported) {
		t.Skip("no locks here: age tells")
	} else if err != nil {
		t.Fatal(err)
	}
	defer release()
	if err := os.RemoveAll(filepath.Join(root, "public", "pt")); err != nil {
		t.Fatal(err)
	}
	publishTo(t, filepath.Join(root, "public"), first)
	if got := names(t, root); got != ".other.new-3 .public.new- .public.new-1.bak .public.new-2 .public.new-4 .public.new-x 2024 2024.old public" {
		t.Errorf("there is %s", got)
	}
}

// TestPutBack checks that if a build was killed between two renames and left no output, the next
// build restores it at once, even if that build fails.
func TestPutBack(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	dir := filepath.Join(root, "public")
	publishTo(t, dir, first)
	if err := os.Rename(dir, filepath.Join(root, ".public.new-7.old")); err != nil {
		t.Fatal(err)
	}
	if err := Write(t.Context(), dir, site{marker: "", "a.html": "!no such layout"}, Options{}); err == nil {
		t.Error("no error")
	}
	if got := read(t, dir); !maps.Equal(got, first) {
		t.Errorf("there is %v", got)
	}
	if got := names(t, root); got != "public" {
		t.Errorf("left behind: %s", got)
	}
}

// numbered returns a site of many files with the same text.
func numbered(n int) site {
	s := site{marker: fmt.Sprint(n)}
	for i := range 50 {
		s[fmt.Sprintf("pt/%d/%d/index.html", n, i)] = fmt.Sprint(n)
	}
	return s
}

// TestAtOnce checks that concurrent builds into the same output all succeed, and that the result is
// the complete output of one of them, with and without an atomic exchange. With an atomic exchange
// the output always exists.
func TestAtOnce(t *testing.T) {
	t.Parallel()
	for name, swap := range map[string]func(a, b string) error{
		"exchange": exchange,
		"renames":  func(string, string) error { return errors.ErrUnsupported },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			dir := filepath.Join(root, "public")
			publishTo(t, dir, numbered(0))
			var work sync.WaitGroup
			for n := range 5 {
				work.Go(func() {
					for i := range 5 {
						if err := write(t.Context(), dir, numbered(10*n+i), Options{}, swap); err != nil {
							t.Errorf("build %d: %v", n, err)
						}
						if name == "exchange" {
							if _, err := os.Stat(dir); err != nil && runtime.GOOS == "linux" {
								t.Error(err)
							}
						}
					}
				})
			}
			work.Wait()
			got := read(t, dir)
			n, _ := strconv.Atoi(got[marker])
			if want := numbered(n); !maps.Equal(got, want) {
				t.Errorf("the output holds %v, want %v", got, want)
			}
			if got := names(t, root); got != "public" {
				t.Errorf("left behind: %s", got)
			}
		})
	}
}

// meanwhile is a site that calls a function while its page is generated.
type meanwhile struct {
	site
	do func()
}

func (m meanwhile) File(name string) ([]byte, bool, error) {
	if name == "index.html" {
		m.do()
	}
	return m.site.File(name)
}

// TestForeignMeanwhile checks that a folder that somebody creates at the output's place during the
// build is not replaced.
func TestForeignMeanwhile(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	dir := filepath.Join(root, "public")
	foreign := func() {
		if err := errors.Join(os.Mkdir(dir, 0o755), os.WriteFile(filepath.Join(dir, "thesis.txt"), []byte("mine"), 0o644)); err != nil {
			t.Error(err)
		}
	}
	if err := Write(t.Context(), dir, meanwhile{first, foreign}, Options{}); !errors.Is(err, ErrForeign) {
		t.Errorf("error %v, want %v", err, ErrForeign)
	}
	if got := read(t, dir); !maps.Equal(got, site{"thesis.txt": "mine"}) {
		t.Errorf("the folder holds %v", got)
	}
	if got := names(t, root); got != "public" {
		t.Errorf("left behind: %s", got)
	}
}

// TestReplacedMeanwhile checks that if another build replaces the old output just before a file of it
// is linked, no file of the other site gets into this one, and the other site does not change.
func TestReplacedMeanwhile(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	dir, tmp := filepath.Join(root, "public"), filepath.Join(root, "new")
	foreign := site{marker: "1", "pt/a": "mine", "pt/b": "mine"}
	other := site{marker: "2", "pt/a": "none", "pt/b": "another"}
	publishTo(t, dir, foreign)
	if err := os.Mkdir(tmp, 0o755); err != nil {
		t.Fatal(err)
	}
	var replaced sync.Once
	var links atomic.Int32
	link := func(old, new string) error {
		replaced.Do(func() { publishTo(t, dir, other) })
		links.Add(1)
		return os.Link(old, new)
	}
	if err := (&output{old: dir, new: tmp, files: foreign, link: link}).makeAll(t.Context(), foreign.Paths()); err != nil {
		t.Fatal(err)
	}
	if links.Load() == 0 {
		t.Error("nothing was linked")
	}
	if got := read(t, tmp); !maps.Equal(got, foreign) {
		t.Errorf("the new site holds %v, want %v", got, foreign)
	}
	if got := read(t, dir); !maps.Equal(got, other) {
		t.Errorf("the other site holds %v, want %v", got, other)
	}
}

// TestCheckWhileReplaced checks that a site that other builds replace at the same time is never
// taken for a foreign folder.
func TestCheckWhileReplaced(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	dir := filepath.Join(root, "public")
	const sites = 300
	fresh := func(i int) string { return filepath.Join(root, fmt.Sprint(i)) }
	for i := range sites {
		theme := filepath.Join(fresh(i), "_theme", fmt.Sprintf("%08x", i))
		if err := errors.Join(os.MkdirAll(theme, 0o755), os.WriteFile(filepath.Join(theme, "chroma.css"), nil, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Rename(fresh(0), dir); err != nil {
		t.Fatal(err)
	}
	if err := exchange(fresh(1), dir); errors.Is(err, errors.ErrUnsupported) {
		t.Skip("no atomic exchange here: the folder would be missing at times")
	} else if err != nil {
		t.Fatal(err)
	}
	var checks sync.WaitGroup
	var checked atomic.Int32
	var done atomic.Bool
	for range 4 {
		checks.Go(func() {
			for !done.Load() && !t.Failed() {
				if err := Check(dir); err != nil {
					t.Error(err)
				}
				checked.Add(1)
			}
		})
	}
	for i := 2; i < sites && !t.Failed(); i++ {
		for n := checked.Load(); n == checked.Load(); { // while one check has just ended, others are half done
			runtime.Gosched()
		}
		if err := exchange(fresh(i), dir); err != nil {
			t.Error(err)
		}
	}
	done.Store(true)
	checks.Wait()
}

// TestRenamedIsReleased checks that an old site renamed out of the way is no longer locked, so that
// the next build can remove it if this one cannot.
func TestRenamedIsReleased(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	dir, tmp := filepath.Join(root, "public"), filepath.Join(root, ".public.new-1")
	publishTo(t, dir, first)
	publishTo(t, tmp, second)
	old, err := renameBoth(tmp, dir)
	if err != nil {
		t.Fatal(err)
	}
	if got := read(t, dir); !maps.Equal(got, second) {
		t.Errorf("the folder holds %v", got)
	}
	if got := read(t, old); !maps.Equal(got, first) {
		t.Errorf("%s holds %v", old, got)
	}
	sweep(dir)
	if got := names(t, root); got != "public" && runtime.GOOS != "windows" {
		t.Errorf("left behind: %s", got)
	}
}

// TestRepository checks that an output that is a Git repository or a working tree is not replaced, as
// no build can restore its history.
func TestRepository(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "public")
	publishTo(t, dir, first)
	if err := os.WriteFile(filepath.Join(dir, ".git"), []byte("gitdir: /elsewhere"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := Write(t.Context(), dir, second, Options{}); !errors.Is(err, ErrForeign) {
		t.Errorf("error %v", err)
	}
}

// TestImpossible checks that files that cannot be in one folder are reported before anything is written.
func TestImpossible(t *testing.T) {
	t.Parallel()
	for want, s := range map[string]site{
		"pt/a would be a file": {"pt/a": "", "pt/a/b/index.html": ""},
		"256 bytes":            {"pt/" + strings.Repeat("x", 256) + "/a.html": ""},
		"no path of a file":    {"pt/\xff.html": ""},
	} {
		root := t.TempDir()
		if err := Write(t.Context(), filepath.Join(root, "deep", "public"), s, Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
		if got := names(t, root); got != "" {
			t.Errorf("there is %s", got)
		}
	}
}

// TestLongName checks that an output with a name of the maximum length can be built, although the
// temporary folders beside it have longer names.
func TestLongName(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	dir := filepath.Join(root, strings.Repeat("x", 255))
	publishTo(t, dir, first)
	publishTo(t, dir, second)
	if got := names(t, root); got != filepath.Base(dir) {
		t.Errorf("left behind: %s", got)
	}
}

// TestLeft checks that an old site that cannot be removed is reported, and the new one is in place.
func TestLeft(t *testing.T) {
	t.Parallel()
	if os.Geteuid() == 0 || runtime.GOOS == "windows" {
		t.Skip("root may remove everything")
	}
	root := t.TempDir()
	dir := filepath.Join(root, "public")
	publishTo(t, dir, first)
	if err := os.Chmod(filepath.Join(dir, "pt", "a"), 0o555); err != nil {
		t.Fatal(err)
	}
	err := Write(t.Context(), dir, second, Options{})
	var left *LeftError
	if !errors.As(err, &left) {
		t.Fatalf("error %v", err)
	}
	defer os.Chmod(filepath.Join(left.Dir, "pt", "a"), 0o755)
	if got := read(t, dir); !maps.Equal(got, second) {
		t.Errorf("the folder holds %v", got)
	}
	if got := read(t, left.Dir)["pt/a/index.html"]; got != "a" {
		t.Errorf("%s holds %q", left.Dir, got)
	}
}

// TestNoEmptyFolders checks that a folder is not created if none of its files exist.
func TestNoEmptyFolders(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "public")
	files := without{site{marker: "", "index.html": "i", "pt/x/y/a.html": "a", "es/x/gone.html": ""}, "es/x/gone.html"}
	if err := Write(t.Context(), dir, files, Options{}); err != nil {
		t.Fatal(err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 3 {
		t.Errorf("%v, %v", entries, err)
	}
}

// without is a site that lists a file that does not exist when it is read.
type without struct {
	site
	gone string
}

func (s without) File(name string) ([]byte, bool, error) {
	data, ok, err := s.site.File(name)
	return data, ok && name != s.gone, err
}

// TestUnchanged checks that a build without changes leaves the output as it is, unless that has something else too.
func TestUnchanged(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	dir := filepath.Join(root, "public")
	publishTo(t, dir, first)
	for more, want := range map[string]bool{"": true, "pt/a/more.html": false, "folder": false} {
		more = filepath.Join(dir, filepath.FromSlash(more))
		switch {
		case filepath.Ext(more) != "":
			if err := os.WriteFile(more, nil, 0o644); err != nil {
				t.Fatal(err)
			}
		default:
			if err := os.MkdirAll(more, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		before, err := os.Stat(dir)
		if err != nil {
			t.Fatal(err)
		}
		publishTo(t, dir, first)
		if after, err := os.Stat(dir); err != nil || os.SameFile(before, after) != want {
			t.Errorf("with %s: the same folder: %v, %v", more, !want, err)
		}
		if got := names(t, root); got != "public" {
			t.Errorf("left behind: %s", got)
		}
	}
}

// TestWithoutLinks checks that on a file system without links all files are written.
func TestWithoutLinks(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	dir, tmp := filepath.Join(root, "public"), filepath.Join(root, "new")
	publishTo(t, dir, first)
	if err := os.Mkdir(tmp, 0o755); err != nil {
		t.Fatal(err)
	}
	o := &output{old: dir, new: tmp, files: first, link: func(string, string) error { return errors.ErrUnsupported }}
	if err := o.makeAll(t.Context(), first.Paths()); err != nil || o.unchanged() {
		t.Errorf("%v, unchanged: %v", err, o.unchanged())
	}
	if got := read(t, tmp); !maps.Equal(got, first) {
		t.Errorf("the new site holds %v", got)
	}
}

// many returns the files of a site of n pages, each in its own folder and of typical size.
func many(pages int) site {
	s := site{marker: ""}
	for i := range pages {
		dir := fmt.Sprintf("pt/part%d/page%d/", i/20, i)
		s[dir+"index.html"], s[dir+"index.html.md"] = strings.Repeat("<p>a page\n", 2000), strings.Repeat("a page\n", 700)
		s[fmt.Sprintf("_figures/%d.png", i)] = strings.Repeat("c", 9000)
	}
	return s
}

func BenchmarkWrite(b *testing.B) {
	s := many(500)
	dir := filepath.Join(b.TempDir(), "public")
	for b.Loop() {
		if err := Write(b.Context(), dir, s, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
