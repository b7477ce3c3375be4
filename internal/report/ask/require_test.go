package ask

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// machines are those of a lab: deepnine is up to date, deepten has an old driver, nogpu has no
// GPU, and broken has a driver that does not answer.
var machines = map[string]Machine{
	"deepnine": machine(4, "550.54.14", "12.4", 24<<30, "8.6"),
	"software": {GPUs: Count(1), Runs: software},
	"python":   {GPUs: Count(0), Python: Release("3.11.7"), "torch": Release("1.13.0a0+cu118"), "jax": Release(""), "numba": Value{}, Slurm: Release("21.08.8-2")},
	"deepten":  machine(1, "460.91.03", "11.2", 8<<30, "6.1"),
	"nogpu":    {GPUs: Count(0)},
	"broken":   {},
	"lab": {GPUs: Count(2), Label: Names([]string{"deepnine"}), OS: Names([]string{"Debian GNU/Linux 12 (bookworm)", "linux"}),
		Arch: Names([]string{"amd64", "x86_64"}), RAM: Bytes(64 << 30), Cores: Count(8), NVCC: Release("12.4.131"),
		GPU:                Names([]string{"NVIDIA A100-SXM4-80GB", "A100-SXM4-80GB"}, []string{"Tesla T4"}),
		Call(Has, "cmake"): Found(), Call(Has, "ninja"): {}, Call(Module, "cuda/12"): Found(), Call(Env, "torch"): {},
		Call(Pip, "numpy"): Release("1.26.4"), Call(Pip, "yaml"): Release("")},
}

func machine(gpus int, driver, cuda string, memory uint64, compute string) Machine {
	return Machine{GPUs: Count(gpus), Driver: version(driver), CUDA: version(cuda), Memory: Bytes(memory), Compute: version(compute)}
}

func version(s string) Value {
	v, err := Version(s)
	if err != nil {
		panic(err)
	}
	return v
}

// A verdict is what [Verdict] says of a requirement that is not met. Program is set for software.
type verdict struct {
	Met                   bool
	Need, Found, Software string
	Program               Fact
}

func judged(e Expr, m Machine) verdict {
	v := e.Judge(m)
	is := verdict{v.Met(), v.Need, v.Found, v.Software, ""}
	if v.Fact.Entry().Installed() {
		is.Program = v.Fact
	}
	return is
}

