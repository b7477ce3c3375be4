package page_test

import (
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/site/sitetest"
)

// TestNumberedIDs checks that a duplicate id gets the first free number, whatever ids the others have.
func TestNumberedIDs(t *testing.T) {
	s, _ := sitetest.Load(t, map[string]string{"content/pt/p.md": "# P\n\n## a\n\n## a\n\n## a-1\n\n## a-3\n\n## a\n\n## a\n\n## a-1\n\n## b {#a-5}\n\n## a\n"})
	var ids []string
	for _, h := range s.Pages[0].Headings {
		ids = append(ids, h.ID)
	}
	if got, want := strings.Join(ids, " "), "a a-1 a-1-1 a-3 a-2 a-4 a-1-2 a-5 a-6"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
