package myst_test

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
	"github.com/gpudocs/gpudocs/internal/markdown/dialects"
	"github.com/gpudocs/gpudocs/internal/markdown/markdowntest"
	"github.com/gpudocs/gpudocs/internal/markdown/myst"
)

// found lists what a page refers to and what runs on it, and its faults.
func found(source string, fm markdown.FrontMatter) string {
	pc := parser.NewContext()
	markdown.SetFrontMatter(pc, fm)
	doc := dialects.New(markdown.Options{Dialects: markdown.MyST}).Parser().Parse(text.NewReader([]byte(source)), parser.WithContext(pc))
	var list []string
	plain := func(n ast.Node) string { return markdown.Text(n, []byte(source), markdown.TextOptions{}) }
	for n := range markdown.Nodes(doc) {
		switch n := n.(type) {
		case *ast.Paragraph:
			list = append(list, "p "+plain(n))
		case *ast.Heading:
			id, _ := n.AttributeString("id")
			list = append(list, fmt.Sprintf("h#%s %s", id, plain(n)))
		case *markdown.Anchor:
			list = append(list, "anchor "+n.Name)
		case *markdown.Reference:
			list = append(list, strings.TrimSpace(fmt.Sprintf("ref %s %s", n.Destination, n.Format)+map[bool]string{true: " ()"}[n.Parentheses]+map[bool]string{true: " title"}[n.Title]))
		case *ast.Link:
			list = append(list, fmt.Sprintf("link %s", n.Destination))
		case *ast.Image:
			list = append(list, strings.TrimSpace(fmt.Sprintf("image %s %q %s", n.Destination, plain(n), markdown.TextAttribute(n, "width"))))
		case *markdown.Figure:
			list = append(list, strings.TrimSpace(fmt.Sprintf("%s#%s %s %s", n.Of, n.ID, n.Width, n.Height)))
		case *markdown.Caption:
			list = append(list, "caption "+plain(n))
		case *markdown.Citation:
			list = append(list, fmt.Sprintf("cite %v %v", n.Works, n.Textual))
		case *markdown.Bibliography:
			list = append(list, "bibliography")
		case *markdown.Contents:
			list = append(list, fmt.Sprint("pages ", len(n.Entries), " ", n.Entries[0].Page))
		case *myst.Styled:
			list = append(list, n.Element+" "+n.Title)
		case *ast.CodeSpan:
			list = append(list, "code "+plain(n))
		case *markdown.Math:
			list = append(list, "math "+n.TeX)
		case *markdown.MathBlock:
			line := "formula " + strings.Join(strings.Fields(n.TeX), " ")
			for _, l := range n.Rows[0].Labels {
				line += " #" + l.Name
			}
			list = append(list, line)
		case *ast.FencedCodeBlock:
			line := "fence " + string(n.Language([]byte(source)))
			if c := markdown.CodeInfoOf(n); c != nil {
				line = map[bool]string{true: "cell ", false: "code "}[c.Cell] + c.Language
				for _, a := range c.Attributes {
					line += " " + a.Name + "=" + a.Value
				}
			}
			list = append(list, fmt.Sprintf("%s %q", line, n.Lines().Value([]byte(source))))
		}
	}
	for _, f := range markdown.Faults(pc) {
		list = append(list, fmt.Sprintf("!%q %s", source[f.Start:f.Stop], f.Message))
	}
	return strings.Join(list, "\n")
}

