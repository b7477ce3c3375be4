package frontmatter_test

import (
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/site/sitetest"
)

func TestStampFaults(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"translated: x\n", "translated must have the keys from and sections"},
		{"translated:\n  form: pt\n", `unknown key "form" in translated`},
		{"translated:\n  from: pt\n  sections: [a]\n", "sections must be anchors with their hashes"},
		{"translated:\n  from: pt\n  sections:\n    a: 12\n", `"12" is not the hash of a section`},
		{"translated:\n  sections:\n    a: aaaaaaaaaa\n", "translated does not say from which language"},
	} {
		_, out := sitetest.Load(t, map[string]string{"content/pt/p.md": "---\n" + tt.text + "---\n"})
		if !strings.Contains(out, "error: "+tt.want) {
			t.Errorf("%q\n%s", tt.text, out)
		}
	}
	sitetest.LoadValid(t, map[string]string{"content/pt/p.md": "---\ntranslated:\n---\n"})
}
