package feeds

import (
	"fmt"
	"testing"
)

// TestManyMaps cuts a site that is too large for one map.
func TestManyMaps(t *testing.T) {
	files := map[string]string{}
	for i := range 30 {
		for _, l := range []string{"pt", "es"} {
			files[fmt.Sprintf("content/%s/p%d.md", l, i)] = "# A\n"
		}
	}
	s := newFeeds(t, files)
	for _, c := range []struct{ most, links, want int }{{maxMapped, maxMappedLinks, 1}, {25, maxMappedLinks, 3}, {maxMapped, 80, 3}} {
		parts := s.mapParts(c.most, c.links)
		count := 0
		for _, p := range parts {
			count += len(p.pages)
			if len(p.pages) > c.most {
				t.Errorf("%d pages in a map of %d", len(p.pages), c.most)
			}
		}
		if len(parts) != c.want || count != 60 {
			t.Errorf("%+v: %d maps with %d pages", c, len(parts), count)
		}
	}
}
