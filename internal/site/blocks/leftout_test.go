package blocks_test

import (
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/site/sitetest"
)

// TestGaps checks that lines cannot be omitted where an empty line would change the code.
func TestGaps(t *testing.T) {
	const python = "x = '''um\ndois\ntrês'''\ny = (1,\n     2,\n     3)\nz = 1 + \\\n    2\n# don't\nw = \"a'''\" # \"\"\"\nv = 1\nf('\\'', r'''a\n\n''')\n"
	const bash = "cat <<EOF\num\ndois\nEOF\necho 'a\nb\nc'\necho \"it's\" # don't\necho $((1<<a)) <<<x\necho 1 \\\n  2 \\\n  3\ncat <<-'A' <<B\n\tx\n\tA\ny\nB\necho $'\\'' fim\nls\n"
	for _, test := range []struct{ language, lines, want string }{
		{"python", "1 3", "line 2 of code/x.py is left out within a text"},
		{"python", "1-3 5-6", ""},
		{"python", "4 6", ""},
		{"python", "7 9", "line 8 of code/x.py is left out within a line that goes on"},
		{"python", "9 11", ""},
		{"python", "10-10 12-14", ""},
		{"python", "12 14", "line 13 of code/x.py is left out within a text"},
		{"bash", "1 3-4", "line 2 of code/x.sh is left out within the here-document EOF"},
		{"bash", "1-4 8", ""},
		{"bash", "5 7", "line 6 of code/x.sh is left out within a text in quotes"},
		{"bash", "8 18", ""},
		{"bash", "9 18", ""},
		{"bash", "10 12", "line 11 of code/x.sh is left out within a line that goes on"},
		{"bash", "13-14 17", "line 15 of code/x.sh is left out within the here-document A"},
		{"bash", "13-15 17", "line 16 of code/x.sh is left out within the here-document B"},
		{"bash", "13-18", ""},
		{"bash", "17-18 19", ""},
	} {
		file := map[string]string{"python": "code/x.py", "bash": "code/x.sh"}[test.language]
		lines := strings.ReplaceAll(test.lines, " ", ",")
		for _, run := range []string{"run ", ""} {
			_, out := sitetest.Load(t, map[string]string{"code/x.py": python, "code/x.sh": bash,
				"content/pt/p.md": "# P\n\n```" + test.language + " {" + run + "file=\"" + file + "\" lines=\"" + lines + "\"}\n```\n"})
			if test.want == "" || run == "" {
				if out != "" {
					t.Errorf("%v %q: %s", test, run, out)
				}
			} else if !strings.Contains(out, "content/pt/p.md:3:") || !strings.Contains(out, test.want) {
				t.Errorf("%v: %s", test, out)
			}
		}
	}
}
