package edition

import (
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/site"
)

// has returns an edition of a few pages.
func has(name string, addresses ...string) *Edition {
	files := map[string]bool{}
	for _, a := range addresses {
		files[a+"index.html"] = true
	}
	return &Edition{Name: name, Has: func(file string) bool { return files[file] }}
}

// pages are those of the current site: where each address leads, and which lead to it.
type pages map[string]string

func (p pages) Canonical(address string) (string, bool) { to, ok := p[address]; return to, ok }
func (p pages) Formerly(address string) (list []string) {
	for from, to := range p {
		if to == address && from != to {
			list = append(list, from)
		}
	}
	return list
}

func newList(base string) *List {
	now := has("", "pt/", "es/", "pt/a/", "pt/new/", "pt/100%/")
	now.Label = site.Localized{"pt": "agora"}
	return &List{
		Editions: []*Edition{now, has("2", "", "pt/", "pt/a/", "pt/a/b/", "pt/_print/"), has("1.0", "", "pt/", "pt/old/")},
		Current:  pages{"pt/": "pt/", "pt/a/": "es/a/", "pt/old/": "pt/new/", "pt/new/": "pt/new/", "pt/100%/": "pt/100%/"},
		BaseURL:  base,
	}
}

// TestView lists where the menu of a page leads. A link to another page is in parentheses.
func TestView(t *testing.T) {
	t.Parallel()
	list := newList("")
	for _, c := range [][4]string{
		{"", "pt/a/", "pt/a/", "./ ../../2/pt/a/ (../../1.0/pt/)"},
		{"", "pt/new/", "pt/new/", "./ (../../2/pt/) ../../1.0/pt/old/"},
		{"", "es/", "es/", "./ (../2/) (../1.0/)"},
		{"", "pt/100%/", "pt/100%/", "./ (../../2/pt/) (../../1.0/pt/)"},
		{"2", "pt/a/b/", "pt/a/b/", "(../../../../pt/a/) ./ (../../../../1.0/pt/)"},
		{"2", "pt/_print/", "pt/_print/", "(../../../pt/) ./ (../../../1.0/pt/)"},
		{"1.0", "pt/old/", "pt/old/", "(../../../pt/) (../../../2/pt/) ./"},
		{"1.0", "/docs/1.0/", "pt/404.html", "/docs/pt/ /docs/2/pt/ /docs/1.0/pt/"},
		{"", "/", "pt/404.html", "/pt/ /2/pt/ /1.0/pt/"},
	} {
		var links []string
		v := (&Origin{List: list, Name: c[0]}).View(c[1], c[2], "pt")
		for _, l := range v.Links {
			if l.Elsewhere {
				l.URL = "(" + l.URL + ")"
			}
			links = append(links, l.URL)
		}
		if got := strings.Join(links, " "); got != c[3] {
			t.Errorf("%s %s: %s, want %s", c[0], c[2], got, c[3])
		}
		if (v.Newest == nil) != (c[0] == "") || v.Label == "" {
			t.Errorf("%s %s: %+v", c[0], c[2], v)
		}
	}
	if v := (&Origin{List: &List{Editions: list.Editions[:1]}}).View("pt/", "pt/", "pt"); v != nil {
		t.Errorf("a site alone: %+v", v)
	}
	if v := (*Origin)(nil).View("pt/", "pt/", "pt"); v != nil {
		t.Errorf("no list: %+v", v)
	}
}

func TestCanonical(t *testing.T) {
	t.Parallel()
	for _, c := range [][4]string{
		{"https://x.org/d/", "2", "pt/a/", "https://x.org/d/es/a/"},
		{"https://x.org/d/", "1.0", "pt/old/", "https://x.org/d/pt/new/"},
		{"https://x.org/d/", "2", "pt/100%/", "https://x.org/d/pt/100%25/"},
		{"https://x.org/d/", "2", "", "https://x.org/d/"},
		{"https://x.org/d/", "2", "pt/a/b/", ""},
		{"https://x.org/d/", "", "pt/a/", ""},
		{"", "2", "pt/a/", ""},
	} {
		if got := (&Origin{List: newList(c[0]), Name: c[1]}).Canonical(c[2]); got != c[3] {
			t.Errorf("%q: %q, want %q", c[:3], got, c[3])
		}
	}
}
