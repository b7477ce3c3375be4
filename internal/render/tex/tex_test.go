package tex

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// seeds are formulas of all kinds, valid and hostile.
var seeds = []string{
	`x`, `E = mc^2`, `\frac{a}{b}`, `\sqrt[3]{x}`, `\sum_{i=1}^n x_i`, `\mathbf{x}\mathbb{R}\mathcal{L}`, `\text{senão } ñ é`,
	`\begin{align} a &= b \tag{1} \\ c &= d \end{align}`, `\begin{cases} 1 & x \\ 2 & y \end{cases}`, `\begin{array}{l|c} 1 & 2 \\ \hline 3 & 4 \end{array}`,
	`\textcolor{red}{x} \colorbox{#fff}{y} \boxed{z} \cancel{w} \!\, \raisebox{2pt}{x} \rule{1em}{2em}`,
	`\left( \frac12 \right) \operatorname{softmax} \hat{x} \vec{y} \overbrace{a}^{n}`,
	`\foo`, `\frac{a`, `}`, `\begin{align}`, `\def\a{\a\a}\a`, `\href{javascript:alert(1)}{x}`, `\class{a"b}{x}`, `\includegraphics{http://example.org/x.png}`,
	`\htmlStyle{position:fixed}{x}`, `\text{<script>alert(1)</script>}`, `\text{<img src=x onerror=alert(1)>}`, `"'<>`, "\x00", "\u0001", "\U0001d49c\\foo",
	`</annotation></semantics></math><script>alert(1)</script>`, `\color{"onload=x}y`, `\unicode{60}`, `\char"3C`, `\ref{a} \label{b}`, `a \\ b`,
	strings.Repeat("{", 100) + strings.Repeat("}", 100), strings.Repeat(`\sqrt{`, 140) + strings.Repeat("}", 140), strings.Repeat("x^", 500),
}

func TestConvert(t *testing.T) {
	c := New(nil)
	for _, tt := range []struct {
		tex     string
		display bool
		want    string // part of the markup
	}{
		{`x`, false, `<math><semantics><mrow><mi>x</mi></mrow><annotation encoding="application/x-tex">x</annotation></semantics></math>`},
		{`x`, true, `<math display="block"><semantics>`},
		{`\frac{1}{n}`, false, `<mfrac><mn>1</mn><mi>n</mi></mfrac>`},
		{`a < b`, false, `<annotation encoding="application/x-tex">a &lt; b</annotation>`},
		{`\textcolor{red}{x}`, false, `<mi mathcolor="#ff0000">x</mi>`},
		{`\text{<b>}`, false, `<mtext>&lt;b&gt;</mtext>`},
		{`\begin{pmatrix} 1 & 2 \end{pmatrix}`, true, `<mtd class="tex-left-0"><mn>1</mn></mtd><mtd class="tex-right-0"><mn>2</mn></mtd>`},
		{`x \tag{7}`, true, `<mtext class="tml-tag">(7)</mtext>`},
		{`\boxed{x}`, false, `class="tex-box"`},
		{`a \! b`, false, `tex-back-3`},
		{`\mbox{ab}`, false, `<mtext>ab</mtext>`},
		{`\gdef\zz{y}\zz`, false, `<mi>y</mi>`},
	} {
		got, err := c.Convert(t.Context(), tt.tex, tt.display)
		if err != nil || !strings.Contains(got, tt.want) {
			t.Errorf("%s: %v\n got %s\nwant %s", tt.tex, err, got, tt.want)
		}
		if strings.Contains(got, " style=") {
			t.Errorf("%s: a style attribute breaks the content security policy: %s", tt.tex, got)
		}
	}
}

