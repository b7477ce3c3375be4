package page_test

import (
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/test/rendertest"
)

// TestEmbeddedNotes checks that a page with embedded pages has each id once, no link to a missing id, and no
// heading of a higher level than its section.
func TestEmbeddedNotes(t *testing.T) {
	pages := textsOf(t, rendertest.Read(t, "testdata/vault.txtar").Site, nil, nil)
	for _, name := range []string{"pt/redes/Blocos/", "es/Kernel/"} {
		page := pages[name]
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
			if id, err := url.PathUnescape(id); err != nil || !ids[id] && !strings.HasPrefix(id, "_i-") { // icons of the theme
				t.Errorf("%s: nothing has the id %q", name, id)
			}
		}
		if strings.Contains(page, "scondido") || strings.Contains(page, "A revisar") || strings.Contains(page, "%%") {
			t.Errorf("%s shows a comment", name)
		}
		if strings.Count(page, "<h1") != 1 {
			t.Errorf("%s: a second title", name)
		}
		if name == "pt/redes/Blocos/" && groups != 1 {
			t.Errorf("%s: %d groups of tabs of another page", name, groups)
		}
	}
}

// TestReferenceListApart checks that the list of references is not within a paragraph, and that a label without a
// number is named once.
func TestReferenceListApart(t *testing.T) {
	pages := rendered(t, map[string]string{
		"gpudocs.toml":    config + "[markdown]\nbibliography = \"r.bib\"\ndialects = [\"d2l\"]\n",
		"r.bib":           "@book{a, author = {Silva}, title = {T}, year = 2020}\n",
		"content/pt/a.md": "# A\n\n:cite:`a` before :bibliography:`r.bib` behind\n\n:numref:`here`\n",
		"content/pt/b.md": "# B\n\nText :label:`here`\n",
		"content/pt/c.md": "# C\n\n:cite:`a`\n\n:bibliography:`r.bib`\n",
	})
	page := pages["pt/a/"]
	balanced(t, "a", page)
	for _, want := range []string{"before</p>\n<ul class=\"references\">", "</ul>\n<p>behind</p>", `#here">B</a>`} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s in\n%s", want, page)
		}
	}
	if page := pages["pt/c/"]; strings.Contains(page, "<p><ul") || strings.Contains(page, "<p></p>") {
		t.Error(page)
	}
}

// TestManyParts checks that a page that embeds too many notes shows the maximum number, with balanced HTML.
func TestManyParts(t *testing.T) {
	pages := rendered(t, map[string]string{
		"gpudocs.toml":    config + "[markdown]\ndialects = [\"obsidian\"]\n",
		"content/pt/a.md": strings.Repeat("![[b]]\n\n", site.MaxParts+2),
		"content/pt/b.md": "# B\n\nx\n",
	})
	page := pages["pt/a/"]
	balanced(t, "a", page)
	if got := strings.Count(page, `class="note-part"`); got != site.MaxParts {
		t.Errorf("%d notes", got)
	}
}
