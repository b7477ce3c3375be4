package frontmatter

import (
	"strings"
	"testing"
)

func TestPageSlugs(t *testing.T) {
	for text, want := range map[string]bool{strings.Repeat("ñ", 100): true, strings.Repeat("ñ", 101): false, "a/b": false} {
		if got := pageSlug.MatchString(text); got != want {
			t.Errorf("%.20q, %d characters: %v", text, len([]rune(text)), got)
		}
	}
}
