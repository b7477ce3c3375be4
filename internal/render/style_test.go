package render

import (
	"io/fs"
	"regexp"
	"testing"

	"github.com/gpudocs/gpudocs/themes"
)

// Browsers without light-dark() must draw diagrams, too: a shape with a fill colour that they cannot parse would be
// black, and a line would be invisible.
func TestDiagramsInOldBrowsers(t *testing.T) {
	var style string
	for _, part := range []string{"00-colours.css", "40-diagrams.css"} {
		data, err := fs.ReadFile(themes.Default(), "assets/style.css/"+part)
		if err != nil {
			t.Fatal(err)
		}
		style += string(data)
	}
	has := map[string]bool{"ink": true} // letters are black
	for _, block := range regexp.MustCompile(`(?s)@supports not .*?\n}\n`).FindAllString(style, -1) {
		for _, m := range regexp.MustCompile(`--([a-z0-9-]+):`).FindAllStringSubmatch(block, -1) {
			has[m[1]] = true
		}
	}
	used := regexp.MustCompile(`\.diagram-(?:fill|stroke)-[^{]*\{ \w+: var\(--([a-z0-9-]+)\)`).FindAllStringSubmatch(style, -1)
	if len(used) < 30 {
		t.Fatalf("only %d colours found", len(used))
	}
	for _, m := range used {
		if !has[m[1]] {
			t.Errorf("--%s has no value for browsers without light-dark()", m[1])
		}
	}
}
