package quarto_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"github.com/gpudocs/gpudocs/internal/complexitytest"
	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/dialects"
	"github.com/gpudocs/gpudocs/internal/markdown/markdowntest"
)

func TestDivs(t *testing.T) {
	markdowntest.Blocks(t, markdown.Quarto, [][3]string{
		{"callout", "::: {.callout-note}\na\n:::\n", `note[::: {.callout-note}](p"a")[:::]`},
		{"without braces, of other lengths", ":::: callout-tip\na\n\n:::::\nb\n", `tip[:::: callout-tip](p"a")[:::::] p"b"`},
		{"a heading is the title", "::: {.callout-warning collapse=\"true\"}\n## T *x*\n\na\n:::\n", `warning-[::: {.callout-warning collapse="true"}](title"T *x*" p"a")[:::]`},
		{"the attribute title", ":::{.callout-caution title=\"T x\" #cau-a}\n:::\n", `caution id=cau-a[:::{.callout-caution title="T x" #cau-a}](title"T x")[:::]`},
		{"nested with the same marks", "::: {.callout-note}\n::: {.callout-tip}\na\n:::\nb\n:::\nc\n", `note[::: {.callout-note}](tip[::: {.callout-tip}](p"a")[:::] p"b")[:::] p"c"`},
		{"marks after the name", "::: callout-important :::\na\n:::\n", `important[::: callout-important :::](p"a")[:::]`},
		{"in a list", "- a\n\n  ::: {.callout-note}\n  b\n  :::\n\n  c\n", `list(item(p"a" note[::: {.callout-note}](p"b")[:::] p"c"))`},
		{"tabs", "::: {.panel-tabset group=\"x\"}\nbefore\n\n## A\na\n\n### Sub\n\n## `B`\nb\n:::\n", "tabs(p\"before\" tab[## A](title\"A\" p\"a\" h\"Sub\") tab[## `B`](title\"`B`\" p\"b\"))"},
		{"tabs without headings", "::: panel-tabset\na\n:::\n", `container panel-tabset[::: panel-tabset](p"a")[:::]`},
		{"columns", "::: {.columns}\n::: {.column width=\"40%\"}\na\n:::\n::: {.column width=\"60%\"}\nb\n:::\n:::\n", `grid2(card-5(p"a") card-7(p"b"))`},
		{"layout", "::: {layout-ncol=2}\n![A](a.png)\n\n::: {}\nb\n\nc\n:::\n:::\n", `grid2(figure#(p"![A](a.png)" caption"") card-(p"b" p"c"))`},
		{"rows of a layout", "::: {layout=\"[[1,1,1], [1]]\"}\na\n:::\n", `grid3(p"a")`},
		{"in the margin", "::: {.column-margin}\na\n:::\n", `noteplain class=inline end[::: {.column-margin}](p"a")[:::]`},
		{"left out", "::: {.hidden}\na\n:::\n::: {.content-visible when-format=\"pdf\"}\nb\n:::\n::: {.content-hidden when-format=\"html\"}\nc\n:::\nd\n", `container hidden[::: {.hidden}]()[:::] container content-visible[::: {.content-visible when-format="pdf"}]()[:::] container content-hidden[::: {.content-hidden when-format="html"}]()[:::] p"d"`},
		{"shown", "::: {.content-visible when-format=\"html\"}\na\n:::\n::: {.content-hidden unless-meta=\"x\"}\nb\n:::\n", `container content-visible[::: {.content-visible when-format="html"}](p"a")[:::] container content-hidden[::: {.content-hidden unless-meta="x"}](p"b")[:::]`},
		{"figure", "::: {#fig-x}\n![](a.png)\n\nText *x*\n:::\n", `figure#fig-x(p"![](a.png)" caption"Text *x*")`},
		{"figures in a figure", "::: {#fig-x layout-ncol=2}\n![A](a.png){#fig-a}\n\n![B](b.png)\n\nText\n:::\n", `figure#fig-x(grid2(figure#fig-a(p"![A](a.png){#fig-a}" caption"") card-(p"![B](b.png)" p"")) caption"Text")`},
		{"table in a figure", "::: {#tbl-x}\n|a|\n|-|\n|b|\n\nText\n:::\n", `table#tbl-x(table(head(-"a") row(-"b")) caption"Text")`},
		{"theorem", "::: {#thm-x}\n## Line\na\n:::\n::: {.proof}\nb\n:::\n", `theorem# id=thm-x[::: {#thm-x}](title"Line" p"a")[:::] proof[::: {.proof}](p"b")[:::]`},
		{"another class", "::: {#a .b}\nc\n:::\n", `container b<div id="a">[::: {#a .b}](p"c")[:::]`},
		{"gpudocs' own", ":::note Title\na\n:::\n::: tip\nb\n:::\n::: machines\n:::\n", `note[:::note Title](title"Title" p"a")[:::] tip class=tip[::: tip](p"b")[:::] container machines[::: machines]()[:::]`},
		{"not closed", "::: {.callout-note}\na\n", `note[::: {.callout-note}](p"a") !"::: {.callout-note}" the ::: container is not closed`},
		{"no div", "::: {.a\nb\n", `p"::: {.a\nb"`},
		{"below raw HTML", "<div>\n::: {.callout-note}\na\n:::\n</div>\n", `html"<div>\n" note[::: {.callout-note}](p"a")[:::] html"</div>\n"`},
	})
}

