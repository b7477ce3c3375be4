package feeds

import (
	"testing"
	"testing/fstest"

	"github.com/gpudocs/gpudocs/internal/render/nav"
	"github.com/gpudocs/gpudocs/internal/render/results"
	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/site/load"
	"github.com/gpudocs/gpudocs/themes"
)

// newFeeds returns the feeds of a site in Portuguese and Spanish without reports.
func newFeeds(t testing.TB, files map[string]string) *Site {
	t.Helper()
	fsys := fstest.MapFS{"gpudocs.toml": {Data: []byte("[languages.pt]\nname = \"Português\"\nweight = 1\n[languages.es]\nname = \"Español\"\nweight = 2\n")}}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	site, diags := load.Load(fsys, load.Options{})
	if site == nil {
		t.Fatal(diags)
	}
	m := &nav.Map{Content: site}
	m.Build()
	return &Site{Content: site, Nav: m, Reports: results.NewIndex(site, nil, nil, &results.Cache{}), Theme: compiledTheme(t)}
}

var themeCache theme.Cache

func compiledTheme(t testing.TB) *theme.Compiled {
	t.Helper()
	compiled, err := themeCache.Compile(themes.Default(), theme.CompileOptions{Languages: []string{"pt", "es"}})
	if err != nil {
		t.Fatal(err)
	}
	return compiled
}
