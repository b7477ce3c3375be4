package publish

import (
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gpudocs/gpudocs/internal/memo"
)

// keyed is a site whose files have keys; made lists the generated ones.
type keyed struct {
	site
	mu   *sync.Mutex
	made *[]string
}

func newKeyed(s site) keyed { return keyed{s, &sync.Mutex{}, &[]string{}} }

func (k keyed) Make(name string, was memo.Trace) ([]byte, memo.Trace, bool, error) {
	now := memo.Trace{Key: memo.KeyOf("test", k.site[name]), Facts: []string{"links " + name, "shared"}}
	if name == marker { // the one file without a key
		now = memo.Trace{}
	}
	if now.Key != (memo.Key{}) && was.Key == now.Key && slices.Equal(was.Facts, now.Facts) {
		return nil, was, true, nil
	}
	k.mu.Lock()
	*k.made = append(*k.made, name)
	k.mu.Unlock()
	data, _, ok, err := k.site.Make(name, was)
	return data, now, ok, err
}

// publishKeyed publishes a site, and returns which of its files were generated.
func publishKeyed(t *testing.T, dir, records string, s site) []string {
	t.Helper()
	k := newKeyed(s)
	if err := Write(t.Context(), dir, k, Options{Records: records}); err != nil {
		t.Fatal(err)
	}
	for name, want := range s {
		if got, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name))); err != nil || string(got) != want {
			t.Fatalf("%s is %q, %v; want %q", name, got, err, want)
		}
	}
	if left := filesBelow(t, dir); len(left) != len(s) {
		t.Fatalf("the output is %q", left)
	}
	slices.Sort(*k.made)
	return *k.made
}

func filesBelow(t *testing.T, dir string) (names []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// TestRecord checks that a build generates only the files whose keys are new or whose copies in the
// output have changed since, and that the output is the same as that of a full build.
func TestRecord(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	dir, records := filepath.Join(root, "public"), filepath.Join(root, "cache", "outputs")
	at := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	s := site{marker: "", "a.html": "aaaa", "pt/b.html": "bbbb", "pt/c/d.html": "dddd"}
	all := slices.Sorted(maps.Keys(s))
	recordFile := func() string {
		files := filesBelow(t, records)
		if len(files) != 1 {
			t.Fatalf("records %q", files)
		}
		return files[0]
	}
	for _, step := range []struct {
		what string
		do   func() error
		want []string
	}{
		{"the first build", nil, all},
		{"nothing has changed", nil, []string{marker}},
		{"a page has changed", func() error { s["pt/b.html"] = "BBBB"; return nil }, []string{marker, "pt/b.html"}},
		{"nothing has changed again", nil, []string{marker}},
		{"somebody edits a file", func() error { return os.WriteFile(at("a.html"), []byte("xxxx"), 0o644) }, []string{marker, "a.html"}},
		{"somebody edits a file and sets its time back", func() error {
			if runtime.GOOS != "linux" {
				return nil
			}
			info, err := os.Stat(at("a.html"))
			return errors.Join(err, os.WriteFile(at("a.html"), []byte("yyyy"), 0o644), os.Chtimes(at("a.html"), time.Time{}, info.ModTime()))
		}, onLinux(marker, "a.html")},
		{"a file is removed", func() error { return os.Remove(at("pt/c/d.html")) }, []string{marker, "pt/c/d.html"}},
		{"a file is replaced by a link", func() error { return errors.Join(os.Remove(at("a.html")), os.Symlink("pt/b.html", at("a.html"))) }, []string{marker, "a.html"}},
		{"a file is not for everybody", func() error { return os.Chmod(at("a.html"), 0o600) }, []string{marker, "a.html"}},
		{"somebody adds a file", func() error { return os.WriteFile(at("pt/new.html"), nil, 0o644) }, []string{marker}},
		{"a page goes", func() error { delete(s, "a.html"); return nil }, []string{marker}},
		{"a page comes", func() error { s["e.html"] = "eeee"; return nil }, []string{marker, "e.html"}},
		{"the record is damaged", func() error {
			data, err := os.ReadFile(recordFile())
			data[len(data)/2] ^= 1
			return errors.Join(err, os.WriteFile(recordFile(), data, 0o600))
		}, []string{marker, "e.html", "pt/b.html", "pt/c/d.html"}},
		{"the record was mended", nil, []string{marker}},
		{"the record is cut", func() error { return os.Truncate(recordFile(), 40) }, []string{marker, "e.html", "pt/b.html", "pt/c/d.html"}},
		{"the output is removed", func() error { return os.RemoveAll(dir) }, []string{marker, "e.html", "pt/b.html", "pt/c/d.html"}},
	} {
		if step.do != nil {
			if err := step.do(); err != nil {
				t.Fatalf("%s: %v", step.what, err)
			}
		}
		slices.Sort(step.want)
		if made := publishKeyed(t, dir, records, s); !slices.Equal(made, step.want) {
			t.Errorf("%s: generated %q, want %q", step.what, made, step.want)
		}
	}
}

func onLinux(names ...string) []string {
	if runtime.GOOS == "linux" {
		return names
	}
	return names[:1]
}

// TestRecordOfAnother checks that if another build publishes between the moment when this build's output
// is in place and the moment when it is recorded, the other's files are not recorded as this build's.
func TestRecordOfAnother(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	dir, records := filepath.Join(root, "public"), filepath.Join(root, "cache")
	first, second := site{marker: "", "a": "1", "b": "1"}, site{marker: "", "a": "2", "b": "2"}
	publishKeyed(t, dir, records, first)
	folder, err := os.Stat(dir)
	if err != nil {
		t.Fatal(err)
	}
	o := &output{old: dir, new: t.TempDir(), files: newKeyed(first)}
	if err := o.makeAll(t.Context(), o.files.PathsBeside(nil)); err != nil {
		t.Fatal(err)
	}
	publishKeyed(t, dir, records, second)
	o.writeRecord(t.Context(), filesBelow(t, records)[0], dir, folder)
	if made := publishKeyed(t, dir, records, first); len(made) != len(first) {
		t.Errorf("generated only %q", made)
	}
	// A file that is changed before it is recorded is not recorded.
	other, file := t.TempDir(), filepath.Join(root, "record")
	o = &output{old: filepath.Join(root, "none"), new: other, files: newKeyed(first)}
	if err := errors.Join(o.makeAll(t.Context(), o.files.PathsBeside(nil)), os.WriteFile(filepath.Join(other, "a"), []byte("xx"), 0o644)); err != nil {
		t.Fatal(err)
	}
	if folder, err = os.Stat(other); err != nil {
		t.Fatal(err)
	}
	o.writeRecord(t.Context(), file, other, folder)
	if r := readRecord(file, other); r.traces["a"].Key != (memo.Key{}) || r.traces["b"].Key == (memo.Key{}) {
		t.Errorf("recorded: %v", r.traces)
	}
}

// TestUnchangedOutput checks that a build without changes writes nothing, not even another folder.
func TestUnchangedOutput(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	dir := filepath.Join(root, "public")
	s := site{marker: "", "pt/a.html": "a"}
	for _, records := range []string{"", filepath.Join(root, "cache")} {
		publishKeyed(t, dir, records, s)
		before, err := os.Stat(dir)
		if err != nil {
			t.Fatal(err)
		}
		publishKeyed(t, dir, records, s)
		if after, err := os.Stat(dir); err != nil || !os.SameFile(before, after) {
			t.Errorf("the output was replaced, with records in %q: %v", records, err)
		}
		if entries, _ := os.ReadDir(root); slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return strings.HasPrefix(e.Name(), ".") }) {
			t.Errorf("left behind: %v", entries)
		}
	}
}

