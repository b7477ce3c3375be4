package content

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpudocs/gpudocs/internal/diag"
	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/translate"
)

const hashA, hashB = "aaaaaaaaaa", "bbbbbbbbbb"

func marks(list ...string) (out []translate.Mark) {
	for i := 0; i < len(list); i += 2 {
		out = append(out, translate.Mark{Anchor: list[i], Hash: list[i+1]})
	}
	return out
}

func TestWriteStamp(t *testing.T) {
	stamp := translate.Stamp{From: "pt", Sections: marks(translate.Top, hashA, "repetições", hashB)}
	const text = "translated:\n  from: pt\n  sections:\n    (top): " + hashA + "\n    repetições: " + hashB + "\n"
	tests := []struct{ name, before, want string }{
		{"no front matter", "# H\n", "---\n" + text + "---\n# H\n"},
		{"an empty file", "", "---\n" + text + "---\n"},
		{"an empty one", "---\n---\n", "---\n" + text + "---\n"},
		{"only a comment", "---\n# c\n---\nx", "---\n# c\n" + text + "---\nx"},
		{"behind the other keys", "---\ntitle: x # y\n\n# z\n---\n", "---\ntitle: x # y\n\n# z\n" + text + "---\n"},
		{"in the middle", "---\na: 1\ntranslated: {from: es}\n\n# c\nb:\n  - 1\n---\n", "---\na: 1\n" + text + "\n# c\nb:\n  - 1\n---\n"},
		{"an old one", "---\n" + strings.ReplaceAll(text, hashB, hashA) + "weight: 2\n---\n", "---\n" + text + "weight: 2\n---\n"},
		{"a section is gone", "---\n" + text + "    old: " + hashA + "\n---\n", "---\n" + text + "---\n"},
		{
			"comments", "---\ntranslated: # a\n  # b\n  from: pt\n  sections:\n    # c\n    repetições: " + hashA + " # d\n    # e\n---\n",
			"---\ntranslated: # a\n  # b\n  from: pt\n  sections:\n    (top): " + hashA + "\n    # c\n    repetições: " + hashB + " # d\n    # e\n---\n",
		},
		{"Windows", "---\r\ntitle: x\r\n---\r\ny\r\n", "---\r\ntitle: x\r\n" + strings.ReplaceAll(text, "\n", "\r\n") + "---\r\ny\r\n"},
		{"byte order mark", "\ufeff---\ntitle: x\n---\n", "\ufeff---\ntitle: x\n" + text + "---\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := WriteStamp([]byte(tt.before), stamp)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, string(got)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if again, err := WriteStamp(got, stamp); err != nil || !bytes.Equal(again, got) {
				t.Errorf("written again it changes: %v\n%s", err, again)
			}
		})
	}
}

func TestWriteStampRefuses(t *testing.T) {
	stamp := translate.Stamp{From: "pt", Sections: marks(translate.Top, hashA)}
	for _, before := range []string{
		"---\ntitle: x\n",         // not closed
		"---\n{title: x}\n---\n",  // in braces
		"---\n  title: x\n---\n",  // indented
		"---\ntitle: a: b\n---\n", // broken
		"---\n- a\n---\n",         // no keys
		"---\ntitle: &a x\nb: *a\n# " + strings.Repeat("x", maxFrontMatter-40) + "\n---\n", // no room
	} {
		if out, err := WriteStamp([]byte(before), stamp); !errors.Is(err, ErrStamp) {
			t.Errorf("%.40q: %v\n%.200s", before, err, out)
		}
	}
}

