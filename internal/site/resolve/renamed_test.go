package resolve_test

import (
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/site/load"
	"github.com/gpudocs/gpudocs/internal/site/sitetest"
)

func TestRenamed(t *testing.T) {
	const (
		config  = "[languages.pt]\nweight = 1\n[languages.es]\nweight = 2\n[languages.en]\nweight = 3\n"
		code    = "# A\n\n```bash {run}\necho 1\n```\n"
		stamp   = "---\ntranslated:\n  from: pt\n  sections:\n    (top): x2ecackjeh\n---\n"
		notice  = "content/es/shell.md: notice: in pt no page has this name, and content/pt/terminal.md looks like its original"
		write   = "if content/pt/terminal.md is the same page, write translation: shell into the front matter of content/pt/terminal.md"
		warning = `content/es/shell.md: warning: it was translated from pt, where no page has the name "shell" any more`
	)
	for _, c := range []struct {
		name    string
		files   map[string]string
		guess   bool
		message string
		hint    string
	}{
		{"the same code", map[string]string{"pt/terminal.md": code, "es/shell.md": "# B\n\nt\n" + code[3:]}, true, notice, write},
		{"the same headings", map[string]string{"pt/terminal.md": "# A\n\n## B\n", "pt/x.md": "# A\n", "es/shell.md": "# C\n\n## D\n"}, true, notice, write},
		{"the only one", map[string]string{"pt/terminal.md": "a\n", "es/shell.md": "# C\n\n## D\n"}, true, notice, write},
		{"two alike", map[string]string{"pt/terminal.md": "# A\n", "pt/b.md": "# A\n", "es/shell.md": "# C\n"}, true, "", ""},
		{"another folder", map[string]string{"pt/a/terminal.md": "# A\n", "es/shell.md": "# C\n"}, true, "", ""},
		{"no guess in a build", map[string]string{"pt/terminal.md": code, "es/shell.md": code}, false, "", ""},
		{"translated", map[string]string{"pt/shell.md": code, "es/shell.md": code, "pt/terminal.md": "a\n"}, true, "", ""},
		{"an original", map[string]string{"pt/terminal.md": code, "es/shell.md": "---\noriginal: true\n---\n" + code}, true, "", ""},
		{"other languages have the new name", map[string]string{"pt/terminal.md": code, "en/terminal.md": code, "es/shell.md": code}, true, notice,
			"if content/pt/terminal.md is the same page, write translation: terminal into the front matter of content/es/shell.md"},
		{"stamped", map[string]string{"pt/terminal.md": code, "es/shell.md": stamp + code}, false, warning, write},
		{"stamped and alone", map[string]string{"pt/x/y.md": "a\n", "es/shell.md": stamp + code}, false, warning,
			"if the original has another name now, write translation: shell into its front matter"},
		{"mended", map[string]string{"pt/terminal.md": "---\ntranslation: shell\n---\n" + code, "es/shell.md": code}, true, "", ""},
	} {
		files := map[string]string{"gpudocs.toml": config}
		for name, text := range c.files {
			files["content/"+name] = text
		}
		_, diags := load.Load(sitetest.FS(files), load.Options{Editing: c.guess})
		message, hint := "", ""
		for _, d := range diags {
			if strings.HasPrefix(d.Message.Key(), "translations.renamed") || strings.HasPrefix(d.Message.Key(), "translations.source-lost") {
				message, hint = message+d.Error(), hint+d.Hint.String()
			}
		}
		if message != c.message || hint != c.hint {
			t.Errorf("%s: %s\n%s", c.name, message, hint)
		}
	}
}
