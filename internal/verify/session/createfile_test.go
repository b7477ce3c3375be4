//go:build unix

package session

import (
	"os"
	"path/filepath"
	"testing"
)

func TestCreateFile(t *testing.T) {
	s := start(t, options(t, Bash))
	outside := filepath.Join(t.TempDir(), "outside")
	if err := os.WriteFile(outside, []byte("kept"), 0o600); err != nil {
		t.Fatal(err)
	}
	run(t, s, Step{File: "a.md", Line: 1, Code: "ln -s '" + outside + "' a.txt; mkdir -p d; ln -s '" + filepath.Dir(outside) + "' d/out"})
	for _, name := range []string{"a.txt", "a.txt", "d/e/b.txt"} {
		if err := CreateFile(s.Folder(), name, []byte("text\n"), 0o400); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range []string{"d/out/outside", "../b.txt", "/tmp/b.txt", "d"} {
		if err := CreateFile(s.Folder(), name, []byte("text\n"), 0o600); err == nil {
			t.Errorf("%s was written", name)
		}
	}
	if r := run(t, s, Step{File: "a.md", Line: 1, Code: "cat a.txt d/e/b.txt"}); string(r.Stdout.Text) != "text\ntext\n" {
		t.Errorf("the session reads %q, %q", r.Stdout.Text, r.Stderr.Text)
	}
	if data, err := os.ReadFile(outside); err != nil || string(data) != "kept" {
		t.Errorf("a file outside of the folder: %q, %v", data, err)
	}
}
