package markdown

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/gpudocs/gpudocs/internal/lineartest"
)

// parseBlocks reads a text in some dialects.
func parseBlocks(source string, d Dialect) (ast.Node, []Fault) {
	pc := parser.NewContext()
	doc := New(Options{Dialects: d}).Parser().Parse(text.NewReader([]byte(source)), parser.WithContext(pc))
	return doc, Faults(pc)
}

// outlineBlocks writes a tree in one line, the spans of blocks as the text that they
// cover: note[opening]("Title": p"text")[closing].
func outlineBlocks(n ast.Node, source []byte) string {
	var parts []string
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		parts = append(parts, outlineBlocks(c, source))
	}
	inner := strings.Join(parts, " ")
	lines := func() string { return fmt.Sprintf("%q", n.Lines().Value(source)) }
	cut := func(s Span) string {
		if s.Start == s.Stop {
			return ""
		}
		return "[" + string(source[s.Start:s.Stop]) + "]"
	}
	extra := ""
	for _, name := range []string{"id", "class"} {
		if v, ok := n.AttributeString(name); ok {
			extra += fmt.Sprintf(" %s=%s", name, v)
		}
	}
	switch n := n.(type) {
	case *Callout:
		fold := map[Fold]string{Folded: "-", Unfolded: "+"}[n.Fold]
		if n.Plain {
			fold += "plain"
		}
		return n.Name + fold + extra + cut(n.Opening) + "(" + inner + ")" + cut(n.Closing)
	case *Tab:
		mark := ""
		if n.Selected {
			mark += "+"
		}
		if n.Apart {
			mark += "!"
		}
		return "tab" + mark + extra + cut(n.Opening) + "(" + inner + ")" + cut(n.Closing)
	case *Tabs:
		return "tabs(" + inner + ")"
	case *Figure:
		return string(n.Of) + "#" + n.ID + extra + "(" + inner + ")"
	case *Caption:
		return "caption" + lines() + strings.TrimSpace(inner)
	case *Container:
		return "container " + n.Name + n.Tag + cut(n.Opening) + "(" + inner + ")" + cut(n.Closing)
	case *Element:
		return n.Name + "(" + inner + ")"
	case *CalloutTitle, *TabTitle:
		return "title" + lines()
	case *ast.Paragraph, *ast.TextBlock:
		return "p" + lines()
	case *ast.HTMLBlock:
		return "html" + lines()
	case *ast.FencedCodeBlock:
		return "fence" + lines()
	case *ast.CodeBlock:
		return "code" + lines()
	case *ast.Heading:
		return "h" + lines()
	case *ast.Blockquote:
		return "quote(" + inner + ")"
	case *ast.List:
		return "list(" + inner + ")"
	case *ast.ListItem:
		return "item(" + inner + ")"
	case *ast.Document:
		return inner
	}
	return ""
}

type blockTest struct{ name, source, want string }

func testBlocks(t *testing.T, d Dialect, tests []blockTest) {
	t.Helper()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, ends := range []string{"\n", "\r\n"} {
				source := strings.ReplaceAll(tt.source, "\n", ends)
				doc, faults := parseBlocks(source, d)
				got := strings.ReplaceAll(outlineBlocks(doc, []byte(source)), `\r`, "")
				for _, f := range faults {
					got += fmt.Sprintf(" !%q %s", source[f.Start:f.Stop], f.Message)
				}
				got = strings.ReplaceAll(got, "\r", "")
				if diff := cmp.Diff(tt.want, got); diff != "" {
					t.Errorf("line ends %q (-want +got)\n%s", ends, diff)
				}
				checkSpans(t, doc, []byte(source))
			}
		})
	}
}

