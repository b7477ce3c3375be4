package memo

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestFileSums checks that a file is hashed again if and only if it may have changed.
func TestFileSums(t *testing.T) {
	var sums FileSums
	dir := t.TempDir()
	file, fsys := filepath.Join(dir, "a"), os.DirFS(dir)
	get := func(text string, changed time.Time) string {
		t.Helper()
		if err := errors.Join(os.WriteFile(file, []byte(text), 0o600), os.Chtimes(file, changed, changed)); err != nil {
			t.Fatal(err)
		}
		sum, size, err := sums.Get(t.Context(), fsys, "a")
		if err != nil || size != int64(len(text)) || len(sum) != 64 {
			t.Fatalf("%s: %q, %d, %v", text, sum, size, err)
		}
		return sum
	}
	old := time.Now().Add(-time.Hour)
	one := get("one", old)
	if get("two", old) != one {
		t.Error("a file that looks the same was hashed again")
	}
	if get("two", old.Add(time.Second)) == one || get("three", old) == one {
		t.Error("a change was not noticed")
	}
	if now := time.Now(); get("one", now) != one || get("two", now) == one {
		t.Error("a file was just written, and a second change was not noticed")
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	get("four", old)
	if err := os.Chtimes(file, time.Now(), time.Now()); err != nil {
		t.Fatal(err)
	}
	if _, _, err := sums.Get(ended, fsys, "a"); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, _, err := sums.Get(t.Context(), fsys, "."); err == nil {
		t.Error("a folder has a hash")
	}
}
