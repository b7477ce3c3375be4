package docs

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"
	"github.com/yuin/goldmark/ast"

	"github.com/gpudocs/gpudocs/internal/site/sitetest"
)

// TestExamples: the examples that no block of the manual runs are pages without an error or a warning, or can stand in gpudocs.toml.
func TestExamples(t *testing.T) {
	t.Parallel()
	config := compiled(t, "config")
	files := map[string]string{"content/pt/index.md": "# Início\n"}
	for name, d := range documents(t) {
		for n := range nodes(d.tree) {
			fence, ok := n.(*ast.FencedCodeBlock)
			if !ok || !strings.HasPrefix(name, "docs/content/en/") || fence.Info == nil {
				continue
			}
			switch info := string(fence.Info.Value(d.src)); {
			case info == "markdown":
				files[fmt.Sprintf("content/pt/%s-%d.md", strings.TrimSuffix(strings.TrimPrefix(name, "docs/content/en/"), ".md"), len(files))] = block(fence, d.src)
			case info == "toml" && !strings.Contains(name, "themes") && !strings.Contains(name, "hosting"):
				var value map[string]any
				if err := toml.Unmarshal([]byte(block(fence, d.src)), &value); err != nil {
					t.Errorf("%s: %v\n%s", name, err, block(fence, d.src))
				} else if err := invalid(t, config, value); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
		}
	}
	if len(files) < 20 {
		t.Errorf("found %d examples", len(files))
	}
	maps.Copy(files, map[string]string{ // what they name
		"gpudocs.toml":               "env = {hpc = {python = 'p'}, curso = {python = 'p'}, lab = {python = 'p'}, torch = {python = 'p'}}\n",
		"content/pt/gpu.png":         "\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x00\x00\x00\x00\x3a\x7e\x9b\x55",
		"content/pt/data/a.csv":      "1\n",
		"content/shared/units.py":    "",
		"code/train.py":              "# region setup\n" + strings.Repeat("pass\n", 40) + "# endregion\n",
		"content/pt/parts/notice.md": "<!-- --8<-- [start:short] -->\n" + strings.Repeat("Um aviso.\n", 5) + "<!-- --8<-- [end:short] -->\n",
	})
	if _, got := sitetest.Load(t, files); got != "" {
		t.Error(got)
	}
}
