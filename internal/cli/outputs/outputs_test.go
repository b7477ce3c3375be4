package outputs

import (
	"os"
	"path/filepath"
	"testing"
)

// TestBelowRoot: paths of the site become relative to the repository, through symbolic links
// too; those of a site outside of it stay.
func TestBelowRoot(t *testing.T) {
	for _, name := range []string{"GITHUB_WORKSPACE", "CI_PROJECT_DIR", "WORKSPACE"} {
		t.Setenv(name, "")
	}
	root := t.TempDir()
	site := filepath.Join(root, "a", "docs")
	if err := os.MkdirAll(site, 0o755); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(root, link); err != nil {
		t.Skip(err)
	}
	if got := belowRoot(site); got != "" {
		t.Errorf("without a root: %q", got)
	}
	for workspace, want := range map[string]string{root: "a/docs", link: "a/docs", site: ".", filepath.Join(site, "more"): "", t.TempDir(): ""} {
		t.Setenv("CI_PROJECT_DIR", workspace)
		if got := belowRoot(site); got != want {
			t.Errorf("below %s: %q, want %q", workspace, got, want)
		}
	}
}
