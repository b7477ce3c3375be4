package remote

import (
	"slices"
	"testing"

	"github.com/gpudocs/gpudocs/internal/site/sitetest"
)

// TestFilesOfEnvironments checks that the files of locks are sent, each once.
func TestFilesOfEnvironments(t *testing.T) {
	s := sitetest.LoadValid(t, map[string]string{
		"gpudocs.toml":    "[env.a]\nuv = 'requirements.txt'\n[env.b]\nuv = 'p/pyproject.toml'\n[env.c]\nconda = 'base'\n[env.d]\nuv = 'content/pt/r.txt'\n",
		"content/pt/p.md": "# P\n", "content/pt/r.txt": "", "requirements.txt": "", "p/pyproject.toml": "", "p/uv.lock": "", "p/other": "",
	})
	want := []string{"gpudocs.toml", "requirements.txt", "p/pyproject.toml", "p/uv.lock", "content/pt/r.txt", "content/pt/p.md"}
	if got := files(s); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
