package render

import (
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/themes"
)

// TestOnce holds that a site whose files are asked for once has the same as any, and that it keeps
// no part of an index that it has given away.
func TestOnce(t *testing.T) {
	files := generated(40)
	options := Options{BaseURL: "https://example.org/docs/"}
	often := newSite(t, files, themes.Default(), options)
	options.Once = true
	once := newSite(t, files, themes.Default(), options)
	paths := once.Paths()
	if want := often.Paths(); strings.Join(paths, "\n") != strings.Join(want, "\n") {
		t.Fatalf("%d files, not %d", len(paths), len(want))
	}
	for _, p := range paths {
		want := get(t, often, p)
		if got := get(t, once, p); got != want {
			t.Errorf("%s is another", p)
		}
		if again := get(t, often, p); again != want {
			t.Errorf("%s is another when it is asked for again", p)
		}
	}
	gone := 0
	for _, p := range paths {
		if !strings.Contains(p, "/_search/") {
			continue
		}
		if _, ok, _ := once.File(p); ok {
			t.Errorf("%s is kept", p)
		}
		gone++
	}
	if gone < 4 {
		t.Errorf("only %d files of indexes", gone)
	}
}
