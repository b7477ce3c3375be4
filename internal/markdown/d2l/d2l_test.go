package d2l_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/gpudocs/gpudocs/internal/complexitytest"
	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/d2l"
	"github.com/gpudocs/gpudocs/internal/markdown/dialects"
	"github.com/gpudocs/gpudocs/internal/markdown/markdowntest"
)

var d2lOptions = markdown.Options{Dialects: markdown.D2L}

// outline returns the nodes of a page, one per line, with the text of code.
func outline(doc ast.Node, source string) string {
	var b strings.Builder
	depth := -1
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			depth--
			return ast.WalkContinue, nil
		}
		depth++
		line := ""
		switch n := n.(type) {
		case *markdown.Tabs:
			line = "tabs"
		case *markdown.Tab:
			line = "tab " + n.Title
		case *markdown.Figure:
			line = strings.TrimSpace(fmt.Sprintf("%s %s %s %s", n.Of, n.ID, n.Width, n.Height))
		case *markdown.Caption:
			line = "caption " + markdowntest.Written(n, source)
		case *ast.Heading:
			id, _ := n.AttributeString("id")
			line = fmt.Sprintf("h%d %s %s", n.Level, id, markdowntest.Written(n, source))
		case *ast.Paragraph, *ast.TextBlock:
			if t := markdowntest.Written(n, source); t != "" {
				line = "text " + t
			}
		case *ast.FencedCodeBlock:
			line = "code " + strings.TrimSpace(string(n.Lines().Value([]byte(source))))
			if tab, ok := n.AttributeString(d2l.TabAttribute); ok {
				line += " in " + tab.(string)
			}
		case *ast.Image:
			line = "image " + string(n.Destination)
		case *markdown.MathBlock:
			line = "math " + strings.TrimSpace(n.TeX)
			for _, l := range n.Rows[0].Labels {
				line += " " + l.Name
			}
		case *markdown.Math:
			line = "math " + strings.TrimSpace(n.TeX)
			for _, l := range n.Rows[0].Labels {
				line += " " + l.Name
			}
		case *markdown.Contents:
			line = "contents"
			for _, e := range n.Entries {
				line += " " + source[e.Start:e.Stop]
			}
		case *markdown.Reference:
			line = "ref " + n.Destination
		case *markdown.Anchor:
			line = "anchor " + n.Name
		case *markdown.Bibliography:
			line = "bibliography"
		case *ast.HTMLBlock:
			line = "html"
		}
		if line != "" {
			b.WriteString(strings.ReplaceAll(line, "\n", "/") + "\n")
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

func TestD2L(t *testing.T) {
	for _, tt := range []struct{ name, source, want string }{
		{"a label behind a heading", "# One\n:label:`sec_one`\n\nText.\n", "h1 sec_one One\ntext Text.\n"},
		{"and text behind it", "# One\n:label:`sec_one`\nText.\n", "h1 sec_one One\ntext /Text.\n"},
		{"behind a blank line", "# One\n\n:label:`sec_one`\n", "h1 sec_one One\n"},
		{"in the heading", "# One :label:`sec_one`\n", "h1 sec_one One \n"},
		{"an id by hand stays", "# One {#uno}\n:label:`sec_one`\n", "h1 uno One\nanchor sec_one\n"},
		{"behind text", "A :label:`here` b\n", "text A  b\nanchor here\n"},
		{"a figure", "![A *card*](a.png)\n:width:`400px`\n:label:`fig_a`\n", "figure fig_a 400px\nimage a.png\ncaption A card\n"},
		{"a figure without a label", "![A card](a.png)\n", "figure\nimage a.png\ncaption A card\n"},
		{"an image without a text", "![](a.png)\n", "image a.png\n"},
		{"sizes of LaTeX", "![A](a.png)\n:width:`30.5 %`\n:height:`20PX`\n", "figure  30% 20px\nimage a.png\ncaption A\n"},
		{"a blank line before the label", "![A](a.png)\n\n:label:`fig_a`\n", "figure fig_a\nimage a.png\ncaption A\n"},
		{"two figures", "![A](a.png)\n:label:`fig_a`\n![B](b.png)\n:label:`fig_b`\n", "figure fig_a\nimage a.png\ncaption A\nfigure fig_b\nimage b.png\ncaption B\n"},
		{"an image in a sentence", "See ![A](a.png)\n", "text See A\nimage a.png\n"},
		{"a table", ":Years of *work*\n\n|a|\n|-|\n|1|\n:label:`tab_a`\n", "table tab_a\ncaption Years of work\n"},
		{"a caption behind a blank", "Text\nmore.\n\n: Years\n\n|a|\n|-|\n|1|\n", "text Text/more.\ntable\ncaption Years\n"},
		{"a definition", "Term\n: what it is\n\nText\n", "text what it is\ntext Text\n"},
		{"code", "```python\nx\n```\n:label:`lst_a`\n", "listing lst_a\ncode x\n"},
		{"an equation", "$$x = 1$$\n:eqlabel:`eq_x`\n", "math x = 1 eq_x\n"},
		{"an equation in a paragraph", "So $$x = 1$$\n:eqlabel:`eq_x`\nand on.\n", "text So //and on.\nmath x = 1 eq_x\n"},
		{"references", ":numref:`fig_a`, :eqref:`eq_x` and :ref:`sec_a`\n", "text ,  and \nref :fig_a\nref :eq_x\nref :sec_a\n"},
		{"references with blanks", "em: numref: `fig_a`, :eqref: `eq_x`, a : ref: b\n", "text em , , a : ref: b\nref :fig_a\nref :eq_x\n"},
		{"roles that are not closed", "See :numref:`fig_a and `b` or :cite:`a, b` and :ref:`sec_a.\n", "text See  and b or  and .\nref :fig_a\nref :sec_a\n"},
		{"slide marks around a formula", "[**\n$$\nx\n$$\n**]\n\nThe (**loss is\n\n$$y$$\n:eqlabel:`e`\n\n**) z\n", "math x\ntext The loss is\nmath y e\ntext  z\n"},
		{"in code", "`:label:`\n\n    :label:`a`\n", "text :label:\n"},
		{"tabs of text", ":begin_tab:`mxnet, pytorch`\nOne\n\n- two\n:end_tab:\n\n:begin_tab:`jax`\nThree\n:end_tab:\nFour\n",
			"tabs\ntab MXNet, PyTorch\ntext One\ntext two\ntab JAX\ntext Three\ntext Four\n"},
		{"text behind the mark", ":begin_tab:`jax` One\n:end_tab:\n", "tabs\ntab JAX\ntext One\n"},
		{"a tab that nothing closes", ":begin_tab:`jax` One\n\nTwo\n\n:begin_tab:`jax`\nThree\n:end_tab:\n", "tabs\ntab JAX\ntext One\ntext Two\ntabs\ntab JAX\ntext Three\n"},
		{"tabs of code", "```{.python .input}\na\n```\n\n```{.python .input  n=4}\n#@tab pytorch\nb\n```\n```{.python .input}\n# @tab jax, numpy\nc\n```\n",
			"tabs\ntab MXNet\ncode a in mxnet\ntab PyTorch\ncode b in pytorch\ntab JAX, NumPy\ncode c in jax\n"},
		{"code for all", "```{.python .input}\n#@tab all\na\n```\n\n```{.python .input}\n%%tab pytorch\nb\n```\n", "code a\ntabs\ntab PyTorch\ncode b in pytorch\n"},
		{"a notebook of one framework", "```{.python .input}\na\n```\n\n```{.python .input}\nb\n```\n", "code a\ncode b\n"},
		{"code that is no cell", "```python\na\n```\n\n```{.python .input}\n#@tab jax\nb\n```\n", "code a\ntabs\ntab JAX\ncode b in jax\n"},
		{"text and code of one framework", ":begin_tab:`jax`\nOne\n:end_tab:\n\n```{.python .input}\n#@tab jax\na\n```\n\n:begin_tab:`jax`\nTwo\n:end_tab:\n", "tabs\ntab JAX\ntext One\ncode a in jax\ntext Two\n"},
		{"text for two, code for each", ":begin_tab:`jax, numpy`\nOne\n:end_tab:\n\n```{.python .input}\n#@tab jax\na\n```\n", "tabs\ntab JAX, NumPy\ntext One\ntabs\ntab JAX\ncode a in jax\n"},
		{"nothing but the tab's name", "```{.python .input}\n#@tab jax\n```\n", "tabs\ntab JAX\ncode  in jax\n"},
		{"a list of pages", "```toc\n:maxdepth: 2\n:numbered:\n\nintro\n  chapter/index\nTitle <other>\n```\n", "contents intro chapter/index other\n"},
		{"a toctree", "```eval_rst\n\n.. toctree::\n   :maxdepth: 1\n\n   intro\n```\n", "contents intro\n"},
		{"raw HTML", "```eval_rst\n.. raw:: html\n\n   <b>x</b>\n```\n", "html\n"},
		{"slide marks", "We [**count *cards***] and (**stop**)(~~on slides~~).\n", "text We count cards and stop.\n"},
		{"a slide mark behind emphasis", "[**a *b***] and [***c***] (**d **e****) f\n", "text a b and c d e f\n"},
		{"a figure before a table's caption", "![a $x^2$](a.png)\n:label:`f`\n\n: c\n\n|a|\n|-|\n|1|\n", "figure f\nimage a.png\ncaption a \nmath x^2\ntable\ncaption c\n"},
		{"a link in bold", "[**a**](b.md)\n", "text a\n"},
		{"a mark that nothing closes", "f(**kwargs) and [**x\n", "text f(**kwargs) and [**x\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, form := range []struct{ name, source string }{{"LF", tt.source}, {"CRLF", strings.ReplaceAll(tt.source, "\n", "\r\n")}} {
				doc, _ := markdowntest.Parse(d2lOptions, form.source)
				if diff := cmp.Diff(tt.want, strings.ReplaceAll(outline(doc, form.source), "\r", "")); diff != "" {
					t.Errorf("%s (-want +got)\n%s", form.name, diff)
				}
			}
		})
	}
}

