package load_test

import (
	"fmt"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/load"
	"github.com/gpudocs/gpudocs/internal/site/sitetest"
)

// TestShownParts checks which files below a folder with _ are published: pictures that a page names.
func TestShownParts(t *testing.T) {
	t.Parallel()
	files := fstest.MapFS{"gpudocs.toml": {}, "content/pt/a/index.md": {Data: []byte("# A\n\n![x](../my_dir/_static/b_c.svg) ![y](_s/d.svg) and _s/data.csv and _theme/x.svg _s/_e.svg\n")}}
	for _, name := range []string{"pt/my_dir/_static/b_c.svg", "pt/_static/other.svg", "pt/a/_s/d.svg", "pt/a/_s/data.csv", "pt/a/_s/_e.svg", "_theme/x.svg"} {
		files["content/"+name] = &fstest.MapFile{Data: []byte(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"></svg>`)}
	}
	s, diags := load.Load(files, load.Options{})
	if want := []string{"pt/a/_s/d.svg", "pt/my_dir/_static/b_c.svg"}; !slices.Equal(s.Assets, want) || diags.HasErrors() {
		t.Errorf("%q\nwant %q\n%v", s.Assets, want, diags)
	}
}

// TestManyPatterns checks that the patterns of all sections together are bounded.
func TestManyPatterns(t *testing.T) {
	const most = 100
	files, nav := map[string]string{"content/en/index.md": "# I\n"}, ""
	for i := range 3 * most / 2 {
		if i%(most/2) == 0 {
			nav += fmt.Sprintf("- Section %d:\n", i)
		}
		files[fmt.Sprintf("content/en/p%d.md", i)] = "# P\n"
		nav += fmt.Sprintf("  - p%d.*\n", i)
	}
	files["mkdocs.yml"] = "nav:\n" + nav
	s, _ := load.Load(sitetest.FS(files), load.Options{})
	pages := slices.DeleteFunc(slices.Clone(s.Courses[0].Listed), func(l site.Listed) bool { return l.File == "" })
	if len(pages) != most {
		t.Errorf("%d pages are listed", len(pages))
	}
}