// checkSpans holds that the extents of our marks lie in the source, in order, and
// begin where the node does.
func checkSpans(t *testing.T, doc ast.Node, source []byte) {
	t.Helper()
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		var opening, closing Span
		switch n := n.(type) {
		case *Callout:
			opening, closing = n.Opening, n.Closing
		case *Tab:
			opening, closing = n.Opening, n.Closing
		case *Container:
			opening, closing = n.Opening, n.Closing
		default:
			return ast.WalkContinue, nil
		}
		if opening.Start < 0 || opening.Start >= opening.Stop || opening.Stop > len(source) || n.Pos() != opening.Start {
			t.Errorf("%s at %d opens in %v of %d bytes: %q", n.Kind(), n.Pos(), opening, len(source), source)
		}
		if closing != (Span{}) && (closing.Start < opening.Stop || closing.Stop <= closing.Start || closing.Stop > len(source)) {
			t.Errorf("%s opens in %v and closes in %v: %q", n.Kind(), opening, closing, source)
		}
		return ast.WalkContinue, nil
	})
}

func TestContainers(t *testing.T) {
	testBlocks(t, 0, []blockTest{
		{"without a title", ":::note\ntext\n:::\nb\n", `note[:::note](p"text")[:::] p"b"`},
		{"title with markup and attributes", ":::  Tip A *b*: c  {#x .wide fold}\n:::\n", `tip- id=x class=wide[:::  Tip A *b*: c  {#x .wide fold}](title"A *b*: c")[:::]`},
		{"open fold", ":::info {fold=open}\n:::\n", `info+[:::info {fold=open}]()[:::]`},
		{"details fold by themselves", ":::details\na\n:::\n", `details-[:::details](p"a")[:::]`},
		{"braces that are the title's", ":::note Set {a, b!}\n:::\n", `note[:::note Set {a, b!}](title"Set {a, b!}")[:::]`},
		{"nested by more colons", "::::note\n:::tip\na\n:::\n::::\n", `note[::::note](tip[:::tip](p"a")[:::])[::::]`},
		{"of the same length", ":::note\n:::tip\na\n:::\nb\n:::\n", `note[:::note](tip[:::tip](p"a")[:::] p"b")[:::]`},
		{"the outer ends the inner", "::::note\n:::tip\na\n::::\nb\n", `note[::::note](tip[:::tip](p"a"))[::::] p"b" !":::tip" the ::: container is not closed`},
		{"not closed", "a\n:::note\nb", `p"a" note[:::note](p"b") !":::note" the ::: container is not closed`},
		{"marks in a fence", ":::note\n```\n:::\n```\n:::\n", `note[:::note](fence":::\n")[:::]`},
		{"in a quote", "> :::note\n> a\n> :::\n\nb\n", `quote(note[:::note](p"a")[:::]) p"b"`},
		{"in a list, behind a tab", "- a\n\n\t:::note T\n\tb\n\t:::\n", `list(item(p"a" note[:::note T](title"T" p"b")[:::]))`},
		{"a name that is none", "::: {.note}\na\n:::\n\n:::a:b\n", `p"::: {.note}\na\n:::" p":::a:b" !":::" this line ends nothing, and is shown as text`},
		{"marks that end nothing", "::: \na\n\n> ::::\n\n:::note\n:::\n:::\n", `p"::: \na" quote(p"::::") note[:::note]()[:::] p":::" !":::" this line ends nothing, and is shown as text !"::::" this line ends nothing, and is shown as text !":::" this line ends nothing, and is shown as text`},
		{"unknown", ":::nota Olá *x*\na\n:::\n", `note[:::nota Olá *x*](title"nota Olá *x*" p"a")[:::] !"nota" unknown container "nota"`},
		{"unknown attribute", ":::note T {fold=yes size=3}\n:::\n", `note[:::note T {fold=yes size=3}](title"T")[:::] !"fold=yes" fold cannot be "yes" !"size=3" unknown attribute "size"`},
		{"machines", ":::machines\n:::\n", `container machines[:::machines]()[:::]`},
		{"tabs", "::::tabs\n:::tab Linux `x` {#l}\na\n:::\n:::tab {selected}\nb\n:::\n::::\n", "tabs(tab id=l[:::tab Linux `x` {#l}](title\"Linux `x`\" p\"a\")[:::] tab+[:::tab {selected}](title\"tab\" p\"b\")[:::]) !\":::tab {selected}\" a tab without a title"},
		{"interrupts a paragraph", "a\n:::note\nb\n:::\nc\n", `p"a" note[:::note](p"b")[:::] p"c"`},
		{"deep indentation is code", "    :::note\n\n:::note\n    :::\n:::\n", `code":::note\n" note[:::note](code":::\n")[:::]`},
	})
}

