package servecmd

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/gpudocs/gpudocs/internal/cli/env"
	"github.com/gpudocs/gpudocs/internal/cli/sitecmd"
	"github.com/gpudocs/gpudocs/internal/cli/words"
)

// TestServeMemory edits text and code of this repository's own site again and again, requests
// each edited page, and checks that the memory in use after many edits is at most a fifth
// larger than after 30. With GPUDOCS_LONG=1 it makes 2,000 edits.
func TestServeMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector needs memory of its own")
	}
	few, many := 30, 90
	if os.Getenv("GPUDOCS_LONG") != "" {
		many = 2000
	}
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CACHE_HOME", "")
	site := t.TempDir()
	for _, name := range []string{"content", "env", "results"} {
		if err := os.CopyFS(filepath.Join(site, name), os.DirFS(filepath.Join("../../..", name))); err != nil {
			t.Fatal(err)
		}
	}
	config, err := os.ReadFile("../../../gpudocs.toml")
	if err != nil {
		t.Fatal(err)
	}
	write := func(name string, text []byte) {
		if err := os.WriteFile(filepath.Join(site, name), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("gpudocs.toml", config)
	// Diagrams are cached, so that Mermaid, which is larger than the site, is not loaded.
	build := sitecmd.NewBuild(&env.Env{Stdout: io.Discard, Stderr: io.Discard, Text: words.English(), Site: site})
	build.SetArgs([]string{"--output", filepath.Join(t.TempDir(), "public")})
	if err := build.Execute(); err != nil {
		t.Fatal(err)
	}
	p, err := newPreviewer(t.Context(), &env.Env{Stdout: io.Discard, Stderr: io.Discard, Text: words.English(), Site: site}, &serveFlags{})
	if err != nil {
		t.Fatal(err)
	}
	p.dates = nil
	shown, diags := p.build(t.Context(), nil)
	if shown == nil {
		t.Fatal(diags)
	}
	texts := map[string][]byte{}
	var names, urls []string
	for _, page := range p.latest.content().Pages {
		text, err := os.ReadFile(filepath.Join(site, page.File.Name))
		if err != nil {
			t.Fatal(err)
		}
		names, urls, texts[page.File.Name] = append(names, page.File.Name), append(urls, page.URL), text
	}
	inUse := func() uint64 {
		for range 3 { // pools are emptied by the second one
			runtime.GC()
		}
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	var before uint64
	random := rand.New(rand.NewPCG(1, 1))
	for n := 1; n <= many; n++ {
		i := random.IntN(len(names))
		write(names[i], fmt.Appendf(nil, "%s\n\nEdit %d.\n\n```python\nfor i in range(%d):\n    print(i, \"edit\")\n```\n", texts[names[i]], n, n))
		if shown, diags = p.build(t.Context(), []string{names[i]}); shown == nil {
			t.Fatal(diags)
		}
		if _, ok, err := shown.File(path.Join(urls[i], "index.html")); !ok || err != nil {
			t.Fatal(urls[i], ok, err)
		}
		if n == few {
			before = inUse()
		}
		if n%50 == 0 {
			t.Logf("%d KiB after %d edits", inUse()>>10, n)
		}
	}
	if after := inUse(); after > before*6/5 {
		t.Errorf("%d KiB are in use after %d edits, and %d KiB were after %d", after>>10, many, before>>10, few)
	}
	runtime.KeepAlive(p)
	runtime.KeepAlive(shown)
}
