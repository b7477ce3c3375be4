// Package archtest checks that the packages of gpudocs keep to the layers of
// docs/content/en/architecture.md, and that packages and types are small enough to read.
package archtest

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A group is a heading below "Packages" in docs/content/en/architecture.md, with its table.
type group struct {
	name    string
	imports []string // the groups that it may import
	// packages are listed from top to bottom.
	packages []string
}

var (
	groupName  = regexp.MustCompile(`(?m)^### (\w+)\n`)
	groupNeeds = regexp.MustCompile(`Imports: ([a-z, ]+)\.`)
	packageRow = regexp.MustCompile("(?m)^\\| `([a-zA-Z0-9/]+)` \\| .+ \\|$")
)

// groups reads them from top to bottom.
func groups(t *testing.T) (list []group) {
	text, err := os.ReadFile("../../docs/content/en/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "\n## Packages\n")
	section, _, ok := strings.Cut(section, "\n## ")
	if !ok {
		t.Fatal("docs/content/en/architecture.md has no section Packages")
	}
	starts := groupName.FindAllStringSubmatchIndex(section, -1)
	for i, m := range starts {
		end := len(section)
		if i+1 < len(starts) {
			end = starts[i+1][0]
		}
		g := group{name: section[m[2]:m[3]]}
		if needs := groupNeeds.FindStringSubmatch(section[m[1]:end]); needs != nil {
			g.imports = strings.Split(needs[1], ", ")
		}
		for _, row := range packageRow.FindAllStringSubmatch(section[m[1]:end], -1) {
			g.packages = append(g.packages, row[1])
		}
		list = append(list, g)
	}
	return list
}

// layers are the positions of packages: counted from the top, and by group.
type layers struct {
	groups map[string]group
	place  map[string]int
	of     map[string]string
}

func newLayers(list []group) (layers, error) {
	l := layers{groups: map[string]group{}, place: map[string]int{}, of: map[string]string{}}
	for _, g := range list {
		l.groups[g.name] = g
		for _, p := range g.packages {
			if of, twice := l.of[p]; twice {
				return l, fmt.Errorf("package %s is in the groups %s and %s", p, of, g.name)
			}
			l.place[p], l.of[p] = len(l.place), g.name
		}
	}
	for _, g := range list {
		for _, name := range g.imports {
			if _, known := l.groups[name]; !known {
				return l, fmt.Errorf("group %s imports %s, which is not a group", g.name, name)
			}
		}
	}
	return l, nil
}

// fault returns why a package must not import another of ours, or "".
func (l layers) fault(pkg, imported string) string {
	from, placed := l.of[pkg]
	to, known := l.of[imported]
	switch {
	case !placed:
		return fmt.Sprintf("package %s is new: give it a row in docs/content/en/architecture.md, in the group that it belongs to", pkg)
	case !known:
		return fmt.Sprintf("%s imports %s, which has no row in docs/content/en/architecture.md", pkg, imported)
	case from != to && !slices.Contains(l.groups[from].imports, to):
		return fmt.Sprintf("%s imports %s: group %s may import %s, not %s", pkg, imported, from, orNothing(l.groups[from].imports), to)
	case l.place[imported] < l.place[pkg]:
		return fmt.Sprintf("%s imports %s, which stands above it in docs/content/en/architecture.md", pkg, imported)
	}
	return ""
}

func orNothing(names []string) string {
	if len(names) == 0 {
		return "nothing of ours"
	}
	return strings.Join(names, ", ")
}

// pure are the groups and packages that only compute: the same input gives the same bytes
// everywhere. impure are the packages that they must not import.
var (
	pure   = []string{"render", "markdown", "report", "text"}
	impure = []string{"os/exec", "net", "net/http"}
	// excepted are packages of these groups that do more: trust asks ssh-agent for a signature.
	excepted = []string{"internal/report/trust"}
)

func TestLayers(t *testing.T) {
	t.Parallel()
	list := groups(t)
	l, err := newLayers(list)
	if err != nil {
		t.Fatal(err)
	}
	found := packages(t, os.DirFS("../.."))
	used := map[string]bool{}
	for pkg, imports := range found {
		if l.of[pkg] == "" {
			t.Error(l.fault(pkg, ""))
			continue
		}
		for _, imported := range imports {
			ours, isOurs := strings.CutPrefix(imported, module)
			if isOurs {
				used[l.of[pkg]+" "+l.of[ours]] = true
				if f := l.fault(pkg, ours); f != "" {
					t.Error(f)
				}
			} else if slices.Contains(pure, l.of[pkg]) && slices.Contains(impure, imported) && !slices.Contains(excepted, pkg) {
				t.Errorf("%s imports %s; group %s must not run programs or use the network", pkg, imported, l.of[pkg])
			}
		}
	}
	for _, g := range list {
		for _, p := range g.packages {
			if found[p] == nil {
				t.Errorf("package %s does not exist any more: remove its row from docs/content/en/architecture.md", p)
			}
		}
		for _, name := range g.imports {
			if !used[g.name+" "+name] {
				t.Errorf("group %s does not import %s any more: change docs/content/en/architecture.md", g.name, name)
			}
		}
	}
}

// TestGroupsExplained checks that the folder of a group has a doc.go that says which way data flows through it.
func TestGroupsExplained(t *testing.T) {
	t.Parallel()
	explained := 0
	for _, g := range groups(t) {
		dir := "../" + g.name
		if g.name == "Commands" {
			dir = "../cli"
		}
		if _, err := os.Stat(dir); err != nil {
			continue // base has no folder
		}
		explained++
		if text, err := os.ReadFile(dir + "/doc.go"); err != nil || !strings.Contains(string(text), "Data flow") {
			t.Errorf("%s/doc.go does not say which way data flows: %v", dir, err)
		}
	}
	if explained < 8 {
		t.Errorf("only %d groups have a folder", explained)
	}
}

// TestLayersFault checks that a wrong import is detected.
func TestLayersFault(t *testing.T) {
	t.Parallel()
	l, err := newLayers(groups(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		pkg, imported string
		want          bool
	}{
		{"internal/render", "internal/verify", true},
		{"internal/verify", "internal/render", true},
		{"internal/site", "internal/site/load", true},
		{"internal/site/load", "internal/site", false},
		{"internal/verify/session", "internal/verify", true},
		{"internal/verify", "internal/verify/remote", true},
		{"internal/new", "internal/site", true},
		{"internal/site", "internal/new", true},
	} {
		if got := l.fault(c.pkg, c.imported); (got != "") != c.want {
			t.Errorf("%s imports %s: %q", c.pkg, c.imported, got)
		}
	}
	if _, err := newLayers([]group{{name: "a", packages: []string{"p"}}, {name: "b", packages: []string{"p"}}}); err == nil {
		t.Error("a package in two groups is accepted")
	}
	if _, err := newLayers([]group{{name: "a", imports: []string{"b"}}}); err == nil {
		t.Error("an import of an unknown group is accepted")
	}
}

// A package has at most maxLines lines of code, not counting blanks and comments, and a type at
// most maxMethods methods, so that they stay readable.
const maxLines, maxMethods = 3500, 40

func TestSizes(t *testing.T) {
	t.Parallel()
	lines, methods := sizes(t, os.DirFS("../.."))
	check := func(all map[string]int, limit int, what string) {
		for name, n := range all {
			if n > limit {
				t.Errorf("%s has %d %s, more than %d: split it", name, n, what, limit)
			}
		}
	}
	check(lines, maxLines, "lines of code")
	check(methods, maxMethods, "methods")
}

// TestSizesCounted checks what counts as a line of code and as a method.
func TestSizesCounted(t *testing.T) {
	t.Parallel()
	source := "// Package p.\npackage p\n\n/* a\nb */\nvar x = `\n\ny` // z\n\ntype t[V any] struct{}\n\nfunc (*t[V]) m() {}\nfunc (t[V]) n() {}\n"
	lines, methods := map[string]int{}, map[string]int{}
	if err := countFile("p/p.go", []byte(source), lines, methods); err != nil {
		t.Fatal(err)
	}
	if lines["p"] != 6 || methods["p.t"] != 2 {
		t.Errorf("lines %v, methods %v", lines, methods)
	}
}

// maxColumns bounds a line, so that two files fit beside each other and a difference shows what has changed in it.
const maxColumns = 140

func TestLines(t *testing.T) {
	t.Parallel()
	sources(t, os.DirFS("../.."), func(name string, source []byte) error {
		for _, n := range longLines(name, source, maxColumns) {
			t.Errorf("%s:%d has more than %d columns: break it, a long literal at each of its fields", name, n, maxColumns)
		}
		return nil
	})
	source := "package p\n\nvar x = `long`\n// https://x.example\nvar é = 10\nvar long = 1\n"
	if got := longLines("p.go", []byte(source), 10); !slices.Equal(got, []int{6}) {
		t.Errorf("long are the lines %v", got)
	}
}

// TestNames checks that a name says which one is meant: few types share a name that says little, and no file of a package is called like
// a package below it.
func TestNames(t *testing.T) {
	t.Parallel()
	named := typesNamed(t, os.DirFS("../.."))
	for name, most := range map[string]int{"Site": 3, "Options": 8} {
		if in := named[name]; len(in) > most || len(in) == 0 {
			t.Errorf("%d types are called %s: %s; at most %d may be", len(in), name, strings.Join(in, ", "), most)
		}
	}
	for pkg := range packages(t, os.DirFS("../..")) {
		if _, err := os.Stat("../../" + pkg + ".go"); err == nil {
			t.Errorf("%s.go stands beside the package %s: give the file another name", pkg, pkg)
		}
	}
}
