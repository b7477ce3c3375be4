package content

import (
	"fmt"
	"strings"
	"testing"
)

// TestBoundedConfig holds that gpudocs.toml is refused, with the place, where reading it
// would take time out of proportion to it.
func TestBoundedConfig(t *testing.T) {
	lines := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, strings.ReplaceAll(format, "%", "%[1]d"), i)
		}
		return b.String()
	}
	var codes strings.Builder
	for i := range maxLanguages + 5 {
		fmt.Fprintf(&codes, "[languages.x%c%c]\n", 'a'+i/26, 'a'+i%26)
	}
	for _, tt := range []struct{ name, config, want string }{
		{"keys", "[params]\n" + lines(20000, "k% = 1\n"), "gpudocs.toml:2001:7: error: the file has more than 2000 keys and tables"},
		{"unknown tables", lines(20000, "[k%]\n"), "gpudocs.toml:2001:1: error: the file has more than 2000 keys and tables"},
		{"languages", codes.String(), "gpudocs.toml:201:12: error: 205 languages, more than 200"},
		{"environments", lines(200, "[env.e%]\n"), "gpudocs.toml: error: there are more than 50 errors in this file"},
		{"packages", "[blocks]\npackages = [" + lines(200, "'!%', ") + "]\n", "gpudocs.toml: error: there are more than 50 errors in this file"},
	} {
		_, out := load(t, map[string]string{"gpudocs.toml": tt.config, "content/pt/p.md": "# P\n"})
		if !strings.Contains(out, tt.want) {
			t.Errorf("%s: got %.300s, want %s", tt.name, out, tt.want)
		}
		if n := strings.Count(out, "error:"); n > maxFaults+1 {
			t.Errorf("%s: %d errors", tt.name, n)
		}
	}
	folders := map[string]string{"gpudocs.toml": "title = 'X'\n"}
	for a := 'a'; a <= 'z'; a++ {
		for b := 'a'; b <= 'z'; b++ {
			folders[fmt.Sprintf("content/a%c%c/p.md", a, b)] = "# P\n"
		}
	}
	if s, out := load(t, folders); !strings.Contains(out, "content: error: ") || !strings.Contains(out, "languages, more than 200") || len(s.Languages) != maxLanguages {
		t.Errorf("%.300s", out)
	}
}

// TestNumberedIDs holds that an id that is taken gets the first free number, of whatever
// the number and the names that the others have.
func TestNumberedIDs(t *testing.T) {
	s, _ := load(t, map[string]string{"content/pt/p.md": "# P\n\n## a\n\n## a\n\n## a-1\n\n## a-3\n\n## a\n\n## a\n\n## a-1\n\n## b {#a-5}\n\n## a\n"})
	var ids []string
	for _, h := range s.Pages[0].Headings {
		ids = append(ids, h.ID)
	}
	if got, want := strings.Join(ids, " "), "a a-1 a-1-1 a-3 a-2 a-4 a-1-2 a-5 a-6"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestNamesakes holds that of very many notes of one name a link leads to the nearest,
// and that it says so.
func TestNamesakes(t *testing.T) {
	files := map[string]string{"gpudocs.toml": "[languages.pt]\n[markdown]\ndialects = ['obsidian']\n", "content/pt/x/y/p.md": "# P\n\n[[note]]\n", "content/pt/q.md": "# Q\n\n[[note]]\n"}
	for i := range 3 * maxNamesakes {
		files[fmt.Sprintf("content/pt/%03d/note.md", i)] = "# N\n"
	}
	files["content/pt/x/note.md"], files["content/pt/x/y/note.md"] = "# N\n", "# N\n"
	s, out := load(t, files)
	if !strings.Contains(out, `content/pt/x/y/p.md:3:3: warning: the name "note" means pt/x/y/note.md and pt/x/note.md`) ||
		!strings.Contains(out, `content/pt/q.md:3:3: warning: the name "note" means pt/000/note.md and pt/001/note.md`) {
		t.Error(out)
	}
	for _, p := range s.Pages {
		if p.Path == "x/y/p.md" && p.Links[0].Target.Page.Path != "x/y/note.md" {
			t.Errorf("leads to %s", p.Links[0].Target.Page.Path)
		}
	}
}
