package theme

import (
	"testing"

	"github.com/gpudocs/gpudocs/internal/render/layout"
	"github.com/gpudocs/gpudocs/themes"
)

// TestQuickTheme checks that layout compiles all templates of the default theme. One that it cannot compile would
// work, but slow down each page.
func TestQuickTheme(t *testing.T) {
	set, faults := layouts(themes.Default())
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	quick := layout.New(set)
	for name, data := range map[string]any{
		"page.html": PageView{}, "root.html": RootView{}, "redirect.html": RedirectView{}, "code": CodeView{}, "callout": CalloutView{}, "tabs": TabsView{}, "note": NoteView{},
		"diagram": DiagramView{}, "machines": MachinesView{}, "live": LiveView{}, "print": PrintView{}, "notfound": NotFoundView{}, "index": IndexView{}, "status": StatusView{},
	} {
		if !quick.Quick(name, data) {
			t.Errorf("%s of %T is left to html/template", name, data)
		}
	}
}
