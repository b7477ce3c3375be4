package frontmatter_test

import (
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/frontmatter"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

func TestPageSlugs(t *testing.T) {
	for text, want := range map[string]bool{strings.Repeat("ñ", 100): true, strings.Repeat("ñ", 101): false, "a/b": false} {
		f := diag.NewFile("p.md", []byte("---\nslug: "+text+"\n---\n"))
		if _, fm, diags := frontmatter.Read(f, site.Defaults{}, 0, site.UnreadableConfig()); !diags.HasErrors() != want || (fm.Slug == text) != want {
			t.Errorf("%.20q, %d characters: %q, %v", text, len([]rune(text)), fm.Slug, diags)
		}
	}
}
