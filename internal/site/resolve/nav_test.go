package resolve_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/site/sitetest"
)

// TestCircle: a message about a long circle of prerequisites is short, as there can be many of them.
func TestCircle(t *testing.T) {
	files := map[string]string{"gpudocs.toml": "[languages.pt]\n"}
	for i := range 40 {
		files[fmt.Sprintf("content/pt/p%d.md", i)] = fmt.Sprintf("---\nprerequisites: [p%d, p0]\n---\n# P\n", (i+1)%40)
	}
	_, printed := sitetest.Load(t, files)
	if !strings.Contains(printed, "p0 → p1 → p2 → p3 → … → p18 → p19 → p20 → p0") || strings.Contains(printed, "p4 → p5 → p6 → p7 → p8 → p9 →") {
		t.Error(printed)
	}
}

// TestGroups: a page joins a group of gpudocs.toml, and says so where it cannot.
func TestGroups(t *testing.T) {
	const groups = "[[nav.groups]]\nname = \"start\"\nlabel = \"A\"\n"
	for _, c := range []struct{ config, front, want string }{
		{groups, "group: start", ""},
		{groups, "group: strat", `content/pt/p.md:2:8: error: the site has no group "strat"`},
		{groups, "group: start\nhidden: true", "content/pt/p.md:2:8: error: "},
		{"", "group: start", "content/pt/p.md:2:8: warning: "},
		{"", "prerequisites: q", "content/pt/p.md:2:16: error: "},
	} {
		_, printed := sitetest.Load(t, map[string]string{"gpudocs.toml": c.config, "content/pt/p.md": "---\n" + c.front + "\n---\n# P\n"})
		if (c.want == "") != (printed == "") || !strings.HasPrefix(printed, c.want) {
			t.Errorf("%q: %s", c.front, printed)
		}
	}
}
