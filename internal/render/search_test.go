package render

import (
	"slices"
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/themes"
)

// A page refers to the index of its language, and does not load it.
func TestSearchFiles(t *testing.T) {
	s := newSite(t, map[string]string{"content/pt/index.md": "# Início\n", "content/es/index.md": "# Inicio\n"}, themes.Default(), Options{})
	if page := get(t, s, "es/index.html"); !strings.Contains(page, `data-index="_search/index.js"`) || strings.Contains(page, `_search/index.js"></script>`) {
		t.Error("the page does not refer to its index, or loads it")
	}
	if get(t, s, "es/_search/index.js") == "" || !slices.Contains(s.Paths(), "es/_search/index.js") {
		t.Error("the index is not among the files")
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
