package render

import (
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/tools/txtar"

	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/themes"
)

// TestEmbeddedNotes checks that a page with embedded pages has each id once, no link to a missing id, and no
// heading of a higher level than its section.
func TestEmbeddedNotes(t *testing.T) {
	a, err := txtar.ParseFile("testdata/vault.txtar")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, f := range a.Files {
		if !strings.HasPrefix(f.Name, "want/") {
			files[f.Name] = string(f.Data)
		}
	}
	s := newSite(t, files, themes.Default(), Options{})
	for _, name := range []string{"pt/redes/Blocos/index.html", "es/Kernel/index.html"} {
		page := get(t, s, name)
		balanced(t, name, page)
		ids, groups := map[string]bool{}, 0
		for z := html.NewTokenizer(strings.NewReader(page)); z.Next() != html.ErrorToken; {
			for _, at := range z.Token().Attr {
				if at.Key == "id" && ids[at.Val] {
					t.Errorf("%s: duplicate id %q", name, at.Val)
				}
				ids[at.Val] = ids[at.Val] || at.Key == "id"
				if at.Key == "name" && strings.HasPrefix(at.Val, "_note.") {
					groups++
				}
			}
		}
		for _, part := range strings.Split(page, `href="#`)[1:] {
			id, _, _ := strings.Cut(part, `"`)
			if id, err := url.PathUnescape(id); err != nil || !ids[id] {
				t.Errorf("%s: nothing has the id %q", name, id)
			}
		}
		if strings.Contains(page, "scondido") || strings.Contains(page, "A revisar") || strings.Contains(page, "%%") {
			t.Errorf("%s shows a comment", name)
		}
		if strings.Count(page, "<h1") != 1 {
			t.Errorf("%s: a second title", name)
		}
		if name == "pt/redes/Blocos/index.html" && groups != 1 {
			t.Errorf("%s: %d groups of tabs of another page", name, groups)
		}
	}
	blocks := get(t, s, "pt/redes/Blocos/index.html")
	toc, _, _ := strings.Cut(blocks[strings.Index(blocks, `class="toc"`):], "</nav>")
	if strings.Contains(toc, "Quanto cabe") || !strings.Contains(toc, "Lista") {
		t.Errorf("the contents: %s", toc)
	}
	if strings.Contains(blocks, `class="readout"`) {
		t.Error("a block of another page counts as this page's")
	}
}

// TestReferenceListApart checks that the list of references is not within a paragraph, and that a label without a
// number is named once.
func TestReferenceListApart(t *testing.T) {
	s := newSite(t, map[string]string{
		"gpudocs.toml":    config + "[markdown]\nbibliography = \"r.bib\"\ndialects = [\"d2l\"]\n",
		"r.bib":           "@book{a, author = {Silva}, title = {T}, year = 2020}\n",
		"content/pt/a.md": "# A\n\n:cite:`a` before :bibliography:`r.bib` behind\n\n:numref:`here`\n",
		"content/pt/b.md": "# B\n\nText :label:`here`\n",
		"content/pt/c.md": "# C\n\n:cite:`a`\n\n:bibliography:`r.bib`\n",
	}, themes.Default(), Options{})
	page := get(t, s, "pt/a/index.html")
	balanced(t, "a", page)
	for _, want := range []string{"before</p>\n<ul class=\"references\">", "</ul>\n<p>behind</p>", `#here">B</a>`} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s in\n%s", want, page)
		}
	}
	if page := get(t, s, "pt/c/index.html"); strings.Contains(page, "<p><ul") || strings.Contains(page, "<p></p>") {
		t.Error(page)
	}
}

// TestManyParts checks that a page that embeds too many notes shows the maximum number, with balanced HTML.
func TestManyParts(t *testing.T) {
	s := newSite(t, map[string]string{
		"gpudocs.toml":    config + "[markdown]\ndialects = [\"obsidian\"]\n",
		"content/pt/a.md": strings.Repeat("![[b]]\n\n", site.MaxParts+2),
		"content/pt/b.md": "# B\n\nx\n",
	}, themes.Default(), Options{})
	page := get(t, s, "pt/a/index.html")
	balanced(t, "a", page)
	if got := strings.Count(page, `class="note-part"`); got != site.MaxParts {
		t.Errorf("%d notes", got)
	}
}
