package load_test

import (
	"testing"

	"github.com/gpudocs/gpudocs/internal/site/load"
	"github.com/gpudocs/gpudocs/internal/site/sitetest"
)

// TestDrawingsAreKept checks that a loader reads an SVG again only if it may have changed.
func TestDrawingsAreKept(t *testing.T) {
	t.Parallel()
	fsys := sitetest.FS(map[string]string{"content/pt/x.md": "# X\n", "content/a.svg": "<svg><script/></svg>"})
	l := load.NewLoader(fsys, load.Options{})
	for i, changed := range [][]string{nil, {"content/pt/x.md"}, {"content/a.svg"}} {
		if i == 2 {
			fsys["content/a.svg"].Data = []byte("<svg/>")
		}
		if _, diags := l.Load(changed); len(diags) != map[bool]int{true: 1}[i < 2] {
			t.Errorf("%d: %v", i, diags)
		}
	}
}
