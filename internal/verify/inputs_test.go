package verify

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/site"
)

// folders returns a site's folder and a session's.
func folders(t *testing.T) (root string, work *os.Root) {
	t.Helper()
	root = t.TempDir()
	work, err := os.OpenRoot(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { work.Close() })
	return root, work
}

// sessionOf makes a session of these blocks.
func sessionOf(blocks ...*site.Block) {
	s := &site.Session{Blocks: blocks}
	for _, b := range blocks {
		b.Session = s
	}
}

func hashOf(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestPut(t *testing.T) {
	root, work := folders(t)
	write(t, filepath.Join(root, "a.csv"), "1")
	s := newInputs(root)
	a := site.DataFile{Name: "d/e/a.csv", Path: "a.csv", Size: 1, SHA256: hashOf("1"), Executable: true}
	saved := site.SavedFile{Name: "d/k.h", Block: &site.Block{Code: "code\n"}}
	if err := s.putAll(work, &site.Block{Files: []site.DataFile{a}, Saves: []site.SavedFile{saved, saved}}); err != nil {
		t.Fatal(err)
	}
	if info, err := work.Stat("d/e/a.csv"); err != nil || info.Mode().Perm() != 0o555 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if data, err := work.ReadFile("d/k.h"); err != nil || string(data) != "code\n" {
		t.Errorf("%q, %v", data, err)
	}
	for _, test := range []struct {
		b    *site.Block
		want string
	}{
		{&site.Block{Files: []site.DataFile{a}}, "files: made: d/e/a.csv"},
		{&site.Block{Files: []site.DataFile{{Name: "b", Path: "a.csv", SHA256: hashOf("2")}}}, "files: changed: a.csv"},
		{&site.Block{Files: []site.DataFile{{Name: "c", Path: "gone"}}}, "open gone: no such file or directory"},
		{&site.Block{Files: []site.DataFile{{Name: "c", Path: "../out"}}}, "open ../out: invalid argument"},
		{&site.Block{Saves: []site.SavedFile{{Name: "../out", Block: &site.Block{}}}}, "mkdirat ..: path escapes from parent"},
	} {
		if err := s.putAll(work, test.b); err == nil || err.Error() != test.want {
			t.Errorf("got %v, want %s", err, test.want)
		}
	}
	// What a block has put in its way leads nowhere else.
	out := filepath.Join(t.TempDir(), "out")
	if err := work.Symlink(filepath.Dir(out), "link"); err != nil {
		t.Skip(err)
	}
	if err := s.putAll(work, &site.Block{Saves: []site.SavedFile{{Name: "link/out", Block: &site.Block{}}}}); err == nil {
		t.Error("a file was written through a link")
	}
	if _, err := os.Lstat(out); err == nil {
		t.Error("it exists")
	}
}

func TestLarge(t *testing.T) {
	root, work := folders(t)
	file := filepath.Join(root, "large.bin")
	write(t, file, "")
	if err := os.Truncate(file, 65<<20); err != nil {
		t.Skip(err)
	}
	s := newInputs(root)
	b := &site.Block{Files: []site.DataFile{{Name: "d/l.bin", Path: "large.bin", Size: 65 << 20}}}
	later := &site.Block{}
	sessionOf(b, later)
	if err := s.putAll(work, b); err != nil {
		t.Fatal(err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.large(ended, b); err == nil {
		t.Error("a run that has ended hashes a file")
	}
	files, err := s.large(t.Context(), later)
	if err != nil || len(files) != 1 || files[0].Path != "d/l.bin" || files[0].Bytes != 65<<20 || files[0].SHA256 != hashOf(strings.Repeat("\x00", 65<<20)) {
		t.Fatalf("%+v, %v", files, err)
	}
	if info, err := work.Lstat("d/l.bin"); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Error("it is not a link")
	}
	f, err := os.OpenFile(filepath.Join(work.Name(), "d", "l.bin"), os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString("x"); err != nil {
		t.Fatal(err)
	}
	f.Close()
	again, err := s.large(t.Context(), later)
	if err != nil || again[0].SHA256 == files[0].SHA256 {
		t.Errorf("%+v, %v", again, err)
	}
}
