package textout

import (
	"regexp"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/gpudocs/gpudocs/internal/render/diagram"
	"github.com/gpudocs/gpudocs/internal/render/highlight"
	"github.com/gpudocs/gpudocs/internal/render/nav"
	"github.com/gpudocs/gpudocs/internal/render/page"
	"github.com/gpudocs/gpudocs/internal/render/tex"
	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/themes"
)

var themeCache theme.Cache

// shown returns what a page shows.
func shown(t *testing.T, in Input) string {
	t.Helper()
	compiled, err := themeCache.Compile(themes.Default(), theme.CompileOptions{Languages: []string{"pt"}})
	if err != nil {
		t.Fatal(err)
	}
	body, err := page.Render(t.Context(), page.Input{
		Page:        in.Page,
		At:          nav.Placed{Page: in.Page, Language: in.Page.Language},
		Text:        in.Text,
		Nav:         in.Nav,
		Results:     in.Results,
		Theme:       compiled,
		Highlighter: new(highlight.Highlighter),
		Math:        tex.New(nil),
		Diagrams:    diagram.New(nil),
	})
	if err != nil {
		t.Fatal(err)
	}
	return shape(string(body.HTML))
}

// shape returns the elements and texts of a page, with the visible attributes.
func shape(page string) string {
	var b strings.Builder
	z := html.NewTokenizer(strings.NewReader(page))
	for z.Next() != html.ErrorToken {
		switch t := z.Token(); t.Type {
		case html.TextToken:
			b.WriteString(t.Data)
		case html.StartTagToken, html.SelfClosingTagToken:
			tag := "<" + t.Data
			for _, a := range t.Attr {
				if a.Key == "href" || a.Key == "title" || a.Key == "alt" || a.Key == "start" {
					tag += " " + a.Key + "=" + strings.TrimSuffix(a.Val, "index.html.md")
				}
			}
			b.WriteString(tag + ">")
		case html.EndTagToken:
			b.WriteString("</" + t.Data + ">")
		}
	}
	return strings.Join(strings.Fields(regexp.MustCompile(`<a></a>`).ReplaceAllString(b.String(), "")), " ")
}

// written are texts whose exports must show the same.
var written = []string{
	`[a](https://x.example/ "um \"dois\" <três> & \\")`,
	`![a "b" [c] *d*](f.png)`,
	"[a [b] *c* `]` ](https://x.example/a_(b)) [d](<https://x.example/a b>) <https://x.example/?a=1&b=2> <a@x.example>",
	"https://x.example/a_b_ e www.x.example e a@x.example.",
	"a *b*c _d_ **e***f* __i__ ***j*** **k *l*** *m **n***",
	"a* b \\* c_d_e 2 * 3 \\_x\\_ &amp; &lt;b&gt; &copy; a &amp;amp; b",
	"1\\. a\n\n1986\\. b\n\n\\- c\n\n\\+ d\n\n\\# e\n\n\\> f\n\n\\| g |\n|---|",
	"a\n\\- b\na\n\\+ b\na\n2\\. c\nd\n\\# e\nf\n\\=\n\\==\n\\---",
	"- a\n- b\n\n+ c\n\n1. d\n2. e\n\n1) f\n\n0. g",
	"- a\n\n  b\n- c\n  - d\n    1. e\n\n       f\n\n- \n- g",
	"- a\n<!-- -->\n- b",
	"- a\n\n      código\n\n- ```\n  x\n\n  y\n  ```",
	"1. a\n\n       código\n10. b\n\n    c",
	"> a\nb\n> c\n\n> d\n\n>     e\n\n> > f\n> g",
	"    código\n\n    mais\n\na\n\n    \tx",
	"```\n```\n\n~~~sh x\n```\n~~~\n\n````\n```\na\n```\n````",
	"`` a`b `` ``` `` ``` `a  b` ` a ` `  ` ` `` `",
	"a  \nb\\\nc <br> d",
	"| a | b |\n|:--|--:|\n| `x\\|y` | z \\| w |\n| *a*<br>b | [l](https://x.example/ \"t\\|u\") |\n|  | \\\\ |",
	"| a |\n|---|\n| `\\|\\|` \\\\\\| |",
	"a[^1] b[^n] c[^1]\n\n[^1]: um\n\n    dois\n\n    - três\n[^n]: quatro",
	"a ~~b~~ c ~d~ ==e== H~2~O x^2^ ++f++",
	"Título\n===\n\nOutro *título* `x`\n---\n\n# A # b #\n\n## C\\#\n\n###### D {#d}\n\n##",
	"***\n\na\n\n---\n\nb\n***",
	"<div>\n\n*a*\n\n</div>\n\n<p>b\n<!-- c -->\nd</p>\n\n<div>\n<!-- x -->\n    <b>e</b>\n</div>",
	"a <b>b</b> <i title=\"x\">c</i> <!-- d --> e <kbd>f</kbd>",
	"$a_b$ $x<y$ e $\\$$ custa R\\$ 5 e R\\$ 6",
	"$$\na < b\n$$\n\n- $$x$$\n\nc $$y$$ d",
	"[x]: https://x.example/ 'T'\n\n[a][x] [x] [x][] ![i][x]",
	"a &nbsp; b&#42;c&#42; d&#10;e",
	":rocket: \\:rocket: a:b:c",
	"\\`a\\` \\[b](c) \\<d> \\$e\\$ \\~\\~f\\~\\~ \\{live\\} \\!\\[x](y) [^x] \\:::note",
	"- [ ] a\n- [x] b\n  c",
	"{a} a {b}\n\nc {#d}",
	"![a &amp; b \\* c](f.png) [d](https://x.example/ 'e &quot;&amp;amp;')",
	"- a\n\n-\n\n  b\n\n> - c\n>   d\n>\n> e",
	"a\n***b*** c\n\n**a\nb** `c\nd`\n[e\nf](#g)",
	"1. a\n2. b\n\n<!-- c -->\n\n1. d",
	"- a\n  ***\n  b\n- # C\n\n  d",
	"- a\n\n  | b |\n  |---|\n  | c |\n\n  > d\n\n  $$\n  e\n  $$",
	"<details>\n<summary>a *b*</summary>\n\nc\n\n```sh\nd\n```\n\n</details>",
	"<pre>a\n\n  b</pre>\n\nc",
	"a\\\n    b\n\nc  \n- d",
	"é *é*é **«a»**b *«a»* *\"a\"*b",
	"`a|b` \\| c | d",
	"[*a*](#b)**c**[d](#e) ![](f.png)![g](f.png)",
	"# `a` | b\n\na | b\n",
	"a<br>b<br/>c <span class=\"x\">d</span>",
	"*a*{b} [c]{d}",
}

// TestReadsBack checks that the export and the notebook of a page show the same as the page, if they are built as pages.
func TestReadsBack(t *testing.T) {
	for _, text := range written {
		in := onePage(t, "", "# T\n\n"+text+"\n")
		want, export := shown(t, in), Markdown(in)
		if again := shown(t, onePage(t, "", export)); again != want {
			t.Errorf("%q\nshows %s\nagain %s\n%s", text, want, again, export)
		}
		if strings.Contains(text, "[^1]:") {
			continue // numbers of footnotes are no links
		}
		notebook := strings.Join(texts(t, onePage(t, "", "# T\n\n"+text+"\n\n---\n\n```bash {run}\n```\n")), "\n\n")
		back := onePage(t, "", strings.TrimSuffix(strings.TrimSpace(notebook), "---"))
		if again := shown(t, back); again != want {
			t.Errorf("%q\nshows %s\nagain %s\n%s", text, want, again, notebook)
		}
	}
}
