package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func read(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// onlyFile checks that nothing was left beside the file.
func onlyFile(t *testing.T, dir, name string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 || entries[0].Name() != name {
		t.Errorf("%v, %v", entries, err)
	}
}

// The permissions are the same under every umask; a folder is as open as its file.
func TestWrite(t *testing.T) {
	for _, perm := range []fs.FileMode{0o644, 0o600, 0o640, 0o755} {
		dir := filepath.Join(t.TempDir(), "a", "b")
		file := filepath.Join(dir, "f.json")
		for _, text := range []string{"first", "second, and longer", ""} {
			if err := Write(file, []byte(text), perm); err != nil {
				t.Fatal(err)
			}
			if got := read(t, file); got != text {
				t.Errorf("wrote %q, read %q", text, got)
			}
		}
		onlyFile(t, dir, "f.json")
		if runtime.GOOS == "windows" {
			continue
		}
		if info, err := os.Stat(file); err != nil || info.Mode() != perm {
			t.Errorf("%v: %v, %v", perm, info.Mode(), err)
		}
		if info, err := os.Stat(dir); err != nil || perm == 0o600 && info.Mode().Perm()&0o077 != 0 || info.Mode().Perm()&0o700 != 0o700 {
			t.Errorf("the folder of a file with %v: %v, %v", perm, info.Mode(), err)
		}
	}
}

// The new file appears only at Commit, and a program that has the old one open can still read it.
func TestPending(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "f")
	if err := Write(file, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	p, err := Prepare(file, []byte("new"), 0o644)
	if err != nil {
		t.Fatal(err)
	}
	if got := read(t, file); got != "old" {
		t.Errorf("before Commit it holds %q", got)
	}
	p.Discard()
	onlyFile(t, dir, "f")
	if err := p.Commit(); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Commit after Discard: %v", err)
	}
	if p, err = Prepare(file, []byte("new"), 0o644); err != nil {
		t.Fatal(err)
	}
	defer p.Discard()
	open, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer open.Close()
	if runtime.GOOS == "windows" {
		open.Close() // Windows replaces no open file
	}
	if err := p.Commit(); err != nil {
		t.Fatal(err)
	}
	p.Discard() // has no effect after Commit
	if got := read(t, file); got != "new" {
		t.Errorf("after Commit it holds %q", got)
	}
	if runtime.GOOS != "windows" {
		old := make([]byte, 8)
		if n, err := open.Read(old); err != nil || string(old[:n]) != "old" {
			t.Errorf("the file that was open before: got %q, %v", old[:n], err)
		}
	}
	onlyFile(t, dir, "f")
}

// A symbolic link is replaced; the file that it leads to stays as it is.
func TestLink(t *testing.T) {
	dir := t.TempDir()
	target, link := filepath.Join(dir, "target"), filepath.Join(dir, "link")
	if err := os.WriteFile(target, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("target", link); err != nil {
		t.Skip(err)
	}
	if err := Write(link, []byte("new"), 0o644); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(link); err != nil || !info.Mode().IsRegular() || read(t, link) != "new" || read(t, target) != "old" {
		t.Errorf("%v, %v, %q", info, err, read(t, target))
	}
}

// A failed write leaves the old file unchanged, and no temporary file beside it.
func TestWriteFails(t *testing.T) {
	t.Run("the folder is a file", func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "folder")
		if err := os.WriteFile(file, nil, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := Write(filepath.Join(file, "f"), nil, 0o644); err == nil {
			t.Error("no error")
		}
	})
	t.Run("the name is a folder's", func(t *testing.T) {
		dir := t.TempDir()
		if err := os.MkdirAll(filepath.Join(dir, "f", "x"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := Write(filepath.Join(dir, "f"), nil, 0o644); err == nil {
			t.Error("no error")
		}
		onlyFile(t, dir, "f")
	})
	t.Run("the folder is not writable", func(t *testing.T) {
		if os.Getuid() == 0 {
			t.Skip("root may write everywhere")
		}
		dir := t.TempDir()
		file := filepath.Join(dir, "f")
		if err := errors.Join(os.WriteFile(file, []byte("old"), 0o644), os.Chmod(dir, 0o500)); err != nil {
			t.Fatal(err)
		}
		defer os.Chmod(dir, 0o700)
		if err := Write(file, []byte("new"), 0o644); !errors.Is(err, fs.ErrPermission) {
			t.Error(err)
		}
		if got := read(t, file); got != "old" {
			t.Errorf("the file became %q", got)
		}
	})
}

func TestWritable(t *testing.T) {
	t.Run("a folder that is not there yet", func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "a", "results")
		if err := Writable(filepath.Join(dir, "m.json"), 0o644); err != nil {
			t.Fatal(err)
		}
		if entries, err := os.ReadDir(dir); err != nil || len(entries) != 0 {
			t.Errorf("%v, %v", entries, err)
		}
	})
	t.Run("a file that is there stays", func(t *testing.T) {
		dir := t.TempDir()
		file := filepath.Join(dir, "m.json")
		if err := os.WriteFile(file, []byte("before"), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := Writable(file, 0o644); err != nil {
			t.Fatal(err)
		}
		if got := read(t, file); got != "before" {
			t.Errorf("the file became %q", got)
		}
		onlyFile(t, dir, "m.json")
	})
	t.Run("the folder is a file", func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "results")
		if err := os.WriteFile(file, nil, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := Writable(filepath.Join(file, "m.json"), 0o644); err == nil {
			t.Error("no error")
		}
	})
	t.Run("the folder is not writable", func(t *testing.T) {
		if os.Getuid() == 0 {
			t.Skip("root may write everywhere")
		}
		dir := t.TempDir()
		if err := os.Chmod(dir, 0o500); err != nil {
			t.Fatal(err)
		}
		defer os.Chmod(dir, 0o700)
		if err := Writable(filepath.Join(dir, "m.json"), 0o644); !errors.Is(err, fs.ErrPermission) {
			t.Error(err)
		}
	})
}

// TestSweep checks that only temporary files of a killed Write are removed.
func TestSweep(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "m.json")
	tmp, err := create(file, 0o600) // as Write does
	if err != nil {
		t.Fatal(err)
	}
	tmp.Close()
	stay := []string{".m.json.", ".m.json.12x", ".m.json.bak", ".n.json.12", "m.json", "m.json.12"}
	for _, name := range stay {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	Sweep(file)
	Sweep(filepath.Join(dir, "no", "such.json"))
	entries, _ := os.ReadDir(dir)
	var left []string
	for _, e := range entries {
		left = append(left, e.Name())
	}
	if diff := cmp.Diff(stay, left); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestTarget(t *testing.T) {
	for name, want := range map[string]string{
		".m.json.12": "m.json", ".a.7.12": "a.7", "..x.1": ".x",
		".m.json.": "", ".m.json.12x": "", "m.json.12": "", ".m": "", ".12": "", "..12": "", "": "", ".": "",
	} {
		if got, ok := Target(name); got != want || ok != (want != "") {
			t.Errorf("%q: %q, %v", name, got, ok)
		}
	}
	p, err := Prepare(filepath.Join(t.TempDir(), "it.s"), nil, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Discard()
	if got, _ := Target(filepath.Base(p.tmp)); got != "it.s" || !strings.HasPrefix(filepath.Base(p.tmp), ".") {
		t.Errorf("%s is for %q", p.tmp, got)
	}
}
