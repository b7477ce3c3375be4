package blocks_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/complexitytest"
	"github.com/gpudocs/gpudocs/internal/site/load"
	"github.com/gpudocs/gpudocs/internal/site/sitetest"
)

// TestConflictingExpectations: each expectation that takes the place of an earlier one is told once, with the first of them.
func TestConflictingExpectations(t *testing.T) {
	const block = "```bash {run}\necho\n```\n"
	expect := func(attributes, text string) string {
		return "```text {expect " + attributes + "}\n" + text + "\n```\n"
	}
	for _, tt := range []struct {
		name, text string
		want       []string
	}{
		{"three of one block", expect("", "a") + expect("", "b") + expect("", "c"), []string{":7:10: error: ", "line 4", ":10:10: error: ", "line 4"}},
		{"one condition twice", expect(`when="gpus >= 1"`, "a") + expect(`when="gpus == 0"`, "b") + expect(`when="gpus >= 1"`, "c"),
			[]string{":10:17: error: ", "line 4"}},
		{"one for each stream", expect("", "a") + expect("stream=stderr", "b"), nil},
		{"one value of two streams", expect("", "<t:number>") + expect("stream=stderr", "<t:number>"), []string{":7:10: error: ", "line 4"}},
		{"a condition that cannot be read", expect("", "a") + expect(`when="gpus >"`, "b"), []string{":7:29: error: "}},
		{"another block", expect("", "a") + block + expect("", "b"), nil},
	} {
		_, out := sitetest.Load(t, map[string]string{"content/pt/p.md": block + tt.text})
		if got := strings.Count(out, "error: "); got != strings.Count(strings.Join(tt.want, ""), "error: ") {
			t.Errorf("%s: %d errors:\n%s", tt.name, got, out)
		}
		rest := out
		for _, want := range tt.want {
			_, after, ok := strings.Cut(rest, want)
			if !ok {
				t.Errorf("%s: no %q in\n%s", tt.name, want, out)
			}
			rest = after
		}
	}
}

func TestManyExpectations(t *testing.T) {
	for name, one := range map[string]func(i int) string{
		"the same":        func(int) string { return "```text {expect}\nx\n```\n" },
		"with conditions": func(i int) string { return fmt.Sprintf("```text {expect when=\"gpus == %d\"}\nx\n```\n", i) },
		"with values": func(i int) string {
			return fmt.Sprintf("```text {expect when=\"gpus == %d\"}\n<v%d:number>\n```\n", i, i)
		},
	} {
		complexitytest.Check(t, name, 1<<11, func(n int) {
			var b strings.Builder
			b.WriteString("```bash {run}\necho\n```\n")
			for i := range n {
				b.WriteString(one(i))
			}
			load.Load(sitetest.FS(map[string]string{"content/pt/p.md": b.String()}), load.Options{})
		})
	}
}
