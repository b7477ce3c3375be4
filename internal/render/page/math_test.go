package page_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"
)

func TestMath(t *testing.T) {
	page, messages := faultyPage(t, "# $x$\n\nUS$ 5 e US$ 10, $y$, $$z$$, \\eqref{a} ![$w$](https://e.org/w.png)\n\n$$\n\\begin{gather} u \\label{a} \\\\ v \\label{b} \\end{gather}\n$$\n")
	if messages != "" {
		t.Error(messages)
	}
	for _, want := range []string{
		`<h1 id="x"><math><semantics>`, `US$ 5 e US$ 10, <math><semantics><mrow><mi>y</mi></mrow><annotation encoding="application/x-tex">y</annotation></semantics></math>, <span class="math"><math display="block">`,
		`<a href="#a">(1)</a>`, `alt="w"`, `<div class="math" tabindex="0" id="a"><span id="b"></span><math display="block">`, `<mtext class="tml-tag">(1)</mtext>`, `<mtext class="tml-tag">(2)</mtext>`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("%s is not in\n%s", want, page)
		}
	}
}

func TestMathFaults(t *testing.T) {
	page, messages := faultyPage(t, "é $\\frac{a$ e $x + \\fraq{<b>}$\n\n> $$\n> a \\label{l} + \\bug\n> $$\n\n\\eqref{x}\n")
	want := `content/pt/p.md:1:11: warning: this formula cannot be read: unexpected end of input in a macro argument, expected '}'
    1 | é $\frac{a$ e $x + \fraq{<b>}$
      |           ^
  hint: the page shows its TeX; a dollar that is no math is written \$
content/pt/p.md:1:20: warning: this formula cannot be read: unsupported function name: \fraq
    1 | é $\frac{a$ e $x + \fraq{<b>}$
      |                    ^
  hint: the page shows its TeX; a dollar that is no math is written \$
content/pt/p.md:4:17: warning: this formula cannot be read: unsupported function name: \bug
    4 | > a \label{l} + \bug
      |                 ^
  hint: the page shows its TeX; a dollar that is no math is written \$
content/pt/p.md:7:1: warning: no equation has the label "x"
    7 | \eqref{x}
      | ^~~~~~~~~
  hint: write \label{x} into the equation
`
	if diff := cmp.Diff(want, messages); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	for _, want := range []string{`<code class="unread">$\frac{a$</code>`, `<code class="unread">$x + \fraq{&lt;b&gt;}$</code>`, `<span class="missing-link">(??)</span>`, `<div class="math" id="l"><code class="unread">$$`} {
		if !strings.Contains(page, want) {
			t.Errorf("%s is not in\n%s", want, page)
		}
	}
}

// TestMathIsNoHTML checks that a browser, which has special rules for parsing MathML, finds only allowed elements
// and attributes in a formula.
func TestMathIsNoHTML(t *testing.T) {
	for _, s := range []string{
		`\text{<script>alert(1)</script>}`, `</annotation><script>`, `</math><img src=x onerror=a()>`, `\text{</mtext><style>}`, `\textcolor{red"onclick=x}{y}`,
		`\href{javascript:a()}{x}`, `\url{javascript:a()}`, `\htmlId{x}{y}`, `\htmlData{a=b}{y}`, `\class{x}{y}`, `\style{x}{y}`, `\includegraphics{x.png}`, `<![CDATA[x]]>`, `&lt;script&gt;`, `&#60;script>`,
		`\tag{<b>}`, `\label{"><script>}x`, `\operatorname{<p>}`, `\text{<table><p>}`, `\unknown{<script>}`, `\ref{<script>}`,
	} {
		for _, form := range []string{"$" + s + "$", "$$\n" + s + "\n$$", "[$" + s + "$](#x)", "# $" + s + "$"} {
			page, _ := faultyPage(t, form+"\n")
			for z := html.NewTokenizer(strings.NewReader(page)); z.Next() != html.ErrorToken; {
				token := z.Token()
				if token.Type != html.StartTagToken && token.Type != html.SelfClosingTagToken {
					continue
				}
				switch token.Data {
				case "script", "img", "style", "table", "b":
					t.Fatalf("%s: %s", form, page)
				}
				for _, a := range token.Attr {
					if strings.HasPrefix(a.Key, "on") || a.Key == "style" || a.Key == "href" && !strings.HasPrefix(a.Val, "#") {
						t.Fatalf("%s: %s=%q in %s", form, a.Key, a.Val, page)
					}
				}
			}
		}
	}
}
