package formula_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/dialects"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// found are the formulas, the references and the faults of a text.
func found(source string, o ...markdown.Options) (list []*markdown.Formula, refs []*markdown.Reference, faults []markdown.Fault) {
	pc := parser.NewContext()
	doc := dialects.New(append(o, markdown.Options{})[0]).Parser().Parse(text.NewReader([]byte(source)), parser.WithContext(pc))
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *markdown.Math:
			list = append(list, &n.Formula)
		case *markdown.MathBlock:
			list = append(list, &n.Formula)
		case *markdown.Reference:
			refs = append(refs, n)
		}
		return ast.WalkContinue, nil
	})
	return list, refs, markdown.Faults(pc)
}

// formulas returns the formulas of a text without faults: "block:", "display:" or "inline:" and the TeX.
func formulas(t *testing.T, source string) (got []string) {
	t.Helper()
	list, refs, faults := found(source)
	for _, f := range list {
		kind := "inline:"
		switch {
		case f.Display && !inParagraph(source, f):
			kind = "block:"
		case f.Display:
			kind = "display:"
		}
		got = append(got, kind+f.Typeset())
	}
	for _, r := range refs {
		got = append(got, "ref:"+r.Destination)
	}
	for _, f := range faults {
		t.Errorf("%q: %s", source, f.Message)
	}
	return got
}

// TestDollars checks the rules of the tools for which pages are written. In the fields are a text and
// its formulas on a page without a dialect, in a notebook, and on a page of D2L.
func TestDollars(t *testing.T) {
	for _, tt := range [][4]string{
		{"$1, 2, 3$ e $5 - 7$", "1, 2, 3|5 - 7", "1, 2, 3|5 - 7", "1, 2, 3|5 - 7"},
		{"$ x $, $x $, $ y$ e $ 0 $", "", " x |x | y| 0 ", ""},
		{"o $n$th e a$x$ e $f$é", "", "n|x|f", "n|x|f"},
		{`16$\times$ de $x$5`, `!$\times$`, `\times|x`, `\times`},
		{`$ \alpha $ e $ \beta $`, `!$ \alpha $|!$ \beta $`, ` \alpha | \beta `, `!$ \alpha $|!$ \beta $`},
		{"$ a = b + 2 $, $ w = velocidade $, $ N, M $, $ B_t - B_s $", "", " a = b + 2 | w = velocidade | N, M | B_t - B_s ", ""},
		{`custa $5. Seja $\alpha$ um`, `\alpha`, `\alpha`, `\alpha`},
		{`$d_{in}$x e $x^2$d`, "", `d_{in}|x^2`, `d_{in}|x^2`},
		{"US$ 5 e US$ 10, R$5 e R$10, US$5 e US$x", "", "", ""},
		{"5 $ por hora e 6 $ por dia, 5$ e 6$, $5/$6", "", "", ""},
		{"$HOME e $PATH, ${A}/${B}, $a=$b, $(pwd)/$(date)", "", "", "a="},
		{"Digite $ ls e depois $ cd", "", "", ""},
		{"变量$x$的值，$\\beta_1$。（$y$）", `x|\beta_1|y`, `x|\beta_1|y`, `x|\beta_1|y`},
		{"값은$x$이다、カード$n$枚", "x|n", "x|n", "x|n"},
		{"从$5到$10, 从$5到10$之间", "", "", ""},
		{"变量$速度$是, $\\text{速度}$的", `\text{速度}|!$速度$`, `\text{速度}|!$速度$`, `\text{速度}|!$速度$`},
		{"a$`x`$, $x$`y`", "x", "x", "x"},
	} {
		for i, o := range []markdown.Options{{}, {Notebook: true}, {Dialects: markdown.D2L}} {
			list, _, faults := found(tt[0], o)
			var got []string
			for _, f := range list {
				got = append(got, f.TeX)
			}
			for _, f := range faults {
				got = append(got, "!"+tt[0][f.Start:f.Stop])
			}
			if s := strings.Join(got, "|"); s != tt[i+1] {
				t.Errorf("%q with %+v: %q, want %q", tt[0], o, s, tt[i+1])
			}
		}
	}
	for _, source := range []string{"`$ \\alpha $`", `\$\alpha$`, "```\n$ \\alpha $\n```", `C:\$Recycle e C:\$A`, `<a title="$ \alpha $">`} {
		if _, _, faults := found(source); len(faults) > 0 {
			t.Errorf("%q: %+v", source, faults)
		}
	}
}

