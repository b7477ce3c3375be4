package search

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// JSON is one line, and has no character that old browsers do not allow in strings.
func TestAppendJSON(t *testing.T) {
	for text, want := range map[string]string{
		"":                         `""`,
		"ação </script> 🚀":         `"ação </script> 🚀"`,
		"a\"b\\c\n\td\x00\x1f\x7f": "\"a\\\"b\\\\c\\n\\td\\u0000\\u001f\x7f\"",
		"\u2028x\u2029":            `"\u2028x\u2029"`,
	} {
		if got := string(appendJSON([]byte("x"), text)); got != "x"+want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
}

// If a server does not send parts of files, readers load whole ones, with the same results.
func TestWholeFiles(t *testing.T) {
	e := engineOf(t, "pt", madeUp(60))
	query := strings.Fields(madeUp(60)[7].Sections[2].Blocks[0].Text)[0]
	want := e.ask(query, 3)
	if e.parts == 0 || slices.ContainsFunc(e.loaded, func(n string) bool { return strings.Contains(n, "/x") }) {
		t.Errorf("%d bytes came in parts, of files %q", e.parts, e.loaded)
	}
	e.whole = true
	e.anew()
	if got := e.ask(query, 3); len(want.Shown) == 0 || fmt.Sprint(got) != fmt.Sprint(want) || e.parts > 0 {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// manyPages returns pages with a common word, which is in the title of a few, and a rare one on some.
func manyPages(n int) (pages []Page) {
	for i := range n {
		p := Page{URL: fmt.Sprintf("p%d/", i), Title: fmt.Sprintf("Página a%d", i), Sections: []Section{{}}}
		if i%500 == 7 {
			p.Title += " do quarkônio"
		}
		for s := range 3 {
			text := strings.Repeat("palavra ", i%5+1) + "quarkônio."
			if i%400 == 399 && s == 1 {
				text = "Um múon só."
			}
			p.Sections = append(p.Sections, Section{ID: fmt.Sprint("s", s), Heading: fmt.Sprint("Seção b", s), Blocks: []Block{{Text: text}}})
		}
		pages = append(pages, p)
	}
	return pages
}

// A long list is cut: the best come first as before, all pages are counted, and a page is also found
// by a word for which the list has only the page.
func TestLongLists(t *testing.T) {
	e := engineOf(t, "pt", manyPages(2000))
	a := e.ask("quarkonio", 3)
	if len(a.Pages) != 2000 || !slices.Equal(a.Pages[:4], []int{7, 507, 1007, 1507}) {
		t.Errorf("%d pages, first %v", len(a.Pages), a.Pages[:min(6, len(a.Pages))])
	}
	for _, name := range e.loaded {
		if size := len(e.Files[name]); size > 3*termSize {
			t.Errorf("%s has %d bytes", name, size)
		}
	}
	a = e.ask("muon quarkonio", 5)
	if got := slices.Sorted(slices.Values(a.Pages)); !slices.Equal(got, []int{399, 799, 1199, 1599, 1999}) || a.Partly {
		t.Errorf("got %v, partly %v", got, a.Partly)
	}
	for _, s := range a.Shown {
		if len(s.Sections) == 0 || s.Sections[0].ID != "s1" || s.Sections[0].Snippet != "Um [múon] só." {
			t.Errorf("got %+v", s)
		}
	}
}
