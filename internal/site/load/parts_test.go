package load

import (
	"slices"
	"testing"
	"testing/fstest"
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
