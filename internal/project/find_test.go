package project

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

func TestSiteAbove(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("permissions of folders mean nothing on Windows")
	}
	root := t.TempDir()
	for dir, mode := range map[string]os.FileMode{"site": 0o755, "site/pt": 0o755, "site/pt/a": 0o755, "site/own": 0o755, "site/own/content": 0o755, "open": 0o777, "open/below": 0o755} {
		dir = filepath.Join(root, dir)
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(dir, mode); err != nil { // whatever the umask is
			t.Fatal(err)
		}
	}
	for _, f := range []string{"site/gpudocs.toml", "open/gpudocs.toml"} {
		if err := os.WriteFile(filepath.Join(root, f), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for here, want := range map[string]string{
		"site": "site", "site/pt": "site", "site/pt/a": "site",
		"site/own":   "site/own", // a site of its own, whose gpudocs.toml is missing
		"open":       "open",
		"open/below": "open/below", // everyone may write a gpudocs.toml above
	} {
		if got := siteAbove(filepath.Join(root, here)); got != filepath.Join(root, want) {
			t.Errorf("%s: %s, want %s", here, got, want)
		}
	}
}

// TestOfOtherUser checks whose gpudocs.toml in a folder above is used.
func TestOfOtherUser(t *testing.T) {
	file := filepath.Join(t.TempDir(), "gpudocs.toml")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	of := func() bool {
		info, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		return ofOtherUser(info)
	}
	if of() {
		t.Error("a file of this user")
	}
	if err := os.Chown(file, 12345, -1); err != nil {
		t.Skip("only root can give a file to another user")
	}
	if !of() {
		t.Error("a file of user 12345")
	}
}
