package load_test

import (
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/site/load"
	"github.com/gpudocs/gpudocs/internal/site/sitetest"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// TestNamesThatNobodySees checks that file names and old addresses may not have invisible characters.
func TestNamesThatNobodySees(t *testing.T) {
	t.Parallel()
	_, diags := load.Load(sitetest.FS(map[string]string{"content/pt/x.md": "---\nredirect_from: [a%E2%80%AEb, a%C2%85b]\n---\n# X\n", "content/pt/a\u202egpj.exe": "x", "content/pt/b\u2028.md": "# B\n"}), load.Options{})
	var all []string
	for _, d := range diags {
		all = append(all, d.Message.String())
	}
	text := strings.Join(all, "\n")
	if diags.Count(diag.Error) != 4 || strings.Count(text, "nobody sees") != 2 || strings.Count(text, "cannot be published") != 2 {
		t.Error(text)
	}
}
