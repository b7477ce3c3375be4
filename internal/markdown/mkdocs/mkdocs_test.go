package mkdocs_test

import (
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/markdowntest"
)

func TestMkDocsBlocks(t *testing.T) {
	markdowntest.Blocks(t, markdown.MkDocs, [][3]string{
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
		{"html is no element", "/// html | div\nx\n///\n", `note[/// html | div](title"html | div" p"x")[///] !"html" unknown container "html"`},

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
		{"an item of HTML in no element", "<li>a</li>\n\nb\n", `html"<li>a</li>\n" p"b"`},
		{"an element of its own name", "<li markdown>\n<li>a</li>\n</li>\nb\n", `li(html"<li markdown>" html"<li>a</li>\n" html"</li>") p"b"`},
		{"another end in an element", "<div markdown>\n<dt>a</dd>\n\nb\n\n</div>\n", `div(html"<div markdown>" html"<dt>a</dd>\n" p"b" html"</div>")`},
		{"options without a value", "/// note\n    # only a comment\nx\n///\n", "note[/// note\n    # only a comment](code\"    # only a comment\\n\" p\"x\")[///] !\"# only a comment\" these lines are not the options of a /// block"},
		{"options of another block", "/// note\n    type: tip\nx\n///\n\n//// tab | T\n    open: true\n////\n", "note[/// note\n    type: tip](p\"x\")[///] tab[//// tab | T\n    open: true](title\"T\")[////] " +
			`!"type: tip" the option "type" has no meaning on note !"open: true" the option "open" has no meaning on tab`},
		{"a kind of an admonition", "/// admonition | T\n    type: Tip\nx\n///\n", "tip[/// admonition | T\n    type: Tip](title\"T\" p\"x\")[///]"},
		{"markdown in a value is no attribute", "<div title=\"x markdown \">\na\n</div>\n", `html"<div title=\"x markdown \">\na\n</div>\n"`},
	})
}

// TestDeepBlocks checks that blocks in too many others are code.
func TestDeepBlocks(t *testing.T) {
	var page strings.Builder
	for i := range 1000 {
		page.WriteString(strings.Repeat("    ", i) + "!!! note\n")
	}
	doc, _ := markdowntest.Parse(markdown.Options{Dialects: markdown.MkDocs}, page.String())
	if n := len(markdown.Find[*markdown.Callout](doc)); n != 32 {
		t.Errorf("%d blocks are nested", n)
	}
}
