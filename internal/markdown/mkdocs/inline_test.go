package mkdocs_test

import (
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/dialects"
	"github.com/gpudocs/gpudocs/internal/markdown/markdowntest"
	"github.com/gpudocs/gpudocs/internal/markdown/mkdocs"
)

func TestMkDocsInline(t *testing.T) {
	for source, want := range map[string]string{
		"H~2~O x^2^ 6.02e^23^":         "H<sub>2</sub>O x<sup>2</sup> 6.02e<sup>23</sup>",
		`a~b\ c~ a^b\ \*^`:             "a<sub>b c</sub> a<sup>b *</sup>",
		"~~a~~ ^^b *c*^^ ==d==":        "<del>a</del> <ins>b <em>c</em></ins> <mark>d</mark>",
		"CH~3~CH~2~OH":                 "CH<sub>3</sub>CH<sub>2</sub>OH",
		"2^10 e 2^20, ~5 e ~6":         "2^10 e 2^20, ~5 e ~6",
		`\~a~ `:                        "~a~",
		"`x^2^ ++a++`":                 "<code>x^2^ ++a++</code>",
		"++ctrl+alt+del++ ++f5++":      `<span class="keys"><kbd>Ctrl</kbd>+<kbd>Alt</kbd>+<kbd>Delete</kbd></span> <span class="keys"><kbd>F5</kbd></span>`,
		`++cmd+"<Ção>"+page-up++`:      `<span class="keys"><kbd>Cmd</kbd>+<kbd>&lt;Ção&gt;</kbd>+<kbd>Page Up</kbd></span>`,
		"C++ and C++, i++ j++":         "C++ and C++, i++ j++",
		"++a ++, +++a+++, ++++":        "++a ++, +++a+++, ++++",
		"<kbd>Ctrl</kbd>+<kbd>C</kbd>": "<kbd>Ctrl</kbd>+<kbd>C</kbd>",
	} {
		got := markdowntest.HTML(t, dialects.New(markdown.Options{Dialects: markdown.MkDocs}), source)
		if got != "<p>"+want+"</p>\n" {
			t.Errorf("%s:\n got %swant %s", source, got, want)
		}
	}
	const source = "x^2^ ==a== ^^b^^ ++c++"
	if got := markdowntest.HTML(t, dialects.New(markdown.Options{}), source); got != "<p>"+source+"</p>\n" {
		t.Errorf("without the dialect: %s", got)
	}
}

// FuzzMkDocsInline checks the places of keys and scripts.
func FuzzMkDocsInline(f *testing.F) {
	f.Add("H~2~O x^2^ ++ctrl+'a'++ ==b== ^^c^^")
	f.Add("> a~b\\ c~\n> ~~d~~~e~")
	f.Fuzz(func(t *testing.T, source string) {
		doc, _ := markdowntest.Parse(markdown.Options{Dialects: markdown.MkDocs}, source)
		for _, k := range markdown.Find[*mkdocs.Keys](doc) {
			if s := source[k.Start:k.Stop]; !strings.HasPrefix(s, "++") || !strings.HasSuffix(s, "++") || len(k.Labels) == 0 {
				t.Fatalf("%q: %q", source, s)
			}
		}
		for _, m := range markdown.Find[*markdown.Marked](doc) {
			if m.FirstChild() == nil || !strings.HasPrefix(source[m.Pos():], m.Marks) {
				t.Fatalf("%q: %s at %d", source, m.Element, m.Pos())
			}
		}
	})
}
