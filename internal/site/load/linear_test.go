package load_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/gpudocs/gpudocs/internal/complexitytest"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/load"
	"github.com/gpudocs/gpudocs/internal/site/sitetest"
)

// TestLoadIsLinear checks that loading takes time proportional to the number of pages, also if each has a
// fault or a part that nothing includes.
func TestLoadIsLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("loads sites of hundreds of pages")
	}
	many := func(page func(i int) string) func(n int) {
		return func(n int) {
			files := fstest.MapFS{site.ConfigFile: {Data: []byte("[languages.pt]\n[languages.es]\n")}}
			for i := range n {
				for _, l := range []string{"pt", "es"} {
					files[fmt.Sprintf("content/%s/%d/p%d.md", l, i/50, i)] = &fstest.MapFile{Data: []byte(page(i))}
				}
				files[fmt.Sprintf("content/pt/_parts/%d.md", i)] = &fstest.MapFile{Data: []byte("part\n")}
			}
			if s, _ := load.Load(files, load.Options{}); len(s.Pages) != 2*n {
				t.Fatal(len(s.Pages))
			}
		}
	}
	for name, page := range map[string]func(i int) string{
		"a missing page": func(int) string { return "# A\n\n[x](/pt/0/gone.md) [y](/pt/0/p1.md#gone)\n" },
		"unknown labels": func(i int) string { return fmt.Sprintf("# A {#label-%d}\n\n\\ref{label-x}\n", i) },
		"old addresses": func(i int) string {
			return fmt.Sprintf("---\nredirect_from: [/old/%d]\n---\n[x](/old/%d)\n", i, i)
		},
		"values":            func(int) string { return "# A\n\n{live}`m.unknown`\n" },
		"notes of one name": func(int) string { return "---\ndialects: [obsidian]\naliases: [same]\n---\n# A\n\n[[same]]\n" },
	} {
		t.Run(name, func(t *testing.T) { complexitytest.Check(t, name, 1600, many(page)) })
	}
}

// TestManyTargets checks that a heading with many of MyST's targets takes time proportional to their number.
func TestManyTargets(t *testing.T) {
	if testing.Short() {
		t.Skip("large pages take long under the race detector")
	}
	complexitytest.Check(t, "(a)=", 64<<10, func(n int) {
		load.Load(sitetest.FS(map[string]string{"content/pt/p.md": "---\ndialects: [myst]\n---\n" + strings.Repeat("(a)=\n", n/5) + "# X\n"}), load.Options{})
	})
}
