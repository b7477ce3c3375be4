//go:build unix

package load_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/load"
	"github.com/gpudocs/gpudocs/internal/site/sitetest"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// TestNamedPipes checks that loading does not block on a pipe without a writer.
func TestNamedPipes(t *testing.T) {
	dir, fsys := folder(t, map[string]string{"content/pt/a.md": "# A\n"})
	if err := os.Remove(filepath.Join(dir, site.ConfigFile)); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{site.ConfigFile, "content/pt/b.md", "content/pt/x.png"} {
		if err := syscall.Mkfifo(filepath.Join(dir, name), 0o644); err != nil {
			t.Skip("no named pipes here:", err)
		}
	}
	type result struct {
		site  *site.Site
		diags diag.List
	}
	done := make(chan result, 1)
	go func() {
		s, diags := load.Load(fsys, load.Options{})
		done <- result{s, diags}
	}()
	select {
	case <-time.After(10 * time.Second):
		t.Fatal("loading blocks")
	case r := <-done:
		const want = "gpudocs.toml: error: cannot be read: it is not a regular file\n  hint: make it a plain file that can be read, or remove it\n"
		if got := sitetest.Print(r.diags); got != want || len(r.site.Pages) != 1 || len(r.site.Assets) != 0 {
			t.Errorf("%d pages, assets %v\n%s", len(r.site.Pages), r.site.Assets, got)
		}
	}
}