// inParagraph reports whether there is text before or after the formula on its lines.
func inParagraph(source string, f *markdown.Formula) bool {
	behind, _, _ := strings.Cut(source[f.Stop:], "\n")
	before := source[strings.LastIndexByte(source[:f.Start], '\n')+1 : f.Start]
	return strings.TrimSpace(behind) != "" || strings.Trim(before, " \t>-") != ""
}

func TestNoMath(t *testing.T) {
	for _, text := range []string{
		"US$ 5 e US$ 10", "R$ 5 e R$ 10", "R$5,00 e R$10,00", "US$5 y US$10", "$5 and $10", "$5,00 e $10,00", "de $5 a $10.", "$5/$6", "5$ e 6$", "custa 5$, não 6$",
		"($5) ($10)", "$HOME", "$HOME and $PATH", "$HOME/bin:$PATH", "`$x$`", "``$`x`$``", `\$x\$`, `\$x$`, `$x\$`, "$ x$", "$x $", "$ x $", "$x", "x$", "$", "$$", "$$$", "$$$$",
		"    $$\n    x\n    $$", "```\n$$\nx\n$$\n```", "```\n\\begin{align}\n\\end{align}\n```", "$a\n\nb$", "$$\na", "$$\na\n\n# b\n\nc\n$$", "$$ a\n\nb $$",
		`\\(x\\)`, `\(\)`, `\( \)`, `\[x\](y.md)`, `\begin{document}x\end{document}`, "\\begin{align}\nx", `\eqref{}`, `\eqref{a`, `\ref`, "<a href=\"$x$\">y</a>", "https://e.org/?a=$x&b=$y",
		"[a](<$x$.md>)\n\n[b](https://e.org/$x$)", "$`x$", "$x`y`$", "vale a$x$ e", "$x$y", "$x$5", "echo $$ > pid",
	} {
		if got := formulas(t, text); len(got) > 0 {
			t.Errorf("%q: %q", text, got)
		}
	}
}

