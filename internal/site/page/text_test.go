package page_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpudocs/gpudocs/internal/markdown/native"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/sitetest"
)

// TestSmartPunctuation checks that it changes the displayed text, but neither ids, hashes of sections nor
// diagnostics.
func TestSmartPunctuation(t *testing.T) {
	const text = "# \"GPU\" -- 'x'\n\n## It's... `--a`\n\n## :rocket: Go [a][b] \"[c][^1]\"\n\n![d](#x \"Uma *\"figura\"*\"){#fig}\n\n[b]: #it\n\n[^1]: \"Nota\"\n"
	files := func(head string) map[string]string {
		return map[string]string{"gpudocs.toml": "[languages.es]\n[languages.pt]\n[markdown]\npunctuation = \"smart\"\n", "content/es/p.md": head + text, "content/es/x.png": ""}
	}
	smart, smartSays := sitetest.Load(t, files("---\npunctuation: smart\n---\n"))
	plain, plainSays := sitetest.Load(t, files("---\npunctuation: plain\n---\n"))
	s, p := smart.Pages[0], plain.Pages[0]
	if s.Title != "«GPU» – ‘x’" || p.Title != "\"GPU\" -- 'x'" {
		t.Errorf("%s, %s", s.Title, p.Title)
	}
	want := []site.Heading{{Level: 2, ID: "its---a", Text: "It’s… --a"}, {Level: 2, ID: "rocket-go-a-c", Text: "🚀 Go a «[c]»"}}
	if diff := cmp.Diff(want, s.Headings); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	for i, h := range p.Headings {
		if h.ID != s.Headings[i].ID {
			t.Errorf("%s became %s", h.ID, s.Headings[i].ID)
		}
	}
	for i, section := range p.Sections {
		if section.Hash != s.Sections[i].Hash || section.Anchor != s.Sections[i].Anchor {
			t.Errorf("section %s has changed", section.Anchor)
		}
	}
	if smartSays != plainSays {
		t.Errorf("%s\n%s", plainSays, smartSays)
	}
	if of, _ := sitetest.Load(t, files("")); of.Pages[0].Title != s.Title {
		t.Errorf("by gpudocs.toml: %s", of.Pages[0].Title)
	}
}

func TestFigureAnchors(t *testing.T) {
	p := sitetest.LoadValid(t, map[string]string{"content/pt/x.png": "", "content/pt/p.md": "![a](x.png \"b\"){#fig-a}\n\nx ![b](x.png){#fig-b}\n\n:::figure C {#tab-c}\n| a |\n|---|\n:::\n\n[](#fig-a) [b](#fig-b) [](#tab-c)\n"}).Pages[0]
	for _, id := range []string{"fig-a", "fig-b", "tab-c"} {
		if !p.HasAnchor(id) {
			t.Errorf("%s is no anchor", id)
		}
	}
	if len(p.Numbers) != 2 {
		t.Errorf("%d figures are counted", len(p.Numbers))
	}
}

func TestAbbreviationsOfAPage(t *testing.T) {
	p := sitetest.Page(t, "# A GPU\n\n## GPU e SM\n\n*[GPU]: Graphics Processing Unit\n*[SM]: Streaming Multiprocessor\n")
	if p.Title != "A GPU" || p.Headings[0].ID != "gpu-e-sm" || p.Headings[0].Text != "GPU e SM" {
		t.Errorf("%s %+v", p.Title, p.Headings)
	}
	if n := p.Doc().LastChild(); n.Kind() != native.KindAbbreviationDefinition {
		t.Errorf("%s is last", n.Kind())
	}
}
