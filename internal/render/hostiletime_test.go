package render

import (
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/complexitytest"
)

// TestHostileHTML checks that pages of tags only take time proportional to their length.
func TestHostileHTML(t *testing.T) {
	if testing.Short() {
		t.Skip("large pages take long under the race detector")
	}
	var c workshop
	for _, unit := range []string{"a <b>b</b>", "<div>\n\n", "<ul><li>\n", "<img src=x onerror=y>\n", "<table>\n\na\n\n", "<b style=x>\n"} {
		complexitytest.Check(t, unit, 64<<10, func(n int) {
			c.pages(t, "[]", "x\n\n"+strings.Repeat(unit, n/len(unit)))
		})
	}
}