func TestFaults(t *testing.T) {
	c := New(nil)
	for _, tt := range []struct {
		tex, message string
		offset       int
	}{
		{`a + \foo`, `unsupported function name: \foo`, 4},
		{"é \\foo", `unsupported function name: \foo`, len("é ")},
		{"\U0001d49c \\foo", `unsupported function name: \foo`, len("\U0001d49c ")},
		{`\frac{a`, `unexpected end of input in a macro argument, expected '}'`, 7},
		{`a }`, `expected the end, got '}'`, 2},
		{`\def\a{\a\a}\a`, `too many expansions: infinite loop or need to increase maxExpand setting`, -1},
		{`\zz`, `unsupported function name: \zz`, 0}, // another formula defines it
		{strings.Repeat("{", 200), `more than 150 groups stand in one another`, 150},
		{strings.Repeat("x", maxLength+1), `it is longer than 4 KiB`, 0},
	} {
		for range 2 { // converted, and from the cache
			_, _ = c.Convert(t.Context(), `\gdef\zz{y}\zz`, false)
			_, err := c.Convert(t.Context(), tt.tex, false)
			var fault *Error
			if !errors.As(err, &fault) || fault.Message != tt.message || fault.Offset != tt.offset {
				t.Errorf("%.40s: %#v", tt.tex, err)
			}
		}
	}
}

