package content

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark/ast"
)

// formulas are those of a page: "block:", "display:" or "inline:" and the TeX.
func formulas(p *Page) []string {
	var got []string
	_ = ast.Walk(p.Doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *Math:
			kind := "inline:"
			if n.Display {
				kind = "display:"
			}
			got = append(got, kind+n.TeX)
		case *MathBlock:
			got = append(got, "block:"+n.TeX)
		case *MathRef:
			got = append(got, "ref:"+n.Number+" "+n.ID)
		}
		return ast.WalkContinue, nil
	})
	return got
}

func TestNoMath(t *testing.T) {
	for _, text := range []string{
		"US$ 5 e US$ 10", "R$ 5 e R$ 10", "R$5,00 e R$10,00", "US$5 y US$10", "$5 and $10", "$5,00 e $10,00", "de $5 a $10.", "$5/$6", "5$ e 6$", "custa 5$, não 6$",
		"($5) ($10)", "$HOME", "$HOME and $PATH", "$HOME/bin:$PATH", "`$x$`", "``$`x`$``", `\$x\$`, `\$x$`, `$x\$`, "$ x$", "$x $", "$ x $", "$x", "x$", "$", "$$", "$$$", "$$$$",
		"    $$\n    x\n    $$", "```\n$$\nx\n$$\n```", "```\n\\begin{align}\n\\end{align}\n```", "$a\n\nb$", "$$\na", "$$\na\n\n# b\n\nc\n$$", "$$ a\n\nb $$",
		`\\(x\\)`, `\(\)`, `\( \)`, `\[x\](y.md)`, `\begin{document}x\end{document}`, "\\begin{align}\nx", `\eqref{}`, `\eqref{a`, `\ref`, "<a href=\"$x$\">y</a>", "https://e.org/?a=$x&b=$y",
		"[a](<$x$.md>)\n\n[b](https://e.org/$x$)", "$`x$", "$x`y`$", "vale a$x$ e", "$x$y", "$x$5", "echo $$ > pid",
	} {
		p := sound(t, map[string]string{"content/pt/p.md": text, "content/pt/$x$.md": "", "content/pt/y.md": ""}).Pages
		for _, p := range p {
			if got := formulas(p); len(got) > 0 {
				t.Errorf("%q: %q", text, got)
			}
		}
	}
}

func TestMath(t *testing.T) {
	for _, tt := range []struct {
		text string
		want []string
	}{
		{"$x$", []string{"inline:x"}},
		{"a $x$, ($y$) e $z$—norma. **$w$** _$v$_", []string{"inline:x", "inline:y", "inline:z", "inline:w", "inline:v"}},
		{"$a_1 * b_2 * c$ [$d$](https://e.org)", []string{"inline:a_1 * b_2 * c", "inline:d"}},
		{"custa R$ 5 e $x$ vale US$ 10", []string{"inline:x"}},
		{`$\$5$ e $\text{se $x$}$`, []string{`inline:\$5`, `inline:\text{se $x$}`}},
		{"$`a_*b*`$", []string{"inline:a_*b*"}},
		{"$a +\nb$", []string{"inline:a +\nb"}},
		{"> $a +\n> b$", []string{"inline:a +\nb"}},
		{`\(x\) e \( y \)`, []string{"inline:x", "inline: y "}},
		{"veja $$x$$, e", []string{"display:x"}},
		{"$\\frac{a$ e $b$", []string{"inline:\\frac{a", "inline:b"}},
		{"$$x$$", []string{"block:x"}},
		{"$$\nx\n$$", []string{"block:x\n"}},
		{"$$\n\nx\n\ny\n\n$$\n\nz", []string{"block:x\ny\n"}},
		{"a\n$$\nx\n$$\nb", []string{"block:x\n"}},
		{"$$ x\n+ y $$", []string{"block: x\n+ y "}},
		{"\\[\nx \\\\[2pt] y\n\\]", []string{"block:x \\\\[2pt] y\n"}},
		{"> $$\n> x\n> $$", []string{"block:x\n"}},
		{"- a\n  $$\n  x\n  $$\n- $y$", []string{"block:x\n", "inline:y"}},
		{"\\begin{align*}\na &= b \\\\\nc &= d\n\\end{align*}", []string{"block:\\begin{align*}a &= b \\\\\nc &= d\n\\end{align*}"}},
		{"\\begin{pmatrix}\\begin{pmatrix}1\\end{pmatrix}\\end{pmatrix}", []string{"block:\\begin{pmatrix}\\begin{pmatrix}1\\end{pmatrix}\\end{pmatrix}"}},
		{"| a |\n|---|\n| $x$ |\n| $\\|y\\|$ |", []string{"inline:x", "inline:|y|"}},
		{"a[^1]\n\n[^1]: $x$", []string{"inline:x"}},
		{"x\n: $y$", []string{"inline:y"}},
	} {
		if got := formulas(sound(t, map[string]string{"content/pt/p.md": tt.text}).Pages[0]); !cmp.Equal(got, tt.want) {
			t.Errorf("%q:\n got %q\nwant %q", tt.text, got, tt.want)
		}
	}
}

