package dialects

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpudocs/gpudocs/internal/markdown/importer"
)

var update = flag.Bool("update", false, "write the goldens anew")

// seeds are the tutorials that the project started with, by the prefix of their file's name, and their
// paths in one site. Two are notebooks that were converted to text, which are read by the importer; the
// others are read as they are.
var seeds = []struct {
	file, page string
	imported   bool
	front      string // the front matter that the page gets
}{
	{"000", "pt/uso-da-gpu.md", false, ""},
	{"001", "es/deep-learning.md", false, ""},
	{"002", "pt/notebook.md", true, ""},
	{"003", "pt/d2l.md", true, "---\ndialects: [d2l]\n---\n"},
	{"004", "pt/cluster.md", false, ""},
}

func TestSeeds(t *testing.T) {
	dir := folder(t, "GPUDOCS_SEEDS", "seeds")
	pages, sources := map[string]string{}, map[string]string{}
	for _, s := range seeds {
		files, _ := filepath.Glob(filepath.Join(dir, s.file+"_*"))
		if len(files) != 1 {
			t.Fatalf("%d files of seed %s", len(files), s.file)
		}
		data, err := os.ReadFile(files[0])
		if err != nil {
			t.Fatal(err)
		}
		sources[s.page] = string(data)
		if s.imported {
			data = importer.Convert(filepath.Base(s.page), data, importer.Options{}).Data
		}
		pages[s.page] = s.front + string(data)
	}
	p := build(t, "[markdown]\ndialects = [\"obsidian\"]\n[languages.pt]\n[languages.es]\n", pages)
	p.pages = sources // what an author wrote, before the importer
	p.whole()
	p.wantDiagnostics(map[string]int{ // pictures and other pages are not among the documents
		"warning: nothing in this language has the label …":           1,
		"warning: there is no image …":                                7,
		"warning: there is no page …":                                 1,
		"warning: this image has no text for those who cannot see it": 3,
	})
	for _, page := range p.site.Pages {
		name := strings.TrimPrefix(page.Source.Name, "content/")
		got, err := outline(p.html(page))
		if err != nil {
			t.Fatal(err)
		}
		golden(t, strings.TrimSuffix(filepath.Base(name), ".md")+".outline", got)
	}
	orphans(t)
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.ReplaceAll(string(want), "\r\n", "\n"), got); diff != "" {
		t.Errorf("%s (-want +got)\n%s", name, diff)
	}
}

// orphans finds golden files of pages that no longer exist.
func orphans(t *testing.T) {
	t.Helper()
	files, err := os.ReadDir("testdata")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != len(seeds) {
		t.Errorf("%d goldens for %d pages", len(files), len(seeds))
	}
}
