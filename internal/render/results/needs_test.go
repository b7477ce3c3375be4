package results

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text"
	"github.com/gpudocs/gpudocs/themes"
)

// TestNeedsAreFew checks that the head of a page names a few needs, and counts the others together.
func TestNeedsAreFew(t *testing.T) {
	t.Parallel()
	words, err := text.ForTheme("en", themes.Default())
	if err != nil {
		t.Fatal(err)
	}
	var blocks []BlockStatus
	for i := range 1000 {
		name := fmt.Sprintf("%d %s", i, strings.Repeat("x", 1000))
		blocks = append(blocks, BlockStatus{Block: &site.Block{Name: "#1"}, machines: []MachineStatus{{Status: NotApplicable, need: need{"exact", name}}}})
	}
	list := needs(words, blocks, func(b BlockStatus) MachineStatus { return b.machines[0] })
	if len(list) != maxNeeds+1 || list[0].Text != "994 need something else" || len(list[1].Text) > 100 {
		t.Errorf("%+v", list)
	}
}
