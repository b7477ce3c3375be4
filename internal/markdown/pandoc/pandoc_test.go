package pandoc_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/yuin/goldmark/ast"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/markdowntest"
)

// outline returns a tree in one line, with its inline nodes.
func outline(n ast.Node, source []byte) string {
	inner := ""
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		inner += outline(c, source)
	}
	attributes := ""
	for _, a := range n.Attributes() {
		if value, ok := a.Value.([]byte); ok {
			attributes += fmt.Sprintf(" %s=%s", a.Name, value)
		}
	}
	switch n := n.(type) {
	case *ast.Document:
		return inner
	case *ast.Text:
		end := ""
		if n.SoftLineBreak() {
			end = "/"
		}
		if n.HardLineBreak() {
			end = "//"
		}
		return string(n.Segment.Value(source)) + end
	case *ast.String:
		return "'" + string(n.Value) + "'"
	case *ast.Paragraph:
		return "p" + attributes + "(" + inner + ")"
	case *ast.TextBlock:
		return "t(" + inner + ")"
	case *ast.Emphasis:
		return "em(" + inner + ")"
	case *ast.Image:
		return "img[" + string(n.Destination) + attributes + "](" + inner + ")"
	case *ast.Link:
		return "a[" + string(n.Destination) + "](" + inner + ")"
	case *ast.CodeSpan:
		return "`" + inner + "`"
	case *ast.RawHTML:
		return "raw(" + string(n.Segments.Value(source)) + ")"
	case *ast.HTMLBlock:
		return "html(" + string(n.Lines().Value(source)) + ")"
	case *markdown.Marked:
		return n.Element + "(" + inner + ")"
	case *markdown.Anchor:
		return "#" + n.Name + "@" + string(source[n.Start:n.Stop])
	case *markdown.Figure:
		size := ""
		if n.Width+n.Height != "" {
			size = "[" + n.Width + "x" + n.Height + "]"
		}
		return string(n.Of) + "#" + n.ID + size + "(" + inner + ")"
	case *markdown.Caption:
		return "caption(" + inner + ")"
	case *ast.FencedCodeBlock:
		return fence(n, source)
	case *markdown.Container:
		return "div" + n.Tag + "(" + inner + ")"
	case *markdown.Card:
		return "card(" + inner + ")"
	case *markdown.Callout:
		return n.Name + attributes + "(" + inner + ")"
	case *markdown.CalloutTitle:
		return "title(" + inner + ")"
	case *markdown.Tabs:
		return "tabs(" + inner + ")"
	case *markdown.Tab:
		return "tab(" + inner + ")"
	case *markdown.TabTitle:
		return "title(" + inner + ")"
	}
	return strings.TrimPrefix(n.Kind().String(), "Gpudocs") + "(" + inner + ")"
}

// fence returns what a dialect says of a fence.
func fence(n *ast.FencedCodeBlock, source []byte) string {
	out := "code"
	if n.Info != nil {
		out += " " + string(n.Info.Segment.Value(source))
	}
	if c := markdown.CodeInfoOf(n); c != nil {
		out += ":" + c.Language
		if c.Cell {
			out += " cell"
		}
		for _, a := range c.Attributes {
			out += " " + a.Name
			if a.HasValue {
				out += "=" + a.Value
			}
			out += "@" + string(source[a.Start:a.Stop])
		}
	}
	return out + "(" + string(n.Lines().Value(source)) + ")"
}

func check(t *testing.T, dialect markdown.Dialect, tests [][3]string) {
	t.Helper()
	for _, tt := range tests {
		t.Run(tt[0], func(t *testing.T) {
			doc, faults := markdowntest.Parse(markdown.Options{Dialects: dialect}, tt[1])
			got := strings.ReplaceAll(outline(doc, []byte(tt[1])), "\n", "/")
			for _, f := range faults {
				got += " !" + tt[1][f.Start:f.Stop] + " " + f.Message.String()
			}
			if got != tt[2] {
				t.Errorf("%q\n got %s\nwant %s", tt[1], got, tt[2])
			}
		})
	}
}