func TestPages(t *testing.T) {
	r := markdown.FrontMatter{CellLanguage: "r", Substitutions: map[string]string{"gpu": "H100"}}
	for _, tt := range []struct {
		name, source, want string
		fm                 markdown.FrontMatter
	}{
		{"cell", "```{code-cell} ipython3\n:tags: [hide-input, x]\n\na = 1\nb\n```\n", `cell python hide=1-2 "a = 1\nb\n"`, r},
		{"cell of the page's language", "```{code-cell}\nx\n```\n", `cell r "x\n"`, r},
		{"cell without a language", "```{code-cell}\nx\n```\n", `cell python "x\n"`, markdown.FrontMatter{}},
		{"cell that is not run, and one that fails", "```{code-cell}\n---\ntags:\n  - skip-execution\n---\nx\n```\n```{code-cell}\n:tags: raises-exception\nx\n```\n", `code python "x\n"` + "\n" + `cell python exit=1 "x\n"`, markdown.FrontMatter{}},
		{"cells of a page that does not run", "```{code-cell}\n:tags: [raises-exception]\nx\n```\n", `code python "x\n"`, markdown.FrontMatter{SkipCells: true}},
		{"cell with options alone", "```{code-cell}\n:tags: [remove-input]\n```\n", `cell python ""`, markdown.FrontMatter{}},
		{"cell named like its language", "```{python}\nx\n```\n", `cell python "x\n"`, r},
		{"cell in a list, indented", "- a\n\n  ```{code-cell}\n  if x:\n    y\n  ```\n", "p a\n" + `cell python "if x:\n  y\n"`, markdown.FrontMatter{}},
		{"figure that a cell makes", "```{code-cell}\n---\nmystnb:\n  figure:\n    caption: A *long*\n      one\n    name: fig-x\n---\nx\n```\n", "figure#fig-x\n" + `cell python "x\n"` + "\ncaption A long one", markdown.FrontMatter{}},
		{"code", "```{code-block} yaml\n:linenos:\n:lineno-start: 3\n:emphasize-lines: 1,3-4\n:filename: a.yml\nx: 1\n```\n", `code yaml numbers=3 hl_lines=1,3-4 title=a.yml "x: 1\n"`, r},
		{"code with a caption", ":::{code} bash\n:caption: A *b*\n:name: x y\nls\n:::\n", "listing#x-y\n" + `code bash "ls\n"` + "\ncaption A b", r},
		{"lines that are none", "```{code} bash\n:emphasize-lines: 2-\nls\n```\n", `code bash "ls\n"`, r},
		{"diagram", "```{mermaid}\ngraph TD\n```\n", `fence mermaid "graph TD\n"`, r},
		{"diagram with a caption", "```{mermaid}\n:caption: A *b*\n:name: x\ngraph TD\n```\n", "figure#x\nfence mermaid \"graph TD\\n\"\ncaption A b", r},
		{"figure", "```{figure} a.png\n:width: 60%\n:alt: A\n:label: fig-a\nThe *caption*\n\nThe legend\n```\n", "figure#fig-a 60%\nimage a.png \"A\"\ncaption The captionThe legend\np The legend", r},
		{"figure without a text", ":::{figure} a.png\nThe *caption*\n:::\n", "figure#\nimage a.png \"The caption\"\ncaption The caption", r},
		{"figure of images", ":::{figure}\n:name: x\n![](a.png)\n\n![](b.png)\n\nBoth\n:::\n", "figure#x\np \nimage a.png \"\"\np \nimage b.png \"\"\ncaption Both", r},
		{"image", "```{image} a.png\n:width: 200px\n:alt: A\n```\n", "p \nimage a.png \"A\" 200px", r},
		{"formula", "```{math}\n:label: eq-a\nx\n\ny\n```\n", "formula x y #eq-a", r},
		{"formula with a label after it", "$$\nx\n$$ (eq-a)\n\n$$y$$ (eq-b)\n", "formula x #eq-a\nformula y #eq-b", r},
		{"film", "```{iframe} https://x.org/v\n:title: A film\nWhat it is\n```\n", "p A film\nlink https://x.org/v\np What it is", r},
		{"list of pages", "```{toctree}\n:maxdepth: 2\n\na/b\nC <c>\n```\n```{toctree}\n:hidden:\nd\n```\n", "pages 2 a/b", r},
		{"list of one page", "```{toctree}\na\n```\n", "pages 1 a", r},
		{"formula that is indented", "```{math}\n  x\n    y\n```\n", "formula x y", r},
		{"list of references", "```{bibliography} refs.bib\n```\n", "p \nbibliography", r},
		{"what shows nothing", "```{index} a\nb\n```\n```{raw} latex\nx\n```\n```{contents}\n```\n% comment\n\n+++ {\"a\": 1}\na\n%b\nc\n", "p a\np c", r},
		{"only", ":::{only} html\na\n:::\n:::{only} latex\nb\n:::\n", "p a", r},
		{"references", "{ref}`a` {ref}`the a <a b>` {numref}`f` {numref}`Fig %s <f>` {eq}`e` {prf:ref}`t`\n", "p  the a    \nref :a  title\nlink #a-b\nref :f\nref :f Fig %s\nref :e  ()\nref :t", r},
		{"documents and files", "{doc}`/a/b` {doc}`x <c>` {doc}`other:c` {download}`d <d.zip>` {term}`GPU`\n", "p  x other:c d GPU\nref /a/b  title\nlink c\nlink d.zip\nlink #term-gpu", r},
		{"links", "[](#a) [](b) [](<c.md> \"t\") [t](#d) [](https://x.org) [d](doi:10.1/2) [t](xref:guide#a)\n", "p    t https://x.org d t\nref :a\nref b\nref c.md\nlink #d\nlink https://x.org\nlink https://doi.org/10.1/2\n!\"[\" links to other projects (xref:) show only their text", r},
		{"citations", "{cite}`a, b` {cite:t}`c` [@d]\n", "p   \ncite [{a  } {b  }] false\ncite [{c  }] true\ncite [{d  }] false", r},
		{"styles", "H{sub}`2`O {kbd}`Ctrl` {abbr}`PTX (Parallel)` {del}`x` {octicon}`star;1em` {py:func}`~a.b` {math}`x^2`\n", "p H2O Ctrl PTX x  b x²\nsub \nkbd \nabbr Parallel\ndel \ncode b\nmath x^2", r},
		{"over two lines", "{ref}`the\na <b>` {sub}`c\n", "p the a {sub}`c\nlink #b", r},
		{"unknown, told once", "{a}`b` {a}`c` {ref}` `\n", "p b c {ref} " + "\ncode  \n!\"a\" unknown role \"a\", whose text is kept", r},
		{"in code", "`{ref}` `` {ref}`a` `` \\{ref}`a`\n", "p {ref} {ref}`a` {ref}a\ncode {ref}\ncode {ref}`a`\ncode a", r},
		{"substitutions", "a {{ gpu }} {{gpu}} {{ x }}\n", "p a H100 H100 {{ x }}", r},
		{"targets", "(a)=\n(b)=\n# H\n\n(c)=\ntext\n\n(d)=\n```{figure} x.png\n```\n\n(e)=\n```{code-cell}\nx\n```\n\n(f)=\n- g\n", "h#b H\nanchor a\np text\nanchor c\nfigure#d\nimage x.png \"\"\nlisting#e\ncell r \"x\\n\"\nanchor f", r},
		{"no targets", "(a)= b\n\n(a=\n", "p (a)= b\np (a=", r},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, found(tt.source, tt.fm)); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

func TestBoxes(t *testing.T) {
	markdowntest.Blocks(t, markdown.MyST, [][3]string{
		{"tabs", "::::{tab-set}\n:::{tab-item} A\na\n:::\n:::{tab-item} B\n:selected:\nb\n:::\n::::\n", `tabs(tab[:::{tab-item} A](title"A" p"a")[:::] tab+[:::{tab-item} B](title"B" p"b")[:::])`},
		{"beside the text", ":::{margin}\na\n:::\n:::{sidebar} T\na\n:::\n", `noteplain class=inline end[:::{margin}](p"a")[:::] note class=inline end[:::{sidebar} T](title"T" p"a")[:::]`},
		{"a tab without a title", "::::{tab-set}\n:::{tab-item}\na\n:::\n::::\n", `tabs(tab[:::{tab-item}](title"tab-item" p"a")[:::])`},
		{"a list and more", ":::{list-table} T\n* - a\n\nb\n:::\n", `table#(list(item(list(item(p"a")))) p"b" caption"T") !"list-table" this is no table: its body is not one list`},
		{"quotes", ":::{epigraph}\na\n\n-- b\n:::\n", `quote(p"a" p"-- b")`},
		{"dropdown", ":::{dropdown} T\n:open:\na\n:::\n", `details+[:::{dropdown} T](title"T" p"a")[:::]`},
		{"a body alone", ":::{div}\na\n\n- b\n:::\n", `p"a" list(item(p"b"))`},
		{"HTML", "```{raw} html\n<b>x</b>\n```\n", `html"<b>x</b>\n"`},
		{"a label on a box", "(x)=\n:::{note}\na\n:::\n", `note id=x[:::{note}](p"a")[:::]`},
	})
}

// hostile are pages of one piece, many times.
var hostile = []string{"```{note}\n", ":::{note}\n", "{a}`", "{a}`b` ", "{{ a }}", "(a)=\n", "% a\n", "+++\n", ":::{code-cell}\n---\n", "```{figure} a\n:a: b\n", "[](a)", "{ref}`a <", "```{x", "$$a$$ (b)\n\n"}

func TestHostile(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a few seconds")
	}
	for _, unit := range append(hostile, "````{note}\n---\na: &x [*x, *x]\n") {
		complexitytest.Check(t, unit, 256<<10, func(n int) {
			markdowntest.Parse(markdown.Options{Dialects: markdown.MyST}, strings.Repeat(unit, n/len(unit)))
		})
	}
}

