package resolve_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/site/sitetest"
)

// TestNamesakes checks that of many notes with the same name a link leads to the nearest one, with a
// diagnostic.
func TestNamesakes(t *testing.T) {
	files := map[string]string{"gpudocs.toml": "[languages.pt]\n[markdown]\ndialects = ['obsidian']\n", "content/pt/x/y/p.md": "# P\n\n[[note]]\n", "content/pt/q.md": "# Q\n\n[[note]]\n"}
	for i := range 300 {
		files[fmt.Sprintf("content/pt/%03d/note.md", i)] = "# N\n"
	}
	files["content/pt/x/note.md"], files["content/pt/x/y/note.md"] = "# N\n", "# N\n"
	s, out := sitetest.Load(t, files)
	if !strings.Contains(out, `content/pt/x/y/p.md:3:3: warning: the name "note" means pt/x/y/note.md and pt/x/note.md`) ||
		!strings.Contains(out, `content/pt/q.md:3:3: warning: the name "note" means pt/000/note.md and pt/001/note.md`) {
		t.Error(out)
	}
	for _, p := range s.Pages {
		if p.Path == "x/y/p.md" && s.Links(p).All[0].Target.Page.Path != "x/y/note.md" {
			t.Errorf("leads to %s", s.Links(p).All[0].Target.Page.Path)
		}
	}
}
