package doctor

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gpudocs/gpudocs/internal/machine/pyenv"
	"github.com/gpudocs/gpudocs/internal/machine/pyenv/pyenvtest"
	"github.com/gpudocs/gpudocs/internal/report"
)

// appears waits for a file. The limit only ends waits that would never end.
func appears(file string) bool {
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if _, err := os.Stat(file); err == nil {
			return true
		}
	}
	return false
}

// TestAtOnce: the driver answers only after a Python was started, and that Python only after
// the driver was queried. Sections still come in their order.
func TestAtOnce(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the fake Python is a script of a shell")
	}
	pyenvtest.Nothing(t)
	dir := t.TempDir()
	script := "#!/bin/sh\n: >'" + dir + "/python'\nwhile [ ! -e '" + dir + "/probe' ]; do sleep 0.01; done\nexit 3\n"
	if err := os.WriteFile(filepath.Join(dir, "python3"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	var order []Section
	d, err := Collect(t.Context(), Options{
		Generator: "gpudocs test", Machine: "local", LookupEnv: func(string) (string, bool) { return "", false },
		Probe: func(context.Context) report.GPU {
			if !appears(filepath.Join(dir, "python")) {
				t.Error("no Python was started while the driver was queried")
			}
			if err := os.WriteFile(filepath.Join(dir, "probe"), nil, 0o644); err != nil {
				t.Error(err)
			}
			return report.GPU{Status: report.GPUNone, Code: report.CodeNoLibrary}
		},
		Ready: func(s Section, _ *Diagnosis) { order = append(order, s) },
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Section{Machine, GPUs, Software, Pythons, Cluster, Tools, TheSite, Found}, order); diff != "" {
		t.Error(diff)
	}
	i := slices.IndexFunc(d.Pythons, func(p Python) bool { return p.Name == "" })
	if i < 0 || d.Pythons[i].Failed == "" || d.Site != nil {
		t.Errorf("%+v", d.Pythons)
	}
}

// TestSlowPython: an interpreter that hangs is reported in the reader's language, without Go's
// error text.
func TestSlowPython(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the fake Python is a script of a shell")
	}
	file := filepath.Join(t.TempDir(), "python3")
	if err := os.WriteFile(file, []byte("#!/bin/sh\nexec sleep 1000\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if p := askPython(ctx, pyenv.Python{Kind: pyenv.KindSystem, Path: file}); p.Failed != PythonTimeout {
		t.Errorf("%q", p.Failed)
	}
}

// TestInterrupted: no section follows an interrupt, and the error is the context's.
func TestInterrupted(t *testing.T) {
	pyenvtest.Nothing(t)
	ctx, cancel := context.WithCancel(t.Context())
	var order []Section
	_, err := Collect(ctx, Options{
		LookupEnv: func(string) (string, bool) { return "", false }, Machine: "local",
		Site: fstest.MapFS{"gpudocs.toml": &fstest.MapFile{Data: []byte("[languages.pt]\n")},
			"content/pt/a.md": &fstest.MapFile{Data: []byte("```bash {run}\ntrue\n```\n")}},
		Probe: func(context.Context) report.GPU {
			cancel()
			return report.GPU{Status: report.GPUBroken, Code: report.CodeProbeTimeout}
		},
		Ready: func(s Section, _ *Diagnosis) { order = append(order, s) },
	})
	if !errors.Is(err, context.Canceled) || slices.Contains(order, GPUs) {
		t.Errorf("%v after %v", err, order)
	}
}
