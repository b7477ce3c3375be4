package render

import (
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/themes"
)

// TestOnce holds that a site whose files are asked for once has the same as any, and that it keeps
// no part of an index and no text of a twin that it has given away.
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
	texts := 0
	for p, text := range once.texts() {
		texts++
		if text.text.Load() != nil {
			t.Errorf("the text of %s is kept", p.URL)
		}
		if often.texts()[p] != nil { // pages are a site's own
			t.Error("two sites share a page")
		}
	}
	if texts != 80 || len(once.indexes) != 2 {
		t.Errorf("%d texts, %d indexes", texts, len(once.indexes))
	}
	for dir, x := range once.indexes {
		if len(x.files) > 0 || len(x.names) < 2 {
			t.Errorf("%s keeps %d of %d files", dir, len(x.files), len(x.names))
		}
		if kept := often.indexes[dir]; len(kept.files) != len(kept.names) {
			t.Errorf("%s has %d of %d files", dir, len(kept.files), len(kept.names))
		}
	}
}
