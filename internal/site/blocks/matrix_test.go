package blocks

import (
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/site"
)

// TestAssignment checks where code of many languages sets a parameter.
func TestAssignment(t *testing.T) {
	for code, want := range map[string]string{
		"n = 1024":                          "n = <1024>",
		"x = 1\n  n=1024\nn = 2":            "x = 1\n  n=<1024>\nn = 2",
		"n: int = 1024  # n = 2":            "n: int = <1024>  # n = 2",
		"export n=\"1024\"":                 "export n=\"<1024>\"",
		"constexpr int n = 1024;":           "constexpr int n = <1024>;",
		"#define n 1024\n":                  "#define n <1024>\n",
		"const n: usize = 1024;":            "const n: usize = <1024>;",
		"integer, parameter :: n = 1024":    "integer, parameter :: n = <1024>",
		"n <- 1024":                         "n <- <1024>",
		"n := 1024":                         "n := <1024>",
		">>> n = 'fp32'":                    ">>> n = '<fp32>'",
		"n = torch.float16":                 "n = <torch.float16>",
		"n = -1e-3":                         "n = <-1e-3>",
		"#SBATCH --n=4":                     "#SBATCH --n=<4>",
		"if n == 1024: pass":                "",
		"# n = 1024":                        "",
		"f(n=1024)":                         "",
		"print('n = 1024')":                 "",
		"self.n = 1024\nnn = 3\n_n = 4\n":   "",
		"m = n = 1024":                      "",
		"// n = 3\n/* n = 3 */\nint n = 4;": "// n = 3\n/* n = 3 */\nint n = <4>;",
		"f;  // n = 3":                      "",
		"-- n = 3\n ! n = 3\n * n = 3":      "",
		"python a/b \\\n --n=3":             "python a/b \\\n --n=<3>",
		"for n in range(1024): x += n * 3":  "",
	} {
		got := ""
		if all := assignments(code, "n"); all != nil {
			got = code[:all[0][0]] + "<" + code[all[0][0]:all[0][1]] + ">" + code[all[0][1]:]
		}
		if got != want {
			t.Errorf("%q: %q, want %q", code, got, want)
		}
	}
}

// FuzzMatrix: a matrix is refused with a place in it, or has at most so many combinations, all different, and
// the code of each sets its values.
func FuzzMatrix(f *testing.F) {
	for _, s := range []string{"n=1,2", "n=1024,4096 dtype=fp32,bf16", "", "n", "n=", "n=1,1", "n=1 n=2", "é=1", "n=\"1\"", "a=0,1,2,3,4,5,6,7,8,9 b=0,1,2,3,4,5,6,7,8,9,10", "\x00=\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		list, fault := parseMatrix(s)
		if fault != nil {
			if fault.Start < 0 || fault.End < fault.Start || fault.End > len(s) || fault.Message.IsZero() || fault.Message.Hint().IsZero() {
				t.Fatalf("%+v in %q", fault, s)
			}
			return
		}
		code := ""
		m := matrix{block: &site.Block{}, parameters: list}
		for _, p := range list {
			code += p.name + " = "
			m.places = append(m.places, [2]int{len(code), len(code) + len(p.values[0])})
			code += p.values[0] + "\n"
		}
		m.block.Code = code
		seen := map[string]bool{}
		for _, values := range m.combinations() {
			changed := m.code(values)
			for _, v := range values {
				set := assignments(changed, v.Name)
				if len(set) != 1 || changed[set[0][0]:set[0][1]] != v.Text {
					t.Fatalf("%q does not set %v", changed, v)
				}
			}
			if seen[changed] || strings.Count(changed, "\n") != len(list) {
				t.Fatalf("%q twice, or with other lines", changed)
			}
			seen[changed] = true
		}
		if len(seen) == 0 || len(seen) > maxCombinations {
			t.Fatalf("%d combinations", len(seen))
		}
	})
}
