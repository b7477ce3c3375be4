package match

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/report"
)

// parsed parses a valid expectation.
func parsed(t testing.TB, want string, o Tolerance) *Expectation {
	t.Helper()
	e, faults := Parse(want, o)
	if len(faults) > 0 {
		t.Fatalf("%q: %+v", want, faults)
	}
	return e
}

// show formats a difference, with captures in «».
func show(diff []report.DiffLine) string {
	var parts []string
	for _, d := range diff {
		text := d.Text
		for _, at := range slices.Backward(d.Taken) {
			text = text[:at[0]] + "«" + text[at[0]:at[1]] + "»" + text[at[1]:]
		}
		parts = append(parts, d.Op+text)
	}
	return strings.Join(parts, "|")
}

func TestCompare(t *testing.T) {
	for _, c := range []struct{ name, want, got, diff string }{
		{"same", "a\nb\n", "a\nb\n", " a| b"},
		{"blanks at line ends and empty lines at the end", "a  \nb", "a\nb\t\n\n\n", " a| b"},
		{"blanks at the beginning count", "a", " a", "-a|+ a"},
		{"a matcher may take none where only blanks stand", "loss = ...\nx <a:text>", "loss = \nx y", " loss = | x «y»"},
		{"blanks at line ends only where a matcher needs them", "loss = ...\na\\s* (re)", "loss = 1 \na ", " loss = «1»| «a»"},
		{"blanks at the end of a line that is too much", "a", "a \nb ", " a|+b"},
		{"windows line ends", "a\r\nb\r\n", "a\nb\n", " a| b"},
		{"empty and empty", "", "\n", ""},
		{"nothing came", "a", "", "-a"},
		{"nothing was expected", "", "a", "+a"},
		{"any text in a line", "GPU 0: ... (UUID: ...)", "GPU 0: NVIDIA L4 (UUID: GPU-1)", " GPU 0: «NVIDIA L4» (UUID: «GPU-1»)"},
		{"any text may be none", "a...b", "ab", " ab"},
		{"ends must not overlap", "ab...ba", "aba", "-ab...ba|+aba"},
		{"several", "a...b...c", "a1b2b3c", " a«1»b«2b3»c"},
		{"order counts", "a...b...c...d", "acbd", "-a...b...c...d|+acbd"},
		{"literal dots", "a...b", "a...b", " a...b"},
		{"any text does not cross lines", "a...b", "a\nb", "-a...b|+a|+b"},
		{"any lines", "a\n[...]\nz", "a\nb\nc\nz", " a| «b»| «c»| z"},
		{"any lines may be none", "a\n[...]\nz", "a\nz", " a| z"},
		{"any lines first and last", "[...]\nm\n[...]", "a\nm\nz", " «a»| m| «z»"},
		{"any lines as few as can be", "[...]\nm ...\n[...]", "a\nm 1\nm 2\nz", " «a»| m «1»| «m 2»| «z»"},
		{"any lines twice", "a\n[...]\nm\n[...]\nz", "a\nm\nb\nm\nz", " a| m| «b»| «m»| z"},
		{"any lines one after the other", "[...]\n[...]\nz", "a\nz", " «a»| z"},
		{"after any lines", "a\n[...]\nz", "a\nb\nc", " a| «b»|-z|+c"},
		{"one line differs", "a\nb\nc", "a\nx\nc", " a|-b|+x| c"},
		{"a line too much", "a\nc", "a\nb\nc", " a|+b| c"},
		{"what matchers took of other lines", "x=...\nb", "x=1\nc", " x=«1»|-b|+c"},

		{"regexp", `\w+: [0-9]+ MiB (re)`, "GPU: 80 MiB", " «GPU: 80 MiB»"},
		{"regexp is for the whole line", "b (re)", "abc", "-b (re)|+abc"},
		{"regexp alternatives", "a|b (re)", "ab", "-a|b (re)|+ab"},
		{"regexp with flags", "(?i)cuda (re)", "CUDA", " «CUDA»"},
		{"regexp literally", "a+ (re)", "a+ (re)", " a+ (re)"},
		{"dots in a regexp", "a... (re)", "abc", "-a... (re)|+abc"},
		{"glob", "lib*.so.? (glob)", "libcuda.so.1", " lib«cuda».so.«1»"},
		{"glob: a character is no byte", "a?b (glob)", "açb", " a«ç»b"},
		{"glob: escapes", `\*\?\\* (glob)`, `*?\x`, ` *?\«x»`},
		{"glob: escaped", `\* (glob)`, `x`, `-\* (glob)|+x`},
		{"glob with dots", "...: * GB (glob)", "mem: 5 GB", " «mem»: «5» GB"},
		{"glob without matches", "*.a (glob)", "x.b", "-*.a (glob)|+x.b"},
		{"glob literally", "*.a (glob)", "*.a (glob)", " *.a (glob)"},
		{"no glob without a blank", "a(glob)", "a(glob)", " a(glob)"},

		{"optional line", "a\nwarning (?)\nb", "a\nwarning\nb", " a| warning| b"},
		{"optional line that is not there", "a\nwarning (?)\nb", "a\nb", " a| b"},
		{"optional line twice", "a\nwarning (?)\nb", "a\nwarning\nwarning\nb", " a| warning|+warning| b"},
		{"any number", "step ... (*)\nend", "step 1\nstep 2\nend", " step «1»| step «2»| end"},
		{"any number: none", "step ... (*)\nend", "end", " end"},
		{"one or more", "step ... (+)\nend", "step 1\nstep 2\nend", " step «1»| step «2»| end"},
		{"one or more: none", "step ... (+)\nend", "end", "-step ... (+)| end"},
		{"quantified regexp", `\d (re+)` + "\n" + `\w (re?)`, "1\n2\nx", " «1»| «2»| «x»"},
		{"quantified glob", "a* (glob*)", "a1\na2", " a«1»| a«2»"},
		{"a quantifier literally", "a (*)", "a (*)\na\na (*)", " a (*)| a| a (*)"},
		{"quantifiers take as much as they can", "a... (*)\na... (re*)\nab (+)", "a1\na2\nab\nab", " a«1»| a«2»| a«b»| ab"},
		{"gaps leave lines to quantifiers", "[...]\na (*)\n[...]", "x\na\na\ny", " «x»| «a»| «a»| «y»"},
		{"empty lines", "a\n (*)\nb", "a\n\n\nb", " a| | | b"},
		{"in the wrong order", "a (+)\nb (+)", "b\na", "-a (+)| b|+a"},

		{"capture", "bw <bw:number GB/s>", "bw 812.5 GB/s", " bw «812.5» GB/s"},
		{"capture literally", "bw <bw:number>", "bw <bw:number>", " bw <bw:number>"},
		{"several captures", "<a:word>: <b:int> of <c:number>, <d:text>.", "gpu:0: 1 of 2.5, so it is.", " «gpu:0»: «1» of «2.5», «so it is»."},
		{"unit without a blank", "<t:number ms>", "5ms", " «5»ms"},
		{"unit that goes on", "<t:number GB>...", "5 GB/s", "-<t:number GB>...|+5 GB/s"},
		{"other unit", "<t:number ms>", "5 s", "-<t:number ms>|+5 s"},
		{"capture and dots", "...<t:number> s...", "after -1.5e-3 s, ok", " «after »«-1.5e-3» s«, ok»"},
		{"no int", "<n:int> s", "5.5 s", "-<n:int> s|+5.5 s"},
		{"number before a full stop", "took <n:number>.", "took 5.", " took «5»."},
		{"number with a bare point", "[<n:number>]", "[5.]", " [«5.»]"},
		{"not finite", "<n:number>", "-inf", " «-inf»"},
		{"capture in a regexp", `\w+ = <n:number s> (re)`, "t = 5 s", " «t = 5 s»"},
		{"capture in a glob", `*=<n:int>\* (glob)`, "x=5*", " «x»=«5»*"},
		{"no capture", "<5:number> <a:B> <http://x:word> <a b:int>", "<5:number> <a:B> <http://x:word> <a b:int>", " <5:number> <a:B> <http://x:word> <a b:int>"},
		{"not even a text", "x<t:text>", "x", "-x<t:text>|+x"},
	} {
		r := parsed(t, c.want, Tolerance{}).Compare(c.got)
		if got := show(r.Diff); got != c.diff {
			t.Errorf("%s: %s, want %s", c.name, got, c.diff)
		}
		if same := !strings.Contains("|"+c.diff, "|-") && !strings.Contains("|"+c.diff, "|+"); r.Same != same {
			t.Errorf("%s: got Same %v", c.name, r.Same)
		}
	}
}

