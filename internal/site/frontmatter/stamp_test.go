package frontmatter_test

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/frontmatter"
	"github.com/gpudocs/gpudocs/internal/site/sitefile"
	"github.com/gpudocs/gpudocs/internal/site/translate"
	"github.com/gpudocs/gpudocs/internal/text/diag"
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
		{
			"addresses below it", "---\ntranslated:\n  from: pt\n  sections:\n    (top): " + hashA + "\nredirect_from: /old/\nslug: s\n---\n",
			"---\n" + text + "redirect_from: /old/\nslug: s\n---\n",
		},
		{
			"values with places", "---\ntranslated:\n  from: pt\ngroup: g\nhidden: true\nprerequisites: [a, b]\nprev: {page: c}\nnext: false\nblocks:\n  files: x.csv\n---\n",
			"---\n" + text + "group: g\nhidden: true\nprerequisites: [a, b]\nprev: {page: c}\nnext: false\nblocks:\n  files: x.csv\n---\n",
		},
		{"Windows", "---\r\ntitle: x\r\n---\r\ny\r\n", "---\r\ntitle: x\r\n" + strings.ReplaceAll(text, "\n", "\r\n") + "---\r\ny\r\n"},
		{"byte order mark", "\ufeff---\ntitle: x\n---\n", "\ufeff---\ntitle: x\n" + text + "---\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := frontmatter.WriteStamp([]byte(tt.before), stamp)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, string(got)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if again, err := frontmatter.WriteStamp(got, stamp); err != nil || !bytes.Equal(again, got) {
				t.Errorf("writing the stamp again changes the page: %v\n%s", err, again)
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
		"---\ntitle: &a x\nb: *a\n# " + strings.Repeat("x", frontmatter.MaxSize-40) + "\n---\n", // no room
	} {
		if out, err := frontmatter.WriteStamp([]byte(before), stamp); !errors.Is(err, frontmatter.ErrStamp) {
			t.Errorf("%.40q: %v\n%.200s", before, err, out)
		}
	}
}

// TestStampKeys checks that any anchor can be written and read.
func TestStampKeys(t *testing.T) {
	for _, anchor := range []string{translate.Top, "a", "a-b_c", "ação", "1", "true", "No", "null", "~", "a:b", "#x", `q"\`, "-", "a-", "'", "{x}", "1e3", "0x10", "<<"} {
		s := translate.Stamp{From: "pt", Sections: marks(anchor, hashA, "z", "2222222222")}
		out, err := frontmatter.WriteStamp([]byte("x\n"), s)
		if err != nil {
			t.Errorf("%q: %v", anchor, err)
			continue
		}
		if _, fm := readBare(out); !slices.Equal(fm.Stamp.Sections, s.Sections) {
			t.Errorf("%q: read %q", anchor, fm.Stamp.Sections)
		}
	}
}

// readBare reads a page, and returns what follows its front matter.
func readBare(data []byte) (rest []byte, fm frontmatter.FrontMatter) {
	bare := sitefile.WithoutBOM(data)
	_, _, end, _, _ := frontmatter.Split(bare)
	_, fm, _ = frontmatter.Read(diag.NewFile("", bare), site.Defaults{}, 0, site.UnreadableConfig())
	return bare[end:], fm
}

// FuzzWriteStamp checks that a stamp that is written is read as the same stamp, and that no other byte of
// the page changes.
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
		out, err := frontmatter.WriteStamp(data, s)
		if err != nil {
			return
		}
		rest, was := readBare(data)
		restNow, is := readBare(out)
		if !slices.Equal(is.Stamp.Sections, s.Sections) || is.Stamp.From != "pt" {
			t.Fatalf("read %+v of\n%s", is.Stamp, out)
		}
		if !bytes.Equal(rest, restNow) {
			t.Fatalf("the page's text has changed:\n%s", out)
		}
		if was.Title != is.Title || was.Weight != is.Weight || was.Translation != is.Translation || was.Draft != is.Draft {
			t.Fatalf("another key has changed:\n%s", out)
		}
		if again, err := frontmatter.WriteStamp(out, s); err != nil || !bytes.Equal(again, out) {
			t.Fatalf("writing the stamp again changes the page: %v\n%s\n%s", err, out, again)
		}
	})
}