// TestD2LDescription checks that a caption's formula is in the image's description too.
func TestD2LDescription(t *testing.T) {
	doc, _ := markdowntest.Parse(d2lOptions, "![The *rate* $x^2$ of `a`](a.png)\n:label:`f`\n")
	image := markdown.Find[*ast.Image](doc)[0]
	if got := string(image.FirstChild().(*ast.String).Value); got != "The rate x² of a" {
		t.Errorf("%q", got)
	}
}

// TestD2LSpans checks that the places of marks are right everywhere in a page.
func TestD2LSpans(t *testing.T) {
	page := "# One\n:label:`sec_one`\n\n![A](a.png)\n:width:`40px`\n:label:`fig`\n\n:begin_tab:`jax`\nSee :numref:`fig`, :cite:`a,b`.\n:end_tab:\n\n```{.python .input}\n#@tab jax\nx\n```\n\n(**b**)\n"
	want := ":label:`sec_one` :width:`40px` :label:`fig` :begin_tab:`jax` :numref:`fig` :cite:`a,b` :end_tab: (** **)"
	for name, prefix := range map[string]string{"plain": "", "quote": "> ", "list": "  ", "quote in a list": "  > "} {
		for _, end := range []string{"\n", "\r\n"} {
			var b strings.Builder
			for i, line := range strings.Split(strings.TrimSuffix(page, "\n"), "\n") {
				before := prefix
				if strings.HasPrefix(prefix, "  ") && i == 0 {
					before = "- " + prefix[2:]
				}
				b.WriteString(before + line + end)
			}
			source := b.String()
			doc, faults := markdowntest.Parse(d2lOptions, source)
			if len(faults) > 0 {
				t.Errorf("%s: %+v", name, faults)
			}
			var got []string
			_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
				var spans []markdown.Span
				switch n := n.(type) {
				case *d2l.Directive:
					spans = []markdown.Span{n.Span}
				case *markdown.Anchor:
					spans = []markdown.Span{n.Span}
				case *markdown.Bibliography:
					spans = []markdown.Span{n.Span}
				case *markdown.Reference:
					spans = []markdown.Span{n.Span}
				case *markdown.Citation:
					spans = []markdown.Span{n.Span}
				case *d2l.SlideMark:
					spans = []markdown.Span{n.Span}
				case *markdown.Tab:
					if spans = []markdown.Span{n.Opening}; !entering {
						spans = []markdown.Span{n.Closing}
					}
				}
				for _, s := range spans {
					if entering || n.Kind() == markdown.KindTab {
						got = append(got, source[s.Start:s.Stop])
					}
				}
				return ast.WalkContinue, nil
			})
			if diff := cmp.Diff(want, strings.Join(got, " ")); diff != "" {
				t.Errorf("%s %q (-want +got)\n%s", name, end, diff)
			}
		}
	}
}

