// Package hosting checks the files that a build writes for hosts with the hosts' own software: Netlify's
// parsers, and nginx with the configuration of docs/content/en/hosting.md.
package hosting

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/gpudocs/gpudocs/internal/publish"
	"github.com/gpudocs/gpudocs/internal/render"
	"github.com/gpudocs/gpudocs/internal/site/load"
	"github.com/gpudocs/gpudocs/themes"
)

// long is an old address that nginx accepts only with larger hash tables.
var long = strings.Repeat("pasta/", 12) + "velho"

// site is a small one, published in a folder. Everybody may read it: nginx gives up root.
func site(t *testing.T) string {
	t.Helper()
	fsys := fstest.MapFS{}
	for name, text := range map[string]string{
		"gpudocs.toml":               "[languages.pt]\nweight = 1\n[languages.es]\nweight = 2\n",
		"content/pt/index.md":        "# Início\n",
		"content/es/index.md":        "# Inicio\n",
		"content/pt/gpu/uso.md":      "---\nredirect_from: [antigo, ação, /velho.html, \"a;b\", \"x{y}\", US$, " + long + "]\n---\n# Uso\n",
		"content/pt/US$ 1;2.md":      "---\nredirect_from: /pt/caro\n---\n# Caro\n",
		"content/pt/404.html":        "<!doctype html><title>Não existe</title>",
		"content/es/404.html":        "<!doctype html><title>No existe</title>",
		"content/404.html":           "<!doctype html><title>Nothing</title>",
		"content/2026.1/pt/404.html": "<!doctype html><title>Na edição</title>", // of another edition
		"content/pt/es/gpu.md":       "# Em espanhol\n",
		"content/_redirects":         "/forum https://forum.example/ 302\n",
		"content/pt/gpu/dados.csv":   "a,b\n",
		"content/pt/gpu/a.svg":       "<svg xmlns='http://www.w3.org/2000/svg'/>",
		"content/pt/gpu/B.SVG":       "<svg xmlns='http://www.w3.org/2000/svg'/>",
	} {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	loaded, diags := load.Load(fsys, load.Options{})
	if loaded == nil || diags.HasErrors() {
		t.Fatal(diags)
	}
	s, diags, err := render.New(t.Context(), loaded, nil, themes.Default(), render.Options{BaseURL: "https://example.org/"})
	if err != nil || len(diags) > 0 {
		t.Fatal(err, diags)
	}
	dir, err := os.MkdirTemp("", "gpudocs-hosting-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	public := filepath.Join(dir, "public")
	if err := publish.Write(t.Context(), public, s, publish.Options{}); err != nil {
		t.Fatal(err)
	}
	return public
}

// needs finds a program, or skips the test.
func needs(t *testing.T, program, reason string) string {
	t.Helper()
	for _, name := range []string{program, "/usr/sbin/" + program} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip(reason)
	return ""
}