func TestAlerts(t *testing.T) {
	testBlocks(t, 0, []blockTest{
		{"GitHub's", "> [!NOTE]\n> text\n", `note[> [!NOTE]](p"text")`},
		{"in lower case, without blanks", ">[!tip]\n>text\nlazy\n", `tip[>[!tip]](p"text\nlazy")`},
		{"of several blocks", "> [!WARNING]\n> a\n>\n> - b\n\nc\n", `warning[> [!WARNING]](p"a" list(item(p"b"))) p"c"`},
		{"empty is a quote", "> [!NOTE]\n\nb\n", `quote(p"[!NOTE]") p"b"`},
		{"two", "> [!NOTE]\n> a\n\n> [!TIP]\n> b\n", `note[> [!NOTE]](p"a") tip[> [!TIP]](p"b")`},
		{"in a list", "- > [!CAUTION]\n  > a\n", `list(item(caution[> [!CAUTION]](p"a")))`},
		{"a link is no alert", "> [!NOTE](x)\n", `quote(p"[!NOTE](x)")`},
		{"with a title", "> [!NOTE] T\n> a\n", `quote(p"[!NOTE] T\na") !"[!NOTE]" [!note] is no alert as GitHub knows it, and stays a quote`},
		{"with another name", "> [!nota]\n> a\n", `quote(p"[!nota]\na") !"[!nota]" [!nota] is no alert as GitHub knows it, and stays a quote`},
	})
	testBlocks(t, Obsidian, []blockTest{
		{"title", "> [!info] A *b*\n> c\n", `info[> [!info] A *b*](title"A *b*" p"c")`},
		{"folds", "> [!faq]- A\n> b\n\n> [!TLDR]+\n> c\n", `question-[> [!faq]- A](title"A" p"b") abstract+[> [!TLDR]+](p"c")`},
		{"title alone", "> [!bug] A", `bug[> [!bug] A](title"A")`},
		{"own kind", "> [!minha receita|wide] A\n> b\n", `minha receita[> [!minha receita|wide] A](title"A" p"b")`},
		{"nested", "> [!question] A\n> > [!todo]- B\n> > c\n> \n> d\n", `question[> [!question] A](title"A" todo-[> [!todo]- B](title"B" p"c") p"d")`},
		{"empty name", "> [! ]\n", `quote(p"[! ]")`},
	})
}