func TestD2LFaults(t *testing.T) {
	for _, tt := range []struct{ name, source, at, message string }{
		{"a width without an image", "Text\n:width:`40px`\n", ":width:`40px`", ":width: stands behind no image"},
		{"a width that is none", "![A](a.png)\n:width:`wide`\n", ":width:`wide`", `"wide" is no width`},
		{"an equation's label", "Text\n:eqlabel:`a`\n", ":eqlabel:`a`", ":eqlabel: stands behind no equation"},
		{"no backquotes", "See :numref:fig_a.\n", ":numref:fig_a", ":numref: without backquotes is text"},
		{"no closing backquote", "See :numref:`fig_a and more.\n", ":numref:`fig_a", "the backquote that closes :numref: is missing"},
		{"a misspelt name", "# A\n:lable:`a`\n", ":lable:`a`", "there is no directive :lable:"},
		{"a tab that nothing closes", ":begin_tab:`jax`\nText\n", ":begin_tab:`jax`", "the tab is not closed, and ends with its paragraph"},
		{"closed in another quote", "> :begin_tab:`jax`\n> Text\n\n:end_tab:\n", ":begin_tab:`jax`", "the tab is not closed"},
		{"a tab in a tab", ":begin_tab:`jax`\n- :begin_tab:`numpy`\n:end_tab:\n", ":begin_tab:", "a tab cannot stand in a tab"},
		{"an end without a tab", "Text\n\n:end_tab:\n", ":end_tab:", ":end_tab: ends no tab"},
		{"reStructuredText", "```eval_rst\n.. image:: x\n```\n", ".. image:: x", "reStructuredText is shown as it is written"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, faults := markdowntest.Parse(d2lOptions, tt.source)
			if len(faults) == 0 || faults[0].Message.String() != tt.message || tt.source[faults[0].Start:faults[0].Stop] != tt.at || faults[0].Hint.IsZero() {
				t.Errorf("%+v", faults)
			}
		})
	}
	if _, faults := markdowntest.Parse(d2lOptions, "A :rocket:`x` and 10:30:`y`, a:b:c, see:\n"); len(faults) > 0 {
		t.Errorf("%+v", faults)
	}
}

