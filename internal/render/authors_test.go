package render

import (
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/themes"
)

// TestHostileAuthors checks that characters written as HTML entities, which a reviewer of the source does not
// notice, forge no line of a list and no bidirectional text in generated files.
func TestHostileAuthors(t *testing.T) {
	const dark = "&#27;[2J&#x202e;&#x2067;&#10;&#x2028;&#133;"
	files := map[string]string{
		"content/pt/index.md": "# Início\n",
		"content/pt/gpu/x.md": "---\nredirect_from: [a\u00a0/forged\u00a0200!]\ndescription: |\n  uma\n\n  ## forged\n---\n# T" + dark + "## forged\n\n## S" + dark + "forged\n\ntexto" + dark + "forged\n\n" +
			"![alt" + dark + "](a.png \"C" + dark + "\"){#fig-a}\n\n:::note N" + dark + "\nx\n:::\n\n:::tab A" + dark + "\nx\n:::\n:::tab B\ny\n:::\n\n[](#fig-a) [](#s2j-forged)\n\nx[^1]\n\n[^1]: n" + dark + "\n",
		"content/pt/gpu/a.png": "png",
	}
	s := newSite(t, files, themes.Default(), Options{BaseURL: "https://example.org/"})
	if p := s.plan.content.Page("gpu/x", "pt"); strings.ContainsFunc(p.Title+p.Description, func(c rune) bool { return acts(c) || c == '\n' }) {
		t.Errorf("%q %q", p.Title, p.Description)
	}
	own := site.Redirect{}
	for _, r := range s.plan.content.Redirects {
		own = r
	}
	if !strings.Contains(own.From, "forged") {
		t.Fatal("the old address is not there")
	}
	for _, name := range s.Paths() {
		text := get(t, s, name)
		if strings.HasSuffix(name, "gpu/x/index.html") || strings.HasSuffix(name, "_print/index.html") || name == "pt/gpu/x/index.html.md" ||
			strings.HasSuffix(name, ".png") || strings.HasSuffix(name, ".woff2") {
			continue // the page itself shows them
		}
		if name != "pt/llms-full.txt" && name != "llms-full.txt" {
			if i := strings.IndexFunc(text, acts); i >= 0 {
				t.Errorf("%s: %q", name, text[max(0, i-80):min(len(text), i+20)])
			}
		}
		for line := range strings.Lines(text) {
			if strings.HasPrefix(strings.TrimSpace(line), "## forged") || strings.HasPrefix(line, "forged") {
				t.Errorf("%s: a line %q", name, line)
			}
		}
		if name == "_redirects" && strings.ContainsFunc(text, func(c rune) bool { return c == 0xa0 }) {
			t.Errorf("%q", text)
		}
	}
}
