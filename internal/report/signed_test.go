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

// TestSignatureFails checks that a signature that cannot be put into place is an
// error that says what there is: the report, and no signature.
func TestSignatureFails(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows resolves .. before links")
	}
	dir := t.TempDir()
	// The path leads through a link which the report replaces, so that it leads
	// nowhere when the signature's turn comes.
	if err := errors.Join(os.Mkdir(filepath.Join(dir, "folder"), 0o755), os.Symlink("folder", filepath.Join(dir, "m.json"))); err != nil {
		t.Fatal(err)
	}
	file := dir + "/m.json/../m.json"
	err := WriteSigned(file, []byte("report"), []byte("signature"))
	if !errors.Is(err, ErrNotSigned) || !strings.Contains(err.Error(), file+" is written") {
		t.Errorf("error %v, want %v", err, ErrNotSigned)
	}
	if got := string(read(t, filepath.Join(dir, "m.json"))); got != "report" {
		t.Errorf("the report holds %q", got)
	}
	if _, err := os.Lstat(filepath.Join(dir, "m.json"+SignatureExtension)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a signature is there: %v", err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 2 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}