func TestJudge(t *testing.T) {
	tests := []struct {
		machine, source string
		want            verdict
	}{
		{"deepnine", "", verdict{Met: true}},
		{"broken", "", verdict{Met: true}},
		{"deepnine", "gpus >= 1", verdict{Met: true}},
		{"deepnine", "gpus == 4, gpus <= 4, gpus < 5, gpus > 3, gpus != 3", verdict{Met: true}},
		{"deepten", "gpus >= 2", verdict{Need: "gpus >= 2", Found: "1"}},
		{"deepten", "gpus > 1", verdict{Need: "gpus > 1", Found: "1"}},
		{"deepten", "gpus < 1", verdict{Need: "gpus < 1", Found: "1"}},
		{"deepten", "gpus <= 0", verdict{Need: "gpus <= 0", Found: "1"}},
		{"deepten", "gpus != 1", verdict{Need: "gpus != 1", Found: "1"}},
		{"deepten", "gpus == 0", verdict{Need: "gpus == 0", Found: "1"}},
		{"nogpu", "gpus == 0", verdict{Met: true}},

		// A chain names the comparison that decided.
		{"deepten", "gpus >= 1 and driver >= 550.54.14 and cuda >= 12.4", verdict{Need: "driver >= 550.54.14", Found: "460.91.03"}},
		{"deepten", "memory >= 80 GB or compute >= 8.0", verdict{Need: "memory >= 80 GB", Found: "8.0 GiB"}},
		{"deepten", "memory >= 80 GB or compute >= 6.0", verdict{Met: true}},

		// and binds tighter than or, a comma means and, not binds tightest.
		{"deepnine", "gpus >= 1 or gpus >= 9 and gpus >= 9", verdict{Met: true}},
		{"deepnine", "(gpus >= 1 or gpus >= 9) and gpus >= 9", verdict{Need: "gpus >= 9", Found: "4"}},
		{"deepnine", "gpus >= 9, gpus >= 1 or gpus == 4", verdict{Met: true}},
		{"deepnine", "not gpus >= 9 and gpus >= 1", verdict{Met: true}},
		{"deepnine", "not (gpus >= 9 and gpus >= 1)", verdict{Met: true}},
		{"deepnine", "not gpus >= 1", verdict{Need: "not gpus >= 1", Found: "4"}},
		{"deepnine", "not not gpus >= 9", verdict{Need: "not not gpus >= 9", Found: "4"}},
		{"deepnine", "not compute < 7.0, memory >= 8 GiB", verdict{Met: true}},

		// An unknown fact is neither true nor false.
		{"nogpu", "driver >= 550", verdict{Need: "driver >= 550"}},
		{"nogpu", "not driver >= 550", verdict{Need: "not driver >= 550"}},
		{"nogpu", "not not driver >= 550", verdict{Need: "not not driver >= 550"}},
		{"nogpu", "driver != 550", verdict{Need: "driver != 550"}},
		{"nogpu", "gpus == 0 or driver >= 550", verdict{Met: true}},
		{"nogpu", "driver >= 550 or gpus == 0", verdict{Met: true}},
		{"nogpu", "driver >= 550 and gpus >= 1", verdict{Need: "gpus >= 1", Found: "0"}},
		{"nogpu", "gpus >= 1 and driver >= 550", verdict{Need: "gpus >= 1", Found: "0"}},
		{"nogpu", "gpus == 0 and driver >= 550", verdict{Need: "driver >= 550"}},
		{"nogpu", "driver >= 550 or gpus >= 1", verdict{Need: "driver >= 550"}},
		{"nogpu", "gpus >= 1 or driver >= 550", verdict{Need: "driver >= 550"}},
		{"nogpu", "not (driver >= 550 and gpus >= 1)", verdict{Met: true}},
		{"nogpu", "not (driver >= 550 or gpus >= 1)", verdict{Need: "not driver >= 550"}},
		{"broken", "gpus == 0 or gpus != 0", verdict{Need: "gpus == 0"}},
		{"broken", "not gpus >= 1", verdict{Need: "not gpus >= 1"}},
	}
	for _, tt := range tests {
		t.Run(tt.machine+"/"+tt.source, func(t *testing.T) {
			e, err := Parse(tt.source)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, judged(e, machines[tt.machine])); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestVersionsCompareByPart(t *testing.T) {
	ordered := []string{"0.9", "1", "1.0.1", "9.9", "12.4", "12.10", "460.91.03", "550.9", "550.54.14", "550.054.15", "4294967295"}
	for i, a := range ordered {
		for j, b := range ordered {
			if got := version(a).Less(version(b)); got != (i < j) {
				t.Errorf("%s < %s gives %v", a, b, got)
			}
		}
	}
	for _, same := range [][2]string{{"12", "12.0"}, {"12.0.0", "12"}, {"8.06", "8.6"}} {
		if version(same[0]).compare(version(same[1])) != 0 {
			t.Errorf("%s and %s are not equal", same[0], same[1])
		}
	}
	for _, bad := range []string{"", ".", "12.", ".4", "12..4", "12.4a", "v12", "-1", "+1", "1 2", "1_0", "99999999999", "１２"} {
		if v, err := Version(bad); err == nil {
			t.Errorf("Version(%q) = %v", bad, v)
		}
	}
}

func TestMemory(t *testing.T) {
	tests := []struct {
		amount string
		bytes  uint64
	}{
		{"0 B", 0}, {"1 B", 1}, {"1kB", 1000}, {"1 KiB", 1024}, {"1 MB", 1e6}, {"1MiB", 1 << 20},
		{"16 GB", 16e9}, {"8 GiB", 8 << 30}, {"1 TB", 1e12}, {"1 TiB", 1 << 40}, {"0.5 GiB", 1 << 29}, {"8\tGiB", 8 << 30},
	}
	for _, tt := range tests {
		for op, want := range map[string]bool{"==": true, ">=": true, ">": false} {
			e, err := Parse("memory " + op + " " + tt.amount)
			if err != nil {
				t.Errorf("%s: %v", tt.amount, err)
				continue
			}
			if got := e.Judge(Machine{Memory: Bytes(tt.bytes)}); got.Met() != want {
				t.Errorf("%d bytes %s %s: %+v", tt.bytes, op, tt.amount, got)
			}
		}
	}
}

// The errors, in the form of Error.
type fault struct {
	Offset, Width int
	Message, Hint string
}

func faultOf(e *Fault) fault {
	return fault{e.Offset, e.Width, e.Message.String(), e.Message.Hint().String()}
}

// checkFault compares an error of Parse with the expected one, which is at the last occurrence of at, or at the end if that is "$".
func checkFault(t *testing.T, source, at, message, hint string, err error) {
	t.Helper()
	var got *Fault
	if !errors.As(err, &got) {
		t.Errorf("%q: %v", source, err)
		return
	}
	want := fault{Offset: strings.LastIndex(source, at), Width: len(at), Message: message, Hint: hint}
	if at == "$" {
		want.Offset, want.Width = len(source), 1
	}
	if d := cmp.Diff(want, faultOf(got)); d != "" {
		t.Errorf("%q (-want +got)\n%s", source, d)
	}
}

func TestParseErrors(t *testing.T) {
	versionHint := func(f Fact) string { return "write it as " + f.Entry().Example }
	known := "known are " + strings.Join(namesOf((*Entry).inExpressions), ", ") + `; a Python package is python("numpy")`
	const (
		operators = "one of >= <= > < == !="
		unit      = "one of B kB MB GB TB KiB MiB GiB TiB: memory >= 8 GiB"
		count     = "write it as gpus >= 2"
		amount    = "write it as memory >= 8 GiB"
		join      = `join comparisons with "and" or "or"`
		closing   = "each ( needs its )"
		misplaced = `write it as "gpus >= 1" or "driver >= 550.54.14"` + "; in a gpu block each line holds one comparison"
	)
	tests := []struct {
		source string
		at     string // the text that the error marks; "$" is the end
		want   fault
	}{
		{"gpu >= 1", ">=", fault{Message: `gpu is compared with == or !=`, Hint: `did you mean "gpus"?`}},
		{"vram >= 1", "vram", fault{Message: `unknown fact "vram"`, Hint: `did you mean "ram"?`}},
		{"GPUS >= 1", "GPUS", fault{Message: `unknown fact "GPUS"`, Hint: known}},
		{"1 <= gpus", "1", fault{Message: `unknown fact "1"`, Hint: known}},
		{"gpus", "$", fault{Message: `gpus needs an operator, not ""`, Hint: operators}},
		{"gpus = 1", "=", fault{Message: `gpus needs an operator, not "="`, Hint: operators}},
		{"gpus => 1", "=", fault{Message: `gpus needs an operator, not "="`, Hint: operators}},
		{"gpus ! = 1", "!", fault{Message: `gpus needs an operator, not "!"`, Hint: operators}},
		{"gpus >=", "$", fault{Message: `"" is not a whole number`, Hint: count}},
		{"gpus >= two", "two", fault{Message: `"two" is not a whole number`, Hint: count}},
		{"gpus >= -1", "-1", fault{Message: `"-1" is not a whole number`, Hint: count}},
		{"gpus >= 1.5", "1.5", fault{Message: `"1.5" is not a whole number`, Hint: count}},
		{"gpus >= 70000", "70000", fault{Message: `"70000" is not a whole number`, Hint: count}},
		{"driver >= 550.x", "550.x", fault{Message: `"550.x" is not a version such as 12.4`, Hint: versionHint(Driver)}},
		{"cuda >=", "$", fault{Message: "an empty version", Hint: versionHint(CUDA)}},
		{"compute >= sm_80", "sm_80", fault{Message: `"sm_80" is not a version such as 12.4`, Hint: versionHint(Compute)}},
		{"memory >= lots", "lots", fault{Message: `"lots" is not an amount of memory`, Hint: amount}},
		{"memory >= -8 GiB", "-8", fault{Message: `"-8" is not an amount of memory`, Hint: amount}},
		{"memory >= Inf GiB", "Inf", fault{Message: `"Inf" is not an amount of memory`, Hint: amount}},
		{"memory >= NaN GiB", "NaN", fault{Message: `"NaN" is not an amount of memory`, Hint: amount}},
		{"memory >= GiB", "GiB", fault{Message: `"GiB" is not an amount of memory`, Hint: amount}},
		{"memory >= 8", "$", fault{Message: "an amount of memory needs a unit", Hint: unit}},
		{"memory >= 8 gib", "gib", fault{Message: "an amount of memory needs a unit", Hint: unit}},
		{"memory >= 8K", "K", fault{Message: "an amount of memory needs a unit", Hint: unit}},
		{"memory >= 8 and gpus > 1", "and", fault{Message: "an amount of memory needs a unit", Hint: unit}},
		{"memory >= 99999999 TiB", "TiB", fault{Message: "too much memory", Hint: "write less than 8 EiB"}},
		{"gpus >= 1 gpus >= 2", "gpus", fault{Message: `unexpected "gpus"`, Hint: join}},
		{"gpus >= 1)", ")", fault{Message: `unexpected ")"`, Hint: join}},
		{"(gpus >= 1", "$", fault{Message: "missing )", Hint: closing}},
		{"(gpus >= 1 cuda", "cuda", fault{Message: "missing )", Hint: closing}},
		{"gpus >= 1 and", "$", fault{Message: "a comparison is missing here", Hint: `write it as "gpus >= 1" or "driver >= 550.54.14"`}},
		{"gpus >= 1,", "$", fault{Message: "a comparison is missing here", Hint: example.String()}},
		{"not", "$", fault{Message: "a comparison is missing here", Hint: example.String()}},
		{"()", ")", fault{Message: `unknown fact ")"`, Hint: known}},
		{"or gpus >= 1", "or", fault{Message: `"or" has no place here`, Hint: misplaced}},
		{"gpus >= 1, and cuda >= 12", "and", fault{Message: `"and" has no place here`, Hint: misplaced}},
		{"not and", "and", fault{Message: `"and" has no place here`, Hint: misplaced}},
		{strings.Repeat("(", maxDepth+1) + "gpus >= 1", "gpus", fault{Message: "too deeply nested", Hint: "write it with fewer parentheses"}},
		{"driver >= 550 or título", "título", fault{Message: `unknown fact "título"`, Hint: known}},
	}
	for _, tt := range tests {
		t.Run(tt.source, func(t *testing.T) {
			tt.want.Offset, tt.want.Width = strings.LastIndex(tt.source, tt.at), len(tt.at)
			if tt.at == "$" {
				tt.want.Offset, tt.want.Width = len(tt.source), 1
			}
			e, err := Parse(tt.source)
			var got *Fault
			if !errors.As(err, &got) {
				t.Fatalf("%q, %v", e, err)
			}
			if diff := cmp.Diff(tt.want, faultOf(got)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if !e.IsZero() || err.Error() != tt.want.Message || got.Message.Hint().IsZero() {
				t.Errorf("%q, %v, hint %q", e, err, got.Message.Hint())
			}
		})
	}
}

// TestIsQuestion: a comparison without an operator asks, unless its answer is demanded.
// lineOf returns the comparison of a line of a gpu block.
func lineOf(source string) (Expr, error) {
	l, err := ParseLine(source)
	return l.Condition(), err
}

func TestLineAsks(t *testing.T) {
	for source, want := range map[string]bool{
		"runs cu124": true, "torch": true, `has( "cmake" )`: true, "torch >= 2": false, "gpus >= 1": false, "matmul": false, "memory bandwidth": false,
		"runs cu124==yes": false, "torch == yes": false, `has("cmake") == yes`: false, "machine == yes": false, "temperature < 80": false,
	} {
		l, err := ParseLine(source)
		if err != nil || l.Asks() != want {
			t.Errorf("%q: want %t, %v", source, want, err)
		}
	}
	l, err := ParseLine("runs  cu124==yes")
	if e := l.Condition(); err != nil || l.String() != "runs cu124 == yes" || e.String() != "runs cu124" || e.Software() != "cu124" || l.Name() != "cu124" {
		t.Errorf("%q, software %q, name %q, %v", l, e.Software(), l.Name(), err)
	}
	if l, err := ParseLine("machine == yes"); err != nil || l.Fact() != Label {
		t.Errorf("a machine with the name yes: %q, %v", l, err)
	}
}

func TestParseLine(t *testing.T) {
	l, err := ParseLine("  driver>=550.54.14 ")
	if err != nil || l.String() != "driver >= 550.54.14" || l.Fact() != Driver {
		t.Errorf("%q, fact %q, %v", l, l.Fact(), err)
	}
	for source, message := range map[string]string{
		"":                       "a comparison is missing here",
		"gpus >= 1 and gpus < 3": `unexpected "and"`,
		"gpus >= 1, gpus < 3":    `unexpected ","`,
		"not gpus >= 1":          `"not" has no place here`,
		"(gpus >= 1)":            `"(" has no place here`,
		"runs cu124 == no":       `unexpected "=="`,
		"gpus >= 1 == yes":       `unexpected "=="`,
		"memory":                 `memory needs an operator, not ""`,
		"memory >= 8 GB/s":       "an amount of memory needs a unit",
	} {
		if l, err := ParseLine(source); err == nil || err.Error() != message || l != (Line{}) {
			t.Errorf("ParseLine(%q) = %q, %v; want %s", source, l, err, message)
		}
	}
	for _, source := range []string{"", "not gpus >= 1", "gpus >= 1 or gpus < 3"} {
		if e, _ := Parse(source); e.Fact() != "" {
			t.Errorf("%q is not one comparison, but has the fact %q", source, e.Fact())
		}
	}
}

func TestString(t *testing.T) {
	tests := []struct {
		want      string
		spellings []string
	}{
		{"", []string{"", " ", "\t\r\n"}},
		{"gpus >= 1", []string{"gpus>=1", " gpus  >=\t1\n", "gpus >=1"}},
		{"memory >= 8 GiB", []string{"memory>=8GiB", "memory >= 8 GiB", "memory >= 8  GiB"}},
		{"memory >= 8 GiB, gpus > 1", []string{"memory>=8GiB,gpus>1", "memory >= 8 GiB , gpus > 1"}},
		{"not (gpus == 0 or ((cuda >= 12.4)))", []string{"not(gpus==0 or((cuda>=12.4)))", "not ( gpus == 0 or ( ( cuda >= 12.4 ) ) )"}},
	}
	for _, tt := range tests {
		for _, s := range append(tt.spellings, tt.want) {
			e, err := Parse(s)
			if err != nil || e.String() != tt.want || e.IsZero() != (tt.want == "") {
				t.Errorf("Parse(%q) = %q, %v; want %q", s, e, err, tt.want)
			}
		}
	}
}

func TestZeroExpr(t *testing.T) {
	var e Expr
	if !e.IsZero() || e.String() != "" || e.Fact() != "" || !e.Judge(nil).Met() {
		t.Errorf("%q, fact %q, %+v", e, e.Fact(), e.Judge(nil))
	}
}

func TestDepth(t *testing.T) {
	for _, unit := range [][2]string{{"(", ")"}, {"not ", ""}, {"not (", ")"}} {
		nested := func(n int) error {
			_, err := Parse(strings.Repeat(unit[0], n) + "gpus >= 1" + strings.Repeat(unit[1], n))
			return err
		}
		if err := nested(maxDepth / 2); err != nil {
			t.Errorf("%q %d times: %v", unit[0], maxDepth/2, err)
		}
		for _, n := range []int{maxDepth + 1, 1 << 14} {
			if err := nested(n); err == nil || err.Error() != "too deeply nested" {
				t.Errorf("%q %d times: %v", unit[0], n, err)
			}
		}
	}
	// A long chain is not deep.
	if e, err := Parse(strings.Repeat("gpus >= 9 or ", 1<<14) + "gpus >= 1"); err != nil || !e.Judge(machines["deepnine"]).Met() {
		t.Error(err)
	}
}

func TestValues(t *testing.T) {
	tests := []struct {
		value Value
		want  string
	}{
		{Count(3), "3"}, {Count(-1), "-1"}, {Bytes(25_769_803_776), "24.0 GiB"}, {Bytes(0), "0.0 GiB"},
		{version("550.054.14"), "550.054.14"}, {Value{}, ""},
	}
	for _, tt := range tests {
		if got := tt.value.String(); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
	if Count(-1).Less(Count(0)) || !Count(1).Less(Count(2)) {
		t.Error("counts compare wrongly")
	}
}

// FuzzParse: nothing panics, the place of an error is in the source, and the normal form is
// unique: it parses to itself and gives the same verdict.
func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"gpus >= 1", "memory>=8GiB, not compute < 7.0", "gpus == 0 or (compute >= 8.0 and memory >= 16 GB)", "not(not gpus!=1)", "driver >= 550.", "é",
		"torch", "python>=3.9,torch or not slurm < 21.08", "jax numba", "paddle >=", "runs torch or torch",
		`gpu == "*A100*"`, `machine!=deepten`, `os == 'Debian*'`, `os == "a`, `has("cmake") and not module( cuda/12 )`, `python("numpy")>=1.26, python >= 3`,
		`arch == [a`, `env()`, `has("a b")`, `ram >= 8 GiB, cores >= 2`, `gpu == 'a"b'`, `nvcc`,
		"runs cu124", "runs torch, gpus>=1 or not runs cu999", "not (runs  jax)", "runs", "runs runs", "runs cu12.4", "runs cu124cu124",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, source string) {
		_, _ = lineOf(source)
		e, err := Parse(source)
		if err != nil {
			var at *Fault
			if !errors.As(err, &at) || at.Message.IsZero() || at.Width < 1 || at.Offset < 0 || at.Offset > len(source) {
				t.Fatalf("Parse(%q): %#v", source, err)
			}
			return
		}
		again, err := Parse(e.String())
		if err != nil || again.String() != e.String() {
			t.Fatalf("%q has the normal form %q, then %q, %v", source, e, again, err)
		}
		for name, m := range machines {
			v := e.Judge(m)
			if v.Met() != (v.Need == "") || v != again.Judge(m) {
				t.Fatalf("%q on %s: %+v, then %+v", source, name, v, again.Judge(m))
			}
		}
	})
}

func TestValuesOfExpression(t *testing.T) {
	driver, _ := Version("550.54")
	m := Machine{GPUs: Count(2), Driver: driver, Runs: Software(func(name string) (Answer, string) { return Yes, name + " 2.6" })}
	for source, want := range map[string]string{
		"":          "",
		"gpus >= 1": "gpus 2",
		"not (driver < 500 or gpus == 0) and gpus >= 1": "driver 550.54, gpus 2",
		"memory >= 8 GiB, runs torch":                   "memory –, torch 2.6",
	} {
		e, err := Parse(source)
		if got := strings.Join(e.Values(m), ", "); err != nil || got != want {
			t.Errorf("%q: %q, %v; want %q", source, got, err, want)
		}
	}
	if e, _ := Parse("runs torch"); len(e.Values(nil)) != 0 {
		t.Error("software requirements of an unknown machine have a verdict")
	}
}
