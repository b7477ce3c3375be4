package markdown_test

import (
	"testing"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/markdowntest"
)

// The text of a heading, of its id, and of an image's description is derived in the same way.
func TestText(t *testing.T) {
	for source, want := range map[string][2]string{ // as displayed, and as written
		"plain *text* of `code`":         {"plain text of code", "plain text of code"},
		`a \*b\* &amp; &#65;&copy;`:      {"a *b* & A©", "a *b* & A©"},
		`\&amp; is written so`:           {"&amp; is written so", "&amp; is written so"},
		"`\\* &amp;`":                    {`\* &amp;`, `\* &amp;`},
		":rocket: and $\\alpha$":         {"🚀 and α", `:rocket: and \alpha`},
		"see <https://example.org/> now": {"see https://example.org/ now", "see https://example.org/ now"},
	} {
		for i, written := range []bool{false, true} {
			doc, _ := markdowntest.Parse(markdown.Options{}, "# "+source)
			if got := markdown.Text(doc.FirstChild(), []byte("# "+source), markdown.TextOptions{Written: written}); got != want[i] {
				t.Errorf("heading %s, written %v: %q, want %q", source, written, got, want[i])
			}
		}
		image := "![" + source + "](x.png)"
		doc, _ := markdowntest.Parse(markdown.Options{}, image)
		for _, n := range markdown.Find[*ast.Image](doc) {
			if got := markdown.Text(n, []byte(image), markdown.TextOptions{}); got != want[0] {
				t.Errorf("image %s: %q, want %q", source, got, want[0])
			}
		}
	}
	source := "a ![b ![c](c.png)](b.png)  \nd"
	doc, _ := markdowntest.Parse(markdown.Options{}, source)
	if got := markdown.Text(doc, []byte(source), markdown.TextOptions{}); got != "a  d" {
		t.Errorf("with an image: %q", got)
	}
	if got := markdown.Text(markdown.Find[*ast.Image](doc)[0], []byte(source), markdown.TextOptions{}); got != "b c" {
		t.Errorf("of an image with an image in it: %q", got)
	}
}

func TestRawHTML(t *testing.T) {
	source := "a <b\nx>c</b>\n\n<script>\nd\n</script>\n"
	doc, _ := markdowntest.Parse(markdown.Options{}, source)
	if got := string(markdown.RawHTML(markdown.Find[*ast.HTMLBlock](doc)[0], []byte(source))); got != "<script>\nd\n</script>\n" {
		t.Errorf("block: %q", got)
	}
	if got := string(markdown.RawHTML(markdown.Find[*ast.RawHTML](doc)[0], []byte(source))); got != "<b\nx>" {
		t.Errorf("inline: %q", got)
	}
	if got := markdown.RawHTML(extast.NewStrikethrough(), nil); len(got) != 0 {
		t.Errorf("neither: %q", got)
	}
}
