package page

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/frontmatter"
	"github.com/gpudocs/gpudocs/internal/site/sitefile"
	"github.com/gpudocs/gpudocs/internal/site/translate"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// FuzzSections checks that the sections of a page have unique anchors and are in the order of their lines,
// and that empty lines at the end do not matter.
func FuzzSections(f *testing.F) {
	for _, text := range []string{
		"a\n# H\nb\n## H\n```x\n  c\n\n```\n", "> # Q\n> a\n> b\n\n- # L\n\n1\n=\n", "    code\n\n# x {#y}\n# z {#y}\n",
		"[^1]\n\n[^1]: # F\n    a\n", "| a | b |\n|---|---|\n| 1 | 2 |\n", "<div>\n# no\n</div>\n\n:::note\n# in\n:::\n", "---\ntitle: x\n---\n\n# x\n",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		sections := func(text string) []translate.Section {
			file := diag.NewFile("p.md", slices.Clip([]byte(text)))
			if _, bad := sitefile.InvalidUTF8(file); bad {
				return nil
			}
			p := &site.Page{Path: "p.md", Language: &site.Language{Code: "pt"}, Source: file}
			NewParser(site.UnreadableConfig()).parseMarkdown(p, frontmatter.FrontMatter{}, nil, Withheld{})
			return p.Sections
		}
		got := sections(text)
		seen := map[string]bool{}
		for i, s := range got {
			if seen[s.Anchor] || s.Anchor == "" || !translate.IsHash(s.Hash) || (i > 0 && s.Line < got[i-1].Line) {
				t.Fatalf("section %d: %+v", i, s)
			}
			seen[s.Anchor] = true
		}
		if len(got) == 0 {
			return
		}
		if diff := cmp.Diff(got, sections(text+"\n\n")); diff != "" && !strings.Contains(text, "```") && !strings.Contains(text, "~~~") {
			t.Fatalf("empty lines count:\n%s", diff)
		}
	})
}
