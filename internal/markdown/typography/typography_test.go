package typography_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/dialects"
	"github.com/gpudocs/gpudocs/internal/markdown/markdowntest"
)

func smart(t testing.TB, language, source string) string {
	return strings.ReplaceAll(markdowntest.HTML(t, dialects.New(markdown.Options{Smart: true, Language: language}), source), "&quot;", `"`)
}

func TestQuotes(t *testing.T) {
	for _, c := range []struct{ source, en, pt, es string }{
		{`a "b" c`, `a “b” c`, `a “b” c`, `a «b» c`},
		{`a 'b' c`, `a ‘b’ c`, `a ‘b’ c`, `a ‘b’ c`},
		{`"a 'b' c"`, `“a ‘b’ c”`, `“a ‘b’ c”`, `«a ‘b’ c»`},
		{`"a "b" c"`, `“a ‘b’ c”`, `“a ‘b’ c”`, `«a “b” c»`},
		{`"'a' b"`, `“‘a’ b”`, `“‘a’ b”`, `«‘a’ b»`},
		{`("a") ["b"]`, `(“a”) [“b”]`, `(“a”) [“b”]`, `(«a») [«b»]`},
		{`¿"a"? ¡"b"!`, `¿“a”? ¡“b”!`, `¿“a”? ¡“b”!`, `¿«a»? ¡«b»!`},
		{`中文"引号"中文，又"引"和'a'的`, `中文“引号”中文，又“引”和‘a’的`, `中文“引号”中文，又“引”和‘a’的`, `中文«引号»中文，又«引»和‘a’的`},
		{`"a," "b."`, `“a,” “b.”`, `“a,” “b.”`, `«a,» «b.»`},
	} {
		for language, want := range map[string]string{"en": c.en, "pt": c.pt, "pt-br": c.pt, "es": c.es, "es-mx": c.es, "pt-pt": c.es} {
			if got := smart(t, language, c.source); got != "<p>"+want+"</p>\n" {
				t.Errorf("%s: %s:\n got %s\nwant %s", language, c.source, got, want)
			}
		}
	}
	if got := smart(t, "de", `"a" 'b' -- c's...`); got != "<p>\"a\" 'b' – c’s…</p>\n" {
		t.Errorf("the quotes of an unknown language: %s", got)
	}
}

func TestPunctuation(t *testing.T) {
	for _, c := range []struct{ name, source, want string }{
		{"over nodes", `"*a*" *"b"* **"c** d" "[e](f)" ` + "\"`g`\"", `“<em>a</em>” <em>“b”</em> <strong>“c</strong> d” “<a href="f">e</a>” “<code>g</code>”`},
		{"over lines", "\"a\nb\"", "“a\nb”"},
		{"a footnote", "\"a\"[^1].\n\n[^1]: b", "“a”<sup"},
		{"apostrophes", `it's d'água o'clock '90s '90 dogs' "a's" 'tis`, `it’s d’água o’clock ’90s ’90 dogs’ “a’s” ’tis`},
		{"apostrophe of code", "`a`'s", "<code>a</code>’s"},
		{"inches", `5" disk, 3'4", 21"`, `5" disk, 3'4", 21"`},
		{"inches and quotes", `a "5 GPUs" 3'`, `a “5 GPUs” 3'`},
		{"before digits", `"3 GPUs" '2nd'`, `“3 GPUs” ‘2nd’`},
		{"alone", `a "b c`, `a "b c`},
		{"alone before a pair", `a "b. The "c" d`, `a "b. The “c” d`},
		{"assignment", `A="b" A='b'`, `A="b" A='b'`},
		{"dashes", "a -- b, a--b, 10--20, a --- b, a---b, \"a\"---\"b\"", "a – b, a–b, 10–20, a — b, a—b, “a”—“b”"},
		{"dash at a line's end", "a --\nb", "a –\nb"},
		{"options", "use --flag, (--flag), --a --b, a -- --b, -v -- c, \"--d\"", "use --flag, (--flag), --a --b, a -- --b, -v -- c, “--d”"},
		{"options at the start", "-- a", "-- a"},
		{"option at the end", "a --", "a --"},
		{"other runs", "a----b - a-b x-- |--| --> <-- +--+ i--;", "a----b - a-b x-- |--| --&gt; &lt;-- +--+ i--;"},
		{"comments", "a <!-- b --> c", "a <!-- b --> c"},
		{"an open comment", "a <!--b", "a &lt;!--b"},
		{"ellipses", "a... ...b [...] (...) a...b", "a… …b […] (…) a…b"},
		{"not ellipses", "a.. a.... ../.. a/.../b", "a.. a.... ../.. a/.../b"},
		{"code", "`\"a\" -- ... 'b'`", "<code>\"a\" -- ... 'b'</code>"},
		{"code of HTML", "<code>\"a\" -- b...</code> \"c\" <KBD>'</KBD>", "<code>\"a\" -- b...</code> “c” <KBD>'</KBD>"},
		{"escaped", `\"a\" \'b\' \-- c\... \--flag`, `"a" 'b' -- c... --flag`},
		{"entities", "&quot;a&quot; &#45;&#45; b &lt;\"c\"&gt;", "\"a\" -- b &lt;“c”&gt;"},
		{"addresses", `<https://a.b/c--d...> [e](f--g "h--i")`, `<a href="https://a.b/c--d...">https://a.b/c--d...</a> <a href="f--g" title="h--i">e</a>`},
		{"typed", "“a” ‘b’ – — …", "“a” ‘b’ – — …"},
		{"abbreviations", "\"GPU's\"\n\n*[GPU]: g", "“<abbr title=\"g\">GPU</abbr>’s”"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := smart(t, "en", c.source)
			if want := "<p>" + c.want + "</p>\n"; got != want && !(c.name == "a footnote" && strings.HasPrefix(got, "<p>"+c.want)) {
				t.Errorf("%s:\n got %s\nwant %s", c.source, got, want)
			}
		})
	}
}

