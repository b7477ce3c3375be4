package mkdocs_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark/ast"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/dialects"
	"github.com/gpudocs/gpudocs/internal/markdown/markdowntest"
)

// TestMarks checks attribute lists, icons, Jinja and generated documentation, as HTML.
func TestMarks(t *testing.T) {
	for _, tt := range []struct{ name, source, want string }{
		{"a button", "[a](b){ .md-button .md-button--primary #i title=\"t\" target=_blank }\n", `<p><a href="b" title="t" class="button button-primary" id="i">a</a></p>`},
		{"after emphasis and code", "**a**{ .x } `b`{: .y } ==c=={.z}\n", `<p><strong class="x">a</strong> <code class="y">b</code> <mark>c</mark></p>`},
		{"after nothing that has attributes", "a{ .x } (b){.y} { .z } [a](b) {.w}\n", `<p>a{ .x } (b){.y} { .z } <a href="b">a</a> {.w}</p>`},
		{"words are no attributes", "[a](b){c} `f`{x, y}\n", `<p><a href="b">a</a>{c} <code>f</code>{x, y}</p>`},
		{"of a paragraph", "a (1)\n{ .annotate .wide }\n\n1. n\n", "<p class=\"wide\">a (1)</p>\n<ol>\n<li>n</li>\n</ol>"},
		{"of an item", "- a\n  {: #i }\n", "<ul>\n<li id=\"i\">a</li>\n</ul>"},
		{"in a quote", "> a\n> {: .x }\n", "<blockquote>\n<p class=\"x\">a</p>\n</blockquote>"},
		{"of the list above", "- a\n\n{: .x }\n", "<ul class=\"x\">\n<li>a</li>\n</ul>"},
		{"of a cell", "|a|\n|-|\n|b { .x }|\n", "<table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td class=\"x\">b </td>\n</tr>\n</tbody>\n</table>"},
		{"not on the last line", "a\n{ .x }\nb\n", "<p>a\n{ .x }\nb</p>"},
		{"icons", ":material-clock-fast:{ .lg .middle } **a** [:octicons-arrow-right-24: b](c)\n", `<p> <strong>a</strong> <a href="c"> b</a></p>`},
		{"an icon alone", ":fontawesome-brands-github: [:octicons-heart-fill-24:](a) x:material-a:\n", `<p> <a href="a">heart-fill</a> x</p>`},
		{"no icon", ":material-: :other-x: `:material-x:`\n", `<p>:material-: :other-x: <code>:material-x:</code></p>`},
		{"Jinja", "v {{ version }} {% if a %}b{% endif %} {# c #} {{}} {d}\n", `<p>v <code>version</code> b  {{}} {d}</p>`},
		{"lines of Jinja", "{% for a in b %}\n\n- {{ a }}\n\n{% endfor %}\n", "<ul>\n<li><code>a</code></li>\n</ul>"},
		{"raw", "{% raw %}\n\n{{ a }} {% b %}\n\n{%- endraw -%}\n\n`{% raw %}{{ c }}{% endraw %}`\n\n```\n{% raw %}\n{{ d }}\n{% endraw %}\n```\n", "<p>{{ a }} {% b %}</p>\n<p><code>{{ c }}</code></p>\n<pre><code>{{ d }}\n</code></pre>"},
		{"raw at one end only", "```\n{% raw %}\na\n```\n\n```\nb\n{% endraw %}\n```\n\n```\n{% raw %}\n```\n", "<pre><code>{% raw %}\na\n</code></pre>\n<pre><code>b\n{% endraw %}\n</code></pre>\n<pre><code>{% raw %}\n</code></pre>"},
		{"attributes of no block", "|a |\n|-|\n|b{.x} c|\n|d {.y} e|\n", "<table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>b{.x} c</td>\n</tr>\n<tr>\n<td>d {.y} e</td>\n</tr>\n</tbody>\n</table>"},
		{"text in an element", "<p markdown>*a*</p>\n\n<div markdown>*b*</div>\n", "<p markdown><em>a</em>\n</p><div markdown><p><em>b</em></p>\n</div>"},
		{"HTML of a template", "<a href=\"{{ a.b }}\">\nc</a>\n\n<p>{{</p>\n", "<p>{{</p>"},
		{"mkdocstrings", "a\n\n::: pkg.mod.Class\n    options:\n        members: [run]\n\nb", "<p>a</p>\n<pre><code>pkg.mod.Class</code></pre>\n<p>b</p>"},
		{"files of other plugins", "{* ../a.py ln[1:5] hl[2] *}\n\n- x\n\n  {!a.md!}  \n\nx {* b *}\n", "<p><code>{* ../a.py ln[1:5] hl[2] *}</code></p>\n<ul>\n<li>\n<p>x</p>\n<p><code>{!a.md!}</code></p>\n</li>\n</ul>\n<p>x {* b *}</p>"},
		{"contents", "[TOC]\n\na [TOC]\n", "<p>a [TOC]</p>"},
		{"the language of code", "`#!python range()` `#!` `#!/bin/sh x`\n", "<p><code>range()</code> <code>#!</code> <code>#!/bin/sh x</code></p>"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := strings.TrimSpace(markdowntest.HTML(t, dialects.New(markdown.Options{Dialects: markdown.MkDocs}), tt.source))
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
	const source = "[a](b){ .md-button .x #i } :material-a: :material-b: :material-a: {{ c }}\n\n::: d.e\n\n:material-f: :material-g:\n\n<b title='{{ h }}'>x</b>\n" +
		"\n{* a.py *}\n{! b.md !}\n"
	doc, faults := markdowntest.Parse(markdown.Options{Dialects: markdown.MkDocs}, source)
	link := markdown.Find[*ast.Link](doc)[0]
	if class, _ := link.AttributeString("class"); string(class.([]byte)) != "button x" {
		t.Errorf("%s", class)
	}
	var got []string
	for _, f := range faults {
		got = append(got, f.Message.String()+" "+source[f.Start:f.Stop])
	}
	want := "the documentation that mkdocstrings generates is not shown, such as ::: d.e ::: d.e|icons are not shown, such as :material-a: :material-a:|" +
		"templates of Jinja are not filled in, such as {{ c }} {{ c }}|this line is shown as it is: the file is not included {* a.py *}"
	if diff := cmp.Diff(want, strings.Join(got, "|")); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestGrids(t *testing.T) {
	markdowntest.Blocks(t, markdown.MkDocs, [][3]string{
		{"cards", "<div class=\"grid cards\" markdown>\n\n-   **A**\n\n    ---\n\n    b\n\n    [c](d)\n\n- e\n\n</div>\n\nf\n", `grid0(card(title(p"**A**") p"b" p"[c](d)") card(p"e")) p"f"`},
		{"blocks", "<div class=\"grid\" markdown>\n\n=== \"A\"\n\n    b\n\n=== \"C\"\n\n    d\n\ne\n{ .card }\n\n> f\n\n</div>\n", `grid0(tab[=== "A"](title"A" p"b") tab[=== "C"](title"C" p"d") card(p"e\n{ .card }") quote(p"f"))`},
		{"without an end", "<div class=\"grid cards\" markdown>\n\n- a\n", `grid0(card(p"a"))`},
		{"another div", "<div class=\"grids\" markdown>\n\n- a\n\n</div>\n", `div(html"<div class=\"grids\" markdown>" list(item(p"a")) html"</div>")`},
		{"two lines in a card", "<div class=\"grid cards\" markdown>\n\n- a\n\n    ---\n\n    b\n\n    ---\n\n    c\n\n</div>\n", `grid0(card(title(p"a") p"b"  p"c"))`},
		{"empty", "<div class=\"grid\" markdown></div>\n", `grid0()`},
	})
}

// FuzzMarks checks that no mark is left, and that what is told has a place.
func FuzzMarks(f *testing.F) {
	for _, s := range []string{"[a](b){ .c } :material-a:{ .d } {{ e }}\n{: #f }\n", "::: a.b\n    c: d\n\n{% raw %}\n\n- a\n{ .x }\n\n{: .y }\n", "<div class=\"grid cards\" markdown>\n\n- a\n\n    ---\n\n    b\n{ .card }\n</div>\n", "|a { .x }|\n|-|\n|:octicons-b-16:|\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, source string) {
		doc, faults := markdowntest.Parse(markdown.Options{Dialects: markdown.MkDocs}, source)
		for n := range markdown.Nodes(doc) {
			if n.Kind().String() == "GpudocsMkDocsMark" || n.Kind().String() == "GpudocsMkDocsAPI" {
				t.Fatalf("%q: %s is left", source, n.Kind())
			}
			if text, ok := n.(*ast.Text); ok && (text.Segment.Start < 0 || text.Segment.Stop > len(source) || text.Segment.Start > text.Segment.Stop) {
				t.Fatalf("%q: a text at %v", source, text.Segment)
			}
		}
		for _, fault := range faults {
			if fault.Start < 0 || fault.Stop > len(source) || fault.Start >= fault.Stop {
				t.Fatalf("%q: %+v", source, fault)
			}
		}
		markdowntest.CheckSpans(t, doc, []byte(source))
	})
}