func TestCaptions(t *testing.T) {
	markdowntest.Blocks(t, markdown.Quarto, [][3]string{
		{"image", "![A *b*](a.png){#fig-x fig-alt=\"Alt\" width=50% .border}\n", `figure#fig-x(p"![A *b*](a.png){#fig-x fig-alt=\"Alt\" width=50% .border}" caption"")`},
		{"image in text", "a ![b](c.png){.d} e\n", `p"a ![b](c.png){.d} e"`},
		{"image without text", "![](a.png){fig-alt='it\\'s'}\n", `p"![](a.png){fig-alt='it\\'s'}"`},
		{"table", "| a |\n|---|\n| b |\n\n: Cap *x* {#tbl-x}\n\nAnd\n", `table#tbl-x(table(head(-"a") row(-"b")) caption"") p"And"`},
		{"table, before", "# a\n\n: Cap\n\n| a |\n|---|\n", `h"a" table#(table(head(-"a")) caption"")`},
		{"widths of a table", "| a |\n|---|\n\n: {tbl-colwidths=\"[30,70]\"}\n", `table(head(-"a"))`},
	})
}

// codeInfo returns what is known of the fences of a page.
func codeInfo(doc ast.Node, source string) string {
	var b strings.Builder
	for _, n := range markdown.Find[*ast.FencedCodeBlock](doc) {
		c := markdown.CodeInfoOf(n)
		if c == nil {
			fmt.Fprintf(&b, "none %q\n", n.Lines().Value([]byte(source)))
			continue
		}
		fmt.Fprintf(&b, "%s", c.Language)
		if c.Cell {
			b.WriteString(" cell")
		}
		for _, a := range c.Attributes {
			fmt.Fprintf(&b, " %s=%q@%s", a.Name, a.Value, source[a.Start:a.Stop])
		}
		fmt.Fprintf(&b, " %q\n", n.Lines().Value([]byte(source)))
	}
	return b.String()
}

