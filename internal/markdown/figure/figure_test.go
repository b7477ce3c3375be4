package figure_test

import (
	"strings"
	"testing"

	"github.com/yuin/goldmark/ast"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/dialects"
	"github.com/gpudocs/gpudocs/internal/markdown/markdowntest"
)

func TestImageFigures(t *testing.T) {
	const plain = "<figure>\n<img src=\"x.png\" alt=\"a\" />\n<figcaption>A card</figcaption>\n</figure>\n"
	for _, c := range []struct{ name, source, want string }{
		{"a title", `![a](x.png "A card")`, plain},
		{"other quotes", `![a](x.png 'A card')`, plain},
		{"parentheses", `![a](<x.png> (A card))  `, plain},
		{"markup", `![a *b*](x.png "A *b* with ` + "`c`" + ` and [l](m) \"q\"")`,
			"<figure>\n<img src=\"x.png\" alt=\"a b\" />\n<figcaption>A <em>b</em> with <code>c</code> and <a href=\"m\">l</a> &quot;q&quot;</figcaption>\n</figure>\n"},
		{"two lines", "![a](x.png\n\"A\ncard\")", "<figure>\n<img src=\"x.png\" alt=\"a\" />\n<figcaption>A\ncard</figcaption>\n</figure>\n"},
		{"an id", `![a](x.png "A card"){#fig-x}`, strings.Replace(plain, "<figure>", `<figure id="fig-x">`, 1)},
		{"an id alone", `![a](x.png){#fig-x}`, "<figure id=\"fig-x\">\n<img src=\"x.png\" alt=\"a\" /></figure>\n"},
		{"in a quote", "> ![a](x.png\n> \"A card\")", "<blockquote>\n" + plain + "</blockquote>\n"},
		{"in a list", "- ![a](x.png \"A card\")", "<ul>\n<li>\n" + plain + "</li>\n</ul>\n"},
		{"CRLF", "![a](x.png \"A card\")\r\n\r\ntext\r\n", plain + "<p>text</p>\n"},
		{"text behind", `![a](x.png "A card") text`, "<p><img src=\"x.png\" alt=\"a\" title=\"A card\" /> text</p>\n"},
		{"text before", `text ![a](x.png "A card")`, "<p>text <img src=\"x.png\" alt=\"a\" title=\"A card\" /></p>\n"},
		{"no title", `![a](x.png)`, "<p><img src=\"x.png\" alt=\"a\" /></p>\n"},
		{"an empty title", `![a](x.png "")`, "<p><img src=\"x.png\" alt=\"a\" title=\"\" /></p>\n"},
		{"a heading", "![a](x.png \"A card\")\n===", "<h1><img src=\"x.png\" alt=\"a\" title=\"A card\" /></h1>\n"},
		{"a link", `[![a](x.png "A card")](y)`, "<p><a href=\"y\"><img src=\"x.png\" alt=\"a\" title=\"A card\" /></a></p>\n"},
		{"no image after all", "![a <b c=\"](x.png 'A card')\">](y)", "<p><img src=\"y\" alt=\"a \" /></p>\n"},
		{"two images", "![a](x.png \"A\")\n![a](x.png \"B\")", "<p><img src=\"x.png\" alt=\"a\" title=\"A\" />\n<img src=\"x.png\" alt=\"a\" title=\"B\" /></p>\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := markdowntest.HTML(t, dialects.New(markdown.Options{}), c.source); got != c.want {
				t.Errorf("%s:\n got %s\nwant %s", c.source, got, c.want)
			}
		})
	}
}

