package load_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/gpudocs/gpudocs/internal/site/sitetest"
)

var update = flag.Bool("update", false, "write the diagnostics into testdata/diagnostics/*.txtar")

// wantDiagnostics is the name of the part of an archive that holds what is printed.
const wantDiagnostics = "want"

// TestDiagnostics loads each site of testdata/diagnostics and compares the output with the last part of
// the archive. -update writes that part. [load] checks that every error has a hint.
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
			_, got := sitetest.Load(t, files)
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