// TestGlob checks that globs follow the rules of cram, which scrut applies to
// cram files: * is any text, ? is one character, and a backslash is literal
// unless it precedes *, ? or another backslash. "..." and captures are additions.
func TestGlob(t *testing.T) {
	for _, c := range []struct {
		glob, got string
		same      bool
	}{
		{`foo`, `foo`, true},
		{`foo`, `fooo`, false},
		{`foo`, `ffoo`, false},
		{`*foo`, `ends in foo`, true},
		{`*foo*`, `barfoobaz`, true},
		{`*foo*`, `foo`, true},
		{`*bar*`, `foo`, false},
		{`foo*`, `foo at the beginning`, true},
		{`foo*`, `not foo at the beginning`, false},
		{`*`, ``, true},
		{`**`, `x`, true},
		{`*a*b*c*`, `xaxbxcx`, true},
		{`*a*b*c*`, `xcxbxax`, false},
		{`foo?`, `foo`, false},
		{`foo?`, `foop`, true},
		{`foo?`, `foopp`, false},
		{`foo??`, `foopp`, true},
		{`foo??*`, `foobar`, true},
		{`foo??*`, `foob`, false},
		{`foo?`, `foo `, true}, // the blank is the one character

		// Escapes.
		{`foo\?bar`, `foo?bar`, true},
		{`foo\?bar`, `fooXbar`, false},
		{`foo\*bar*`, `foo*bar`, true},
		{`foo\*bar*`, `foo*barbaz`, true},
		{`foo\*bar*`, `fooXbar`, false},
		{`foo\**`, `foo*`, true},
		{`foo\**`, `foox`, false},
		{`\* \\ \? fo?b*`, `* \ ? foobar`, true},
		{`a\\b`, `a\b`, true},
		{`a\\b`, `a\\b`, false},
		{`a\\*`, `a\x`, true},
		{`a\\*`, `ax`, false},
		{`a\\\*`, `a\*`, true},
		{`a\\\*`, `a\x`, false},

		// Literal backslashes.
		{`a\nb*`, `a\nbx`, true},
		{`a\nb*`, `anbx`, false},
		{`C:\temp\x*.txt`, `C:\temp\x1.txt`, true},
		{`C:\temp\x*.txt`, `C:tempx1.txt`, false},
		{`\\\\server\share\*`, `\\server\share\a`, false}, // \* is an asterisk
		{`\\\\server\share\\*`, `\\server\share\a`, true},
		{`*.\`, `x.\`, true},
		{`*\`, `x`, false},
		{`\é*`, `\ést`, true},
		{`\é*`, `ést`, false},
		{`C:\...\x.txt`, `C:\a\b\x.txt`, true},
		{`C:\...\x.txt`, `C:...\x.txt`, false},
		{`\<n:int>*`, `\55`, true},
		{`\<n:int>*`, `55`, false},

		// Characters that are special in a shell or a regular expression are literal.
		{`[ab]*`, `[ab]x`, true},
		{`[ab]*`, `ax`, false},
		{`{a,b}*`, `{a,b}x`, true},
		{`{a,b}*`, `ax`, false},
		{`a.b*`, `a.bc`, true},
		{`a.b*`, `axbc`, false},
		{`a+(b)|$^*`, `a+(b)|$^ x`, true},
		{`.*`, `.x`, true},
		{`.*`, `x`, false},
		{`~/*`, `~/a/b`, true}, // * matches slashes
		{`{"value": "{\"bar\": *}"}`, `{"value": "{\"bar\": 333}"}`, true},
		{`{"value": "{\"bar\": *}"}`, `{"value": "{"bar": 333}"}`, false},
	} {
		if r := parsed(t, "a\n"+c.glob+" (glob)\nz", Tolerance{}).Compare("a\n" + c.got + "\nz"); r.Same != c.same {
			t.Errorf("%s (glob) and %s: got Same %v", c.glob, c.got, r.Same)
		}
	}
}

func TestNumbers(t *testing.T) {
	rtol, atol, number := Tolerance{RTol: 0.1}, Tolerance{ATol: 0.5}, Tolerance{Number: true}
	for _, c := range []struct {
		o         Tolerance
		want, got string
		same      bool
	}{
		{rtol, "loss 1.0", "loss 1.1", true},
		{rtol, "loss 1.0", "loss 0.9", true},
		{rtol, "loss 1.0", "loss 1.11", false},
		{rtol, "loss 1.0", "loss -1.0", false},
		{rtol, "loss -1", "loss -1.05", true},
		{rtol, "loss 1.0", "LOSS 1.0", false},
		{rtol, "1e3 x", "0.95e+03 x", true},
		{rtol, "1e3", "1000", true},
		{rtol, ".5", "0.5", true},
		{rtol, "100", "105.2", true},
		{rtol, "0", "0.0", true},
		{rtol, "0", "0.1", false},
		{rtol, "12.5ms", "13ms", true},
		{rtol, "12.5ms", "13 ms", false},
		{rtol, "nan inf -inf", "NaN Inf -Infinity", true},
		{rtol, "inf", "-inf", false},
		{rtol, "nan", "1", false},
		{rtol, "1", "nan", false},
		{rtol, "inf", "1e300", false},
		{rtol, "info 5", "info 5.1", true},
		{rtol, "nano", "info", false},
		{rtol, "Nano", "nano", false},
		{rtol, "Info 5", "info 5", false},
		{rtol, "nan_", "NaN_", false},
		{rtol, "fp32 cu124 10.0", "fp32 cu124 10.5", true},
		{rtol, "fp32", "fp33", false},
		{rtol, "10-20", "10.5-19", true},
		{rtol, "(10,-20)", "(10.5,-19)", true},
		{rtol, "[1. 2.]", "[1.01 2.]", true},
		{rtol, "[1.05 2.]", "[1. 2.]", true},
		{rtol, "took 10.", "took 10.5.", true},
		{rtol, "took 10.5.", "took 10.", true},
		{rtol, "5...", "5.1 and more", true},
		{rtol, "...5", "x 5.1", true},
		{rtol, "...5", "x15", true}, // the same without a tolerance
		{rtol, "[...]\n10", "x\n11", true},
		{rtol, "10 (+)", "10.1\n9.5", true},
		{rtol, "10* (glob)", "10.4 s", true},
		{rtol, "10 (re)", "10.4", false},
		{rtol, "t=<t:number> of 10", "t=77 of 9.5", true},
		{rtol, "1.2.3", "1.2.4", false},
		{atol, "0", "0.5", true},
		{atol, "0", "-0.51", false},
		{atol, "1e30", "1.1e30", false},
		{Tolerance{ATol: 1, RTol: 0.1}, "100", "111", true},
		{number, "3.14", "3.1415926", true},
		{number, "3.14", "3.151", false},
		{number, "3.1", "3.2", true}, // like pytest's
		{number, "3", "3.0", false},
		{number, "3", "3", true},
		{number, "3.0", "3", true},
		{number, "3.", "2.5", true},
		{number, "1e3", "1999", true},
		{number, "1.0e-3", "0.0011", true},
		{number, "1.0e-3", "0.0012", false},
		{number, "a 3.14 b 2.7", "a 3.139 b 2.72", true},
		{Tolerance{}, "1.0", "1.00", false},
	} {
		if r := parsed(t, c.want, c.o).Compare(c.got); r.Same != c.same {
			t.Errorf("%+v: %q and %q: got Same %v", c.o, c.want, c.got, r.Same)
		}
	}
	r := parsed(t, "a 1.0 b 2.0 c", rtol).Compare("a 1.05 b 2.0 c")
	if got := show(r.Diff); got != " a «1.05» b 2.0 c" {
		t.Errorf("captures: %s", got)
	}
}

func TestCaptures(t *testing.T) {
	for _, c := range []struct{ want, got, captures string }{
		{"bw <bw:number GB/s>", "bw 812.5 GB/s", "[{bw 812.5 GB/s}]"},
		{"<a:int>\n[...]\n<b-c:word> ...", "7\nx\nn/a 5", "[{a 7 } {b-c n/a }]"},
		{"<a:int>", "<a:int>", "[]"},
		{"<a:int>", "x", "[]"},
		{"loss <loss:number> (+)", "loss 3\nloss 2\nloss 1", "[{loss 1 }]"},
		{"<a:int> (?)", "", "[]"},
		{"(?:x(?P<mine>y)?|<a:int s>) <ção:text> (re)", "5s é isso", "[{a 5 s} {ção é isso }]"},
		{"(?:x|<a:int>) (re)", "x", "[]"},
		{"bw <bw:number GB/s >= 700>, <t:number ms [-5%, +20%]>", "bw 812.5 GB/s, 5 ms", "[{bw 812.5 GB/s >= 700} {t 5 ms [-5%, +20%]}]"},
		{"<n:int < 5> <m:number >7> (re)", "9 -3", "[{n 9  < 5} {m -3  >7}]"},
		{"<a:number [a.u.]>", "5 [a.u.]", "[{a 5 [a.u.]}]"},
		{"std::<a:size > 3>", "std::<a:size > 3>", "[]"},
		{"<t:text>", strings.Repeat("é", 1000), "[{t " + strings.Repeat("é", 510) + "... }]"},
	} {
		r := parsed(t, c.want, Tolerance{}).Compare(c.got)
		if got := captured(r.Captures); got != c.captures {
			t.Errorf("%q: %s, want %s", c.want, got, c.captures)
		}
	}
	if got := fmt.Sprint(parsed(t, "<a:int> <b:word>\n<c:text> (+)\n<d:int> (re+)", Tolerance{}).Names()); got != "[a b c d]" {
		t.Errorf("names: %s", got)
	}
}

func TestFaults(t *testing.T) {
	for _, c := range []struct{ want, fault string }{
		{"a\nb(c (re)", `1:0-3: the regular expression is broken: missing closing ): b(c`},
		{`x(?=y) (re)`, `0:1-4: the regular expression is broken: invalid or unsupported Perl syntax: (?=`},
		{"a** (re)", `0:1-3: the regular expression is broken: invalid nested repetition operator: **`},
		{" (re+)", "0:0-6: there is nothing before (re+)"},
		{"[...] (+)", "0:6-9: [...] cannot be repeated"},
		{"<a:int>\n<a:word>", `1:1-2: the value "a" is captured twice, first in line 1 of what is expected`},
		{"<a:int> <a:int> (re)", `0:9-10: the value "a" is captured twice, first in line 1 of what is expected`},
		{"x <a:flaot>", `0:5-10: "flaot" is no kind of value, so <a:flaot> means itself`},
		{"<a:word ms>", `0:8-10: only a number has a unit`},
		{"<" + strings.Repeat("a", 65) + ":int>", `0:1-66: a name or unit is longer than 64 bytes`},
	} {
		_, faults := Parse(c.want, Tolerance{})
		if len(faults) != 1 {
			t.Errorf("%q: %+v", c.want, faults)
			continue
		}
		f := faults[0]
		if got := fmt.Sprintf("%d:%d-%d: %s", f.Line, f.From, f.To, f.Message); got != c.fault || f.Message.Hint().IsZero() {
			t.Errorf("%q: %s (%s), want %s", c.want, got, f.Message.Hint(), c.fault)
		}
	}
	var many strings.Builder
	for i := range report.MaxCaptures + 1 {
		fmt.Fprintf(&many, "<a%d:int>\n", i)
	}
	if _, faults := Parse(many.String(), Tolerance{}); len(faults) != 1 {
		t.Errorf("%d captures: %+v", report.MaxCaptures+1, faults)
	}
}

func TestUpdate(t *testing.T) {
	rtol := Tolerance{RTol: 0.1}
	for _, c := range []struct {
		name, want, got, updated string
		o                        Tolerance
	}{
		{"other", "a\n", "b\n", "b\n", Tolerance{}},
		{"nothing any more", "a\n", "", "", Tolerance{}},
		{"matchers that match", "GPU ...\nold\n<n:int> x (+)\n[...]\nend", "GPU L4\nnew\n1 x\n2 x\nmore\nend", "GPU ...\nnew\n<n:int> x (+)\n[...]\nend\n", Tolerance{}},
		{"a matcher that does not", "a\nx=... s\nb", "a\nx=5 min\nb", "a\nx=5 min\nb\n", Tolerance{}},
		{"optional lines stay", "a\nwarning (?)\nold\n[...]", "a\nnew", "a\nwarning (?)\nnew\n[...]\n", Tolerance{}},
		{"one or more goes", "a (+)\nb", "b", "b\n", Tolerance{}},
		{"near numbers", "1.0\n2.0\n", "1.05\n3.0\n", "1.0\n3.0\n", rtol},
		{"broken off by another line", "a... (*)\nz", "a1\nx\na2\nz", "a... (*)\nx\na2\nz\n", Tolerance{}},
	} {
		got := Update(c.want, c.got, c.o)
		if got != c.updated {
			t.Errorf("%s: %q, want %q", c.name, got, c.updated)
		}
		if !parsed(t, got, c.o).Compare(c.got).Same {
			t.Errorf("%s: the updated %q does not match %q", c.name, got, c.got)
		}
		if again := Update(got, c.got, c.o); again != got {
			t.Errorf("%s: a second update gives %q", c.name, again)
		}
	}
	const odd = "[...]\nx (re)\nx( (re)\n<a:int>\n<b:foo>\nwait...\n[x] (+)\nx* (glob)\n"
	const want = `\Q[...]\E (re)
\Qx (re)\E (re)
\Qx( (re)\E (re)
\x3ca:int> (re)
<b:foo>
wait...
\Q[x] (+)\E (re)
\Qx* (glob)\E (re)
`
	got := Update("", odd, Tolerance{})
	if got != want {
		t.Errorf("%s, want %s", got, want)
	}
	e, _ := Parse(got, Tolerance{})
	if r := e.Compare(odd); !r.Same || len(r.Captures) > 0 {
		t.Errorf("%+v", r)
	}
}

func TestCompareLong(t *testing.T) {
	long := strings.Repeat("line\n", 5000)
	if !parsed(t, long, Tolerance{}).Compare(long).Same {
		t.Error("a long text does not match itself")
	}
	if !parsed(t, "[...]\n"+strings.Repeat("line\n", 300), Tolerance{}).Compare(long).Same {
		t.Error("... and then the last 300 lines do not match")
	}
	r := parsed(t, long+"a\n"+long, Tolerance{}).Compare(long + "b\n" + long)
	var changed []report.DiffLine
	for _, d := range r.Diff {
		if d.Op != " " {
			changed = append(changed, d)
		}
	}
	if r.Same || len(r.Diff) != 10_002 || show(changed) != "-a|+b" {
		t.Errorf("Same %v, %d lines, difference %s", r.Same, len(r.Diff), show(changed))
	}
	r = parsed(t, long, Tolerance{}).Compare(strings.Repeat("other\n", 5000))
	if got := show(r.Diff); got != "-line|-line|-line|+other|+other|+other" {
		t.Errorf("texts that cannot be aligned: %s", got)
	}
}

// TestCompareIsBounded: a comparison that would take too much time or memory is given up, and
// never gives a match.
func TestCompareIsBounded(t *testing.T) {
	e := parsed(t, strings.Repeat("a... (*)\n", 3000), Tolerance{})
	r := e.Compare(strings.Repeat("aa\n", 20_000))
	if r.Same || !r.TooLong {
		t.Errorf("Same %v, TooLong %v", r.Same, r.TooLong)
	}
	line := strings.Repeat("a", 64<<10)
	if parsed(t, strings.Repeat("<x:number>...", 1)+strings.Repeat("?*", 3000)+"b (glob)", Tolerance{}).Compare(line).Same {
		t.Error("a line without b matches an expectation with b")
	}
}

var alphabet = []string{
	"a", "b", "a...", "...b", "a...b", "[...]", "[...]", "", "...", "a (?)", "a (*)", "a (+)", "b (*)", "... (+)", "a* (glob)", "?b (glob+)", "[ab]+ (re)", "a|bb (re*)", "ab (?)",
	"<x:word>", "a<x:text>", "<x:int>b", "a1 (*)",
}

var outputs = []string{"a", "b", "ab", "aab", "bb", "", "a (*)", "a...", "1b", "a1", "[...]", "a ", "ab \t", " "}

func pick(r *rand.Rand, from []string, most int) string {
	var list []string
	for range r.IntN(most + 1) {
		list = append(list, from[r.IntN(len(from))])
	}
	return strings.Join(list, "\n")
}

// TestAgainstBruteForce compares verdicts with a matcher that tries everything.
func TestAgainstBruteForce(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	same := 0
	for range 15_000 {
		want, got := pick(r, alphabet, 5), pick(r, outputs, 6)
		check(t, want, got)
		if e, faults := Parse(want, Tolerance{}); len(faults) == 0 && e.Compare(got).Same {
			same++
		}
	}
	if same < 500 {
		t.Fatalf("only %d cases match, too few for a test", same)
	}
}

// check checks what must hold for every comparison.
func check(t *testing.T, want, got string) {
	t.Helper()
	e, faults := Parse(want, Tolerance{})
	if len(faults) > 0 {
		return
	}
	r := e.Compare(got)
	if brute := bruteForce(expectedLines(want), outputLines(got)); r.Same != brute {
		t.Fatalf("%q and %q: got Same %v", want, got, r.Same)
	}
	var shown []string
	for _, d := range r.Diff {
		end := 0
		for _, at := range d.Taken {
			if d.Op != " " || at[0] < end || at[1] <= at[0] || at[1] > len(d.Text) {
				t.Fatalf("%q and %q: captures %v of %q", want, got, d.Taken, d.Text)
			}
			end = at[1]
		}
		if d.Op != "-" {
			shown = append(shown, trimBlanks(d.Text))
		} else if r.Same {
			t.Fatalf("%q and %q: match, but a line is missing", want, got)
		}
		if d.Op == "+" && r.Same {
			t.Fatalf("%q and %q: match, but a line is left", want, got)
		}
	}
	if !slices.Equal(shown, expectedLines(got)) {
		t.Fatalf("%q and %q: the difference shows %q", want, got, shown)
	}
	updated := Update(want, got, Tolerance{})
	u, faults := Parse(updated, Tolerance{})
	if slices.ContainsFunc(faults, func(f Fault) bool { return !f.Warning }) || !u.Compare(got).Same {
		t.Fatalf("%q and %q: updated to %q, %+v", want, got, updated, faults)
	}
	if r.Same && len(expectedLines(updated)) > len(expectedLines(want)) {
		t.Fatalf("%q matches %q, but is updated to %q", want, got, updated)
	}
}

// captured writes values as fmt does, and their bounds if they have any.
func captured(list []report.Capture) string {
	all := []string{}
	for _, c := range list {
		if text := fmt.Sprintf("{%s %s %s", c.Name, c.Value, c.Unit); c.Bound != "" {
			all = append(all, text+" "+c.Bound+"}")
		} else {
			all = append(all, text+"}")
		}
	}
	return fmt.Sprint(all)
}
