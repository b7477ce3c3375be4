package load_test

import (
	"runtime"
	"testing"
	"testing/fstest"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/load"
)

// TestBody checks that a page has one tree as long as a node of it is in use, and that the links of a new
// tree have the same targets.
func TestBody(t *testing.T) {
	s, diags := load.Load(fstest.MapFS{site.ConfigFile: {}, "content/pt/a.md": {Data: []byte("# A\n\n[b](b.md) ![x](x.svg) [](b.md)\n")},
		"content/pt/b.md": {Data: []byte("# B\n")}, "content/pt/x.svg": {Data: []byte(`<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>`)}}, load.Options{})
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	p := s.Page("a", "pt")
	links := s.Links(p)
	for range 3 {
		n := p.Doc().LastChild().FirstChild()
		runtime.GC()
		if p.Doc().LastChild().FirstChild() != n {
			t.Error("got another tree while a node of the first one is in use")
		}
		image := n.NextSibling().NextSibling()
		if links.Target(n).Page != s.Page("b", "pt") || links.Target(image).Asset != "pt/x.svg" || links.Target(n.Parent()) != (site.Target{}) {
			t.Errorf("targets %v, %v", links.Target(n), links.Target(image))
		}
		if r := links.Reference(p.Doc().LastChild().LastChild().(*markdown.Reference)); r.Target.Page.Source != s.Page("b", "pt").Source {
			t.Errorf("reference to %v", r)
		}
		_, _ = n, image
		runtime.GC()
	}
}
