package invisible

import (
	"fmt"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestIn(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, prose, code string }{
		{"", "", ""}, {"ação, 日本語, 🚀\tx\r\ny", "", ""},
		{"a\x00b\x1bc\x7fd\u0085e\u2028f\u2029g", "1.1 3.1 5.1 7.1 10.1 14.1", "1.1 3.1 5.1 7.1 10.1 14.1"},
		{"a\rb\r\nc\r", "1.1", "1.1"},
		{"a\u202eb", "1.2", "1.2"}, {"a\u202dx\u202c", "1.2 5.2", "1.2 5.2"},
		{"\u2067عربي\u2069 \u202bx\u202c", "", "0.2 11.2 15.2 19.2"},
		{"\u2067a\nb\u2069", "0.2 6.2", "0.2 6.2"}, {"\u2066\u202ax\u2069\u202c", "0.2 7.2", "0.2 3.2 7.2 10.2"},
		{"a\u200eb\u200fc\u061cd\u200de\u200cf\u00adg", "", ""},
		{"a\u200bb\ufeffc\u2060d\u3164", "", "1.3 5.3 9.3 13.3"},
		{"a\U000e0041\U000e0042", "1.3 5.3", "1.3 5.3"},
		{"\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e007f x\U000e007f", "22.3", "22.3"},
		{"❤\ufe0f 1\ufe0f\u20e3 x\ufe00\U000e0101", "19.3", "19.3"},
	} {
		for code, want := range map[bool]string{false: c.prose, true: c.code} {
			var got []string
			for _, f := range In(c.text, code) {
				got = append(got, fmt.Sprintf("%d.%d", f.At, f.Kind))
				if !strings.HasPrefix(c.text[f.At:], string(f.Rune)) {
					t.Errorf("%q: %c is not at %d", c.text, f.Rune, f.At)
				}
			}
			if s := strings.Join(got, " "); s != want {
				t.Errorf("%q, code %v: %s, want %s", c.text, code, s, want)
			}
		}
	}
}

func TestVisible(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"ação\t\n": "ação\t\n", "a\x1b[31m\x00\x7f\u009b": "a�[31m���", "\u202ea\u2066\u2069\u200e\u061c": "�a����", "a\U000e0041": "a�", "a\u2028\r": "a��", "\x9b31mx": "�31mx",
		"👩\u200d🔬": "👩\u200d🔬",
	} {
		if got := Visible(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// FuzzIn checks that the characters found are in the text and in order, and that the result of Visible
// has no control or bidirectional character.
func FuzzIn(f *testing.F) {
	for _, s := range []string{"a\u202eb\r\n\u2067", "\U0001f3f4\U000e0067", "\xff\u2069\u2028"} {
		f.Add(s, true)
	}
	f.Fuzz(func(t *testing.T, s string, code bool) {
		last := -1
		for _, found := range In(s, code) {
			r, _ := utf8.DecodeRuneInString(s[found.At:])
			if found.At <= last || r != found.Rune || found.Kind < Acts || found.Kind > Hides {
				t.Fatalf("%q: %+v behind %d", s, found, last)
			}
			last = found.At
		}
		v := Visible(s)
		if !utf8.ValidString(s) {
			return
		}
		if utf8.RuneCountInString(v) != utf8.RuneCountInString(s) {
			t.Errorf("%q: %q", s, v)
		}
		for _, found := range In(v, true) {
			if found.Kind != Hides {
				t.Errorf("%q: %q has %+v", s, v, found)
			}
		}
	})
}

// TestPlain checks for all characters that a text that is skipped quickly has none that In would find.
func TestPlain(t *testing.T) {
	t.Parallel()
	for r := rune(0); r <= utf8.MaxRune; r++ {
		s := "a" + string(r)
		// A control character makes Visible check all characters.
		if Plain(s) && (acts(r) || turns(r) || tag(r) || unicode.Is(blank, r)) || Visible("\x00"+s) != "\ufffd"+Visible(s) {
			t.Errorf("U+%04X is skipped", r)
		}
	}
	if !Plain("— “aspas” … ação 日本語 🚀 👩\u200d🔬") {
		t.Error("an ordinary text is not skipped")
	}
	if Plain("x\ufe00\ufe01") || Plain([]byte("\r")) {
		t.Error("a text with an invisible character is skipped")
	}
}