// TestCaptionQuotes checks that a mark that must be escaped in a title is shown as any other mark.
func TestCaptionQuotes(t *testing.T) {
	for source, want := range map[string]string{
		`![a](b "c \"d\" 'e'")`:            "c “d” ‘e’",
		`![a](b 'c "d" \'e\' it\'s')`:      "c “d” ‘e’ it’s",
		`![a](b (c "d" \"e\"))`:            `c “d” "e"`,
		":::figure c \"d\" \\\"e\\\"\n:::": `c “d” "e"`,
	} {
		if got := smart(t, "en", source); !strings.Contains(got, "<figcaption>"+want+"</figcaption>") {
			t.Errorf("%s: %s", source, got)
		}
	}
}

// TestGlyphPlaces checks that smart punctuation does not change the tree, and that glyphs are at the places of
// the signs.
func TestGlyphPlaces(t *testing.T) {
	for _, source := range []string{"> \"a\" --\r\n> b...\r\n", "- 'a'\n\n\t\"b\"", "| \"a\" |\n|---|\n| b -- c |", "a[^1] \"b\"\n\n[^1]: 'c'\n\n\"d\"", "# \"a\"\n\n![b \"c\"](d \"e -- 'f'\")"} {
		plain, _ := markdowntest.Parse(markdown.Options{}, source)
		doc, _ := markdowntest.Parse(markdown.Options{Smart: true, Language: "en"}, source)
		if a, b := markdowntest.Written(plain, source), markdowntest.Written(doc, source); a != b {
			t.Errorf("%q became %q", a, b)
		}
		last := 0
		for _, g := range markdown.Glyphs(doc.(*ast.Document)) {
			if s := source[g.Start:g.Stop]; g.Start < last || !strings.Contains(`"'--...`, s) {
				t.Errorf("%q: %q for %q", source, g.Text, s)
			}
			last = g.Stop
		}
		if last == 0 {
			t.Errorf("%q has glyphs", source)
		}
	}
	doc, _ := markdowntest.Parse(markdown.Options{Smart: true, Language: "en"}, "$a'' -- b$ \"$c$\"")
	if list := markdown.Glyphs(doc.(*ast.Document)); len(list) != 2 || list[0].Text+list[1].Text != "“”" {
		t.Errorf("beside math: %+v", list)
	}
	if doc, _ := markdowntest.Parse(markdown.Options{}, `"a"`); markdown.Glyphs(doc.(*ast.Document)) != nil {
		t.Error("a plain page has no glyphs")
	}
}

// FuzzPunctuation checks that only signs are replaced, each once.
func FuzzPunctuation(f *testing.F) {
	f.Add(`"a 'b' -- c..." it's 5" '90 --flag`)
	f.Add("> \"*a*\n> `b`\" <code>'</code>---\\\"&quot;")
	f.Fuzz(func(t *testing.T, source string) {
		if !utf8.ValidString(source) {
			return
		}
		doc, _ := markdowntest.Parse(markdown.Options{Smart: true, Language: "es"}, source)
		last := 0
		for _, g := range markdown.Glyphs(doc.(*ast.Document)) {
			if g.Start < last || g.Stop <= g.Start || strings.Trim(source[g.Start:g.Stop], `"'-.\`) != "" {
				t.Fatalf("%q: %+v", source, g)
			}
			last = g.Stop
		}
	})
}