// TestProse checks that dollar signs of amounts, shells and templates stay text, in several languages.
func TestProse(t *testing.T) {
	for _, text := range []string{
		// Money.
		"A placa custa US$ 5 e o cabo US$ 10.", "De R$ 10,00 a R$ 20,00.", "De R$10,00 a R$20,00 por hora.", "Custa $5 e $7.", "Custa $5, $7 ou $9; o resto, $11.",
		"Cuesta $5 y $7 la hora.", "Entre $1.500 y $2.000.", "Entre $1,500.00–$2,000.00.", "Precios: $10/$15/$20.", "Una cuesta $5 (antes $7).", "MX$ 90 o US$ 5; MX$90 o US$5.",
		"It costs $5 or US$ 10.", "Custa $5 ou R$ 25.", "Cuesta $5 o 6$.", "About $5M–$10M, not $5k/$10k.", "**$5** and **$6**, *$7* and *$8*.", "“$5”, “$6”", "[$5](#a) and [$6](#b)",
		"| a | b |\n|---|---|\n| $5 | $6 |", "- $5\n- $6", "> $5\n> $6", "# $5 e $6", "Custa 5 $ por hora e 6 $ por dia.", "Gastou $5\ne depois $6.", "A$ 5, C$ 6, NZ$ 7", "($5), ($6)", "$5-$7",
		"$5 a hora; US$ 7 a noite", "de US$5 até US$10/h", "menos de $0.50 e mais de $0.10",
		// Shells, templates and other programs.
		"$HOME e $PATH", "Em $HOME/bin:$PATH.", "$HOME/$USER", "${HOME}/${USER} e ${PATH}", "$(pwd)/$(date)", "$ ls", "Digite $ ls e depois $ cd ..", "$1 e $2, $1/$2, $@ e $?", "$a=$b", "${a}=${b}",
		"awk '{print $1, $2}'", "awk '{print $1}' e awk '{print $2}'", "$env:PATH;$env:HOME", "$('a').b($('c'))", "$.get e $.ajax", "$CUDA_HOME/lib64 y $LD_LIBRARY_PATH", "kill -9 $$", "A$AP e Ke$ha",
		"$x,$y", "$var = $other", "`echo $A` e $B",
	} {
		if got := formulas(t, text); len(got) > 0 {
			t.Errorf("%q: %q", text, got)
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
		{"$2 n$, $10^3$ e $10 \\text{ ms}$, $3 + 4$, $5$", []string{"inline:2 n", "inline:10^3", "inline:10 \\text{ ms}", "inline:3 + 4", "inline:5"}},
		{"$f$(x) e $(x)$", []string{"inline:f", "inline:(x)"}},
		{"$a[i][j]$ e $[x][y]$", []string{"inline:a[i][j]", "inline:[x][y]"}},
		{"*$x$*, **a $y$ b**, ~~$z$~~, \"$u$\", ($v$)", []string{"inline:x", "inline:y", "inline:z", "inline:u", "inline:v"}},
		{"# $x$ e $`y`$", []string{"inline:x", "inline:y"}},
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
		{"```math\nx\n\n y\n```", []string{"block:x\n y\n"}},
		{"> ~~~ math\n> x\n> ~~~\n\nz", []string{"block:x\n"}},
		{"- a\n\n  ```math\n  x\n  ```", []string{"block:x\n"}},
	} {
		if got := formulas(t, tt.text); !cmp.Equal(got, tt.want) {
			t.Errorf("%q:\n got %q\nwant %q", tt.text, got, tt.want)
		}
	}
}

// TestFormulaSpans checks the span of a formula, and the offset of each of its characters.
func TestFormulaSpans(t *testing.T) {
	for _, tt := range []struct{ text, want, tex string }{
		{"é $x$ b", "$x$", "x"},
		{"> a $x +\n> y$ b", "$x +\n> y$", "x +\ny"},
		{"a\n\n$$\r\nx\r\ny\r\n$$ {#eq-x}\r\nb", "$$\r\nx\r\ny\r\n$$ {#eq-x}", "x\r\ny\r\n"},
		{"> - $$\n>   x\n>   $$", "$$\n>   x\n>   $$", "x\n"},
		{"-\t$$\n\tx\n\t$$\nb", "$$\n\tx\n\t$$", "x\n"},
		{"1. a\n   \\begin{align}x&=y\\end{align} {#eq-y}  ", "\\begin{align}x&=y\\end{align} {#eq-y}", "\\begin{align}x&=y\\end{align}"},
		{"```math\nx\n```\nb", "```math\nx\n```", "x\n"},
		{"> ~~~math\n> x\n> ~~~\nb", "~~~math\n> x\n> ~~~", "x\n"},
	} {
		list, _, _ := found(tt.text)
		if len(list) != 1 {
			t.Errorf("%q: %d formulas", tt.text, len(list))
			continue
		}
		f := list[0]
		if got := tt.text[f.Start:f.Stop]; got != tt.want || f.TeX != tt.tex {
			t.Errorf("%q: %q of %q", tt.text, f.TeX, got)
		}
		for i := range f.TeX {
			if at := f.Place(i); tt.text[at] != f.TeX[i] {
				t.Errorf("%q: %q is found at %q", tt.text, f.TeX[i:], tt.text[at:])
			}
		}
	}
}

func TestRows(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"$$x$$", "[]"},
		{"$$x$$ {#eq-x}", "[eq-x]"},
		{"$$x \\label{a}$$ {#eq-x}", "[a eq-x]"},
		{"\\begin{equation} x \\end{equation}", "[+]"},
		{"\\begin{align} x \\notag \\\\ y \\end{align} {#eq-y}", "[-] [+eq-y]"},
		{"\\begin{align*} x \\\\ y \\end{align*} {#eq-y}", "[eq-y] []"},
		{"$$ x \\tag{*} $$ {#s}", "[*:s]"},
		{"$\\begin{align}x\\end{align}$", "[]"},
	} {
		list, _, _ := found(tt.text)
		var got []string
		for _, r := range list[0].Rows {
			mark := map[bool]string{true: "+"}[r.Counted() && r.Auto] + map[bool]string{true: "-"}[r.Quiet]
			if r.Tag != "" {
				mark += r.Tag + ":"
			}
			var names []string
			for _, l := range r.Labels {
				names = append(names, l.Name)
				if written := tt.text[l.Start:l.Stop]; !strings.Contains(written, l.Name) || strings.Trim(written, "{}#") == written {
					t.Errorf("%q: the label %s has the text %q", tt.text, l.Name, written)
				}
			}
			got = append(got, "["+mark+strings.Join(names, " ")+"]")
		}
		if s := strings.Join(got, " "); s != tt.want {
			t.Errorf("%q: %s, want %s", tt.text, s, tt.want)
		}
	}
}

