package native_test

import (
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/dialects"
	"github.com/gpudocs/gpudocs/internal/markdown/markdowntest"
	"github.com/gpudocs/gpudocs/internal/markdown/native"
)

func TestEmoji(t *testing.T) {
	for source, want := range map[string]string{
		"a :rocket: b":              "a 🚀 b",
		":+1: :-1:":                 "👍 👎",
		":rocket::tada:!":           "🚀🎉!",
		"(:rocket:) *:tada:*":       "(🚀) <em>🎉</em>",
		"> :100:":                   "💯",
		":brazil: :es:":             "🇧🇷 🇪🇸",
		":no_such_code: :octocat:":  ":no_such_code: :octocat:",
		"10:30:45, 1:100:2":         "10:30:45, 1:100:2",
		"std::cpu::x ::rocket::":    "std::cpu::x ::rocket::",
		":label:`fig` :rocket:`x`":  ":label:<code>fig</code> :rocket:<code>x</code>",
		"a:rocket: :rocket:b":       "a:rocket: :rocket:b",
		"`:rocket:` \\:rocket:":     "<code>:rocket:</code> :rocket:",
		"<https://a.b/:rocket:>":    `<a href="https://a.b/:rocket:">https://a.b/:rocket:</a>`,
		"[:rocket:](a:rocket:)":     `<a href="a:rocket:">🚀</a>`,
		":rocket":                   ":rocket",
		"::":                        "::",
		"a :white_check_mark:\r\nb": "a ✅\nb",
	} {
		got := strings.NewReplacer("<blockquote>\n", "", "</blockquote>\n", "").Replace(markdowntest.HTML(t, dialects.New(markdown.Options{}), source))
		if got != "<p>"+want+"</p>\n" {
			t.Errorf("%s:\n got %swant %s", source, got, want)
		}
	}
	source := "é\r\n- a :rocket::tada: b"
	doc, _ := markdowntest.Parse(markdown.Options{}, source)
	for i, e := range markdown.Find[*native.Emoji](doc) {
		if s := source[e.Start:e.Stop]; s != []string{":rocket:", ":tada:"}[i] || e.Pos() != e.Start {
			t.Errorf("%q", s)
		}
	}
}

// FuzzEmoji checks the places of emoji codes.
func FuzzEmoji(f *testing.F) {
	f.Add(":rocket::+1: 10:30:45 :label:`x`")
	f.Fuzz(func(t *testing.T, source string) {
		doc, _ := markdowntest.Parse(markdown.Options{}, source)
		for _, e := range markdown.Find[*native.Emoji](doc) {
			if source[e.Start:e.Stop] != ":"+e.Name+":" || e.Characters == "" {
				t.Fatalf("%q: %+v", source, e)
			}
		}
	})
}
