package content

import (
	"strings"
	"testing"
)

func TestNameForm(t *testing.T) {
	for _, tt := range []struct {
		form nameForm
		name string
		want bool
	}{
		{blockName, strings.Repeat("ç", 64), true},
		{blockName, strings.Repeat("ç", 65), false},
		{blockName, "", false},
		{blockName, "-a", false},
		{blockName, "a b", false},
		{blockName, "a\xff", false},
		{blockName, "a\n", false},
		{pageSlug, strings.Repeat("a", 100), true},
		{pageSlug, strings.Repeat("a", 101), false},
	} {
		if got := tt.form.MatchString(tt.name); got != tt.want {
			t.Errorf("%.10q of %d bytes: %v", tt.name, len(tt.name), got)
		}
	}
}
