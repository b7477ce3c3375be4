// Package archtest holds the packages of gpudocs to the edges of
// docs/architecture.md: imports point down only.
package archtest

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/gpudocs/gpudocs/"

// allowed are the packages of ours that each package may import. A new edge is
// a decision: make it here and in docs/architecture.md.
var allowed = map[string][]string{
	"cmd/gpudocs": {
		"internal/bench", "internal/check", "internal/compare", "internal/content", "internal/diag", "internal/diagram", "internal/doctor", "internal/fleet", "internal/github", "internal/gpu", "internal/history", "internal/i18n", "internal/importer", "internal/lazyregexp",
		"internal/junit", "internal/licences", "internal/markdown", "internal/measure", "internal/phrases", "internal/preview", "internal/publish", "internal/pyenv", "internal/render", "internal/report", "internal/sitepath", "internal/slurm",
		"internal/terminal", "internal/tex", "internal/theme", "internal/translate", "internal/trust", "internal/verify", "themes",
	},
	"internal/check":              {"internal/content", "internal/diag"},
	"internal/fleet":              {"internal/child", "internal/report"},
	"internal/preview":            {"internal/diag", "internal/hosting"},
	"internal/hosting":            {},
	"internal/theme":              {"internal/diag", "internal/lazyregexp", "internal/sitepath", "internal/tomlfile"},
	"internal/sitepath":           {"internal/diag"},
	"internal/rawhtml":            {"internal/lazyregexp"},
	"internal/tomlfile":           {"internal/diag", "internal/lazyregexp"},
	"internal/verify":             {"internal/compat", "internal/content", "internal/diag", "internal/match", "internal/measure", "internal/pyenv", "internal/report", "internal/require", "internal/slurm", "internal/verify/session"},
	"internal/verify/session":     {"internal/child"},
	"internal/gpu":                {"internal/child", "internal/cuda", "internal/lazyregexp", "internal/report", "internal/require"},
	"internal/history":            {"internal/diag"},
	"internal/child":              {},
	"internal/cuda":               {},
	"internal/blas":               {},
	"internal/bench":              {"internal/blas", "internal/child", "internal/cuda", "internal/cuda/kernels", "internal/gpu", "internal/i18n", "internal/measure", "internal/report"},
	"internal/pyenv":              {"internal/child", "internal/report"},
	"internal/pyenv/pyenvtest":    {},
	"internal/doctor":             {"internal/compat", "internal/content", "internal/cuda", "internal/diag", "internal/i18n", "internal/pyenv", "internal/report", "internal/slurm", "internal/terminal", "internal/verify", "internal/verify/session"},
	"internal/i18n":               {"internal/report"},
	"internal/i18n/i18ntest":      {},
	"internal/layout":             {"internal/i18n"},
	"internal/render":             {"internal/atom", "internal/badge", "internal/bibtex", "internal/card", "internal/compat", "internal/content", "internal/diag", "internal/diagram", "internal/hosting", "internal/i18n", "internal/layout", "internal/lazyregexp", "internal/markdown", "internal/memo", "internal/notebook", "internal/rawhtml", "internal/report", "internal/require", "internal/search", "internal/tex", "internal/translate", "internal/unseen"},
	"internal/search":             {},
	"internal/compare":            {"internal/report"},
	"internal/junit":              {"internal/report"},
	"internal/github":             {"internal/diag"},
	"internal/content":            {"internal/bibtex", "internal/diag", "internal/lazyregexp", "internal/markdown", "internal/match", "internal/measure", "internal/notebook", "internal/rawhtml", "internal/report", "internal/require", "internal/sitepath", "internal/tomlfile", "internal/translate", "internal/unseen"},
	"internal/importer":           {"internal/diag", "internal/lazyregexp", "internal/markdown", "internal/notebook"},
	"internal/notebook":           {"internal/diag", "internal/lazyregexp"},
	"internal/markdown":           {"internal/diag", "internal/lazyregexp"},
	"internal/bibtex":             {"internal/diag"},
	"internal/card":               {},
	"internal/measure":            {"internal/diag", "internal/lazyregexp", "internal/require"},
	"internal/compat":             {"internal/report", "internal/require"},
	"internal/cuda/cudatest":      {},
	"internal/cuda/kernels":       {},
	"internal/match":              {"internal/diag", "internal/lazyregexp", "internal/report"},
	"internal/report":             {"internal/diag", "internal/require"},
	"internal/require":            {"internal/diag"},
	"internal/translate":          {},
	"internal/trust":              {"internal/diag", "internal/report"},
	"internal/unseen":             {},
	"internal/diag":               {"internal/terminal", "internal/unseen"},
	"internal/phrases":            {"internal/diag"},
	"internal/terminal":           {},
	"internal/lazyregexp":         {},
	"internal/publish":            {},
	"internal/slurm":              {"internal/lazyregexp"},
	"internal/slurm/slurmtest":    {},
	"internal/verify/sandboxtest": {},
	"internal/licences":           {},
	"internal/atom":               {},
	"internal/badge":              {},
	"internal/diagram":            {"internal/memo", "internal/script"},
	"internal/tex":                {"internal/memo", "internal/script"},
	"internal/memo":               {},
	"internal/script":             {},
	"internal/lineartest":         {},
	"test/bench":                  {},
	"test/skips":                  {},
	"themes":                      {},
}