func TestBounds(t *testing.T) {
	var deep strings.Builder
	for i := range 1000 {
		deep.WriteString(strings.Repeat(":", 1003-i) + "{note}\n")
	}
	if got := found(deep.String()+"text\n", markdown.FrontMatter{}); strings.Count(got, "too deeply") != 1 || !strings.Contains(got, "text") {
		t.Errorf("nested 1000 deep: %.300s", got)
	}
	bomb := ":::{note} T\n---\na: &a [x, x]\nb: &b [*a, *a]\nclass: *b\n---\ntext\n:::\n"
	if got := found(bomb, markdown.FrontMatter{}); got != "p text" {
		t.Errorf("a bomb: %s", got)
	}
	if got := found(strings.Repeat("{ref}`a` ", 10_000)+"\n", markdown.FrontMatter{}); strings.Count(got, "ref :a") != 10_000 {
		t.Error("10,000 roles are not 10,000 references")
	}
}

func FuzzMyST(f *testing.F) {
	for _, unit := range hostile {
		f.Add(unit + "a\n```\n:::\n")
	}
	f.Add("(a)=\n# b\n\n:::{figure} a.png\n:name: x\n\nc {ref}`a`\n:::\n\n```{code-cell}\n---\nmystnb:\n  figure:\n    caption: |\n      a\n---\nx\n```\n")
	f.Fuzz(func(t *testing.T, source string) {
		doc, faults := markdowntest.Parse(markdown.Options{Dialects: markdown.MyST}, source)
		for _, fault := range faults {
			if fault.Start < 0 || fault.Stop > len(source) || fault.Start > fault.Stop {
				t.Fatalf("%+v of %d", fault, len(source))
			}
		}
		markdowntest.CheckSpans(t, doc, []byte(source))
		markdowntest.Outline(doc, []byte(source))
	})
}
