package highlight

import (
	"bytes"
	"html/template"
	"strings"
	"testing"

	"github.com/alecthomas/chroma/v2"
	chromahtml "github.com/alecthomas/chroma/v2/formatters/html"

	"github.com/gpudocs/gpudocs/internal/memo"
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
	h := New(nil)
	for _, c := range codes {
		tokens, err := h.tokens(c.language, c.code)
		if err != nil {
			t.Fatal(err)
		}
		var want strings.Builder
		if err := formatter.Format(&want, lightStyle, chroma.Literator(tokens...)); err != nil {
			t.Fatal(err)
		}
		if got := h.HTML(c.language, c.code); string(got) != want.String() {
			t.Errorf("%s\n%q\n%q", c.language, got, want.String())
		}
	}
}

func storedHighlighter(version string, open func() ([]byte, error)) *Highlighter {
	return &Highlighter{table: memo.NewTable(version, open)}
}

// TestStoredColours: code has the same markup whatever is stored of it: nothing, everything, or a
// damaged file. Stored code is not tokenised again.
func TestStoredColours(t *testing.T) {
	all := func(h *Highlighter) (out []template.HTML) {
		for _, c := range codes {
			out = append(out, h.HTML(c.language, c.code))
		}
		return out
	}
	cold := storedHighlighter("1", nil)
	want := all(cold)
	var file bytes.Buffer
	if err := cold.Store(&file); err != nil || cold.Fresh() {
		t.Fatal(err)
	}
	warm := storedHighlighter("1", func() ([]byte, error) { return file.Bytes(), nil })
	if got := warm.HTML(codes[0].language, codes[0].code); got != want[0] || warm.Fresh() {
		t.Error("stored code is not found")
	}
	if _, loaded := warm.lexers.Load(codes[0].language); loaded {
		t.Error("a lexer was loaded for stored code")
	}
	for at := range file.Len() {
		damaged := bytes.Clone(file.Bytes())
		damaged[at] ^= 0x15
		if at%2 == 0 {
			damaged = damaged[:at]
		}
		if at%11 > 0 {
			continue
		}
		got := all(storedHighlighter("1", func() ([]byte, error) { return damaged, nil }))
		for i := range got {
			if got[i] != want[i] {
				t.Fatalf("damaged at %d: %q", at, got[i])
			}
		}
	}
}

// TestLineEnds: code with \r\n has the same markup, and is cached too.
func TestLineEnds(t *testing.T) {
	h := storedHighlighter("1", nil)
	for _, c := range []struct{ language, code string }{{"python", "x = 1\ny = '''a\n'''\n"}, {"pycon", ">>> 1\n1\n"}, {"", "a\n\nb"}} {
		want := h.HTML(c.language, c.code)
		foreign := storedHighlighter("1", nil)
		if got := foreign.HTML(c.language, strings.ReplaceAll(c.code, "\n", "\r\n")); got != want {
			t.Errorf("%s: %q, want %q", c.language, got, want)
		}
		if _, known := foreign.table.Get(tokensKey(c.language, c.code)); !known {
			t.Errorf("%s: the code is not cached", c.language)
		}
	}
}

// TestHostileColours: a manipulated file with valid checksums adds no markup. It changes colours, or
// nothing.
func TestHostileColours(t *testing.T) {
	const code = "a<b>&\"c'd\n"
	plain := New(nil)
	want := strip(string(plain.HTML("python", code)))
	for _, stored := range []string{"", "<script>", "\x00\x0a", "\xff\x0a", "\x05\x01\x05\x09", "\x05\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", "\x05\x00\x05\x0a", "\x05\x0b", "\x05"} {
		h := storedHighlighter("1", nil)
		h.table.Put(tokensKey("python", code), []byte(stored))
		if got := strip(string(h.HTML("python", code))); got != want {
			t.Errorf("%q shows %q", stored, got)
		}
	}
}

// strip removes spans of classes.
func strip(markup string) string {
	for {
		before, rest, found := strings.Cut(markup, `<span class="`)
		if !found {
			return strings.ReplaceAll(markup, "</span>", "")
		}
		_, rest, _ = strings.Cut(rest, `">`)
		markup = before + rest
	}
}

func BenchmarkHighlight(b *testing.B) {
	h := New(nil)
	c := codes[0]
	long := strings.Repeat(c.code, 10)
	b.Run("stored", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			h.HTML(c.language, long)
		}
	})
	b.Run("new", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			New(nil).HTML(c.language, long)
		}
	})
}