func TestSpans(t *testing.T) {
	check(t, markdown.Quarto, [][3]string{
		{"a class with an element", "a [b *c*]{.mark} d\n", `p(a mark(b em(c)) d)`},
		{"each element", "[a]{.underline} [b]{.ul} [c]{.kbd} [d]{.other}\n", `p(u(a) u(b) kbd(c) d)`},
		{"the first class with an element", "[a]{.x .kbd .mark}\n", `p(kbd(a))`},
		{"an id", "a [b]{#c} d\n", `p(a #c@[b d)`},
		{"an id and a class", "[b]{#c .mark}\n", `p(#c@[mark(b))`},
		{"hidden", "a [b *c*]{.hidden} d\n", `p(a  d)`},
		{"for other formats", "[a]{.content-visible when-format=\"pdf\"}[b]{.content-hidden when-format=\"html\"}[c]{.content-hidden when-format=\"pdf\"}\n", `p(c)`},
		{"for this format", "[a]{.content-visible when-format=\"pdf html\"}[b]{.content-visible unless-format=\"pdf\"}[c]{.content-visible unless-format=\"html:js\"}\n", `p(ab)`},
		{"what depends on metadata", "[a]{.content-hidden when-meta=\"x\"}[b]{.content-hidden}[c]{.content-hidden unless-format=\"html5\"}\n", `p(ac)`},
		{"over two lines", "a [b\nc]{.mark} d\n", `p(a mark(b/c) d)`},
		{"after a hard line break", "a  \n[b]{.mark}\n", `p(a//mark(b))`},
		{"in each other", "[a [b]{.kbd} c]{.mark}\n", `p(mark(a kbd(b) c))`},
		{"after brackets that are text", "[a] [b]{.mark}\n", `p([a] mark(b))`},
		{"around a link", "[a [b](c)]{.mark}\n", `p(mark(a a[c](b)))`},
		{"emphasis that ends after it", "[a *b]{.mark} c*\n", `p([a em(b c))`},
		{"an open bracket of another paragraph", "[a\n\nb]{.mark}\n", `p([a)p(b]{.mark})`},
		{"no attributes", "[a]{x [b] {.mark}\n", `p([a]{x [b] {.mark})`},
		{"empty attributes", "[a]{} b\n", `p(a b)`},
		{"an image", "x ![a]{.mark}\n", `p(x ![a]{.mark})`},
		{"an image in a span", "[![a](b.png) c]{.mark}\n", `p(mark(img[b.png](a) c))`},
		{"a link of Jekyll", "[a]({{ page.root }}/b.html) c [d]({% link e.md %}#f)\n", `p(a c d) !]({{ page.root }}/b.html) Liquid is not evaluated: tags are left out`},
		{"a bracket without an end", "a]{.mark} b\n", `p(a]{.mark} b)`},
	})
}

func TestAttributes(t *testing.T) {
	check(t, markdown.Quarto, [][3]string{
		{"of a link", "[a](b){.external target=\"_blank\"} c\n", `p(a[b](a) c)`},
		{"of an address", "<https://a.example>{.x} c\n", `p(AutoLink() c)`},
		{"of code", "`a`{.r} `b`{} c\n", "p(`a` `b`{} c)"},
		{"raw HTML", "a `<b>`{=html}c`</b>`{=html} `\\x`{=latex} d\n", `p(a raw(<b>)craw(</b>) '' d)`},
		{"after text", "a{.b} *c*{.d}\n", `p(a{.b} em(c){.d})`},
		{"of an image in text", "a ![b](c.png){#d .e width=50% height=100px fig-alt=\"f \\\"g\\\"\"} h\n", `p(a img[c.png id=d width=50% height=100px]('f "g"') h)`},
		{"sizes that are none", "a ![b](c.png){width=wide height=50% alt}\n", `p(a img[c.png](b))`},
	})
}

