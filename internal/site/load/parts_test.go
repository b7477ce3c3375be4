package load

import (
	"fmt"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/coursefile"
)

// TestShownParts checks which files below a folder with _ are published: pictures that a page names.
func TestShownParts(t *testing.T) {
	t.Parallel()
	files := fstest.MapFS{"gpudocs.toml": {}, "content/pt/a/index.md": {Data: []byte("# A\n\n![x](../my_dir/_static/b_c.svg) ![y](_s/d.svg) and _s/data.csv and _theme/x.svg _s/_e.svg\n")}}
	for _, name := range []string{"pt/my_dir/_static/b_c.svg", "pt/_static/other.svg", "pt/a/_s/d.svg", "pt/a/_s/data.csv", "pt/a/_s/_e.svg", "_theme/x.svg"} {
		files["content/"+name] = &fstest.MapFile{Data: []byte(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"></svg>`)}
	}
	s, diags := Load(files, Options{})
	if want := []string{"pt/a/_s/d.svg", "pt/my_dir/_static/b_c.svg"}; !slices.Equal(s.Assets, want) || diags.HasErrors() {
		t.Errorf("%q\nwant %q\n%v", s.Assets, want, diags)
	}
}

// TestManyPatterns checks that the patterns of all sections together are bounded.
func TestManyPatterns(t *testing.T) {
	names, sections := pageNames{files: map[string]bool{}}, make([]coursefile.Entry, 3)
	for i := range 3 * maxGlobs / 2 {
		names.files[fmt.Sprintf("en/p%d.md", i)] = true
		s := &sections[i%3]
		s.Entries = append(s.Entries, coursefile.Entry{Path: fmt.Sprintf("p%d.*", i)})
	}
	c := &course{Course: site.Course{Course: &coursefile.Course{}}, listed: map[string]bool{}}
	c.list(sections, base{folder: "en", language: "en"}, names, 0)
	if len(c.Listed) != maxGlobs {
		t.Errorf("%d pages are listed", len(c.Listed))
	}
}
