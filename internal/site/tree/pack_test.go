package tree

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/syntax"
)

// manyForms is a page with all forms of nodes.
const manyForms = `# Título {#top}

## Um *dois* **três** {#um .big}

Texto com [link](a.md "t"), ` + "`código`" + `, ~~não~~, <b>html</b>, https://example.org/x,
uma linha\
outra, ![i](i.png){#i width=3} e nota[^1]. [r][ref] :rocket: {live}` + "`m.gpu`" + ` $a_1$
<mail@example.org>

> citação
> > dentro
> - [x] item

1. um

   dois
2. três

	código recuado

- a
- b

	| a | b |
	|---|:-:|
	| 1 | 2 |

| a | b |
|---|:-:|
| *1* | 2 |

::::tabs
:::tab Um
a
:::
:::tab Dois
b
:::
::::

:::note Título *t* {#n}
dentro
:::

![leg](i.png "Legenda *x*"){#fig-x}

[](#fig-x) e [](#um)

$$ a = b $$ {#eq-x}

` + "```python {title=\"x\" run}\nprint(1)\n```\n\n```text {expect}\n1\n```\n\n~~~\nsem fim de linha" + `
~~~

<div>
html
</div>

***

[ref]: https://example.org "x"
[^1]: A nota,
    com dois parágrafos.

    Dois.
`

// described returns a tree in lines, with everything that a renderer can read from a node.
func described(n ast.Node, depth int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s%s pos %d", strings.Repeat(" ", depth), n.Kind(), n.Pos())
	for _, a := range n.Attributes() {
		fmt.Fprintf(&b, " %s=%q", a.Name, a.Value)
	}
	if n.Type() != ast.TypeInline {
		fmt.Fprintf(&b, " blank %v", n.HasBlankPreviousLines())
		for i := range n.Lines().Len() {
			fmt.Fprintf(&b, " %v", n.Lines().At(i))
		}
	}
	if t, ok := n.(*ast.Text); ok {
		fmt.Fprint(&b, t.SoftLineBreak(), t.HardLineBreak(), t.IsRaw())
	}
	for v, i := reflect.ValueOf(n).Elem(), 0; i < v.NumField(); i++ {
		switch f := v.Type().Field(i); {
		case strings.HasPrefix(f.Name, "Base"), f.Name == "BlockNode", f.Name == "InlineNode", !f.IsExported():
		case f.Type.Kind() == reflect.Pointer || f.Type.Kind() == reflect.Struct && f.Name == "Formula":
		default:
			fmt.Fprintf(&b, " %s %v", f.Name, v.Field(i).Interface())
		}
	}
	b.WriteByte('\n')
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if c.Parent() != n || c.NextSibling() != nil && c.NextSibling().PreviousSibling() != c {
			b.WriteString("not where it should be: ")
		}
		b.WriteString(described(c, depth+1))
	}
	return b.String()
}

// A fence represents the nodes of other packages, which package tree does not know.
type fence struct {
	ast.BaseBlock
	Code string
}

var kindFence = ast.NewNodeKind("TestFence")

func (*fence) Kind() ast.NodeKind { return kindFence }

func (n *fence) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// parsed returns a document before packing, with its fences replaced.
func parsed(t testing.TB, source string, o markdown.Options) *ast.Document {
	t.Helper()
	doc := syntax.New(o).Parser().Parse(text.NewReader([]byte(source))).(*ast.Document)
	var fences []*ast.FencedCodeBlock
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if f, ok := n.(*ast.FencedCodeBlock); ok && entering {
			fences = append(fences, f)
		}
		return ast.WalkContinue, nil
	})
	for _, n := range fences {
		f := &fence{Code: string(n.Lines().Value([]byte(source)))}
		f.SetPos(n.Pos())
		n.Parent().ReplaceChild(n.Parent(), n, f)
	}
	return doc
}

func TestPack(t *testing.T) {
	for _, tt := range []struct {
		source   string
		dialects markdown.Dialect
	}{
		{"", 0},
		{manyForms, 0},
		{"> " + strings.ReplaceAll(manyForms, "\n", "\n> "), 0},
		{strings.ReplaceAll(manyForms, "\n", "\r\n"), 0},
		{"# A\n\n![[b]] [[c|d]] #tag ==m== %%c%%\n\ntext ^id\n\n- x ^y\n", markdown.Obsidian},
		{"- a\n\tb\n\n\t  c\n>\td\n", 0},
	} {
		o := markdown.Options{Dialects: tt.dialects, Language: "pt", Smart: true, Citations: true}
		want := described(parsed(t, tt.source, o), 0)
		p, ok := pack(parsed(t, tt.source, o))
		if !ok {
			t.Errorf("not packed: %q", tt.source)
			continue
		}
		for range 2 { // unpacking does not change the packed tree
			if diff := cmp.Diff(want, described(p.unpack().Root, 0)); diff != "" {
				t.Errorf("%q (-want +got)\n%s", tt.source, diff)
			}
		}
	}
}

// TestPackRefuses checks that a node that refers to nodes other than its children is not packed.
func TestPackRefuses(t *testing.T) {
	source := "a\n\n%%\ncomment\n%%\n\n*b*\n"
	o := markdown.Options{Dialects: markdown.Obsidian}
	doc := parsed(t, source, o)
	want := described(doc, 0)
	if _, ok := pack(doc); ok {
		t.Fatal("packed")
	}
	if diff := cmp.Diff(want, described(doc, 0)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func FuzzPack(f *testing.F) {
	f.Add(manyForms, false)
	f.Add("![[b]] [[c|d]] ==m==\n\n- x ^y\n", true)
	f.Fuzz(func(t *testing.T, source string, obsidian bool) {
		o := markdown.Options{Language: "es", Smart: true}
		if obsidian {
			o.Dialects = markdown.Obsidian
		}
		if len(source) > 1<<12 {
			return
		}
		want := described(parsed(t, source, o), 0)
		doc := parsed(t, source, o)
		p, ok := pack(doc)
		if ok {
			doc = p.unpack().Root
		}
		if diff := cmp.Diff(want, described(doc, 0)); diff != "" {
			t.Errorf("packed %v (-want +got)\n%s", ok, diff)
		}
	})
}

// BenchmarkTree unpacks the tree of a page of many forms.
func BenchmarkTree(b *testing.B) {
	p, ok := pack(parsed(b, manyForms, markdown.Options{Language: "pt", Smart: true}))
	if !ok {
		b.Fatal("not packed")
	}
	b.ReportAllocs()
	for b.Loop() {
		p.unpack()
	}
}
