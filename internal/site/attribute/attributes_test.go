package attribute

import (
	"fmt"
	"strings"
	"testing"
)

// written returns a parsed info string: the language, and each attribute as name="value"@source text.
func written(s string) string {
	in := ParseInfo(s)
	out := []string{fmt.Sprintf("%q", in.Language)}
	for _, a := range in.Attributes {
		item := a.Name
		if a.HasValue || a.Name == "." || a.Name == "#" {
			item += fmt.Sprintf("=%q", a.Value)
		}
		out = append(out, item+"@"+s[a.Start:a.End])
	}
	for _, e := range in.Faults {
		out = append(out, fmt.Sprintf("error %s@%s", e.Message, s[e.Start:e.End]))
	}
	return strings.Join(out, " | ")
}

func TestParseInfo(t *testing.T) {
	tests := []struct{ info, want string }{
		{"", `""`},
		{"bash", `"bash"`},
		{` hl_lines="4"`, `"" | hl_lines="4"@hl_lines="4"`},
		{"  bash  ", `"bash"`},
		{"bash {}", `"bash"`},
		{"bash {run}", `"bash" | run@run`},
		{"bash{run}", `"bash" | run@run`},
		{"{run}", `"" | run@run`},
		{`bash {run name=gpus needs="gpus >= 1"}`, `"bash" | run@run | name="gpus"@name=gpus | needs="gpus >= 1"@needs="gpus >= 1"`},
		{`x {a='b c' d="it's" e='"'}`, `"x" | a="b c"@a='b c' | d="it's"@d="it's" | e="\""@e='"'`},
		{`x {a="say \"hi\" \\ \n"}`, `"x" | a="say \"hi\" \\ n"@a="say \"hi\" \\ \n"`},
		{`x {a= b="" c}`, `"x" | a=""@a= | b=""@b="" | c@c`},
		{`x {a=b,c=d, e}`, `"x" | a="b"@a=b | c="d"@c=d | e@e`},
		{`x {título=ção}`, `"x" | título="ção"@título=ção`},
		{"x {a\u00a0b\tc}", `"x" | a@a | b@b | c@c`},
		{`x {title="a } b"}`, `"x" | title="a } b"@title="a } b"`},
		{`x {a="b"c}`, `"x" | a="b"@a="b" | c@c`},
		{`x {a==b}`, `"x" | a="=b"@a==b`},
		{"x {a} {b}", `"x" | a}@a} | {b@{b`},
		{"x {a} trailing", `"x" | a@a`},

		// Classes and ids, as other tools write them.
		{"{.python .input #cell}", `"python" | .="input"@.input | #="cell"@#cell`},
		{"{ .dockerfile .annotate hl_lines=\"10  13\" }", `"dockerfile" | .="annotate"@.annotate | hl_lines="10  13"@hl_lines="10  13"`},
		{"x {.class}", `"x" | .="class"@.class`},
		{"{.}", `""`},

		// Text outside of the braces belongs to other tools.
		{`python hl_lines="2-3" linenos=1 title='a b'`, `"python" | hl_lines="2-3"@hl_lines="2-3" | title="a b"@title='a b'`},
		{"python run", `"python"`},
		{"python title", `"python"`},
		{`python title="x" {title=y}`, `"python" | title="x"@title="x" | title="y"@title=y`},

		{"bash {run", `"bash" | run@run | error the { of the attributes is not closed@{run`},
		{"bash }{run", `"bash" | run@run | error the { of the attributes is not closed@{run`},
		{`x {a="b}`, `"x" | a="b"@a="b | error the quote is not closed@"b`},
		{`x {a="\}`, `"x" | a="\\"@a="\ | error the quote is not closed@"\`},
		{`x {"a" =b 'c}`, `"x" | error an attribute cannot begin with "@"a" | error an attribute cannot begin with =@=b | error an attribute cannot begin with '@'c`},
	}
	for _, tt := range tests {
		if got := written(tt.info); got != tt.want {
			t.Errorf("%q\n got %s\nwant %s", tt.info, got, tt.want)
		}
	}
}

// TestValueStart checks that a fault within a value can be shown at its place.
func TestValueStart(t *testing.T) {
	for _, s := range []string{`x {needs=VALUE}`, `x {a=b needs="VALUE"}`, `x {needs='VALUE' a}`, `ção {needs="VALUE`} {
		for _, a := range ParseInfo(s).Attributes {
			if a.Name == "needs" && a.ValueStart != strings.Index(s, "VALUE") {
				t.Errorf("%q: the value is at %d", s, a.ValueStart)
			}
		}
	}
}

func FuzzAttributes(f *testing.F) {
	for _, s := range []string{`bash {run name=gpus needs="gpus >= 1"}`, "{.python #x}", `x hl_lines='1'{a="\`, "\xff{=,\u00a0"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		in := ParseInfo(s)
		if !strings.Contains(s, in.Language) {
			t.Fatalf("language %q", in.Language)
		}
		before := 0
		for _, a := range in.Attributes {
			if a.Start < before || a.End <= a.Start || a.ValueStart < 0 || a.ValueStart > a.End || a.End > len(s) {
				t.Fatalf("%q: %+v behind offset %d", s, a, before)
			}
			if a.Name == "" || !strings.HasPrefix(s[a.Start:], a.Name) {
				t.Fatalf("%q: name %q at %d", s, a.Name, a.Start)
			}
			before = a.End
		}
		for _, e := range in.Faults {
			if e.Start < 0 || e.End <= e.Start || e.End > len(s) || e.Message.IsZero() {
				t.Fatalf("%q: %+v", s, e)
			}
		}
	})
}