func TestMkDocsBlocks(t *testing.T) {
	testBlocks(t, MkDocs, []blockTest{
		{"admonition", "!!! note\n    a\n\n    b\n\nc\n", `note[!!! note](p"a" p"b") p"c"`},
		{"title", "!!! danger \"A *b* \"c\"\"\n    a\n", `danger[!!! danger "A *b* "c""](title"A *b* \"c\"" p"a")`},
		{"no title", "!!! note \"\"\n    a\n", `noteplain[!!! note ""](p"a")`},
		{"further words are classes", "!!! Tip inline end \"T\"\n    a\n", `tip class=inline end[!!! Tip inline end "T"](title"T" p"a")`},
		{"own kind", "!!! pied-piper\n    a\n", `pied-piper[!!! pied-piper](p"a")`},
		{"folded and open", "??? hint\n    a\n\n???+ note \"T\"\n    b\n\n??? \"Only a title\"\n    c\n", `tip-[??? hint](p"a") note+[???+ note "T"](title"T" p"b") details-[??? "Only a title"](title"Only a title" p"c")`},
		{"ends without a blank line", "!!! note\n    a\nb\n", `note[!!! note](p"a") p"b"`},
		{"interrupts a paragraph", "a\n!!! note\n    b\n", `p"a" note[!!! note](p"b")`},
		{"tabs indent too", "!!! note\n\ta\n\n\t\tcode\n", `note[!!! note](p"a" code"code\n")`},
		{"nested, with a fence", "!!! note\n    ??? tip\n        ```\n        x\n          y\n        ```\n    b\n", "note[!!! note](tip-[??? tip](fence\"x\\n  y\\n\") p\"b\")"},
		{"in a list", "1.  a\n\n    !!! note\n        b\n\n    c\n2.  d\n", `list(item(p"a" note[!!! note](p"b") p"c") item(p"d"))`},
		{"in a list, as MkDocs indents it", "- a\n\n    !!! note\n        b\n\n            code\n", `list(item(p"a" note[!!! note](p"b" code"code\n")))`},
		{"text", "!!! é só isto!\n\nwow!!! note\n\n??? \n\n=== x\n", `p"!!! é só isto!" p"wow!!! note" p"???" p"=== x"`},
		{"tabs", "=== \"A `b`\"\n\n    x\n\n===+ \"C\"\n    y\n===! \"D\"\n    z\n", "tab[=== \"A `b`\"](title\"A `b`\" p\"x\") tab+[===+ \"C\"](title\"C\" p\"y\") tab![===! \"D\"](title\"D\" p\"z\")"},
		{"setext headings stay", "a\n===\n", `h"a"`},

		{"slashes", "/// note | A *b*\n\nx\n\n///\ny\n", `note[/// note | A *b*](title"A *b*" p"x")[///] p"y"`},
		{"without a blank line", "a\n/// Warning\nx\n///\ny\n", `p"a" warning[/// Warning](p"x")[///] p"y"`},
		{"options", "/// details | T\n    open: True\n    type: warning\n    attrs: {id: x, class: a b}\nx\n///\n", `warning+ id=x class=a b[/// details | T
    open: True
    type: warning
    attrs: {id: x, class: a b}](title"T" p"x")[///]`},
		{"details", "/// details | T\nx\n///\n", `details-[/// details | T](title"T" p"x")[///]`},
		{"what are no options", "/// note\n    - code\nx\n///\n", `note[/// note
    - code](code"    - code\n" p"x")[///] !"- code" these lines are not the options of a /// block`},
		{"tabs of slashes", "//// tab | A\n    select: true\n\n/// tip\nx\n///\n\n////\n\n//// tab | B\n    new: true\n////\n", `tab+[//// tab | A
    select: true](title"A" tip[/// tip](p"x")[///])[////] tab![//// tab | B
    new: true](title"B")[////]`},
		{"in a list, indented by four", "4. a\n\n    /// note | N\n\n    b\n\n    ///\n\n    c\n", `list(item(p"a" note[/// note | N](title"N" p"b")[///] p"c"))`},
		{"not closed", "/// note\nx\n", `note[/// note](p"x") !"/// note" the /// container is not closed`},
		{"a comment in code", "```c\n/// note\n```\n\n/// Not a block: text\n", `fence"/// note\n" p"/// Not a block: text"`},
		{"unknown", "/// nota | T\nx\n///\n", `note[/// nota | T](title"nota | T" p"x")[///] !"nota" unknown container "nota"`},
		{"html", "/// html | div\nx\n///\n", `container html<div>[/// html | div](p"x")[///]`},
		{"html with attributes", "/// html | Span#y.a[title='\"é\" <b' x].b\nx\n///\n", `container html<span id="y" class="a b" title="&#34;é&#34; &lt;b" x="">[/// html | Span#y.a[title='"é" <b' x].b](p"x")[///]`},
		{"html without an element", "/// html | <b>\nx\n///\n", `container html[/// html | <b>](p"x")[///] !"<b>" this names no element, and its text stands alone`},

		{"caption", "a\n/// caption\n    attrs: {id: x, class: y}\nb *c*\nd\n///\ne\n", `figure#x class=y(p"a" caption"b *c*\nd") p"e"`},
		{"captions of code, of what their name says", "```sh\nx\n```\n/// caption\na\n///\n\nb\n\n/// table-caption\nc\n\n- d\n///\n", `listing#(fence"x\n" caption"a") table#(p"b" caption""p"c" list(item(p"d")))`},
		{"caption of tabs", "=== \"A\"\n    a\n\n=== \"B\"\n    b\n\n/// caption | <\nc\n///\n", `figure#(tab[=== "A"](title"A" p"a") tab[=== "B"](title"B" p"b") caption"c")`},
		{"caption in a list", "- ![a](b \"c\")\n\n    /// caption | 12\n    d\n    ///\n", `list(item(figure#(figure#(p"![a](b \"c\")" caption"c") caption"d"))) !"12" a number or depth of a caption is not read`},
		{"captions of nothing", "/// caption\na\n///\n\n/// caption\n///\n", `container caption[/// caption](p"a")[///] container caption[/// caption]()[///] !"/// caption" nothing stands before this caption !"/// caption" a caption without a text`},

		{"element", "<div class=\"x\" markdown=\"1\">\n*a*\n</div>\nb\n", `div(html"<div class=\"x\" markdown=\"1\">" p"*a*" html"</div>") p"b"`},
		{"element on one line", "<div markdown>*a*</div>\nb\n", `div(html"<div markdown>" p"*a*" html"</div>") p"b"`},
		{"empty element", "<div markdown></div>\nb\n", `div(html"<div markdown>" html"</div>") p"b"`},
		{"closed behind text", "<DIV markdown=block>\na\n\nb</DIV>\nc\n", `div(html"<DIV markdown=block>" p"a" p"b" html"</DIV>") p"c"`},
		{"summary", "<details markdown=\"1\">\n<summary>S <b>x</b></summary>\n**a**\n</details>\n", `details(html"<details markdown=\"1\">" html"<summary>S <b>x</b></summary>" p"**a**" html"</details>")`},
		{"one in another", "<div markdown>\n<div>\n<div>x</div>\n</div>\na\n</div>\nb\n", `div(html"<div markdown>" html"<div>\n<div>x</div>\n</div>\na\n" html"</div>") p"b"`},
		{"a tag in code", "<div markdown>\n```\n</div>\n```\n</div>\n", "div(html\"<div markdown>\" fence\"</div>\\n\" html\"</div>\")"},
		{"text without paragraphs", "<p markdown>*a*</p>\n\n<div markdown=\"span\">\nb\n</div>\n", `p(html"<p markdown>" p"*a*" html"</p>") div(html"<div markdown=\"span\">" p"b" html"</div>")`},
		{"markdown in a value is no attribute", "<div title=\"x markdown \">\na\n</div>\n", `html"<div title=\"x markdown \">\na\n</div>\n"`},
	})
}