func TestTypeset(t *testing.T) {
	list, _, _ := found("$$\nx \\label{a} % why\n$$")
	f := list[0]
	f.Rows[0].Number = "3.1"
	if got, want := f.Typeset(), "x  % why\n \\tag{3.1}\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if diff := cmp.Diff([]int{3, 4, 14}, []int{f.Place(0), f.Place(1), f.Place(2)}); diff != "" {
		t.Error(diff)
	}
}

func TestPlain(t *testing.T) {
	for _, tt := range []struct{ tex, want string }{
		{`E = mc^2`, "E = mc²"}, {`\ell_2`, "ℓ₂"}, {`\frac{1}{n} \sum_{i=1}^n x_i`, "1/n ∑_i=1ⁿ xᵢ"}, {`O(n \log n)`, "O(n log n)"}, {`\mathbf{W}^\top`, "W^⊤"},
		{`\|x\|_2`, "‖x‖₂"}, {`\mathbb{R}^{10}`, "R¹⁰"}, {`\alpha\,\beta`, "α β"}, {`50\%`, "50%"}, {`\text{se }x`, "se x"}, {`\sin x`, "sin x"}, {`x^`, "x"}, {`x_{a`, "x_a"},
		{`\frac`, "/"}, {`\frac12`, "1/2"}, {`\unknown{x}`, "unknownx"}, {`é^é`, "é^é"}, {`x\`, "x"}, {`{`, ""}, {`\left( x \right)`, "( x )"},
	} {
		f := markdown.Formula{TeX: tt.tex}
		if got := f.Plain(); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.tex, got, tt.want)
		}
	}
}

func TestUnclosedMath(t *testing.T) {
	_, _, faults := found("> $$\n> x\n\n$$\n")
	want := []markdown.Fault{{Span: markdown.Span{Start: 2, Stop: 4}, Rule: "math", Message: diag.Say("markdown.formula-not-closed"), Hint: diag.Say("markdown.formula-not-closed-hint")}}
	if diff := cmp.Diff(want, faults); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// FuzzMathSyntax checks that offsets are within the formula, also if it is numbered.
func FuzzMathSyntax(f *testing.F) {
	for _, s := range []string{"$x$ R$ 5", "$$\nx \\label{a}\n$$\n\\eqref{a}", "> \\begin{align}\n> a \\\\ b \\label{c}\n> \\end{align} {#d}", "| a |\n|-|\n| $\\|x\\|$ |",
		"\\[ \\ref{x} \\]", "- $$\n\t x % \\\\\n  $$", "$`a`$ \\(b\\) $$c$$", "* $$0\n$$", "```math\nx\n```", "-\t~~~math\n\tx\n\t~~~"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, source string) {
		list, refs, _ := found(source, markdown.Options{Notebook: len(source)%2 == 0})
		for _, r := range refs {
			if s := source[r.Start:r.Stop]; !strings.HasPrefix(s, `\eqref{`) && !strings.HasPrefix(s, `\ref{`) || !strings.HasSuffix(s, "}") {
				t.Fatalf("%q: a reference is %q", source, s)
			}
		}
		for _, m := range list {
			_ = m.Plain()
			for i := range m.Rows {
				m.Rows[i].Number = "7"
			}
			for i := range len(m.Typeset()) + 2 {
				if at := m.Place(i); at < m.Start || at > m.Stop {
					t.Fatalf("%q: offset %d of %q is at %d, out of %d to %d", source, i, m.Typeset(), at, m.Start, m.Stop)
				}
			}
			if len(m.Rows) == 0 || m.Stop > len(source) || m.Start >= m.Stop {
				t.Fatalf("%q: %d rows, %d to %d", source, len(m.Rows), m.Start, m.Stop)
			}
		}
	})
}
