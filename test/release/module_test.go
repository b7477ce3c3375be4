// Package release tests the promises of releases: the module can be installed by its path,
// builds are reproducible, and a program knows its version. Tests that compile everything anew,
// for minutes, need GPUDOCS_LONG=1.
package release

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	modzip "golang.org/x/mod/zip"
)

const (
	path = "github.com/gpudocs/gpudocs"
	root = "../.."
	// mostZip is far below the limit of 500 MB for a module, because every installation
	// downloads it.
	mostZip = 16 << 20
)

// TestInstallable: go install PATH@VERSION refuses a module with replace or exclude directives.
func TestInstallable(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	file, err := modfile.Parse("go.mod", data, nil)
	if err != nil {
		t.Fatal(err)
	}
	if file.Module.Mod.Path != path || len(file.Replace) > 0 || len(file.Exclude) > 0 {
		t.Errorf("%s, %d replaced, %d excluded", file.Module.Mod.Path, len(file.Replace), len(file.Exclude))
	}
}

// pack writes the module of the last commit like the Go proxy: only files in git, with valid
// names that do not differ by case alone, without nested modules.
func pack(t *testing.T, version string) []byte {
	var b bytes.Buffer
	if err := modzip.CreateFromVCS(&b, module.Version{Path: path, Version: version}, clone(t, t.TempDir()), "HEAD", ""); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// clone clones the last commit into a folder that is empty or does not exist.
func clone(t *testing.T, dir string) string {
	from, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), "git", "-C", from, "rev-parse", "HEAD").CombinedOutput(); err != nil {
		t.Skipf("there is no commit to look at: %s", out)
	}
	out, err := exec.CommandContext(t.Context(), "git", "clone", "-q", "--depth=1", "file://"+filepath.ToSlash(from), dir).CombinedOutput()
	if err != nil {
		t.Fatalf("%s", out)
	}
	return dir
}

// TestModuleZip: the module is valid by the proxy's rules, and contains the embedded files.
func TestModuleZip(t *testing.T) {
	t.Parallel()
	data := pack(t, "v0.0.1")
	if len(data) > mostZip {
		t.Errorf("the module takes %d bytes, more than %d", len(data), mostZip)
	}
	dir := unpack(t, data, path+"@v0.0.1/")
	if _, err := os.Stat(filepath.Join(dir, "LICENSE")); err != nil {
		t.Error(err)
	}
	for _, inside := range []string{"test/browser/go.mod", "shared"} {
		if _, err := os.Stat(filepath.Join(dir, inside)); err == nil {
			t.Errorf("%s is in the module", inside)
		}
	}
	c := exec.CommandContext(t.Context(), "go", "list", "-e", "-json=ImportPath,EmbedFiles,Error,DepsErrors", "./cmd/...", "./internal/...", "./themes/...")
	c.Dir, c.Stderr = dir, os.Stderr
	list, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	var embedded []string
	for d := json.NewDecoder(bytes.NewReader(list)); ; {
		var p struct {
			ImportPath string
			EmbedFiles []string
			Error      *struct{ Err string }
			DepsErrors []*struct{ Err string }
		}
		if err := d.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if p.Error != nil || len(p.DepsErrors) > 0 {
			t.Errorf("%s: %v, %v", p.ImportPath, p.Error, p.DepsErrors)
		}
		for _, file := range p.EmbedFiles {
			embedded = append(embedded, strings.TrimPrefix(p.ImportPath, path+"/")+"/"+file)
		}
	}
	// Files that the zip lacks are missing from an embedded folder without an error.
	for _, file := range embeddedHere(t) {
		if !slices.Contains(embedded, file) {
			t.Errorf("%s is embedded here, but is not in the module: is it in git?", file)
		}
	}
	if len(embedded) < 50 {
		t.Errorf("only %d files are embedded", len(embedded))
	}
}

// embeddedHere returns the embedded files of the working tree.
func embeddedHere(t *testing.T) []string {
	format := `{{$p := .ImportPath}}{{range .EmbedFiles}}{{$p}}/{{.}}{{"\n"}}{{end}}`
	c := exec.CommandContext(t.Context(), "go", "list", "-f", format, "./cmd/...", "./internal/...", "./themes/...")
	c.Dir, c.Stderr = root, os.Stderr
	out, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(strings.ReplaceAll(string(out), path+"/", ""))
}

// unpack writes a module's files below a folder of the test.
func unpack(t *testing.T, data []byte, prefix string) string {
	dir := t.TempDir()
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range z.File {
		name, ok := strings.CutPrefix(f.Name, prefix)
		if !ok {
			t.Fatalf("%s is in the zip", f.Name)
		}
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
