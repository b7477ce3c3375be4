package nav_test

import (
	"fmt"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/gpudocs/gpudocs/internal/render/nav"
	"github.com/gpudocs/gpudocs/test/rendertest"
)

// TestGolden: the sidebar of each page of a site with groups, what is above it and beside it, and the pages of each language.
func TestGolden(t *testing.T) {
	lab, got := rendertest.Read(t, "testdata/groups.txtar"), map[string]string{}
	m := &nav.Map{Content: lab.Site, BaseURL: "https://example.org/", Changed: map[string]time.Time{"content/pt/x/c.md": time.Unix(1e9, 0).UTC()}}
	list, diags := m.Build()
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	for _, e := range list {
		at := *e.Placed
		tree := m.Trees[at.Language.Code]
		prev, next := m.Neighbours(at)
		got[at.URL()] = rendertest.Dump(t, map[string]any{"items": tree.Items(at.URL()), "above": tree.Breadcrumb(at.URL()), "prev": prev, "next": next,
			"title": e.Title(), "file": at.File(), "text": at.Foreign(), "alternates": m.Alternates(at.Page), "changed": m.ChangedOn(at.Page).Format(time.DateOnly)})
	}
	for _, l := range lab.Site.Languages {
		tree := m.Trees[l.Code]
		order := ""
		for _, e := range tree.Order {
			order += e.Title() + "; "
		}
		checked, indexes := "", ""
		for _, e := range m.Checked(l) {
			checked += e.Title() + "; "
		}
		for _, e := range tree.Indexes() {
			indexes += fmt.Sprintf("%s %s %v; ", e.Index, e.Link(l.Code+"/").URL, e.Several())
		}
		got[l.Code] = rendertest.Dump(t, map[string]any{"order": order, "checked": checked, "indexes": indexes, "title": m.Title(l),
			"tags": m.AlternatesAt("_tags/"), "several": tree.Top.Several(), "home": tree.Home() != nil, "found": tree.Find(l.Code + "/b/").Title(), "near": m.Near("a/", "b/"), "link": m.Link("a/", "b/é")})
	}
	lab.Golden(t, got)
}

// TestOffline: links of a site without an address name the file, and those that readers copy are relative.
func TestOffline(t *testing.T) {
	t.Parallel()
	m := &nav.Map{Offline: true, BaseURL: "https://example.org/"}
	for _, c := range []struct{ from, to, want string }{{"a/", "b/", "../b/index.html"}, {"a/", "", "../index.html"}, {"a/", "b.png", "../b.png"}} {
		if got := m.Link(c.from, c.to); got != c.want || m.AbsoluteLinks() {
			t.Errorf("%q from %q: %s, want %s", c.to, c.from, got, c.want)
		}
	}
}

// siteOf returns a site with a number of pages in a group, and one page in each of five folders.
func siteOf(t *testing.T, pages int) *nav.Map {
	t.Helper()
	text := "-- gpudocs.toml --\n[languages.en]\n[[nav.groups]]\nname = \"learn\"\nlabel = \"Learn\"\nlinks = [{label = \"CUDA\", url = \"https://cuda.example/\"}]\n" +
		"[[nav.groups]]\nname = \"out\"\nlabel = \"Out\"\nlinks = [{label = \"Site\", url = \"https://site.example/\"}]\n-- content/en/index.md --\n# Home\n"
	for i := range pages {
		text += fmt.Sprintf("-- content/en/p%02d.md --\n---\ngroup: learn\n---\n# P%02d\n", i, i)
	}
	for i := range 5 {
		text += fmt.Sprintf("-- content/en/f%d/a.md --\n# F%d\n", i, i)
	}
	m := &nav.Map{Content: rendertest.Make(t, txtar.Parse([]byte(text))).Site}
	if _, diags := m.Build(); len(diags) > 0 {
		t.Fatal(diags)
	}
	return m
}

// TestOneLanguage: a page of the only language has no alternates, and what is not there no link.
func TestOneLanguage(t *testing.T) {
	t.Parallel()
	m := siteOf(t, 1)
	at := *m.Trees["en"].Order[0].Placed
	if l := m.LinkTo("f0/a", at); m.AlternatesAt("_tags/") != nil || m.Alternates(at.Page) != nil || m.LinkTo("gone", at) != nil || l.URL != "f0/a/" || l.Title != "F0" {
		t.Errorf("%+v", l)
	}
	hidden := "-- gpudocs.toml --\n[languages.en]\n-- content/en/index.md --\n---\nhidden: true\n---\n# Home\n-- content/en/a.md --\n# A\n"
	m = &nav.Map{Content: rendertest.Make(t, txtar.Parse([]byte(hidden))).Site}
	if m.Build(); len(m.Trees["en"].Order) != 2 {
		t.Error("the first page of a language is hidden from the others")
	}
}

// TestManyPages: of many pages only the path to the current one is open, and long lists are cut to its neighbours. A group that only has
// links stays open.
func TestManyPages(t *testing.T) {
	t.Parallel()
	shown := func(m *nav.Map, from string) (s string) {
		for _, i := range m.Trees["en"].Items(from) {
			s += i.Title + " " + i.URL
			if i.Open {
				s += fmt.Sprintf(" [%d", len(i.Children))
				if n := len(i.Children); n > 1 {
					s += fmt.Sprintf(": %s %s … %s %s", i.Children[0].Title, i.Children[0].URL, i.Children[n-1].Title, i.Children[n-1].URL)
				}
				s += "]"
			}
			s += "; "
		}
		return s
	}
	closed := "Home ./; F0 f0/a/; F1 f1/a/; F2 f2/a/; F3 f3/a/; F4 f4/a/; Learn p00/; Out  [1]; "
	for _, c := range []struct {
		pages      int
		from, want string
	}{
		{54, "en/", "Home ./; F0  [1]; F1  [1]; F2  [1]; F3  [1]; F4  [1]; Learn  [55: P00 p00/ … CUDA https://cuda.example/]; Out  [1]; "},
		{55, "en/", closed},
		{55, "en/p00/", "Home ../; F0 ../f0/a/; F1 ../f1/a/; F2 ../f2/a/; F3 ../f3/a/; F4 ../f4/a/; Learn  [22: P00 ./ … … ../p21/]; Out  [1]; "},
		{55, "en/p30/", "Home ../; F0 ../f0/a/; F1 ../f1/a/; F2 ../f2/a/; F3 ../f3/a/; F4 ../f4/a/; Learn  [43: … ../p00/ … … ../p51/]; Out  [1]; "},
		{55, "en/p54/", "Home ../; F0 ../f0/a/; F1 ../f1/a/; F2 ../f2/a/; F3 ../f3/a/; F4 ../f4/a/; Learn  [23: … ../p00/ … CUDA https://cuda.example/]; Out  [1]; "},
		{55, "en/nowhere/", "Home ../; F0 ../f0/a/; F1 ../f1/a/; F2 ../f2/a/; F3 ../f3/a/; F4 ../f4/a/; Learn ../p00/; Out  [1]; "},
	} {
		if got := shown(siteOf(t, c.pages), c.from); got != c.want {
			t.Errorf("%d pages, at %s:\n%s\nwant\n%s", c.pages, c.from, got, c.want)
		}
	}
}