// TestDialectsKeepApart holds that the marks of a dialect are text without it.
func TestDialectsKeepApart(t *testing.T) {
	testBlocks(t, Obsidian|D2L, []blockTest{
		{"MkDocs", "!!! note\n\n/// note\n///\n\n=== \"A\"\n", `p"!!! note" p"/// note\n///" p"=== \"A\""`},
		{"element", "<div markdown>\na\n</div>\n", `html"<div markdown>\na\n</div>\n"`},
	})
}

// TestManyMarks holds that a page of nothing but marks is read in time in
// proportion to it.
func TestManyMarks(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a few seconds")
	}
	for _, mark := range []string{":::a\n", ":::\n", ":::note {", "/// note\n", "///\n", "!!! note\n", "!!! a ", "=== \"A\"\n", "=== \"", "??? \"", "> [!note]\n\n", "> [!note] ", "<div markdown>\n", "<div markdown>",
		"<div markdown>\n</div>\n", "/// caption\na\n///\n", "/// html | a[b=", "</div>", ":::tab x\n:::\n", ":::note\n```\n", "/// note\n    a: 1\n", "    a: 1\n"} {
		lineartest.Check(t, mark, 1<<17, func(n int) {
			parseBlocks("/// note\n"+strings.Repeat(mark, n/len(mark)), Obsidian|MkDocs)
		})
	}
}

