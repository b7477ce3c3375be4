package docs

import (
	"bytes"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/yuin/goldmark/ast"
)

// TestCheatSheet makes a page of all examples of the cheat sheet: it builds without a warning, and what this
// machine can run passes.
func TestCheatSheet(t *testing.T) {
	t.Parallel()
	runsSnippets(t)
	src, err := os.ReadFile(filepath.Join(root, "docs/content/en", "cheatsheet.md"))
	if err != nil {
		t.Fatal(err)
	}
	bin, err := program()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	var page strings.Builder
	examples := 0
	for n := range nodes(parse(src).tree) {
		if fence, ok := n.(*ast.FencedCodeBlock); ok && string(fence.Language(src)) == "markdown" {
			page.WriteString(block(fence, src) + "\n")
			examples++
		}
	}
	if examples < 8 {
		t.Fatalf("found %d examples", examples)
	}
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 8, 8))); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"gpudocs.toml":          "[languages.pt]\n[markdown]\nbibliography = \"refs.bib\"\n[env.torch]\npython = \"python3\"\n",
		"refs.bib":              "@book{silva2020, author = {Silva, Ana}, title = {GPUs}, year = 2020}\n",
		"code/train.py":         "# region setup\nimport sys\n# endregion\n",
		"content/pt/index.md":   "# Início\n",
		"content/pt/cheat.md":   page.String(),
		"content/pt/other.md":   "# Outra\n\n## Driver\n",
		"content/pt/_notice.md": "Um aviso.\n",
		"content/pt/gpu.png":    picture.String(),
	} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		put(t, file, text, "file")
	}
	if out := run(t, bin, dir, "gpudocs check"); !strings.Contains(out, "checked 3 pages: 0 errors, 1 warning, 0 notices\n") || !strings.Contains(out, `no report of a machine "deepnine"`) {
		t.Errorf("check:\n%s", out)
	}
	const job = "{run=sbatch name=job}" // a test submits no job
	if !strings.Contains(page.String(), job) {
		t.Errorf("there is no %s", job)
	}
	shown := strings.Replace(page.String(), job, "{title=job}", 1)
	if err := os.WriteFile(filepath.Join(dir, "content", "pt", "cheat.md"), []byte(shown), 0o666); err != nil {
		t.Fatal(err)
	}
	out := run(t, bin, dir, "gpudocs verify --machine deepnine")
	if !strings.Contains(out, "8 passed, 0 failed, 0 error, ") {
		t.Errorf("verify:\n%s", out)
	}
	if out := run(t, bin, dir, "gpudocs check --strict"); !strings.Contains(out, "checked 3 pages: 0 errors, 0 warnings, 0 notices\n") {
		t.Errorf("check after verify:\n%s", out)
	}
	out = run(t, bin, dir, "gpudocs build --strict; echo exit code $?")
	if !strings.Contains(out, "exit code 0\n") || strings.Contains(out, "warning:") || strings.Contains(out, "error:") {
		t.Errorf("build:\n%s", out)
	}
}