// TestSwappedMeanwhile checks that a recorded file is not taken from the output of another build that
// was published in between.
func TestSwappedMeanwhile(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	dir, records := filepath.Join(root, "public"), filepath.Join(root, "cache")
	s := site{marker: "", "a": "1", "b": "1", "c": "1"}
	publishKeyed(t, dir, records, s)
	next := maps.Clone(s)
	next["c"] = "3"
	k := newKeyed(next)
	tmp := filepath.Join(root, "new")
	if err := os.Mkdir(tmp, 0o755); err != nil {
		t.Fatal(err)
	}
	files := filesBelow(t, records)
	var once sync.Once
	o := &output{old: dir, new: tmp, files: k, before: readRecord(files[0], dir), link: func(old, new string) error {
		once.Do(func() { publishKeyed(t, dir, records, site{marker: "", "a": "2", "b": "2", "c": "2"}) })
		return os.Link(old, new)
	}}
	if err := o.makeAll(t.Context(), k.PathsBeside(nil)); err != nil {
		t.Fatal(err)
	}
	if made := slices.Sorted(slices.Values(*k.made)); !slices.Equal(made, []string{marker, "c"}) {
		t.Errorf("generated %q", made)
	}
	if err := o.linkAll(t.Context()); err != nil {
		t.Fatal(err)
	}
	for name, want := range next {
		if got, err := os.ReadFile(filepath.Join(tmp, filepath.FromSlash(name))); err != nil || string(got) != want {
			t.Errorf("%s is %q, %v; want %q", name, got, err, want)
		}
	}
}

func FuzzRecord(f *testing.F) {
	dir := f.TempDir()
	file, out := filepath.Join(dir, "record"), filepath.Join(dir, "public")
	if err := errors.Join(os.Mkdir(out, 0o755), os.WriteFile(filepath.Join(out, "a"), []byte("a"), 0o644)); err != nil {
		f.Fatal(err)
	}
	now, err := stateOf(filepath.Join(out, "a"))
	folder, errFolder := os.Stat(out)
	if err = errors.Join(err, errFolder); err != nil {
		f.Fatal(err)
	}
	o := &output{now: record{traces: memo.Traces{"a": {Key: memo.KeyOf("a"), Facts: []string{"x", "y"}}}, states: map[string]fileState{"a": now}}}
	o.writeRecord(f.Context(), file, out, folder)
	data, err := os.ReadFile(file)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Fuzz(func(t *testing.T, damaged []byte) {
		name := filepath.Join(t.TempDir(), "record")
		if err := os.WriteFile(name, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		r := readRecord(name, out)
		if len(r.traces) > 0 && !bytes.Equal(damaged, data) {
			t.Errorf("%d files are recorded, want none", len(r.traces))
		}
	})
}

// TestRecordsAreBounded checks that records of outputs that are no longer built are removed.
func TestRecordsAreBounded(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	records := filepath.Join(root, "cache")
	for i := range maxRecords + 5 {
		publishKeyed(t, filepath.Join(root, "public", string(rune('a'+i))), records, site{marker: "", "a": "1"})
	}
	if n := len(filesBelow(t, records)); n != maxRecords {
		t.Errorf("%d records", n)
	}
}
