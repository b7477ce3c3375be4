package docs

import (
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestFigures: the figures of the tutorials have the colours of the theme, for light and dark pages, and texts of at least 11 pixels on
// a phone that is 390 pixels wide.
func TestFigures(t *testing.T) {
	theme, err := os.ReadFile(filepath.Join(root, "themes/default/assets/style.css/00-colours.css"))
	if err != nil {
		t.Fatal(err)
	}
	// The theme has no colours for areas that stand side by side, light and dark, and for texts on them.
	palette := string(theme) + "#2f86a8 #4fa3c4 #e0a83a #d9a544 #5aa777 #62b384 #aab7ba #8b9a9e #c98fc0 #c184b9 #bfe0ec #1d4a5c #101a1d"
	colour, size, box := regexp.MustCompile(`[^&](#[0-9a-fA-F]{3,8})\b`), regexp.MustCompile(`font(?:-size)?\s*[:=]\s*"?([0-9.]+)`), regexp.MustCompile(`<svg[^>]* viewBox="0 0 ([0-9.]+) `)
	const phone = 390 - 2*16
	files, err := filepath.Glob(filepath.Join(root, "content/*/*.svg"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		text := string(data)
		for _, c := range colour.FindAllStringSubmatch(text, -1) {
			if !strings.Contains(palette, strings.ToLower(c[1])) {
				t.Errorf("%s: %s is no colour of the theme", name, c[1])
			}
		}
		if !strings.Contains(text, "prefers-color-scheme") || !strings.Contains(text, "dark") {
			t.Errorf("%s has no colours for dark pages", name)
		}
		width := box.FindStringSubmatch(text)
		if width == nil {
			t.Errorf("%s has no viewBox", name)
			continue
		}
		all, _ := strconv.ParseFloat(width[1], 64)
		for _, m := range size.FindAllStringSubmatch(text, -1) {
			if px, _ := strconv.ParseFloat(m[1], 64); px*math.Min(1, phone/all) < 11 {
				t.Errorf("%s: a text of %s in a width of %s is too small on a phone", name, m[1], width[1])
			}
		}
	}
}
