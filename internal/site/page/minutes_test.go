package page_test

import (
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/site/sitetest"
)

func TestMinutes(t *testing.T) {
	words := strings.Repeat("palavra ", 181)
	code := "```python\n" + strings.Repeat("x = 1\n\n", 15) + "```\n"
	for _, tt := range []struct {
		language, text string
		want           int
	}{
		{"pt", "", 1},
		{"pt", strings.Repeat(words, 4), 4},
		{"es", strings.Repeat(words, 5), 4},
		{"pt-br", strings.Repeat(words, 3), 3},
		{"eo", strings.Repeat(words, 3), 3},
		{"pt", code + "\n" + code, 2},
		{"pt", words + "\n\n" + code, 2},
		{"pt", strings.Repeat("--- | - ", 1000), 1},
		{"zh", strings.Repeat("显卡", 510), 4},
		{"pt", strings.Repeat(words, 13), 15},
		{"pt", "---\ntime: 7\n---\n" + strings.Repeat(words, 4), 7},
		{"pt", "---\ntime: false\n---\n" + words, 0},
	} {
		p := sitetest.LoadValid(t, map[string]string{"content/" + tt.language + "/p.md": tt.text}).Pages[0]
		if p.Minutes != tt.want || p.TimeSet != strings.Contains(tt.text, "time:") {
			t.Errorf("%s, %.20q: %d, want %d", tt.language, tt.text, p.Minutes, tt.want)
		}
	}
}