func TestFigures(t *testing.T) {
	check(t, markdown.Quarto, [][3]string{
		{"an image alone", "![a *b*](c.png)\n", `figure#(t(img[c.png]('a b'))caption(a em(b)))`},
		{"its attributes", "![a](c.png){#fig-x width=50% height=10px fig-alt='d'}\n", `figure#fig-x[50%x10px](t(img[c.png]('d'))caption(a))`},
		{"without a text", "![](c.png){#fig-x}\n", `figure#fig-x(t(img[c.png]()))`},
		{"with other text", "![a](c.png) b\n", `p(img[c.png](a) b)`},
		{"two images", "![a](c.png) ![b](d.png)\n", `p(img[c.png](a) img[d.png](b))`},
		{"in a figure", "::: {#fig-a}\n![b](c.png)\n\n![d](e.png){#fig-d}\n\nA caption\n:::\n", `figure#fig-a(card(p(img[c.png]('b'))p(b))figure#fig-d(t(img[e.png]('d'))caption(d))caption(A caption))`},
		{"a description in a figure", "::: {#fig-a}\n![b](c.png){fig-alt=\"x\"}\n\nA caption\n:::\n", `figure#fig-a(card(p(img[c.png]('x'))p(b))caption(A caption))`},
		{"a table and its caption", "|a|\n|-|\n|b|\n\n: A *c* {#tbl-x}\n", `table#tbl-x(Table(TableHeader(TableCell(a))TableRow(TableCell(b)))caption(A em(c)))`},
		{"a caption before its table", ": A {#tbl-x .striped}\n\n|a|\n|-|\n", `table#tbl-x(Table(TableHeader(TableCell(a)))caption(A))`},
		{"a caption of two lines", "|a|\n|-|\n\n: A\nb {#tbl-x}\n", `table#tbl-x(Table(TableHeader(TableCell(a)))caption(A/b))`},
		{"only widths", "|a|\n|-|\n\n: {tbl-colwidths=\"[60,40]\"}\n", `Table(TableHeader(TableCell(a)))`},
		{"only an id", "|a|\n|-|\n\n: {#tbl-x}\n", `table#tbl-x(Table(TableHeader(TableCell(a))))`},
		{"a caption with markup first", "|a|\n|-|\n\n: *c* d\n", `table#(Table(TableHeader(TableCell(a)))caption(em(c) d))`},
		{"no caption", "|a|\n|-|\n\n:c\n\n|a|\n|-|\n\nd\n", `Table(TableHeader(TableCell(a)))p(:c)Table(TableHeader(TableCell(a)))p(d)`},
		{"a table in a figure", "::: {#tbl-a}\n|a|\n|-|\n\n: b\n\nc\n:::\n", `table#tbl-a(Table(TableHeader(TableCell(a)))p(: b)caption(c))`},
	})
}

func TestFences(t *testing.T) {
	check(t, markdown.Quarto, [][3]string{
		{"a cell", "```{python}\nx\n```\n", `code python:python cell(x/)`},
		{"a cell of R with a name", "```{r a-b, echo=FALSE, fig.cap=\"C d\"}\nx\n```\n", `figure#(code r:r cell kernel=ir@r name=a-b@a-b hide=1-1@r(x/)caption(C d))`},
		{"options in lines", "```{python}\n#| label: fig-a\n#| fig-cap: \"A\n#|   b\"\n#| error: true\n#| filename: x.py\n#| code-line-numbers: true\nx\n```\n", `figure#fig-a(code python:python cell exit=1@error: true name=fig-a@label: fig-a title=x.py@filename: x.py numbers@code-line-numbers: true(x/)caption(A/b))`},
		{"options only", "```{python}\n#| label: a\n```\n", `code python:python cell name=a@label: a()`},
		{"other comments", "```{julia}\n//| eval: true\nx\n```\n\n```{ojs}\n%%| echo: false\nx\n```\n", `code julia:julia(x/)code ojs:ojs hide=1-1@ojs(x/)`},
		{"a line number", "```{bash}\n#| code-line-numbers: \"1-2,4\"\n#| code-fold: true\n#| code-summary: S\nx\ny\n```\n", `code bash:bash cell hide=1-2@bash title=S@code-summary: S hl_lines=1-2,4@code-line-numbers: "1-2,4"(x/y/)`},
		{"eval", "```{python}\n#| eval: false\nx\n```\n\n```{python eval=F}\nx\n```\n", `code python:python(x/)code python:python(x/)`},
		{"include and another engine", "```{r include=FALSE, engine='bash'}\nx\n```\n", `code r:bash cell hide=1-1@r(x/)`},
		{"a name twice", "```{r a}\n1\n```\n\n```{r a}\n2\n```\n", `code r:r cell kernel=ir@r name=a@a(1/)code r:r cell kernel=ir@r(2/)`},
		{"a name that is none", "```{r 'a b'}\n1\n```\n", `code r:r cell kernel=ir@r(1/)`},
		{"a listing", "```{python}\n#| lst-label: lst-a\n#| lst-cap: C\nx\n```\n", `listing#lst-a(code python:python cell(x/)caption(C))`},
		{"a table of a cell", "```{r}\n#| tbl-cap: C\nx\n```\n", `table#(code r:r cell kernel=ir@r(x/)caption(C))`},
		{"code that is shown", "```{.Python #lst-a filename=\"x.py\" lst-cap=\"C *d*\" code-line-numbers='true'}\nx\n```\n", `listing#lst-a(code Python:python title=x.py@filename="x.py" numbers@code-line-numbers='true'(x/)caption(C em(d)))`},
		{"code without a language", "```{#a}\nx\n```\n\n```{.default}\nx\n```\n", `code:(x/)code default:(x/)`},
		{"a cell as it is written", "```{{python}}\nx\n```\n", `code python:python(x/)`},
		{"raw HTML", "```{=html}\n<b>\n```\n\n```{=html5}\n<i>\n```\n\n```{=latex}\n\\x\n```\n\na\n", `html(<b>/)html(<i>/)p(a)`},
		{"output", "```output\nx\n```\n\n```Error\ny\n```\n\n```warning\nz\n```\n", `code output:text title=Output@output(x/)code Error:text title=Error@Error(y/)code warning:text title=Warning@warning(z/)`},
		{"others", "```python\nx\n```\n\n```\ny\n```\n\n```{not closed\nz\n```\n", `code python(x/)code(y/)code {not closed(z/)`},
	})
}