func TestFigureFields(t *testing.T) {
	for _, c := range []struct{ source, id, width, height, class, caption string }{
		{`![a](x.png "C"){#fig-x .round width=60% height=40px}`, "fig-x", "60%", "40px", "round", "C"},
		{`![a](x.png){: #fig-x width="300" }`, "fig-x", "300", "", "", ""},
		{":::figure Two *cards* {#fig-x width=60%}\n![a](x.png)\n:::", "fig-x", "60%", "", "", "Two cards"},
		{"> :::figure  Two cards\n> ![a](x.png)\n> :::", "", "", "", "", "Two cards"},
		{"-\t:::figure Two cards {#fig-x}\n\t![a](x.png)\n\t:::", "fig-x", "", "", "", "Two cards"},
		{"::::figure{#fig-x}\n![a](x.png)\n::::\r\n", "fig-x", "", "", "", ""},
		{":::figure Set {a, b}\n![a](x.png)\n:::", "", "", "", "", "Set {a, b}"},
		{`![a](x.png "Maçã 'ü' ç"){#fig-ç}`, "fig-ç", "", "", "", "Maçã 'ü' ç"},
	} {
		doc, faults := markdowntest.Parse(markdown.Options{}, c.source)
		figures := markdown.Find[*markdown.Figure](doc)
		if len(figures) != 1 || len(faults) > 0 {
			t.Errorf("%s: %d figures, %v", c.source, len(figures), faults)
			continue
		}
		f := figures[0]
		caption := ""
		if n, ok := f.LastChild().(*markdown.Caption); ok {
			caption = markdowntest.Written(n, c.source)
		}
		class := markdown.TextAttribute(markdown.Find[*ast.Image](f)[0], "class")
		if f.ID != c.id || f.Width != c.width || f.Height != c.height || class != c.class || caption != c.caption || f.Of != markdown.Image {
			t.Errorf("%s: %q %q %q %q %q %s", c.source, f.ID, f.Width, f.Height, class, caption, f.Of)
		}
	}
}

func TestFigureOf(t *testing.T) {
	for inner, want := range map[string]markdown.Numbered{
		"| a |\n|---|\n| b |":                markdown.Table,
		"text\n\n| a |\n|---|\n| b |":        markdown.Table,
		"```python\na\n```":                  markdown.Listing,
		"    a":                              markdown.Listing,
		"```mermaid\ngraph TD\n```":          markdown.Image,
		"![a](b)\n![c](d)":                   markdown.Image,
		"![a](b)\n\n| a |\n|---|\n| b |":     markdown.Image,
		"text":                               markdown.Image,
		"> ```\n> a\n> ```\n\n![a](b \"c\")": markdown.Listing,
	} {
		doc, _ := markdowntest.Parse(markdown.Options{}, ":::figure Caption\n"+inner+"\n:::\n")
		if got := markdown.Find[*markdown.Figure](doc)[0].Of; got != want {
			t.Errorf("%s: %s, want %s", inner, got, want)
		}
	}
}

func TestInlineImageAttributes(t *testing.T) {
	for _, c := range []struct{ source, want string }{
		{`a ![b](c){width=60%} d`, `<p>a <img src="c" alt="b" width="60%" /> d</p>`},
		{`[![b](c){width=60}](d)`, `<p><a href="d"><img src="c" alt="b" width="60" /></a></p>`},
		{`**![b](c){.x .y}**`, `<p><strong><img src="c" alt="b" class="x y" /></strong></p>`},
		{"![b][c]{width=60} d\n\n[c]: e", `<p><img src="e" alt="b" width="60" /> d</p>`},
		{`![b](c) {width=60%}`, `<p><img src="c" alt="b" /> {width=60%}</p>`},
		{`![b](c)\{width=60%}`, `<p><img src="c" alt="b" />{width=60%}</p>`},
		{`![b](c){word}`, `<p><img src="c" alt="b" />{word}</p>`},
		{`![b](c){}`, `<p><img src="c" alt="b" />{}</p>`},
		{`![b](c){width=60%`, `<p><img src="c" alt="b" />{width=60%</p>`},
		{`b{width=60%}`, `<p>b{width=60%}</p>`},
	} {
		if got := markdowntest.HTML(t, dialects.New(markdown.Options{}), c.source); got != c.want+"\n" {
			t.Errorf("%s:\n got %s\nwant %s", c.source, got, c.want)
		}
	}
}

