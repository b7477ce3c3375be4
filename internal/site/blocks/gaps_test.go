package blocks

import (
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// FuzzGaps checks that if no string or block is open, an empty line does not change how the rest is
// parsed: an empty line in place of omitted lines relies on this.
func FuzzGaps(f *testing.F) {
	for _, s := range []string{"x = '''a\nb'''\ny = 1 + \\\n  2 # '\n", "cat <<-'A' <<B\n\tx\n\tA\ny\nB\necho $'\\'' \"a\nb\" $((1<<a)) <<<x\n", "'\\\n'\n", "cat <<A \\\n\"\n\"\nA\n", "\"\"\"\\\n\"\"\"'''"} {
		f.Add(s)
	}
	message := func(line func(string) diag.Text) func(string) string {
		return func(s string) string { return line(s).String() }
	}
	f.Fuzz(func(t *testing.T, code string) {
		for name, following := range map[string]func() func(string) string{
			"python": func() func(string) string { return message((&pythonText{}).line) },
			"bash":   func() func(string) string { return message((&bashText{}).line) },
		} {
			plain, spread := following(), following()
			for i, line := range strings.Split(code, "\n") {
				within := plain(line)
				if got := spread(line); got != within {
					t.Fatalf("%s: line %d of %q leaves open %q, behind empty lines %q", name, i, code, within, got)
				}
				if within != "" {
					continue
				}
				for range 2 {
					if got := spread(""); got != "" {
						t.Fatalf("%s: an empty line behind line %d of %q leaves open %q", name, i, code, got)
					}
				}
			}
		}
	})
}
