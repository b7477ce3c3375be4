package markdown_test

import (
	"testing"

	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/util"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/dialects"
	"github.com/gpudocs/gpudocs/internal/markdown/markdowntest"
)

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
		md := dialects.New(markdown.Options{})
		md.Parser().AddOptions(parser.WithInlineParsers(util.Prioritized(markdown.Mark, 480)))
		if got := markdowntest.HTML(t, md, c.source); got != "<p>"+c.want+"</p>\n" {
			t.Errorf("%s:\n got %s\nwant %s", c.source, got, c.want)
		}
	}
}
