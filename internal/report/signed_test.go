package report

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestSignatureFails: if the signature cannot be put into place, the error says that the report
// was written without one.
func TestSignatureFails(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows resolves .. before links")
	}
	dir := t.TempDir()
	// The path leads through a link that the report replaces, so that it is invalid when the
	// signature is put into place.
	if err := errors.Join(os.Mkdir(filepath.Join(dir, "folder"), 0o755), os.Symlink("folder", filepath.Join(dir, "m.json"))); err != nil {
		t.Fatal(err)
	}
	file := dir + "/m.json/../m.json"
	err := WriteSigned(file, []byte("report"), []byte("signature"))
	if !errors.Is(err, ErrNotSigned) || !strings.Contains(err.Error(), file+" is written") {
		t.Errorf("error %v, want %v", err, ErrNotSigned)
	}
	if got := string(read(t, filepath.Join(dir, "m.json"))); got != "report" {
		t.Errorf("the report is %q", got)
	}
	if _, err := os.Lstat(filepath.Join(dir, "m.json"+SignatureExtension)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a signature exists: %v", err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 2 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}
