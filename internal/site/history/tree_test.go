package history

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// extracted lists what Extract writes, with the beginning of each file.
func extracted(t *testing.T, tree Tree, under string) string {
	t.Helper()
	root, err := os.OpenRoot(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if err := tree.Extract(t.Context(), under, root); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	err = fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || d.IsDir():
			return err
		case d.Type() == fs.ModeSymlink:
			to, err := root.Readlink(name)
			fmt.Fprintf(&b, "%s -> %s\n", name, to)
			return err
		}
		data, err := fs.ReadFile(root.FS(), name)
		fmt.Fprintf(&b, "%s %.10q\n", name, data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestTree(t *testing.T) {
	r := newRepository(t)
	r.write("site/gpudocs.toml", "")
	r.write("site/content/ação \t.md", "one\r\ntwo")
	r.write("site/.gitattributes", "*.md export-ignore text eol=crlf\n")
	r.write("other.md", "")
	if err := os.Symlink("../../../etc/passwd", filepath.Join(r.dir, "site", "link")); err != nil {
		t.Skip(err)
	}
	r.git("-c", "core.autocrlf=false", "add", ".")
	r.commit()
	r.git("tag", "v1")
	r.git("tag", "-a", "-m", "with a message", "v1.0")
	r.write("site/content/ação \t.md", "later")
	r.git("checkout", "-q", "-b", "deadbeef")
	r.commit()

	site := filepath.Join(r.dir, "site")
	const want = ".gitattributes \"*.md expor\"\ncontent/ação \t.md \"one\\ntwo\"\ngpudocs.toml \"\"\nlink -> ../../../etc/passwd\n"
	for _, ref := range []string{"v1", "v1.0", "main"} {
		tree, err := Find(t.Context(), site, ref)
		if err != nil {
			t.Fatal(ref, err)
		}
		if got := extracted(t, tree, ""); got != want {
			t.Errorf("%s: %s", ref, got)
		}
		if got := extracted(t, tree, "content"); got != "ação \t.md \"one\\ntwo\"\n" {
			t.Errorf("%s: %s", ref, got)
		}
		if whole, err := Find(t.Context(), r.dir, tree.Commit); err != nil || !strings.Contains(extracted(t, whole, ""), "other.md") {
			t.Errorf("%s: %v", tree.Commit, err)
		}
	}

	// A clone has the branches of its origin; a part of a hash is no name.
	clone := filepath.Join(t.TempDir(), "a clone")
	r.git("clone", "-q", "--branch", "main", "file://"+filepath.ToSlash(r.dir), clone)
	branch, err := Find(t.Context(), filepath.Join(clone, "site"), "deadbeef")
	if err != nil || !strings.Contains(extracted(t, branch, ""), "later") {
		t.Errorf("a branch of origin: %v", err)
	}
	for _, ref := range []string{"gone", branch.Commit[:8], strings.Repeat("0", 40)} {
		if _, err := Find(t.Context(), site, ref); !errors.Is(err, ErrNoRef) {
			t.Errorf("%s: %v", ref, err)
		}
	}
	if _, err := Find(t.Context(), t.TempDir(), "v1"); err == nil || errors.Is(err, ErrNoRef) {
		t.Errorf("no repository: %v", err)
	}
}

// TestHostileTree extracts names that a tree must not have.
func TestHostileTree(t *testing.T) {
	r := newRepository(t)
	r.write("a", "x")
	r.commit()
	root, err := os.OpenRoot(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if err := root.Symlink("..", "up"); err != nil {
		t.Skip(err)
	}
	for _, name := range []string{"../x", "up/x", "/x"} {
		if err := (entry{name: name}).write(strings.NewReader("x"), root); err == nil {
			t.Errorf("%s was written", name)
		}
	}
}
