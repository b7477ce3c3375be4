package site

import (
	"strings"
	"testing"
)

func TestForms(t *testing.T) {
	for _, tt := range []struct {
		form Pattern
		text string
		want bool
	}{
		{BlockName, "ação_2-b", true}, {BlockName, "-a", false}, {BlockName, "a b", false}, {BlockName, "", false},
		{BlockName, strings.Repeat("ç", 64), true}, {BlockName, strings.Repeat("ç", 65), false},
	} {
		if got := tt.form.MatchString(tt.text); got != tt.want {
			t.Errorf("%.20q, %d characters: %v", tt.text, len([]rune(tt.text)), got)
		}
	}
}
