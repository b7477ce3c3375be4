package dialects_test

import (
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/testutil"
	"github.com/yuin/goldmark/util"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/dialects"
)

// changed are the examples of CommonMark 0.31.2 that gpudocs intentionally renders differently, by number, with
// the responsible extension. All others must pass, and these must not.
var changed = map[int]string{
	572: "an image with a title, alone in its paragraph, is a figure with a caption",
	590: "![[foo]] embeds a file",
	608: "GFM: an address in the text is a link",
	611: "GFM: an address in the text is a link",
	612: "GFM: a mail address in the text is a link",
}

// changedGFM are those of goldmark's tests of GFM, by file and number.
var changedGFM = map[string]map[int]string{
	"table.txt": {}, "strikethrough.txt": {}, "linkify.txt": {}, "tasklist.txt": {}, "footnote.txt": {}, "definition_list.txt": {},
}

// goldmarkDir returns the folder of the examples in goldmark's module. They are licensed under CC BY-SA 4.0, so
// they are read from there and not copied.
func goldmarkDir(t *testing.T) string {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/yuin/goldmark").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

func TestCommonMark(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(goldmarkDir(t), "_test", "spec.json"))
	if err != nil {
		t.Fatal(err)
	}
	var examples []struct {
		Markdown, HTML string
		Example        int
	}
	if err := json.Unmarshal(data, &examples); err != nil {
		t.Fatal(err)
	}
	if len(examples) != 652 {
		t.Fatalf("%d examples; CommonMark 0.31.2 has 652", len(examples))
	}
	var cases []testutil.MarkdownTestCase
	for _, e := range examples {
		cases = append(cases, testutil.MarkdownTestCase{No: e.Example, Markdown: e.Markdown, Expected: e.HTML})
	}
	failed := recorder{}
	testutil.DoTestCases(withHTML(true), cases, failed)
	compare(t, failed, changed)
}

func TestGFM(t *testing.T) {
	dir := goldmarkDir(t)
	for file, changed := range changedGFM {
		t.Run(file, func(t *testing.T) {
			failed := recorder{}
			xhtml := file == "table.txt" || file == "definition_list.txt" // as goldmark's own tests have it
			testutil.DoTestCaseFile(withHTML(xhtml), filepath.Join(dir, "extension", "_test", file), failed)
			compare(t, failed, changed)
		})
	}
}

// withHTML returns the Markdown of gpudocs without any dialect, with goldmark's renderer and that of syntax.
func withHTML(xhtml bool) goldmark.Markdown {
	md := dialects.New(markdown.Options{})
	md.Renderer().AddOptions(html.WithUnsafe(), renderer.WithNodeRenderers(util.Prioritized(dialects.NewHTMLRenderer(), 200)))
	if xhtml {
		md.Renderer().AddOptions(html.WithXHTML())
	}
	return md
}

// compare compares the failed examples with those expected to fail.
func compare(t *testing.T, failed recorder, changed map[int]string) {
	for _, no := range slices.Sorted(maps.Keys(failed)) {
		if changed[no] == "" {
			t.Errorf("example %d:\n%s", no, failed[no])
		}
	}
	for _, no := range slices.Sorted(maps.Keys(changed)) {
		if failed[no] == "" {
			t.Errorf("example %d passes: take it off the list (%s)", no, changed[no])
		}
	}
}

// A recorder records the failures by number.
type recorder map[int]string

func (r recorder) Errorf(_ string, args ...any) {
	var parts []string
	for _, a := range args[2:] {
		switch a := a.(type) {
		case string:
			parts = append(parts, a)
		case []byte:
			parts = append(parts, string(a))
		}
	}
	r[args[0].(int)] = strings.Join(parts, "\n--\n")
}
func (recorder) Logf(string, ...any)  {}
func (recorder) Skipf(string, ...any) {}
func (recorder) FailNow()             {}
