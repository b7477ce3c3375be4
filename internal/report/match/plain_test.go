package match

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestPlain(t *testing.T) {
	for in, want := range map[string]string{
		"":                                       "",
		"plain\ttext\nand more":                  "plain\ttext\nand more",
		"a\x1b[1;31mb\x1b[0mc":                   "abc",
		"a\x1b[38:2::1:2:3mb\x1b[?25l":           "ab",
		"\x1b]0;title\x07a":                      "a",
		"\x1b]8;;https://x\x1b\\a\x1b]8;;\x1b\\": "a",
		"\x1bP1$r0m\x1b\\a\x1b_app\x1b\\b":       "ab",
		"\x1bXsos\x1b\\a\x1b^pm\x1b\\b":          "ab",
		"\x1bPno bell\a ends it\x1b\\a":          "a",
		"\u009b31ma\u009d0;t\u009cb":             "ab",
		"\u0090dcs\u009ca\u009fapc\x1b\\b\u009c": "ab",
		"\x1b]0;ti\x1b[1mtle":                    "tle",
		"\x1b]0;ti\x18a":                         "a",
		"\x1b]nothing ends this\nnext\n":         "nothing ends this\nnext\n",
		"\x1b]0;title\nstays\n\x1b[1m":           "0;title\nstays\n",
		"\x1b]0;a\n\x1b]0;b\ac":                  "0;a\nc",
		"\u0090not this\u009d0;t\aa":             "not thisa",
		"\x1bPnor this\n\x1b]0;t\aa":             "a",
		"\x1b(Ba\x1b=\x1b7":                      "a",
		"a\x1b\x00":                              "a\ufffd\ufffd",
		"a\x1b":                                  "a\ufffd",
		"a\x1b[12":                               "a",
		"a\x00\x7f\u0085b":                       "a\ufffd\ufffd\ufffdb",

		"10%\r50%\r100%\nend\n":         "100%\nend\n",
		"Downloading 100%\rDone\n":      "Done\n",
		"10%\r50%\r\nend":               "50%\nend",
		"a\r\nb\r\n":                    "a\nb\n",
		"a\r\r\nb":                      "a\nb",
		"50%\r\x1b[K\nend":              "\nend",
		"50%\x1b[2K\rend":               "end",
		"50%\r\x1b[Kdone\n":             "done\n",
		"|\b/\b-\b\\\bok\n":             "ok\n",
		"abc\b\bX\n":                    "aXc\n",
		"ação\b\b\bÇ":                   "aÇão",
		"a\b\b\b\bb":                    "b",
		"a\n\b\bb":                      "a\nb",
		"12345\b\b\x1b[K\n":             "123\n",
		"\x1b[2K\x1b[1G 3/3 tests\r\n ": " 3/3 tests\n ",
	} {
		if got := Plain(in); got != want {
			t.Errorf("Plain(%q) = %q, want %q", in, got, want)
		}
	}
}

// TestPlainIsLinear: unterminated control strings are not scanned again and again.
func TestPlainIsLinear(t *testing.T) {
	in := strings.Repeat("\x1bP", 1<<20)
	if got := Plain(in); got != "" {
		t.Errorf("%d bytes are left", len(got))
	}
	for _, osc := range []string{strings.Repeat("\u009d", 1<<20), strings.Repeat("\u009d", 1<<20) + "\n", strings.Repeat("\u0090", 1<<20)} {
		if got := strings.TrimSpace(Plain(osc)); got != "" {
			t.Errorf("%d bytes are left", len(got))
		}
	}
}

func FuzzPlain(f *testing.F) {
	f.Add("a\x1b[1mb\x1b]0;t\a\r\b\n")
	f.Add("\x1bP\x1b]\x1b\\\u009b1K")
	f.Fuzz(func(t *testing.T, s string) {
		if !utf8.ValidString(s) {
			return
		}
		got := Plain(s)
		if strings.ContainsFunc(got, isControl) {
			t.Errorf("%q holds control characters", got)
		}
		if again := Plain(got); again != got {
			t.Errorf("%q becomes %q", got, again)
		}
		if strings.Count(got, "\n") > strings.Count(s, "\n") {
			t.Errorf("%q has more lines than %q", got, s)
		}
	})
}

func TestPieces(t *testing.T) {
	for text, want := range map[string]string{
		"t = <t:number ms < 5> (re)\nx": "t = |number/t/ms/< 5| (re)\nx",
		"<a:int><b:word>":               "int/a//|word/b//",
		"<a:what> <b:word ms> x":        "<a:what> <b:word ms> x",
		"":                              "",
	} {
		var got []string
		for _, p := range Pieces(text) {
			if p.Capture == nil {
				got = append(got, p.Text)
			} else {
				got = append(got, strings.Join([]string{p.Kind, p.Capture.Name, p.Capture.Unit, p.Capture.Bound}, "/"))
			}
		}
		if s := strings.Join(got, "|"); s != want {
			t.Errorf("%q: %q, not %q", text, s, want)
		}
	}
}
