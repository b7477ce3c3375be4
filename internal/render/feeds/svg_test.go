package feeds

import (
	"encoding/xml"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestSVG(t *testing.T) {
	const want = `<svg xmlns="http://www.w3.org/2000/svg" xml:lang="pt" width="166" height="20" viewBox="0 0 166 20" role="img" aria-label="Medir &lt;o&gt; tempo: 7 passaram">
<title>Medir &lt;o&gt; tempo: 7 passaram</title>
<path fill="#0e3442" d="M3 0H96 V20 H3A3 3 0 0 1 0 17V3A3 3 0 0 1 3 0z"/>
<path fill="#14693a" d="M96 0H163 A3 3 0 0 1 166 3V17A3 3 0 0 1 163 20H96z"/>
<g fill="#fff" font-family="Arial, Helvetica, 'Liberation Sans', sans-serif" font-size="11">
<text x="6" y="14" textLength="83.1" lengthAdjust="spacingAndGlyphs">Medir &lt;o&gt; tempo</text>
<text x="102" y="14" textLength="57.5" lengthAdjust="spacingAndGlyphs">7 passaram</text>
</g>
</svg>
`
	if got := string(badge{"pt", "Medir <o> tempo", "7 passaram", good}.svg()); got != want {
		t.Errorf("got\n%s", got)
	}
}

// TestWidths checks that the table equals that of the diagrams, which is written in JavaScript.
func TestWidths(t *testing.T) {
	source, err := os.ReadFile("../diagram/mermaid/font.js")
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`const regular = \[(.*)\]`).FindSubmatch(source)
	list := strings.Split(string(m[1]), ",")
	if len(list) != len(widths) || len(widths) != 0x180-0x20 {
		t.Fatalf("%d widths, there %d", len(widths), len(list))
	}
	for i, w := range list {
		if n, err := strconv.Atoi(w); err != nil || n != int(widths[i]) {
			t.Errorf("%q is %d wide, there %s", rune(i+0x20), widths[i], w)
		}
	}
	for c, want := range map[rune]int{0x1f: 0, ' ': 278, 0x17f: 222, 0x180: other, 0x2ff: other, 0x300: 0, 0x36f: 0, 0x370: other, 0x10ff: other, 0x1100: middle, 0x1fff: middle,
		0x200a: other, 0x200b: 0, 0x200f: 0, 0x2010: other, 0x22ff: other, 0x2300: wide, 0x2bff: wide, 0x2c00: other, 0x2e7f: other, 0x2e80: wide,
		0xfdff: wide, 0xfe00: 0, 0xfe0f: 0, 0xfe10: wide, 0x1f600: wide} {
		if got := letterWidth(c); got != want {
			t.Errorf("%#x is %d wide, want %d", c, got, want)
		}
	}
	if got := width("Olá", 10); math.Abs(got-(778+222+556)/100.0) > 1e-9 {
		t.Errorf("Olá is %v wide", got)
	}
}

// TestAnyText checks for any two texts that the badge is XML with both, within their fields.
func TestAnyText(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	kinds := [][2]rune{{0, 0x7f}, {0x20, 0x180}, {0x300, 0x370}, {0x600, 0x700}, {0x4e00, 0x9fff}, {0x1f300, 0x1f600}, {0xd800, 0xe100}}
	word := func() string {
		var b strings.Builder
		for range r.IntN(120) {
			k := kinds[r.IntN(len(kinds))]
			b.WriteRune(k[0] + rune(r.IntN(int(k[1]-k[0]))))
		}
		return b.String()
	}
	for range 500 {
		check(t, badge{"es", word(), word(), status(r.IntN(4))})
	}
	check(t, badge{})
	check(t, badge{"\"'<", strings.Repeat("W", 1000), "]]>&amp;\x00\xff", bad})
}

func FuzzSVG(f *testing.F) {
	f.Add("pt", "a<b", "\"x\"")
	f.Fuzz(func(t *testing.T, lang, label, message string) { check(t, badge{lang, label, message, good}) })
}

func check(t *testing.T, b badge) {
	t.Helper()
	svg := b.svg()
	if !utf8.Valid(svg) {
		t.Fatalf("%+v: not UTF-8", b)
	}
	d := xml.NewDecoder(strings.NewReader(string(svg)))
	width, ends, title := 0, 0.0, ""
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("%+v: %v\n%s", b, err, svg)
		}
		e, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		at := map[string]string{}
		for _, a := range e.Attr {
			at[a.Name.Local] = a.Value
		}
		switch e.Name.Local {
		case "svg":
			width, _ = strconv.Atoi(at["width"])
		case "title":
			if err := d.DecodeElement(&title, &e); err != nil {
				t.Fatal(err)
			}
		case "text":
			x, _ := strconv.ParseFloat(at["x"], 64)
			n, _ := strconv.ParseFloat(at["textLength"], 64)
			if x < ends+pad-0.1 {
				t.Errorf("%+v: texts touch\n%s", b, svg)
			}
			ends = x + n
		}
	}
	if ends > float64(width-pad)+0.1 {
		t.Errorf("%+v: a text ends at %v of %d\n%s", b, ends, width, svg)
	}
	if width < 4*pad || width > 2*(longest*size+2*pad) {
		t.Errorf("%+v: %d wide", b, width)
	}
	if !strings.Contains(title, ": ") {
		t.Errorf("%+v: the title is %q", b, title)
	}
}

// TestContrast checks that white letters meet WCAG AA.
func TestContrast(t *testing.T) {
	for _, c := range append(colours[:], labelColour) {
		l := 0.0
		for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
			n, err := strconv.ParseUint(c[1+2*i:3+2*i], 16, 8)
			if err != nil {
				t.Fatal(err)
			}
			v := float64(n) / 255
			if v <= 0.04045 {
				v /= 12.92
			} else {
				v = math.Pow((v+0.055)/1.055, 2.4)
			}
			l += weight * v
		}
		if ratio := 1.05 / (l + 0.05); ratio < 4.5 {
			t.Errorf("white on %s has a contrast of %.2f", c, ratio)
		}
	}
}