// pure packages render a site or a report: the same input gives the same bytes,
// wherever it is done. What they import must not run programs or use the network.
var pure = []string{"internal/hosting", "internal/tomlfile", "internal/theme", "internal/atom", "internal/badge", "internal/bibtex", "internal/card", "internal/render", "internal/content", "internal/match", "internal/report", "internal/require", "internal/diag",
	"internal/compare", "internal/compat", "internal/diagram", "internal/github", "internal/i18n", "internal/importer", "internal/junit", "internal/layout", "internal/lazyregexp", "internal/licences", "internal/markdown", "internal/measure", "internal/memo", "internal/notebook", "internal/rawhtml", "internal/script", "internal/search", "internal/sitepath", "internal/terminal", "internal/tex", "internal/translate", "internal/unseen", "themes"}

var impure = []string{"os/exec", "net", "net/http"}

// fault tells why a package must not import another, or is empty.
func fault(pkg, imported string) string {
	ours, isOurs := strings.CutPrefix(imported, module)
	may, known := allowed[pkg]
	switch {
	case !known:
		return fmt.Sprintf("package %s is new: say in this test what it may import", pkg)
	case isOurs && !slices.Contains(may, ours):
		return fmt.Sprintf("%s imports %s; it may import %s", pkg, ours, orNothing(may))
	case slices.Contains(pure, pkg) && slices.Contains(impure, imported):
		return fmt.Sprintf("%s imports %s; what renders a site runs nothing and asks nobody", pkg, imported)
	}
	return ""
}

func orNothing(names []string) string {
	if len(names) == 0 {
		return "nothing of ours"
	}
	return strings.Join(names, ", ")
}

func TestImports(t *testing.T) {
	t.Parallel()
	found := packages(t, os.DirFS("../.."))
	for _, pkg := range slices.Sorted(maps.Keys(found)) {
		for _, imported := range found[pkg] {
			if f := fault(pkg, imported); f != "" {
				t.Error(f)
			}
		}
	}
	for pkg, may := range allowed {
		if found[pkg] == nil {
			t.Errorf("package %s is not there any more: take it out of this test", pkg)
			continue
		}
		for _, p := range may {
			if !slices.Contains(found[pkg], module+p) {
				t.Errorf("%s does not import %s any more: take it out of this test", pkg, p)
			}
		}
	}
}

// TestFault makes sure that a new edge would be seen.
func TestFault(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		pkg, imported string
		want          bool
	}{
		{"internal/render", module + "internal/verify", true},
		{"internal/render", module + "internal/gpu", true},
		{"internal/render", "os/exec", true},
		{"internal/render", "net", true},
		{"internal/render", "net/url", false},
		{"internal/render", module + "internal/content", false},
		{"internal/verify", "os/exec", false},
		{"internal/diag", module + "internal/report", true},
		{"internal/verify/session", module + "internal/verify", true},
		{"internal/new", "fmt", true},
	} {
		if got := fault(c.pkg, c.imported); (got != "") != c.want {
			t.Errorf("%s imports %s: %q", c.pkg, c.imported, got)
		}
	}
}

// TestTable holds the table of docs/architecture.md, which names the packages
// without their folders.
func TestTable(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(line, "|")
		if len(cells) < 4 {
			continue
		}
		pkg := strings.Trim(cells[1], " `")
		may, ok := allowed[pkg]
		if !ok {
			continue
		}
		seen[pkg] = true
		var want []string
		for _, p := range may {
			want = append(want, path.Base(p))
		}
		got := strings.FieldsFunc(cells[3], func(r rune) bool { return r == ',' || r == ' ' })
		slices.Sort(want)
		slices.Sort(got)
		all := slices.Equal(got, []string{"all"}) && strings.HasPrefix(pkg, "cmd/")
		none := slices.Equal(got, []string{"none"}) && len(want) == 0
		if !all && !none && !slices.Equal(got, want) {
			t.Errorf("docs/architecture.md says that %s imports %v; this test allows %v", pkg, got, want)
		}
	}
	for pkg := range allowed {
		if !seen[pkg] {
			t.Errorf("docs/architecture.md does not name %s", pkg)
		}
	}
}

// packages lists what the Go files of each package import, without the tests:
// those may use anything. Folders with a go.mod of their own are other modules.
func packages(t *testing.T, fsys fs.FS) map[string][]string {
	found := map[string][]string{}
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			base := d.Name()
			_, ownModule := fs.Stat(fsys, path.Join(name, "go.mod"))
			if name != "." && (base == "testdata" || strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") || ownModule == nil) {
				return fs.SkipDir
			}
			return nil
		}
		if path.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		source, err := fs.ReadFile(fsys, name)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, source, parser.ImportsOnly)
		if err != nil {
			return err
		}
		pkg := path.Dir(name)
		if found[pkg] == nil {
			found[pkg] = []string{}
		}
		for _, spec := range file.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			found[pkg] = append(found[pkg], imported)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}
