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

// TestFilesOfPages: what pages include is sent if it is there, and pictures are not.
func TestFilesOfPages(t *testing.T) {
	s, _ := sitetest.Load(t, map[string]string{
		"gpudocs.toml": "[languages.pt]\n[signatures]\nallowed_signers = 'keys'\n", "keys": "",
		"content/pt/p.md":     "# P\n\n```bash {run files=\"data.csv\"}\ncat data.csv\n```\n\n```python {file=../../code/a.py}\n```\n",
		"content/pt/data.csv": "1\n", "content/pt/a.png": "", "code/a.py": "1\n", "code/b.py": "",
	})
	got := files(s)
	for name, want := range map[string]int{"gpudocs.toml": 1, "content/pt/p.md": 1, "content/pt/data.csv": 1, "content/pt/a.png": 0, "code/b.py": 0} {
		n := 0
		for _, file := range got {
			if file == name {
				n++
			}
		}
		if n != want {
			t.Errorf("%s is sent %d times, want %d: %q", name, n, want, got)
		}
	}
}
