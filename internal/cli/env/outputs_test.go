package env

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
)

// FuzzJSONLine: a line decodes to the value that was encoded, and holds no byte that a terminal
// or a CI runner interprets.
func FuzzJSONLine(f *testing.F) {
	for _, s := range []string{"plain", "\x00\x1b[31m\u0085\u009b\u202e\x7f", `\##[error]x`, "##[##[", "a\nb<&>\u2028", "\U0001F600"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		line, err := JSONLine(map[string]string{"s": s})
		if err != nil {
			t.Fatal(err)
		}
		var back map[string]string
		if err := json.Unmarshal(line, &back); err != nil || back["s"] != strings.ToValidUTF8(s, "\uFFFD") && len([]rune(back["s"])) != len([]rune(s)) {
			t.Fatalf("encoded %q, decoded %q: %v", s, back["s"], err)
		}
		body, ended := bytes.CutSuffix(line, []byte("\n"))
		if !ended || bytes.Contains(body, []byte("##[")) {
			t.Fatalf("%q", line)
		}
		for _, r := range string(body) {
			if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
				t.Fatalf("%U in %q", r, line)
			}
		}
	})
}

// TestBelowRoot: paths of the site become relative to the repository, through symbolic links
// too; those of a site outside of it stay.
func TestBelowRoot(t *testing.T) {
	for _, name := range []string{"GITHUB_WORKSPACE", "CI_PROJECT_DIR", "WORKSPACE"} {
		t.Setenv(name, "")
	}
	root := t.TempDir()
	site := filepath.Join(root, "a", "docs")
	if err := os.MkdirAll(site, 0o755); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(root, link); err != nil {
		t.Skip(err)
	}
	if got := belowRoot(site); got != "" {
		t.Errorf("without a root: %q", got)
	}
	for workspace, want := range map[string]string{root: "a/docs", link: "a/docs", site: ".", filepath.Join(site, "more"): "", t.TempDir(): ""} {
		t.Setenv("CI_PROJECT_DIR", workspace)
		if got := belowRoot(site); got != want {
			t.Errorf("below %s: %q, want %q", workspace, got, want)
		}
	}
}
