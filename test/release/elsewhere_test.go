//go:build elsewhere

// The step lint of .ci/run sets the tag. Without it go test ./... need not compile a type checker.

package release

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// elsewhere are released systems on which the tests do not run. Others differ from them only in
// the CPU architecture.
var elsewhere = []string{"linux/arm64", "darwin/arm64", "windows/amd64"}

// TestTypesElsewhere: every package and test compiles for other systems. It only checks types,
// and in dependencies not the bodies of functions, which takes a tenth of the time of
// compiling; TestBuildsElsewhere compiles.
func TestTypesElsewhere(t *testing.T) {
	for _, system := range elsewhere {
		t.Run(system, func(t *testing.T) {
			found, faults := typesFor(t, system, nil, "./...")
			for _, f := range faults {
				t.Error(f)
			}
			if found < 50 {
				t.Errorf("only %d packages", found)
			}
		})
	}
}

// TestTypesSees checks that an error on another system only is detected.
func TestTypesSees(t *testing.T) {
	t.Parallel()
	file, err := filepath.Abs(filepath.Join(root, "internal/render/feeds/wrong_windows_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	wrong := map[string][]byte{file: []byte("package feeds\n\nimport \"syscall\"\n\nvar _ = syscall.Kill\n")}
	if _, faults := typesFor(t, "windows/amd64", wrong, "./internal/render/feeds"); len(faults) != 1 || !strings.Contains(faults[0].Msg, "syscall.Kill") {
		t.Errorf("%v", faults)
	}
	if _, faults := typesFor(t, "darwin/arm64", wrong, "./internal/render/feeds"); len(faults) > 0 {
		t.Errorf("%v", faults)
	}
}

// typesFor type-checks our packages for a system, and returns their number and the errors.
func typesFor(t *testing.T, system string, overlay map[string][]byte, patterns ...string) (found int, faults []packages.Error) {
	ours, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	goos, goarch, _ := strings.Cut(system, "/")
	loaded, err := packages.Load(&packages.Config{
		Mode:    packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedDeps | packages.NeedTypes | packages.NeedTypesSizes | packages.NeedModule,
		Dir:     root,
		Env:     append(os.Environ(), "CGO_ENABLED=0", "GOOS="+goos, "GOARCH="+goarch),
		Tests:   true,
		Overlay: overlay,
		ParseFile: func(set *token.FileSet, name string, source []byte) (*ast.File, error) {
			file, err := parser.ParseFile(set, name, source, parser.SkipObjectResolution)
			if file != nil && !strings.HasPrefix(name, ours+string(filepath.Separator)) {
				withoutBodies(file)
			}
			return file, err
		},
	}, patterns...)
	if err != nil {
		t.Fatal(err)
	}
	packages.Visit(loaded, nil, func(p *packages.Package) {
		if p.Module != nil && p.Module.Main && !strings.HasSuffix(p.ID, ".test") { // that is what go test writes
			found++
			faults = append(faults, p.Errors...)
		}
	})
	return found, faults
}

// withoutBodies removes the bodies of functions. Unused imports, which this causes, are not
// reported.
func withoutBodies(file *ast.File) {
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok {
			f.Body = nil
		}
	}
}
