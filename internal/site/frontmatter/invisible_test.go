package frontmatter_test

import (
	"fmt"
	"testing"

	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/load"
	"github.com/gpudocs/gpudocs/internal/site/sitetest"
	"github.com/gpudocs/gpudocs/internal/text/invisible"
)

// TestInvisibleInFrontMatter checks that control, bidirectional and invisible characters in front matter are
// rejected, written literally or as escapes, and are not in what is published.
func TestInvisibleInFrontMatter(t *testing.T) {
	t.Parallel()
	const page = "content/pt/x.md"
	for text, want := range map[string]string{
		"title: a\u202eb": page + ":2:9 error U+202E", "title: \"a\\u202eb\"": page + ":2:8 error U+202E", "title: \"a\\x1b[31m\"": page + ":2:8 error U+001B",
		"weight: 1\ndescription: ok \u0085x":           page + ":3:17 error U+0085",
		"description: |\n  one\n  t\u2066wo":           page + ":4:4 error U+2066",
		"tags: [ok, \"a\u2067\"]":                      page + ":2:14 error U+2067",
		"redirect_from: [a, \"b\\u2028c\"]":            page + ":2:20 error U+2028",
		"aliases: a\U000e0041b":                        page + ":2:11 error U+E0041",
		"translation: \"a\\u202eb\"":                   page + ":2:14 error U+202E",
		"blocks: {session: \"\\0\"}":                   page + ":2:19 error U+0000",
		"title: مقدمة \u2068CUDA\u2069 👩\u200d🔬\u200f": "",
	} {
		s, diags := load.Load(sitetest.FS(map[string]string{page: "---\n" + text + "\n---\n# X\n"}), load.Options{})
		if got := sitetest.Findings(diags, site.RuleHidden); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
		for _, p := range s.Pages { // a page with an error is published too
			if shown := fmt.Sprint(p.Title, p.Description, p.Key, p.Tags, p.Aliases, p.Redirects, p.URL); len(invisible.In(shown, false)) > 0 {
				t.Errorf("%q: the page has %q", text, shown)
			}
		}
	}
}
