package highlight

import (
	"strings"
	"testing"

	"github.com/alecthomas/chroma/v2"
	chromahtml "github.com/alecthomas/chroma/v2/formatters/html"
)

var codes = []struct{ language, code string }{
	{"python", "@dec\ndef f(x='a<b', *y):\n    \"\"\"Two\n    lines & more\"\"\"\n    return f'{x!r}' # 'é'\n"},
	{"cuda", "__global__ void k(float *x) {\n\tx[threadIdx.x] *= 2.f; // <<<1, 2>>>\n}\n"},
	{"pycon", ">>> for i in range(2):\n...     print(i)\n...\n0\n1\n"},
	{"python", "x = 1\r\ny = 2\r\n"},
	{"python", "s = '\xff\xfe'\n"},
	{"bash", "echo \"$HOME\" | tr a b"},
	{"", "<plain> & 'text'\n"},
	{"html", "<script>alert(1)</script>\n<style>a{}</style>\n"},
	{"python", ""},
}

// TestMarkup: the markup is that of chroma's formatter.
func TestMarkup(t *testing.T) {
	formatter := chromahtml.New(chromahtml.WithClasses(true), chromahtml.PreventSurroundingPre(true))
	var h Highlighter
	for _, c := range codes {
		tokens := h.tokens(c.language, c.code)
		var want strings.Builder
		if err := formatter.Format(&want, lightStyle, chroma.Literator(tokens...)); err != nil {
			t.Fatal(err)
		}
		if got := h.HTML(c.language, c.code); string(got) != want.String() {
			t.Errorf("%s\n%q\n%q", c.language, got, want.String())
		}
	}
}

// TestLineEnds: code with \r\n has the same markup, and is tokenised once with that with \n.
func TestLineEnds(t *testing.T) {
	for _, c := range []struct{ language, code string }{{"python", "x = 1\ny = '''a\n'''\n"}, {"pycon", ">>> 1\n1\n"}, {"", "a\n\nb"}} {
		var h, foreign Highlighter
		crlf := strings.ReplaceAll(c.code, "\n", "\r\n")
		want := h.HTML(c.language, c.code)
		if got := foreign.HTML(c.language, crlf); got != want {
			t.Errorf("%s: %q, want %q", c.language, got, want)
		}
		if &h.tokens(c.language, c.code)[0] != &h.tokens(strings.ToUpper(c.language), crlf)[0] {
			t.Errorf("%s: the code is tokenised twice", c.language)
		}
	}
}

func BenchmarkHighlight(b *testing.B) {
	long := strings.Repeat(codes[0].code, 10)
	b.ReportAllocs()
	for b.Loop() {
		new(Highlighter).HTML(codes[0].language, long)
	}
}
