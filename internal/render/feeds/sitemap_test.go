package feeds

import (
	"fmt"
	"strings"
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
	files["content/pt/noindex.md"], files["content/pt/draft.md"] = "---\nnoindex: true\n---\n# B\n", "# C\n" // are in no map
	s := newFeeds(t, files)
	s.Content.Page("draft", "pt").Draft = true
	s.Nav.BaseURL = "https://example.org/"
	for _, c := range []struct{ most, links, want int }{{maxMapped, maxMappedLinks, 1}, {25, maxMappedLinks, 3}, {maxMapped, 80, 3}} {
		parts, files := s.mapParts(c.most, c.links), map[string]string{}
		s.planMaps(parts, func(name string, make func() ([]byte, error)) {
			data, err := make()
			if err != nil {
				t.Error(err)
			}
			files[name] = string(data)
		})
		list, locs := files["sitemap.xml"], 0
		for name, text := range files {
			if locs += strings.Count(text, "<url>"); len(files) > 1 && name != "sitemap.xml" && !strings.Contains(list, "<loc>https://example.org/"+name+"</loc>") {
				t.Errorf("%s is not listed", name)
			}
		}
		if locs != 60 || len(files) > 1 && len(files) != c.want+1 {
			t.Errorf("%d addresses in %d files", locs, len(files))
		}
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