// TestTooDeep: a formula that stops an interpreter does not affect the next one.
func TestTooDeep(t *testing.T) {
	c := New(nil)
	for _, tex := range []string{strings.Repeat("x^", 5000), strings.Repeat(`\sqrt`, 3000), strings.Repeat(`\left(`, 2000), strings.Repeat(`\begin{matrix}`, 1000)} {
		if _, err := c.Convert(t.Context(), tex, true); err == nil {
			t.Errorf("%.20s... is accepted", tex)
		}
		if _, err := c.Convert(t.Context(), `x`+tex[:1]+` y`, false); err != nil && !strings.HasPrefix(tex, `\`) {
			t.Error(err)
		}
	}
	if got, err := c.Convert(t.Context(), `x+y`, false); err != nil || !strings.Contains(got, "<mi>y</mi>") {
		t.Errorf("after them: %s %v", got, err)
	}
}

func TestTogether(t *testing.T) {
	c := New(nil)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for _, s := range seeds {
				_, _ = c.Convert(t.Context(), s, true)
			}
		})
	}
	all.Wait()
	alone := New(nil)
	for _, s := range seeds {
		a, _ := c.Convert(t.Context(), s, true)
		b, _ := alone.Convert(t.Context(), s, true)
		if a != b {
			t.Errorf("%.40s: got %s, and in a new interpreter %s", s, a, b)
		}
	}
}

// checkMarkup checks that the markup is well-formed and has only MathML.
func checkMarkup(t *testing.T, tex, markup string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(markup))
	var open []string
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("%q: %v in %s", tex, err, markup)
		}
		switch token := token.(type) {
		case xml.StartElement:
			name := token.Name.Local
			if len(open) == 0 && name != "math" || len(open) > 0 && name == "math" {
				t.Fatalf("%q: <%s> is within %v", tex, name, open)
			}
			if !slices.Contains(elements, name) && name != "semantics" && name != "annotation" {
				t.Fatalf("%q: <%s> in %s", tex, name, markup)
			}
			seen := map[string]bool{}
			for _, a := range token.Attr {
				key := a.Name.Local
				if seen[key] || !slices.Contains(attributes, key) && key != "class" && key != "display" && key != "encoding" {
					t.Fatalf("%q: attribute %s in %s", tex, key, markup)
				}
				seen[key] = true
			}
			open = append(open, name)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
		default:
			t.Fatalf("%q: %T in %s", tex, token, markup)
		}
	}
}

func FuzzMath(f *testing.F) {
	for i, s := range seeds {
		f.Add(s, i%2 == 0)
	}
	c := New(nil)
	f.Fuzz(func(t *testing.T, tex string, display bool) {
		begin := time.Now()
		markup, err := c.Convert(t.Context(), tex, display)
		if took := time.Since(begin); took > timeout+timeout/2 {
			t.Fatalf("%q took %v", tex, took)
		}
		var fault *Error
		switch {
		case err == nil:
			checkMarkup(t, tex, markup)
		case !errors.As(err, &fault) || markup != "" || fault.Offset < -1 || fault.Offset > len(tex) || fault.Message == "":
			t.Fatalf("%q: %#v, %s", tex, err, markup)
		}
	})
}

func BenchmarkConvert(b *testing.B) {
	short := formula{`\mathbf{g}_{i} = \frac{1}{n} \sum_j g_{ij}`, false}
	long := formula{`\mathcal{L}(\mathbf{w}) = \frac{1}{n} \sum_{i=1}^n \left( \mathbf{w}^\top \mathbf{x}^{(i)} + b - y^{(i)} \right)^2`, true}
	for name, f := range map[string]formula{"letter": {"x", false}, "short": short, "long": long} {
		b.Run(name, func(b *testing.B) {
			c := New(nil)
			_, _ = c.convert(b.Context(), f) // starts an interpreter
			for b.Loop() {
				if _, err := c.convert(b.Context(), f); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("known", func(b *testing.B) {
		c := New(nil)
		for b.Loop() {
			if _, err := c.Convert(b.Context(), long.tex, true); err != nil {
				b.Fatal(err)
			}
		}
	})
	var stored bytes.Buffer
	c := New(nil)
	for i := range 1000 {
		_, _ = c.Convert(b.Context(), short.tex+strconv.Itoa(i), true)
	}
	if err := c.Store(&stored); err != nil {
		b.Fatal(err)
	}
	b.Run("1000 stored", func(b *testing.B) {
		for b.Loop() {
			later := New(func() ([]byte, error) { return stored.Bytes(), nil })
			for i := range 1000 {
				if _, err := later.Convert(b.Context(), short.tex+strconv.Itoa(i), true); err != nil || later.Fresh() {
					b.Fatal(err)
				}
			}
		}
	})
	b.Run("start", func(b *testing.B) {
		for b.Loop() {
			if _, err := New(nil).convert(b.Context(), formula{"x", false}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func TestStore(t *testing.T) {
	c := New(nil)
	for _, tex := range []string{"x", "y", `\bug`, "<"} {
		_, _ = c.Convert(t.Context(), tex, false)
	}
	var file bytes.Buffer
	if err := c.Store(&file); err != nil || c.Fresh() {
		t.Fatal(err)
	}
	opening := func(file []byte) *Converter {
		return New(func() ([]byte, error) { return file, nil })
	}
	later := opening(file.Bytes())
	if !later.Known("x", false) || later.Known("x", true) || later.Known(`\bug`, false) {
		t.Error("the stored formula is not found")
	}
	for _, tex := range []string{"x", "<"} {
		want, _ := c.Convert(t.Context(), tex, false)
		if got, err := later.Convert(t.Context(), tex, false); got != want || err != nil || later.temml.Idle() > 0 {
			t.Errorf("%s: %s, want %s", tex, got, want)
		}
	}
	// Formulas that this run has not used stay in the cache, too.
	_, _ = later.Convert(t.Context(), "z", true)
	var again bytes.Buffer
	if err := later.Store(&again); err != nil {
		t.Fatal(err)
	}
	if third := opening(again.Bytes()); !third.Known("y", false) || !third.Known("z", true) {
		t.Error("a formula is lost")
	}
	// A dollar in a formula does not change its key.
	dollar := opening(file.Bytes())
	if dollar.Known("$x", false) || dollar.Known("e:x", false) {
		t.Error("a formula is found with the key of another")
	}
	// A stored formula is not trusted.
	for _, markup := range []string{"", "<", "<math>", "<script>alert(1)</script>", "<math><mi onclick='x()'>x</mi><script>alert(1)</script></math>"} {
		hostile := New(nil)
		hostile.stored.Put(formula{"x", false}.key(), []byte(markup))
		got, err := hostile.Convert(t.Context(), "x", false)
		if err == nil && !strings.HasPrefix(got, "<math><semantics>") || strings.Contains(got, "script") || strings.Contains(got, "onclick") {
			t.Errorf("%q: %s %v", markup, got, err)
		}
	}
}