func TestFigureFaults(t *testing.T) {
	for _, c := range []struct{ source, at, message string }{
		{`a ![b](c){width=wide} d`, "width=wide", `"wide" is no width`},
		{`a ![b](c){width=0} d`, "width=0", `"0" is no width`},
		{`> ![b](c "d"){height=60%}`, "height=60%", `"60%" is no height`},
		{`![b](c){colour="dark red"}`, `colour="dark red"`, `an image knows no attribute "colour"`},
		{`![b](c){align=middle}`, `align=middle`, `"middle" is no alignment`},
		{`![b](c){loading=late}`, `loading=late`, `loading is lazy or eager, not "late"`},
		{"text\n\n:::figure C {width=2em}\na\n:::", `width=2em`, `"2em" is no width`},
		{"> :::figure C {#x}\n> :::\n", `:::figure`, `a figure without anything in it`},
		{":::figure C {.x size=3}\na\n:::", `size=3`, `a figure knows no attribute "size"`},
		{"- a\n\n  :::figure C\n  b", `:::figure`, `the ::: container is not closed`},
	} {
		_, faults := markdowntest.Parse(markdown.Options{}, c.source)
		if len(faults) != 1 || c.source[faults[0].Start:faults[0].Stop] != c.at || faults[0].Message.String() != c.message || faults[0].Hint.IsZero() {
			t.Errorf("%s: %+v", c.source, faults)
		}
	}
}

func TestReferences(t *testing.T) {
	for _, c := range []struct{ source, text, destination string }{
		{"a [](#fig-x).", "[](#fig-x)", "#fig-x"},
		{"> a\n> [](other.md#tab-y)", "[](other.md#tab-y)", "other.md#tab-y"},
		{"- *a [](<my file.md#é>)*", "[](<my file.md#é>)", "my file.md#é"},
		{"| a |\n|---|\n| [](a_(b)) |", "[](a_(b))", "a_(b)"},
		{"é\r\n[](#é)\r\n", "[](#é)", "#é"},
	} {
		doc, _ := markdowntest.Parse(markdown.Options{}, c.source)
		list := markdown.Find[*markdown.Reference](doc)
		if len(list) != 1 || c.source[list[0].Start:list[0].Stop] != c.text || list[0].Destination != c.destination {
			t.Errorf("%s: %+v", c.source, list)
		}
	}
	for _, source := range []string{"[](https://a.example)", "[](mailto:a@b)", "[]()", "[](<>)", "[](a b)", `[](a "b")`, "[](a", `\[](a)`, "`[](a)`", "![](a)"} {
		if doc, _ := markdowntest.Parse(markdown.Options{}, source); len(markdown.Find[*markdown.Reference](doc)) > 0 {
			t.Errorf("%s is not a reference", source)
		}
	}
}

// FuzzFigures checks that a figure has one image or fence, and a caption as its last child, with offsets in
// the source.
func FuzzFigures(f *testing.F) {
	for _, s := range []string{"![a](x.png \"A *b*\"){#i width=60%}", ":::figure C {#i}\n| a |\n|---|\n:::", "> ![a](<x> (b\n> c))", "[](#a) ![b][c]{.d}\n\n[c]: e 'f'"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, source string) {
		doc, faults := markdowntest.Parse(markdown.Options{}, source)
		for _, fault := range faults {
			if fault.Start < 0 || fault.Stop > len(source) || fault.Start >= fault.Stop {
				t.Fatalf("%q: %+v", source, fault)
			}
		}
		for _, n := range markdown.Find[*markdown.Figure](doc) {
			if strings.HasPrefix(source[n.Pos():], ":::") {
				continue
			}
			for c := n.FirstChild().FirstChild(); c != nil; c = c.NextSibling() {
				text, ok := c.(*ast.Text)
				if first := c.PreviousSibling() == nil; first && c.Kind() != ast.KindImage || !first && (!ok || text.Segment.Len() > 0) {
					t.Fatalf("%q: a figure of more than an image", source)
				}
			}
		}
		for _, c := range markdown.Find[*markdown.Caption](doc) {
			if c.NextSibling() != nil || c.Lines().Len() == 0 {
				t.Fatalf("%q: a caption that is not last or empty", source)
			}
			for _, text := range markdown.Find[*ast.Text](c) {
				if text.Segment.Start < c.Lines().At(0).Start || text.Segment.Stop > c.Lines().At(c.Lines().Len()-1).Stop {
					t.Fatalf("%q: text outside of the caption", source)
				}
			}
		}
		for _, r := range markdown.Find[*markdown.Reference](doc) {
			if s := source[r.Start:r.Stop]; !strings.HasPrefix(s, "[](") || !strings.Contains(s, r.Destination) {
				t.Fatalf("%q: %q", source, s)
			}
		}
	})
}