func TestMathInHeadings(t *testing.T) {
	p := page(t, "# $E = mc^2$ e $x$\n\n## A norma $\\ell_2$\n\n$$\nx \\label{a}\n$$\n\n### Por \\eqref{a}\n\n## eq a\n")
	want := []Heading{{2, "a-norma-ell_2", `A norma \ell_2`}, {3, "por-1", "Por (1)"}, {2, "eq-a", "eq a"}}
	if diff := cmp.Diff(want, p.Headings); diff != "" || p.Title != "E = mc^2 e x" {
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
	p := page(t, text)
	if diff := cmp.Diff(want, formulas(p)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	for _, id := range []string{"a", "b", "s", "m", "t"} {
		if !p.anchors[id] {
			t.Errorf("%s is no anchor", id)
		}
	}
	// Every command of the TeX leads to its place in the file.
	for _, f := range p.Formulas {
		for i := range f.TeX {
			at := f.Place(i)
			if at < f.Start || at > f.Stop {
				t.Fatalf("%q: offset %d is at %d, out of %d to %d", f.TeX, i, at, f.Start, f.Stop)
			}
			if c := f.TeX[i]; strings.ContainsRune("&=uvq", rune(c)) && p.Source.Data[at] != c {
				t.Errorf("%q: %c at %d is %q in the file", f.TeX, c, i, p.Source.Data[at])
			}
		}
	}
}

func TestMathDiagnostics(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"unknown label", "$$\nx \\label{eq:perda}\n$$\n\nPor \\eqref{eq:perd} e\n\n$$ \\ref{z} $$\n", `content/pt/p.md:5:5: warning: no equation of this page has the label "eq:perd"
    5 | Por \eqref{eq:perd} e
      |     ^~~~~~~~~~~~~~~
  hint: did you mean "eq:perda"?
content/pt/p.md:7:4: warning: no equation of this page has the label "z"
    7 | $$ \ref{z} $$
      |    ^~~~~~~
  hint: write \label{z} into the equation
`},
		{"the same label twice", "$$ x \\label{a} $$\n\n> $$\n> y \\label{a}\n> $$\n", `content/pt/p.md:4:5: warning: the label "a" stands twice in this page
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
			_, diags := load(t, map[string]string{"content/pt/p.md": tt.text})
			if diff := cmp.Diff(tt.want, diags); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// FuzzMathSyntax holds that places lead into the formula, whatever was numbered.
func FuzzMathSyntax(f *testing.F) {
	for _, s := range []string{"$x$ R$ 5", "$$\nx \\label{a}\n$$\n\\eqref{a}", "> \\begin{align}\n> a \\\\ b \\label{c}\n> \\end{align}", "| a |\n|-|\n| $\\|x\\|$ |", "\\[ \\ref{x} \\]", "- $$\n\t x % \\\\\n  $$", "$`a`$ \\(b\\) $$c$$", "* $$0\n$$"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, _ := load(t, map[string]string{"content/pt/p.md": text})
		if s == nil {
			return
		}
		for _, p := range s.Pages {
			for _, m := range p.Formulas {
				for i := range len(m.TeX) + 2 {
					if at := m.Place(i); at < m.Start || at > m.Stop {
						t.Fatalf("%q: offset %d of %q is at %d, out of %d to %d", text, i, m.TeX, at, m.Start, m.Stop)
					}
				}
			}
		}
	})
}
