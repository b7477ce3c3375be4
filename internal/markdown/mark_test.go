package markdown

import (
	"bytes"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/util"
)

// plainHTML is the page as goldmark's own renderer and that of this package write it.
func plainHTML(t testing.TB, md goldmark.Markdown, source string) string {
	t.Helper()
	md.Renderer().AddOptions(html.WithUnsafe(), html.WithXHTML(), renderer.WithNodeRenderers(util.Prioritized(NewHTMLRenderer(), 200)))
	var b bytes.Buffer
	if err := md.Convert([]byte(source), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestMark(t *testing.T) {
	for _, c := range []struct{ source, want string }{
		{"a ==b *c*== d", "a <mark>b <em>c</em></mark> d"},
		{"*==b==*, (==c==)", "<em><mark>b</mark></em>, (<mark>c</mark>)"},
		{"**==b==** ==`c`==", "<strong><mark>b</mark></strong> <mark><code>c</code></mark>"},
		{"==two\nlines==", "<mark>two\nlines</mark>"},
		{"==não==.", "<mark>não</mark>."},
		{"x==1 or y==2", "x==1 or y==2"},
		{"a == b and c == d", "a == b and c == d"},
		{"===b===, ==b===", "===b===, ==b==="},
		{"====", "===="},
		{"==open", "==open"},
		{`\==a==`, "==a=="},
		{"`==a==`", "<code>==a==</code>"},
	} {
		md := New(Options{})
		markFeature.Extend(md)
		if got := plainHTML(t, md, c.source); got != "<p>"+c.want+"</p>\n" {
			t.Errorf("%s:\n got %s\nwant %s", c.source, got, c.want)
		}
	}
}