func TestCells(t *testing.T) {
	for _, tt := range [][2]string{
		{"```{python}\n#| label: a\n#| eval: false\nx\n```\n", "python \"x\\n\"\n"},
		{"```{python}\n#| label: fig-a\n#| error: true\n#| echo: false\nx\ny\n```\n",
			"python cell exit=\"1\"@error: true name=\"fig-a\"@label: fig-a hide=\"1-2\"@python \"x\\ny\\n\"\n"},
		{"```{r setup, echo=FALSE, fig.cap=\"a, b\"}\nx\n```\n", "r cell kernel=\"ir\"@r name=\"setup\"@setup hide=\"1-1\"@r \"x\\n\"\n"},
		{"```{r, eval=FALSE}\nx\n```\n", "r \"x\\n\"\n"},
		{"```{r engine=\"bash\"}\nls\n```\n", "bash cell \"ls\\n\"\n"},
		{"```{ojs}\n//| echo: false\nx\n```\n", "ojs hide=\"1-1\"@ojs \"x\\n\"\n"},
		{"```{mermaid}\n%%| label: fig-m\ngraph TD\n```\n", "mermaid \"graph TD\\n\"\n"},
		{"```{bash}\n#| code-fold: true\n#| code-summary: \"Show it\"\nls\n```\n", "bash cell hide=\"1-1\"@bash title=\"Show it\"@code-summary: \"Show it\" \"ls\\n\"\n"},
		{"```{python}\n#| label: a\n```\n```{python}\n#| label: a\n1\n```\n", "python cell name=\"a\"@label: a \"\"\npython cell \"1\\n\"\n"},
		{"```{.python filename=\"x.py\" code-line-numbers=\"1,3-4\"}\nx\n```\n", "python title=\"x.py\"@filename=\"x.py\" hl_lines=\"1,3-4\"@code-line-numbers=\"1,3-4\" \"x\\n\"\n"},
		{"```{.default code-line-numbers=true}\nx\n```\n", " numbers=\"\"@code-line-numbers=true \"x\\n\"\n"},
		{"```{{python}}\n#| echo: true\nx\n```\n", "python \"#| echo: true\\nx\\n\"\n"},
		{"```python\nx\n```\n", "none \"x\\n\"\n"},
		{"```python {run name=x}\nx\n```\n", "none \"x\\n\"\n"},
		{"```{python\nx\n```\n", "none \"x\\n\"\n"},
	} {
		doc, faults := markdowntest.Parse(markdown.Options{Dialects: markdown.Quarto}, tt[0])
		if got := codeInfo(doc, tt[0]); got != tt[1] || len(faults) > 0 {
			t.Errorf("%q\n got %s\nwant %s %v", tt[0], got, tt[1], faults)
		}
	}
}

func TestFiguresOfCode(t *testing.T) {
	markdowntest.Blocks(t, markdown.Quarto, [][3]string{
		{"figure", "```{python}\n#| label: fig-a\n#| fig-cap: \"A *b*\"\nx\n```\n", `figure#fig-a(fence"x\n" caption"A *b*")`},
		{"a caption of several lines", "```{r}\n#| label: tbl-a\n#| tbl-cap: |\n#|   A\n#|   b.\nx\n```\n", `table#tbl-a(fence"x\n" caption"A\nb.")`},
		{"listing", "```{#lst-a .python lst-cap=\"A\"}\nx\n```\n", `listing#lst-a(fence"x\n" caption"A")`},
		{"listing of a cell", "```{python}\n#| lst-label: lst-a\n#| lst-cap: A\nx\n```\n", `listing#lst-a(fence"x\n" caption"A")`},
		{"a caption of knitr", "```{r, fig.cap=\"A, b\"}\nx\n```\n", `figure#(fence"x\n" caption"A, b")`},
		{"raw", "```{=html}\n<b>a</b>\n```\n```{=latex}\nb\n```\nc\n", `html"<b>a</b>\n" p"c"`},
	})
}

func TestInlines(t *testing.T) {
	for _, tt := range [][2]string{
		{"see @fig-a, [-@fig-b], [@fig-c; @tbl-d] and [Abb. @fig-e]", "see <:fig-a>, <:fig-b bare>, <:fig-c>; <:tbl-d> and Abb. <:fig-e bare>"},
		{"@sec-a; @eq-b; @thm-c. (@Fig-x) x@fig-y `@fig-z`", "<:sec-a>; <:eq-b ()>; <:thm-c>. (<:fig-x>) x@fig-y <CodeSpan @fig-z>"},
		{"[@fig-a](b) \\@fig-a [a b](c) [x]", "<Link <:fig-a>> \\@fig-a <Link a b> [x]"},
		{"@silva [@silva] @{a.b}", "<cite silva true> <cite silva false> <cite a.b true>"},
		{"[a *b*]{.underline} [c]{.mark #d} [e\nf]{.aside} ![g](h){.i} [j [k](l)]{.m}", "<u a <Emphasis b>> <#d><mark c> e f <Image g> j <Link k>"},
		{"[a](b){.c target=\"_blank\"} `d`{.r} <https://e.f>{.uri} `<b>`{=html}`x`{=latex}", "<Link a> <CodeSpan d> <AutoLink > <raw <b>><String >"},
		{"{{< meta a.b >}} {{< kbd Ctrl-C >}} {{< kbd mac=Cmd-C win=Ctrl-C >}} {{< video https://a.b/c >}} {{< pagebreak >}}", "a.b <kbd Ctrl-C> <kbd Cmd-C> <Link https://a.b/c> <String >"},
		{"{{< foo a=\"b\" >}} {{< foo >}} {{</* var x */>}} `{{< x >}}`", "<CodeSpan foo a=\"b\"> <CodeSpan foo> <CodeSpan var x> <CodeSpan {{< x >}}> !unknown shortcode \"foo\", which is shown as code"},
	} {
		doc, faults := markdowntest.Parse(markdown.Options{Dialects: markdown.Quarto, Citations: true}, tt[0])
		if got := inlines(doc, tt[0], faults); got != tt[1] {
			t.Errorf("%s\n got %s\nwant %s", tt[0], got, tt[1])
		}
	}
}

