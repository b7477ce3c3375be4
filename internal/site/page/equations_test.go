package page_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark/ast"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/sitetest"
)

// formulas returns the formulas of a page: "block:", "display:" or "inline:" and the TeX.
func formulas(s *site.Site, p *site.Page) []string {
	var got []string
	_ = ast.Walk(p.Doc(), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *markdown.Math:
			kind := "inline:"
			if n.Display {
				kind = "display:"
			}
			got = append(got, kind+s.Links(p).Formula(&n.Formula).Typeset())
		case *markdown.MathBlock:
			got = append(got, "block:"+s.Links(p).Formula(&n.Formula).Typeset())
		case *markdown.Reference:
			r := s.Links(p).Reference(n)
			if n.Parentheses {
				r.Number = "(" + r.Number + ")"
			}
			got = append(got, "ref:"+r.Number+" "+r.ID)
		}
		return ast.WalkContinue, nil
	})
	return got
}

func TestMathInHeadings(t *testing.T) {
	p := sitetest.Page(t, "# $E = mc^2$ e $x$\n\n## A norma $\\ell_2$\n\n$$\nx \\label{a}\n$$\n\n### Por \\eqref{a}\n\n## eq a\n")
	want := []site.Heading{{Level: 2, ID: "a-norma-ell_2", Text: "A norma ℓ₂"}, {Level: 3, ID: "por-1", Text: "Por (1)"}, {Level: 2, ID: "eq-a", Text: "eq a"}}
	if diff := cmp.Diff(want, p.Headings); diff != "" || p.Title != "E = mc² e x" {
		t.Errorf("%q (-want +got)\n%s", p.Title, diff)
	}
}

func TestMathNumbers(t *testing.T) {
	text := `\eqref{b} \ref{s} \eqref{t} \eqref{m}

$$
x % \label{no}
$$

\begin{equation}\label{a} x \end{equation}

\begin{align}
a &= \begin{aligned} p \\ q \end{aligned} \\
b &= {\text{x \\ y}} \notag \\
c &= d \label{b} \\
\end{align}

$$ y \label{s} $$

\begin{gather*} u \\ v \label{m} \end{gather*}

$$ z \tag{$\ast$}\label{t} $$

$$ \text{por } \eqref{b}, \ref{t} $$
`
	want := []string{
		"ref:(3) b", "ref:4 s", "ref:($\\ast$) t", "ref:(5) m",
		"block:x % \\label{no}\n",
		"block:\\begin{equation} x  \\tag{1}\\end{equation}",
		"block:\\begin{align}a &= \\begin{aligned} p \\\\ q \\end{aligned}  \\tag{2}\\\\\nb &= {\\text{x \\\\ y}} \\notag \\\\\nc &= d   \\tag{3}\\\\\n\\end{align}",
		"block: y  \\tag{4} ",
		"block:\\begin{gather*} u \\\\ v   \\tag{5}\\end{gather*}",
		"block: z \\tag{$\\ast$} ",
		"block: \\text{por } \\text{(3)}, \\text{$\\ast$} ",
	}
	s := sitetest.PageSite(t, text)
	p := s.Page("p", "pt")
	if diff := cmp.Diff(want, formulas(s, p)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	for _, id := range []string{"a", "b", "s", "m", "t"} {
		if !p.Anchors[id] {
			t.Errorf("%s is no anchor", id)
		}
	}
	// The offset of every command of the TeX is found in the file.
	for _, f := range p.Formulas {
		for i := range f.Typeset() {
			at := f.Place(i)
			if at < f.Start || at > f.Stop {
				t.Fatalf("%q: offset %d is at %d, out of %d to %d", f.Typeset(), i, at, f.Start, f.Stop)
			}
			if c := f.Typeset()[i]; strings.ContainsRune("&=uvq", rune(c)) && p.Source.Data[at] != c {
				t.Errorf("%q: %c at %d is %q in the file", f.Typeset(), c, i, p.Source.Data[at])
			}
		}
	}
}

func TestMathDiagnostics(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"unknown label", "$$\nx \\label{eq:perda}\n$$\n\nPor \\eqref{eq:perd} e\n\n$$ \\ref{z} $$\n", `content/pt/p.md:5:5: warning: no equation has the label "eq:perd"
    5 | Por \eqref{eq:perd} e
      |     ^~~~~~~~~~~~~~~
  hint: did you mean "eq:perda"?
content/pt/p.md:7:4: warning: no equation has the label "z"
    7 | $$ \ref{z} $$
      |    ^~~~~~~
  hint: write \label{z} into the equation
`},
		{"the same label twice", "$$ x \\label{a} $$\n\n> $$\n> y \\label{a}\n> $$\n", `content/pt/p.md:4:5: warning: the label "a" occurs twice in this page
    4 | > y \label{a}
      |     ^~~~~~~~~
  hint: references lead to the first
`},
		{"a label without a number", "$x \\label{a}$\n", `content/pt/p.md:1:4: warning: the equation with the label "a" has no number
    1 | $x \label{a}$
      |    ^~~~~~~~~
  hint: make it a block of its own, without \notag
`},
		{"out of its quote", "> $$\n> x\n\n$$\n", `content/pt/p.md:1:3: warning: the formula is not closed
    1 | > $$
      |   ^~
  hint: end it in the same quote or list item
`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, diags := sitetest.Load(t, map[string]string{"content/pt/p.md": tt.text})
			if diff := cmp.Diff(tt.want, diags); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// TestMathIsNoReference checks that brackets in a formula are not parsed as Markdown links.
func TestMathIsNoReference(t *testing.T) {
	sitetest.Page(t, "# P\n\n$[a][b]$ e $x[^2]$\n\n$$\n[a][b] [^c]\n$$\n\n| a |\n|---|\n| $[u][v]$ |\n")
}
