package highlight

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/styles"
)

// The backgrounds of code in the default theme, light and dark.
const lightCode, darkCode = "#f7f9f9", "#141c20"

// TestTokenColours: code is readable in both schemes. WCAG AA requires a contrast of 4.5 to 1, and a
// colour that is set for light alone would also apply in dark.
func TestTokenColours(t *testing.T) {
	set := map[*chroma.Style]map[string]bool{}
	for style, background := range map[*chroma.Style]string{lightStyle: lightCode, darkStyle: darkCode} {
		list, err := rules(style)
		if err != nil || len(list) < 10 {
			t.Fatalf("%s: %d rules, %v", style.Name, len(list), err)
		}
		set[style] = map[string]bool{}
		for _, r := range list {
			selector, body, _ := strings.Cut(r, " {")
			m := regexp.MustCompile(`(?:^|[ ;])color: (#[0-9a-f]{3,6})`).FindStringSubmatch(body)
			if m == nil {
				continue
			}
			set[style][selector] = true
			if c := contrast(t, m[1], background); c < 4.5 {
				t.Errorf("%s: %s has a contrast of %.2f on %s", style.Name, r, c, background)
			}
		}
	}
	for selector := range set[lightStyle] {
		if !set[darkStyle][selector] {
			t.Errorf("%s is coloured in the light style only", selector)
		}
	}
}

// TestStyles: the styles are chroma's of these names.
func TestStyles(t *testing.T) {
	for _, ours := range []*chroma.Style{lightStyle, darkStyle} {
		theirs := styles.Registry[ours.Name]
		if !slices.Equal(slices.Sorted(slices.Values(ours.Types())), slices.Sorted(slices.Values(theirs.Types()))) {
			t.Errorf("%s colours %v, chroma's %v", ours.Name, ours.Types(), theirs.Types())
		}
		for _, token := range theirs.Types() {
			if ours.Get(token) != theirs.Get(token) {
				t.Errorf("%s: %v is %v, chroma's %v", ours.Name, token, ours.Get(token), theirs.Get(token))
			}
		}
	}
}

func contrast(t *testing.T, a, b string) float64 {
	x, y := luminance(t, a), luminance(t, b)
	return (math.Max(x, y) + 0.05) / (math.Min(x, y) + 0.05)
}

// luminance is WCAG's relative luminance of #rgb or #rrggbb.
func luminance(t *testing.T, hex string) float64 {
	hex = strings.TrimPrefix(hex, "#")
	if len(hex) == 3 {
		hex = fmt.Sprintf("%c%c%c%c%c%c", hex[0], hex[0], hex[1], hex[1], hex[2], hex[2])
	}
	n, err := strconv.ParseUint(hex, 16, 32)
	if err != nil {
		t.Fatal(err)
	}
	channel := func(v uint64) float64 {
		c := float64(v&0xff) / 255
		if c <= 0.04045 {
			return c / 12.92
		}
		return math.Pow((c+0.055)/1.055, 2.4)
	}
	return 0.2126*channel(n>>16) + 0.7152*channel(n>>8) + 0.0722*channel(n)
}

func TestHighlight(t *testing.T) {
	var h Highlighter
	for _, c := range []struct{ language, code, want string }{
		{"python", "import os\n", `<span class="kn">import</span>`},
		{"PYTHON", "import os\n", `<span class="kn">import</span>`},
		{"cuda", "__global__ void f(int n) {}\n", `<span class="kt">int</span>`},
		{"ptx", "mov.u32 %r1, <x>;\n", "mov.u32 %r1, &lt;x&gt;;"},
		{"nonsense", "a < b\n", "a &lt; b"},
		{"pycon", ">>> x = 1\n>>> x\n1\n", `<span class="gp">&gt;&gt;&gt; </span>`},
		{"pycon", ">>> s = '''a\n... b'''\n", `<span class="gp">... </span>`},
	} {
		if got := string(h.HTML(c.language, c.code)); !strings.Contains(got, c.want) {
			t.Errorf("%s %q gives %s, want %s in it", c.language, c.code, got, c.want)
		}
	}
	long := strings.Repeat("<", maxHighlighted+1)
	if got := string(h.HTML("python", long)); len(got) != 4*len(long) {
		t.Error("long code must be escaped and not coloured")
	}
}

// FuzzPycon: highlighting loses no text of a Python session.
func FuzzPycon(f *testing.F) {
	f.Add(">>> x = 1\n1\n")
	f.Add("...\n>>>\n>>> '''\n... a\nb")
	f.Fuzz(func(t *testing.T, s string) {
		if strings.Contains(s, "\r") || !utf8.ValidString(s) {
			return // pages are UTF-8 and their line ends \n before this
		}
		tokens, err := pycon(block{"pycon", s})
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		for _, token := range tokens {
			b.WriteString(token.Value)
		}
		if strings.TrimRight(b.String(), "\n") != strings.TrimRight(s, "\n") {
			t.Errorf("%q became %q", s, b.String())
		}
	})
}
