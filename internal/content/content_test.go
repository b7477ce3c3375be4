package content

import (
	"flag"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/gpudocs/gpudocs/internal/diag"
)

var update = flag.Bool("update", false, "write the diagnostics into testdata/diagnostics/*.txtar")

// site makes a file system of texts, and of an image where a PNG has none. A site without gpudocs.toml has an empty one.
func site(files map[string]string) fstest.MapFS {
	fsys := fstest.MapFS{ConfigFile: {}}
	for name, text := range files {
		if text == "" && strings.HasSuffix(name, ".png") {
			text = picture(4, 3)
		}
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return fsys
}

// picture is a PNG of that size.
func picture(width, height int) string {
	var b strings.Builder
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, width, height))); err != nil {
		panic(err)
	}
	return b.String()
}

// load loads a site and returns what would be printed about it.
func load(t *testing.T, files map[string]string) (*Site, string) {
	t.Helper()
	s, diags := Load(site(files), Options{})
	hinted(t, diags)
	return s, printed(diags)
}

// hinted holds that every error says what to do about it.
func hinted(t *testing.T, l diag.List) {
	t.Helper()
	for _, d := range l {
		if d.Severity == diag.Error && d.Hint.IsZero() {
			t.Errorf("no hint: %v", d)
		}
	}
}

// sound loads a site that has nothing to complain about.
func sound(t *testing.T, files map[string]string) *Site {
	t.Helper()
	s, out := load(t, files)
	if out != "" {
		t.Fatalf("unexpected diagnostics:\n%s", out)
	}
	return s
}

// page loads a site of one sound page, content/pt/p.md, with the languages pt
// and es and the environments torch and jax.
func page(t *testing.T, text string) *Page {
	t.Helper()
	s := sound(t, map[string]string{
		ConfigFile:        "[languages.pt]\n[languages.es]\n[env.torch]\npython = 'python3'\n[env.jax]\nconda = 'jax'\n",
		"content/pt/p.md": text,
	})
	return s.Page("p", "pt")
}

func printed(l diag.List) string {
	var b strings.Builder
	diag.Print(&b, l, diag.Look{})
	return b.String()
}

// wantDiagnostics is the name of the part of an archive that holds what is printed.
const wantDiagnostics = "want"

// TestDiagnostics loads each site of testdata/diagnostics and compares what is
// printed with the last part of the archive. -update writes that part. [load]
// holds that no error among them is without a hint.
func TestDiagnostics(t *testing.T) {
	entries, err := os.ReadDir("testdata/diagnostics")
	if err != nil || len(entries) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), ".txtar")
		if !ok {
			t.Errorf("%s belongs to no case", e.Name())
			continue
		}
		t.Run(name, func(t *testing.T) {
			file := filepath.Join("testdata/diagnostics", e.Name())
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			files, want, found := map[string]string{}, "", false
			inputs := archive.Files[:0:0]
			for _, f := range archive.Files {
				if f.Name == wantDiagnostics {
					want, found = string(f.Data), true
					continue
				}
				inputs = append(inputs, f)
				files[f.Name] = string(f.Data)
			}
			_, got := load(t, files)
			if *update {
				archive.Files = append(inputs, txtar.File{Name: wantDiagnostics, Data: []byte(got)})
				if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if !found {
				t.Fatalf("the archive has no part %q: run go test -update", wantDiagnostics)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}
