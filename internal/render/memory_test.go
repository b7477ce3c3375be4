package render

import (
	"context"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"testing"
	"testing/fstest"
	"weak"

	"github.com/gpudocs/gpudocs/internal/render/diagram"
	"github.com/gpudocs/gpudocs/internal/render/highlight"
	"github.com/gpudocs/gpudocs/internal/render/results"
	"github.com/gpudocs/gpudocs/internal/render/tex"
	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/load"
	"github.com/gpudocs/gpudocs/internal/text/diag"
	"github.com/gpudocs/gpudocs/themes"
)

// TestEarlierSitesAreFreed edits pages that refer to each other in every way, one after the other, and checks
// that nothing of earlier sites is still in memory.
func TestEarlierSitesAreFreed(t *testing.T) {
	const pages, edits = 6, 24
	name := func(i int) string { return fmt.Sprintf("content/pt/p%d.md", (i+pages)%pages) }
	text := func(i, edit int) []byte {
		next, last := (i+1)%pages, (i+pages-1)%pages
		text := fmt.Sprintf("---\ndialects: [obsidian, d2l]\n---\n# Page %d\n\nEdit %d.\n\n[next](p%d.md), [last](p%d.md#s), [self](#s), <a href=\"p%d.md\">raw</a>, [](p%d.md#s), [[p%d]]\n\n## S {#s}\n\n", i, edit, next, last, next, next, last) +
			fmt.Sprintf("```python {run name=b%d}\nprint(%d)\n```\n\n```toc\np%d\n```\n", i, i, next)
		if i%2 == 0 {
			text += fmt.Sprintf("\n![[p%d]]\n", next)
		}
		return []byte(text)
	}
	files := fstest.MapFS{
		site.ConfigFile:       {},
		"content/pt/index.md": {Data: []byte("# Home\n")},
		"content/es/index.md": {Data: []byte("# Inicio\n\n[pt](../pt/p1.md)\n")},
	}
	for i := range pages {
		files[name(i)] = &fstest.MapFile{Data: text(i, 0)}
	}
	loader := load.NewLoader(files, load.Options{Drafts: true, Editing: true})
	o := Options{Lazy: true, Root: "/", Highlighter: new(highlight.Highlighter), Math: tex.New(nil), Diagrams: diagram.New(nil), Theme: &theme.Cache{}, Reports: &results.Cache{}}
	var newest *Site
	contents := map[weak.Pointer[site.Site]]bool{}
	parsed := map[weak.Pointer[site.Page]]bool{} // the pages of blocks
	linked := map[weak.Pointer[site.Page]]bool{} // those of sites
	sources := map[weak.Pointer[diag.File]]bool{}
	load := func(changed ...string) {
		site, diags := loader.Load(changed)
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		s, diags, err := New(context.Background(), site, nil, themes.Default(), o)
		if err != nil || diags.HasErrors() {
			t.Fatal(err, diags)
		}
		for _, p := range s.Paths() {
			if _, _, err := s.File(p); err != nil {
				t.Fatal(err)
			}
		}
		contents[weak.Make(site)] = true
		for _, p := range site.Pages {
			linked[weak.Make(p)], sources[weak.Make(p.Source)] = true, true
			for _, b := range p.Blocks {
				parsed[weak.Make(b.Page)] = true
			}
		}
		newest = s
	}
	load()
	for edit := range edits {
		i := edit % pages
		files[name(i)] = &fstest.MapFile{Data: text(i, edit)}
		load(name(i))
	}
	if len(linked) < edits || len(sources) < edits {
		t.Fatalf("%d pages of %d files were made by %d edits", len(linked), len(sources), edits)
	}
	for range 3 { // what a pool holds goes in the second
		runtime.GC()
	}
	now := newest.plan.content
	if n := alive(contents); n != 1 {
		t.Errorf("%d sites are in memory, not 1", n)
	}
	if n := alive(sources); n != len(now.Pages) {
		t.Errorf("%d sources of pages are in memory, not %d", n, len(now.Pages))
	}
	if n := alive(linked); n != len(now.Pages) {
		t.Errorf("%d pages of sites are in memory, not %d", n, len(now.Pages))
	}
	if n := alive(parsed); n != pages {
		t.Errorf("%d pages of blocks are in memory, not %d", n, pages)
	}
	runtime.KeepAlive(newest)
	runtime.KeepAlive(loader)
}

// alive counts the things that are still in memory.
func alive[T any](all map[weak.Pointer[T]]bool) int {
	return len(slices.DeleteFunc(slices.Collect(maps.Keys(all)), func(p weak.Pointer[T]) bool { return p.Value() == nil }))
}