func FuzzBlocks(f *testing.F) {
	for _, s := range []string{":::note T {fold}\na\n:::", "> [!a|b]- c\n>d", "!!! a \"b\"\n    c\n\td", "/// a | b\n    c: d\n///", "=== \"a\"\n    - b\n\n        c", "<div markdown>a<div></div>\nb</div>", "- \t:::a\n\t\t:::\n"} {
		f.Add(s, uint8(7))
	}
	f.Fuzz(func(t *testing.T, s string, d uint8) {
		doc, faults := parseBlocks(s, Dialect(d&7))
		checkSpans(t, doc, []byte(s))
		for _, fault := range faults {
			if fault.Start < 0 || fault.Start > fault.Stop || fault.Stop > len(s) {
				t.Errorf("%q: %v", s, fault)
			}
		}
	})
}

// shapes are lines that pages of the fuzzer are made of; each W becomes a word that
// stands nowhere else.
var shapes = []string{"", "W", "    W", "        W", "\tW", "  W", "!!! note \"W\"", "??? W", "???+ \"W\"", "    !!! W", "=== \"W\"", "    === \"W\"", "/// note | W", "/// W", "/// caption", "/// html | W", "///", "////", "//// tab | W", "    open: True",
	"    W: [", ":::note W", ":::W", ":::", "::::tabs", ":::tab W", "::::", "> W", "> [!note]", "> [!W]- W", "> > [!tip] W", ">", "- W", "1. W", "- !!! W", "- > W", "```W", "```", "> ```", "    ```", "# W", "===", "---",
	"<div markdown>", "<div markdown>W", "<div markdown=\"1\">W</div>", "</div>", "W</div>", "<summary>W</summary>", "<p>W", "    :::note W", "> :::", "W\n: W"}

// FuzzNoTextIsLost holds that every word of a page is in its tree, or in the marks
// of a block.
func FuzzNoTextIsLost(f *testing.F) {
	f.Add([]byte{6, 2, 2, 1}, uint8(7))
	f.Add([]byte{12, 17, 1, 14, 41, 1, 44}, uint8(7))
	f.Fuzz(func(t *testing.T, lines []byte, d uint8) {
		var b bytes.Buffer
		words := 0
		for _, l := range lines[:min(len(lines), 60)] {
			for i, part := range strings.Split(shapes[int(l)%len(shapes)], "W") {
				if i > 0 {
					fmt.Fprintf(&b, "w%03dw", words)
					words++
				}
				b.WriteString(part)
			}
			b.WriteByte('\n')
		}
		source := b.Bytes()
		doc, _ := parseBlocks(string(source), Dialect(d&7))
		checkSpans(t, doc, source)
		kept := keptBytes(doc, source)
		for i := range words {
			word := fmt.Sprintf("w%03dw", i)
			at := bytes.Index(source, []byte(word))
			if !kept[at] {
				t.Errorf("%s is lost of\n%s\n%s", word, source, outlineBlocks(doc, source))
			}
		}
	})
}

// keptBytes marks the bytes that a node of the tree covers.
func keptBytes(doc ast.Node, source []byte) []bool {
	kept := make([]bool, len(source)+1)
	mark := func(from, to int) {
		for i := max(from, 0); i < min(to, len(source)); i++ {
			kept[i] = true
		}
	}
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		if n.Type() == ast.TypeBlock {
			for i := range n.Lines().Len() {
				mark(n.Lines().At(i).Start, n.Lines().At(i).Stop)
			}
		}
		switch n := n.(type) {
		case *Callout:
			mark(n.Opening.Start, n.Opening.Stop)
		case *Tab:
			mark(n.Opening.Start, n.Opening.Stop)
		case *Container:
			mark(n.Opening.Start, n.Opening.Stop)
		case *ast.FencedCodeBlock:
			if n.Info != nil {
				mark(n.Info.Segment.Start, n.Info.Segment.Stop)
			}
		case *ast.HTMLBlock:
			mark(n.ClosureLine.Start, n.ClosureLine.Stop)
		}
		return ast.WalkContinue, nil
	})
	return kept
}