// inlines outlines the inline nodes of a page.
func inlines(n ast.Node, source string, faults []markdown.Fault) string {
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Text:
			b.WriteString(source[c.Segment.Start:c.Segment.Stop])
			if c.SoftLineBreak() {
				b.WriteByte(' ')
			}
		case *markdown.Reference:
			fmt.Fprintf(&b, "<%s", c.Destination)
			if c.Bare {
				b.WriteString(" bare")
			}
			if c.Parentheses {
				b.WriteString(" ()")
			}
			b.WriteByte('>')
		case *markdown.Citation:
			fmt.Fprintf(&b, "<cite %s %v>", c.Works[0].Key, c.Textual)
		case *ast.Paragraph:
			b.WriteString(inlines(c, source, nil))
		case *markdown.Marked:
			fmt.Fprintf(&b, "<%s %s>", c.Element, inlines(c, source, nil))
		case *markdown.Anchor:
			fmt.Fprintf(&b, "<#%s>", c.Name)
		case *ast.RawHTML:
			fmt.Fprintf(&b, "<raw %s>", markdown.RawHTML(c, []byte(source)))
		default:
			fmt.Fprintf(&b, "<%s %s>", c.Kind(), inlines(c, source, nil))
		}
	}
	for _, f := range faults {
		fmt.Fprintf(&b, " !%s", f.Message)
	}
	return b.String()
}

func FuzzQuarto(f *testing.F) {
	for _, seed := range []string{
		"::: {.callout-note title=\"a\"}\n## T\n:::\n", "::: panel-tabset\n# A\nb\n:::\n", "::: {#fig-x layout-ncol=2}\n![a](b)\n\nc\n:::\n",
		"```{r a, fig.cap='x'}\n#| b: |\n#|   c\n```\n", "[a]{.b #c} @fig-x [-@fig-y; see @tbl-z] {{< kbd x >}}", "|a|\n|-|\n\n: b {#tbl-c}\n", "> ```{=html}\n> x\n> ```\n", "- ::: {.column width=3%}\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, source string) {
		doc, faults := markdowntest.Parse(markdown.Options{Dialects: markdown.Quarto | markdown.Carpentries, Citations: true}, source)
		for _, fault := range faults {
			if fault.Start < 0 || fault.Stop > len(source) || fault.Start >= fault.Stop {
				t.Fatalf("%+v of %d", fault, len(source))
			}
		}
		markdowntest.CheckSpans(t, doc, []byte(source))
		for _, n := range markdown.Find[*ast.FencedCodeBlock](doc) {
			if c := markdown.CodeInfoOf(n); c != nil {
				for _, a := range c.Attributes {
					if a.Start < 0 || a.Stop > len(source) || a.Start > a.Stop {
						t.Fatalf("%+v of %d", a, len(source))
					}
				}
			}
		}
	})
}

func TestHostile(t *testing.T) {
	for _, unit := range []string{"::: {.a}\n", "::: a\n\n", "[", "[a]{", "[a]{.b}", "@fig-a", "[@fig-a;", "{{< a ", "{{< a \"", "```{r, a=\"\n", "```{r}\n#| a: b\n```\n", "#| a:\n", "![a](b){", ": a\n\n", "[-@"} {
		complexitytest.Check(t, unit, 1<<16, func(n int) {
			dialects.New(markdown.Options{Dialects: markdown.Quarto, Citations: true}).Parser().Parse(text.NewReader([]byte(strings.Repeat(unit, n/len(unit)))))
		})
	}
	deep := strings.Repeat("::: {.callout-note}\n", 1000) + "text\n" + strings.Repeat(":::\n", 1000)
	doc, _ := markdowntest.Parse(markdown.Options{Dialects: markdown.Quarto}, deep)
	if n := len(markdown.Find[*markdown.Callout](doc)); n < 30 || n > 100 {
		t.Errorf("%d callouts are nested", n)
	}
}
