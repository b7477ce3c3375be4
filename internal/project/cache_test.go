package project

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestKeptFiles: anything else in the place of a cached file, however large, is ignored and
// replaced.
func TestKeptFiles(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	if _, err := os.UserCacheDir(); err != nil {
		t.Skip(err)
	}
	file := CacheFile(formulasFile)
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(file, 1<<40); err != nil {
		t.Skip(err)
	}
	if _, err := cached(formulasFile)(); err == nil {
		t.Error("a file of a terabyte is read")
	}
	c := NewConverter()
	if _, err := c.Convert(t.Context(), "x", false); err != nil {
		t.Fatal(err)
	}
	StoreDrawings(c, NewDrawer())
	if data, err := os.ReadFile(file); err != nil || len(data) > 1<<10 {
		t.Error(len(data), err)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(file, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := NewConverter().Store(&bytes.Buffer{}); err != nil {
		t.Error(err)
	}
}
