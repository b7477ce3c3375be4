package content

import (
	"strings"
	"testing"
)

func TestForms(t *testing.T) {
	for _, tt := range []struct {
		form form
		text string
		want bool
	}{
		{blockName, "ação_2-b", true}, {blockName, "-a", false}, {blockName, "a b", false}, {blockName, "", false},
		{blockName, strings.Repeat("ç", 64), true}, {blockName, strings.Repeat("ç", 65), false},
		{pageSlug, strings.Repeat("ñ", 100), true}, {pageSlug, strings.Repeat("ñ", 101), false}, {pageSlug, "a/b", false},
		{packageName, strings.Repeat("a", 100), true}, {packageName, strings.Repeat("a", 101), false}, {packageName, "a-", false}, {packageName, "a", true},
	} {
		if got := tt.form.MatchString(tt.text); got != tt.want {
			t.Errorf("%.20q, %d characters: %v", tt.text, len([]rune(tt.text)), got)
		}
	}
}