func TestDivs(t *testing.T) {
	check(t, markdown.Quarto, [][3]string{
		{"a class", "::: {.x}\na\n:::\n", `div(p(a))`},
		{"an id", "::: {#a&\"b .x}\na\n:::\n", `p(::: {#a&"b .x}/a/:::) !::: this line ends nothing, and is shown as text`},
		{"a word", "::: x ::::\na\n:::\n", `div(p(a))`},
		{"a word with attributes", "::: note {#n title=\"T *u*\"}\na\n:::\n", `note id=n class=note(p(a)) !title="T *u*" unknown attribute "title"`},
		{"after the attributes", "::: {.x} y\na\n:::\n", `p(::: {.x} y/a/:::) !::: this line ends nothing, and is shown as text`},
		{"a title by its heading", "::: {.callout-tip #t}\n## T *u*\n\na\n:::\n", `tip id=t(title(T em(u))p(a))`},
		{"a heading with an id", "::: {.callout-tip}\n## T {#u}\n\na\n:::\n", `tip id=u(title(T)p(a))`},
		{"a heading with a number as its id", "::: {.callout-tip}\n## T {id=5}\n\na\n:::\n", `tip id=5(title(T)p(a))`},
		{"folds", "::: {.callout-note collapse=\"true\"}\na\n:::\n\n::: {.callout-note collapse=false}\na\n:::\n", `note(p(a))note(p(a))`},
		{"tabs", "::: {.panel-tabset #t}\na\n\n## A\n\nb\n\n### c\n\n## B\n\nd\n:::\n", `tabs(p(a)tab(title(A)p(b)Heading(c))tab(title(B)p(d)))`},
		{"no tabs", "::: {.panel-tabset}\na\n:::\n", `div(p(a))`},
		{"columns", ":::: {.columns}\n::: {.column width=\"40%\"}\na\n:::\n\n::: {.x}\nb\n:::\n::::\n", `Grid(card(p(a))card(p(b)))`},
		{"a figure of two", "::: {#fig-a layout-ncol=2}\n![b](c.png)\n\n![d](e.png)\n\nC *f*\n:::\n", `figure#fig-a(Grid(card(p(img[c.png]('b'))p(b))card(p(img[e.png]('d'))p(d)))caption(C em(f)))`},
		{"a caption of an attribute", "::: {#lst-a lst-cap=\"C\"}\n```python\nx\n```\n:::\n", `listing#lst-a(code python(x/)caption(C))`},
		{"an image is no caption", "::: {#fig-a}\na\n\n![](c.png)\n:::\n", `figure#fig-a(p(a)p(img[c.png]()))`},
		{"hidden", "::: {.hidden}\na\n:::\n\n::: {.content-visible when-format=\"pdf\"}\nb\n:::\n\nc\n", `div()div()p(c)`},
		{"raw HTML ends at a div", "::: {.x}\n<div>\na\n:::\n\nb\n", `div(html(<div>/a/))p(b)`},
		{"not closed", "::: {.x}\na\n", `div(p(a)) !::: {.x} the ::: container is not closed`},
		{"gpudocs' own", "::: machines\n:::\n\n::: figure\na\n:::\n", `div()figure#(p(a))`},
	})
}
