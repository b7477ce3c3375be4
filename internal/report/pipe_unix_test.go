//go:build unix

package report

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// TestNamedPipe: reading does not wait for a pipe without a writer.
func TestNamedPipe(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, "m.json"), 0o644); err != nil {
		t.Skip("no named pipes here:", err)
	}
	if err := os.Symlink("m.json", filepath.Join(dir, "n.json")); err != nil {
		t.Fatal(err)
	}
	done := make(chan diag.List, 1)
	go func() {
		_, diags := ReadDir(os.DirFS(dir), ".")
		done <- diags
	}()
	select {
	case <-time.After(10 * time.Second):
		t.Fatal("reading waits for the pipe")
	case diags := <-done:
		const why = ": error: cannot be read: it is not a regular file\n  hint: make it a plain file that can be read, or remove it\n"
		if got := printed(diags); got != "m.json"+why+"n.json"+why {
			t.Error(got)
		}
	}
}
