package nav

import (
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/site"
)

// outline writes the tree on one line.
func outline(e *Entry) string {
	var parts []string
	for _, c := range e.Children {
		s := c.Title()
		if len(c.Children) > 0 {
			s += "(" + outline(c) + ")"
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, " ")
}

// TestArrange checks that pages stand in the sections that list them, in order, and that none is lost.
func TestArrange(t *testing.T) {
	en := &site.Language{Code: "en"}
	for _, tt := range []struct{ pages, listed, want string }{
		{"index b a x/c x/d", "", "A B X(C D)"},
		{"index b a x/c x/d", "0:index 0:#Part 1:b 1:x/d 0:#Last 1:a", "Part(B D) Last(A) X(C)"},
		{"b a", "0:b 1:a", "B(A)"},
		{"a a/b", "0:a/b 1:a", "B(A)"},
		{"a1 a10 a2", "", "A1 A2 A10"},
		{"x/a y/b", "0:y/b 0:x/a", "B A"},
		{"x/a y/b z/c", "0:#P 1:z/c", "P(C) X(A) Y(B)"},
		{"a b", "0:gone 1:b 0:#Empty 0:a", "Gone(B) A"},
	} {
		s := &site.Site{Config: &site.Config{}, Languages: []*site.Language{en}, Names: &site.NameIndex{ByKey: map[string]map[string]int{}}, ListPositions: map[*site.Page]int{}}
		files := map[string]*site.Page{}
		for i, name := range strings.Fields(tt.pages) {
			p := &site.Page{Language: en, Path: name + ".md", Key: name, URL: "en/" + name + "/", Title: strings.ToUpper(name[strings.LastIndex(name, "/")+1:])}
			if name == "index" {
				p.URL = "en/"
			}
			s.Pages, s.Names.Sources = append(s.Pages, p), append(s.Names.Sources, i)
			s.Names.ByKey[name] = map[string]int{"en": i}
			files[name] = p
		}
		c := &site.Course{}
		for i, l := range strings.Fields(tt.listed) {
			depth, name, _ := strings.Cut(l, ":")
			listed := site.Listed{Language: "en", Depth: int(depth[0] - '0')}
			if title, ok := strings.CutPrefix(name, "#"); ok {
				listed.Title = title
			} else if listed.File = "en/" + name + ".md"; files[name] != nil {
				s.ListPositions[files[name]] = i + 1
			} else {
				listed.Title = "Gone"
			}
			c.Listed = append(c.Listed, listed)
		}
		s.Courses = []*site.Course{c}
		m := &Map{Content: s}
		if _, diags := m.Build(); len(diags) > 0 {
			t.Fatal(diags)
		}
		tree := m.Trees["en"]
		if got := outline(tree.Top); got != tt.want || len(tree.Order) != len(s.Pages) {
			t.Errorf("%q listed as %q: %s, %d pages; want %s", tt.pages, tt.listed, got, len(tree.Order), tt.want)
		}
		for _, e := range tree.Order {
			if e.Parent == nil && e != tree.Top {
				t.Errorf("%q listed as %q: %s is nowhere", tt.pages, tt.listed, e.Title())
			}
		}
	}
}