// TestD2LRun checks that code for several frameworks runs in the session of each.
func TestD2LRun(t *testing.T) {
	source := "```{.python .input}\na\n```\n\n```{.python .input}\n#@tab jax\nb\n```\n\nText\n\n```{.python .input}\n#@tab all\nc\n```\n"
	doc, _ := markdowntest.Parse(markdown.Options{Dialects: markdown.D2L, Run: true}, source)
	// "jax" is named first, for unmarked code is counted when the page is read.
	want := "tabs\ntab MXNet\ncode a in mxnet\ntab JAX\ncode b in jax\ntext Text\ntabs\ntab JAX\ncode c in jax\ntab MXNet\ncode c in mxnet\n"
	if diff := cmp.Diff(want, outline(doc, source)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestD2LHostile checks that a page of one repeated mark is parsed in time proportional to its length.
func TestD2LHostile(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a few seconds")
	}
	for _, mark := range []string{":a:`", ":label:`x`", ":label:`x` ", ":begin_tab:`a`\n", ":end_tab:\n", ":begin_tab:`a` ", "[**", "(**", "(~~", "**]", "[@a", "[@a;", ":numref:x", ":numref:`x ", ": numref: `x` ", "[**\n$$x$$\n", "[**\n\n", ":label:`x`\n\n", "![a](b)\n:label:`x`\n", "```{.input}\n#@tab a\n```\n", "|a|\n|-|\n:label:`x`\n\n", ": a\n\n"} {
		complexitytest.Check(t, mark, 1<<17, func(n int) {
			markdowntest.Parse(markdown.Options{Dialects: markdown.D2L, Citations: true, Run: true}, strings.Repeat(mark, n/len(mark)))
		})
	}
}

func FuzzD2L(f *testing.F) {
	for _, seed := range []string{
		"# A\n:label:`a`\n\n![x](y)\n:width:`1px`\n:label:`b`\n", ":begin_tab:`a,b`\nx\n:end_tab:\n```{.python .input}\n#@tab a, b\nx\n```\n", ": c\n\n|a|\n|-|\n|1|\n:label:`t`\n",
		"[**a**] (~~b~~) [@k; see @l, 3] :cite:`a,b`", "```toc\na\nb <c>\n```\n```eval_rst\n.. raw:: html\n\n  x\n```\n", "T\n\n: c\n\n|a|\n|-|\n", "$$x$$\n:eqlabel:`e`\n", "(**\n$$x$$\n**) :ref: `a` :ref:`b c\n", "> - :begin_tab:`x` y\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, source string) {
		o := markdown.Options{Dialects: markdown.D2L, Citations: true, Run: len(source)%2 == 0}
		pc := parser.NewContext()
		data := []byte(source)
		doc := dialects.New(o).Parser().Parse(text.NewReader(data), parser.WithContext(pc))
		for _, fault := range markdown.Faults(pc) {
			if fault.Start < 0 || fault.Stop > len(source) || fault.Start >= fault.Stop {
				t.Fatalf("%+v of %d", fault, len(source))
			}
		}
		for _, n := range markdown.Find[*d2l.Directive](doc) {
			if s := source[n.Start:n.Stop]; !strings.HasPrefix(s, ":"+n.Name+":`") || !strings.HasSuffix(s, "`") {
				t.Fatalf("%q", s)
			}
		}
		for _, n := range markdown.Find[*markdown.Tab](doc) {
			if n.Title == "" && len(n.Names) > 0 {
				t.Fatal("a tab without a title")
			}
		}
	})
}
