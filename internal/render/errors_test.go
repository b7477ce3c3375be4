package render

import (
	"path/filepath"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/gpudocs/gpudocs/internal/site/load"
	"github.com/gpudocs/gpudocs/internal/site/sitetest"
	"github.com/gpudocs/gpudocs/themes"
)

// TestSitesWithErrors checks that a site is published whatever is wrong with its pages: every file of each
// site of package load's tests can be made, and each page that is not left out is among them.
func TestSitesWithErrors(t *testing.T) {
	archives, _ := filepath.Glob("../site/load/testdata/diagnostics/*.txtar")
	if len(archives) == 0 {
		t.Fatal("no sites")
	}
	for _, name := range archives {
		t.Run(filepath.Base(name), func(t *testing.T) {
			a, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			files := map[string]string{}
			for _, f := range a.Files {
				files[f.Name] = string(f.Data)
			}
			all, _ := load.Load(sitetest.FS(files), load.Options{})
			s, _, err := New(t.Context(), all, nil, themes.Default(), Options{})
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range s.Paths() {
				if _, ok, err := s.File(p); err != nil || !ok {
					t.Errorf("%s: %v, %v", p, ok, err)
				}
			}
			for _, p := range all.Pages {
				if _, ok, _ := s.File(p.URL + "index.html"); !ok || all.LeftOut[p.File.Name] {
					t.Errorf("%s is lacking", p.File.Name)
				}
			}
		})
	}
}
