package verify

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/test/reporttest"
)

// TestBuildCache runs a session again and again: it is compiled again if and only if something has changed that the
// compiler may read.
func TestBuildCache(t *testing.T) {
	need(t, "bash", "gcc")
	builds := t.TempDir()
	text := "```bash {run session=s}\necho '#define N 7' >n.h\nexport CFLAGS=-O1\n```\n" +
		"```c {run session=s exit=7 flags=\"$CFLAGS -Wall\"}\n#include \"n.h\"\nint main(void) { int unused; return N; }\n```\n"
	check := func(what, text string, o Options, cached bool) {
		t.Helper()
		o.Builds = builds
		r := verify(t, loadSite(t, map[string]string{page: text}), noGPU, o)
		c := r.Checks[len(r.Checks)-1]
		if c.Outcome != report.Passed || c.Build == nil {
			t.Fatalf("%s: %s", what, reporttest.Text(c))
		}
		if c.Build.Cached != cached || !strings.Contains(c.Build.Stderr.String(), "unused") || c.Build.DurationMS <= 0 {
			t.Errorf("%s: cached %v, %+v", what, c.Build.Cached, c.Build)
		}
	}
	check("first", text, Options{}, false)
	check("again", text, Options{}, true)
	check("--rerun", text, Options{Rebuild: true}, false)
	check("other variable of the session", strings.Replace(text, "-O1", "-O0", 1), Options{}, false)
	check("other header", strings.NewReplacer("N 7", "N 5", "exit=7", "exit=5").Replace(text), Options{}, false)
	check("other flags", strings.Replace(text, "-Wall", "-Wall -g", 1), Options{}, false)
	t.Setenv("SSH_CONNECTION", "10.0.0.1 1 10.0.0.2 22")
	check("another login", text, Options{}, true)
	t.Setenv("CPATH", "/nowhere")
	check("other variable", text, Options{}, false)
	check("again with it", text, Options{}, true)
	entries, _ := os.ReadDir(builds)
	for _, e := range entries {
		if err := os.WriteFile(filepath.Join(builds, e.Name()), []byte("damaged"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	check("damaged", text, Options{}, false)
}
