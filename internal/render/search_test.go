package render

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/render/results"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/themes"
)

// The files of the index are among the site's paths, and have the same bytes whether they are requested by name or
// all at once.
func TestSearchFiles(t *testing.T) {
	files := map[string]string{"content/pt/index.md": "# Início\n\nTexto.\n", "content/es/index.md": "# Inicio\n\nTexto.\n"}
	s, again := newSite(t, files, themes.Default(), Options{}), newSite(t, files, themes.Default(), Options{},
		results.Source{Report: &report.Report{Machine: report.Machine{Name: "outra"}}})
	head := get(t, s, "pt/_search/index.js")
	if !strings.HasPrefix(head, "gpudocs.search.head({") {
		t.Errorf("got %s", head)
	}
	paths := slices.DeleteFunc(slices.Clone(s.Paths()), func(p string) bool { return !strings.Contains(p, "/_search/") })
	if len(paths) != 6 || !slices.IsSorted(s.Paths()) {
		t.Errorf("got %q", paths)
	}
	for _, p := range paths {
		if a, b := get(t, s, p), get(t, again, p); a != b {
			t.Errorf("%s depends on a machine's results", p)
		}
	}
	if _, ok, _ := s.File("pt/_search/nothing.js"); ok {
		t.Error("no error for a file that does not exist")
	}
	if page := get(t, s, "es/index.html"); !strings.Contains(page, `data-index="_search/index.js"`) || bytes.Contains([]byte(page), []byte("_search/index.js\"></script>")) {
		t.Error("the page does not refer to its index, or loads it")
	}
}

// html/template takes an attribute whose name begins with data-on for a script, and quotes its text once more.
func TestSearchTextsStandPlainly(t *testing.T) {
	s := newSite(t, map[string]string{"content/pt/index.md": "# Início\n\nTexto.\n"}, themes.Default(), Options{})
	page := get(t, s, "pt/index.html")
	if !strings.Contains(page, `="1 página"`) || strings.Contains(page, `="&#34;`) {
		t.Error("the text for one result is not in the dialog unchanged")
	}
}