// TestStampKeys: any anchor can be written and read.
func TestStampKeys(t *testing.T) {
	for _, anchor := range []string{translate.Top, "a", "a-b_c", "ação", "1", "true", "No", "null", "~", "a:b", "#x", `q"\`, "-", "a-", "'", "{x}", "1e3", "0x10", "<<"} {
		s := translate.Stamp{From: "pt", Sections: marks(anchor, hashA, "z", "2222222222")}
		out, err := WriteStamp([]byte("x\n"), s)
		if err != nil {
			t.Errorf("%q: %v", anchor, err)
			continue
		}
		if _, fm := bareFrontMatter(out); !slices.Equal(fm.stamp.Sections, s.Sections) {
			t.Errorf("%q: read %q", anchor, fm.stamp.Sections)
		}
	}
}

func TestStampFaults(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"translated: x\n", "translated must have the keys from and sections"},
		{"translated:\n  form: pt\n", `unknown key "form" in translated`},
		{"translated:\n  from: pt\n  sections: [a]\n", "sections must be anchors with their hashes"},
		{"translated:\n  from: pt\n  sections:\n    a: 12\n", `"12" is not the hash of a section`},
		{"translated:\n  sections:\n    a: " + hashA + "\n", "translated does not say from which language"},
	} {
		_, out := load(t, map[string]string{"content/pt/p.md": "---\n" + tt.text + "---\n"})
		if !strings.Contains(out, "error: "+tt.want) {
			t.Errorf("%q\n%s", tt.text, out)
		}
	}
	sound(t, map[string]string{"content/pt/p.md": "---\ntranslated:\n---\n"})
}

// FuzzWriteStamp: what is written is read as the same stamp, and no other byte changes.
func FuzzWriteStamp(f *testing.F) {
	f.Add([]byte("---\ntitle: x\n---\n# H\n"), "a", "b")
	f.Add([]byte("---\ntranslated: # a\n  from: es\n  sections:\n    # c\n    x: aaaaaaaaaa # d\nweight: 2\n---\n"), "x", "ação")
	f.Add([]byte("\ufeff---\r\ntranslated: {from: pt}\r\nblocks:\r\n  session: x\r\n...\r\n"), `q"\`, "~")
	f.Add([]byte("---\ntranslated:\n  sections: {\n    a: aaaaaaaaaa\n}\n---\n"), "1", "")
	f.Fuzz(func(t *testing.T, data []byte, a, b string) {
		s := translate.Stamp{From: "pt", Sections: marks(a, hashA)}
		if a != b {
			s.Sections = append(s.Sections, marks(b, hashB)...)
		}
		out, err := WriteStamp(data, s)
		if err != nil {
			return
		}
		rest, was := bareFrontMatter(data)
		restNow, is := bareFrontMatter(out)
		if !slices.Equal(is.stamp.Sections, s.Sections) || is.stamp.From != "pt" {
			t.Fatalf("read %+v of\n%s", is.stamp, out)
		}
		if !bytes.Equal(rest, restNow) {
			t.Fatalf("the page's text has changed:\n%s", out)
		}
		if was.title != is.title || was.weight != is.weight || was.translation != is.translation || was.draft != is.draft {
			t.Fatalf("another key has changed:\n%s", out)
		}
		if again, err := WriteStamp(out, s); err != nil || !bytes.Equal(again, out) {
			t.Fatalf("written again it changes: %v\n%s\n%s", err, out, again)
		}
	})
}

// FuzzSections: the sections of a page have anchors of their own, in the order of their
// lines, and empty lines at the end do not count.
func FuzzSections(f *testing.F) {
	for _, text := range []string{
		"a\n# H\nb\n## H\n```x\n  c\n\n```\n", "> # Q\n> a\n> b\n\n- # L\n\n1\n=\n", "    code\n\n# x {#y}\n# z {#y}\n",
		"[^1]\n\n[^1]: # F\n    a\n", "| a | b |\n|---|---|\n| 1 | 2 |\n", "<div>\n# no\n</div>\n\n:::note\n# in\n:::\n", "---\ntitle: x\n---\n\n# x\n",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		sections := func(text string) []translate.Section {
			file := diag.NewFile("p.md", slices.Clip([]byte(text)))
			if _, bad := invalidUTF8(file); bad {
				return nil
			}
			p := pageParser{config: unreadConfig(), file: file, page: &Page{Path: "p.md", Language: &Language{Code: "pt"}, Source: file}}
			p.parse(newMarkdown(markdown.Options{}), frontMatter{})
			return p.page.Sections
		}
		got := sections(text)
		seen := map[string]bool{}
		for i, s := range got {
			if seen[s.Anchor] || s.Anchor == "" || !translate.IsHash(s.Hash) || (i > 0 && s.Line < got[i-1].Line) {
				t.Fatalf("section %d: %+v", i, s)
			}
			seen[s.Anchor] = true
		}
		if len(got) == 0 {
			return
		}
		if diff := cmp.Diff(got, sections(text+"\n\n")); diff != "" && !strings.Contains(text, "```") && !strings.Contains(text, "~~~") {
			t.Fatalf("empty lines count:\n%s", diff)
		}
	})
}
