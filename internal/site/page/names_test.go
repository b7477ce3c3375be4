package page_test

import (
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/site/sitetest"
)

// TestTitleOfPageWithoutHeading checks the titles of pages that have none of their own.
func TestTitleOfPageWithoutHeading(t *testing.T) {
	s := sitetest.LoadValid(t, map[string]string{
		"content/pt/index.md": "a\n", "content/pt/gpu/index.md": "a\n", "content/pt/gpu/uso.md": "a\n",
	})
	for key, want := range map[string]string{"gpu/index": "gpu", "gpu/uso": "uso"} {
		if p := s.Page(key, "pt"); p == nil || p.Title != want {
			t.Errorf("%q: %+v, want %s", key, p, want)
		}
	}
}

// TestDeepDirectives checks that a directive in too many others is code, and no fence with an unknown attribute.
func TestDeepDirectives(t *testing.T) {
	var page strings.Builder
	for i := range 40 {
		page.WriteString(strings.Repeat("`", 50-i) + "{note}\n")
	}
	page.WriteString("text\n")
	for i := range 40 {
		page.WriteString(strings.Repeat("`", 11+i) + "\n")
	}
	_, out := sitetest.PageIn(t, "myst", map[string]string{"content/pt/p.md": page.String()})
	if strings.Count(out, "too deeply") != 1 || strings.Contains(out, "unknown attribute") {
		t.Error(out)
	}
}
