package blocks_test

import (
	"fmt"
	"testing"

	"github.com/gpudocs/gpudocs/internal/site/sitetest"
)

func TestLook(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"numbers", "```py {numbers}\na\nb\n```", "[1 2]"},
		{"from another", "```py {numbers=10}\na\nb\n```", "[10 11]"},
		{"linenums", "```py linenums=\"3\"\na\n```", "[3]"},
		{"linenums with more to say", "``` { .py linenums=\"3 2 5\" }\na\n```", "[3]"},
		{"linenums off", "```py linenums=\"0\"\na\n```", "[]"},
		{"hide", "```py {hide=\"1-2 4\"}\na\nb\nc\nd\n```", "[] hidden [[1 2] [4 4]]"},
		{"diff", "```py {diff}\n a\n-b\n+c\n\n```", "[] signs \" -+ \" code \"a\\nb\\nc\\n\\n\""},
		{"diff without a column", "```py {diff}\na\n  b\n+c\n```", "[] signs \"  +\" code \"a\\n  b\\nc\\n\""},
		{"empty diff", "```py {diff}\n```", "[]"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := sitetest.Fences(sitetest.Page(t, tt.text+"\n"))[0]
			got := fmt.Sprint(f.Numbers)
			if len(f.Hidden) > 0 {
				got += fmt.Sprint(" hidden ", f.Hidden)
			}
			if len(f.Signs) > 0 {
				got += fmt.Sprintf(" signs %q code %q", f.Signs, f.Code)
			}
			if got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

// TestLookIsNoCheck checks that display options change neither the code that runs nor its ID.
func TestLookIsNoCheck(t *testing.T) {
	const code = "\nimport os  # (1)!\nprint(1)\n```\n\n1. One.\n"
	want := sitetest.Page(t, "```python {run}"+code).Blocks[0]
	for _, look := range []string{"numbers", "numbers=7", "hide=1", "hl_lines=2", "annotate", `title="x"`} {
		got := sitetest.Page(t, "```python {run "+look+"}"+code).Blocks[0]
		if got.ID != want.ID || got.Code != want.Code {
			t.Errorf("%s: %s %q, want %s %q", look, got.ID, got.Code, want.ID, want.Code)
		}
	}
}
