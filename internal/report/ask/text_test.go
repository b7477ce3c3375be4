package ask

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestMachineFacts(t *testing.T) {
	for source, met := range map[string]bool{
		`machine == "deepnine"`: true, `machine == deepnine`: true, `machine == deep`: false, `machine != deepten`: true, `machine == "deep*"`: true,
		`os == "debian*"`: true, `os == linux`: true, `os == "*/linux 1[23]*"`: true, `os == "*GNU"`: false, `os != "Ubuntu*"`: true, `os == windows`: false,
		`arch == x86_64`: true, `arch == amd64`: true, `arch == "?md64"`: true, `arch != amd64`: false, `arch != arm64`: true,
		`ram >= 64 GiB`: true, `ram > 64 GiB`: false, `cores == 8`: true, `cores < 8`: false,
		// Of several models each must match, or none.
		`gpu == "A100*"`: false, `gpu != "A100*"`: false, `not gpu == "A100*"`: true, `gpu != "H100*"`: true, `gpu == "*[t]*"`: false, `gpu == "*4*"`: true,
		`has("cmake")`: true, `has(cmake) and nvcc >= 12.4`: true, `nvcc >= 12.5`: false, `not has("ninja")`: true, `has("make")`: false, `not has("make")`: false,
		`module("cuda/12")`: true, `env("torch")`: false, `not env("torch")`: true, `python("numpy") >= 1.26`: true, `python("numpy") >= 2 or python("yaml")`: true,
		`python("yaml") >= 1`: false, `not python("yaml") >= 1`: false, `python("scipy")`: false,
	} {
		e, err := Parse(source)
		if err != nil {
			t.Errorf("%s: %v", source, err)
			continue
		}
		if v := e.Judge(machines["lab"]); v.Met() != met {
			t.Errorf("%s: %+v", source, v)
		}
		if e.Judge(machines["broken"]).Met() {
			t.Errorf("%s is met on an unknown machine", source)
		}
	}
	e, _ := Parse(`gpu == "A100*", has("cmake"), has("ninja"), has("make"), python("numpy") < 1`)
	want := `gpu NVIDIA A100-SXM4-80GB, Tesla T4; has("cmake") ✓; has("ninja") –; has("make") –; python("numpy") 1.26.4`
	if got := strings.Join(e.Values(machines["lab"]), "; "); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if v := judged(e, machines["lab"]); v != (verdict{Need: `gpu == "A100*"`, Found: "NVIDIA A100-SXM4-80GB, Tesla T4"}) {
		t.Errorf("%+v", v)
	}
}

func TestFunctionForms(t *testing.T) {
	for source, want := range map[string]string{
		`has( 'cmake' ),not has(ninja)`: `has("cmake"), not has("ninja")`,
		`gpu==*A100*`:                   `gpu == "*A100*"`,
		`gpu == 'a"b ( c , d'`:          `gpu == 'a"b ( c , d'`,
		`python("numpy")>=1.26`:         `python("numpy") >= 1.26`,
		`(python and python(numpy))`:    `(python and python("numpy"))`,
	} {
		if e, err := Parse(source); err != nil || e.String() != want {
			t.Errorf("%s is %s, %v", source, e, err)
		}
	}
	for source, want := range map[string][3]string{ // function, argument, name
		`has("cmake")`: {"has", "cmake", "cmake"}, `module(cuda/12)`: {"module", "cuda/12", "cuda-12"}, "gpus >= 1": {"", "", "gpus"}, "runs cu124": {"", "", "cu124"},
	} {
		l, _ := ParseLine(source)
		function, argument := l.Fact().Call()
		if got := [3]string{function, argument, l.Name()}; got != want {
			t.Errorf("%s: %q, want %q", source, got, want)
		}
	}
	e, _ := Parse(`nvcc and has("a") or gpus >= 1, torch, python("numpy") > 1`)
	if got := e.Asks(); !slices.Equal(got, []Fact{NVCC, `has("a")`, `python("numpy")`}) || !e.OfEnvironment() {
		t.Errorf("%q", got)
	}
	for ask, want := range map[string]bool{`has("a")`: true, "nvcc": true, "gpus": false, "gpus >= 1": false, `has('a')`: false, `python("a") >= 1`: false, "torch": false, `has("a/b")`: false} {
		if _, ok := Asked(ask); ok != want {
			t.Errorf("%s: %v", ask, !want)
		}
	}
	if e, _ := Parse(`ram >= 1 GiB, os == linux, has("x"), machine == a, cores > 1, arch == a`); e.OfGPU() {
		t.Error("the facts of a machine are taken for those of its GPUs")
	}
}

func TestFunctionErrors(t *testing.T) {
	for _, tt := range []struct{ source, at, message, hint string }{
		{`ram >= 8`, "$", "an amount of memory needs a unit", "one of B kB MB GB TB KiB MiB GiB TiB: ram >= 16 GiB"},
		{`ram >= lots`, "lots", `"lots" is not an amount of memory`, "write it as ram >= 16 GiB"},
		{`cores >= 2 GiB`, "GiB", "cores has no unit", "write it as cores >= 2"},
		{`cuda >= 12 GiB`, "GiB", "cuda has no unit", "write it as cuda >= 12"},
		{`cores >= many`, "many", `"many" is not a whole number`, "write it as cores >= 8"},
		{`hass("cmake")`, "hass", `unknown function "hass"`, `did you mean "has"?`},
		{`torch("x")`, "torch", `unknown function "torch"`, "known are has, module, env, python"},
		{`numpy >= 1.26`, "numpy", `unknown fact "numpy"`, `did you mean "python("numpy")"?`},
		{`machin == a`, "machin", `unknown fact "machin"`, `did you mean "machine"?`},
		{`has`, "has", "has needs its argument in parentheses", `write it as has("cmake")`},
		{`has(`, "$", "a text is missing", `write it as has("cmake")`},
		{`has()`, ")", "a text is missing", `write it as has("cmake")`},
		{`env("")`, `""`, "a text is missing", `write it as env("torch")`},
		{`module("a b")`, `"a b"`, `module cannot ask for "a b"`, `write it as module("cuda/12")`},
		{`has(bin/x)`, "bin/x", `has cannot ask for "bin/x"`, `write it as has("cmake")`},
		{`has("bin/x")`, `"bin/x"`, `has cannot ask for "bin/x"`, `write it as has("cmake")`},
		{`has("$(id)")`, `"$(id)"`, `has cannot ask for "$(id)"`, `write it as has("cmake")`},
		{`has("a" b)`, "b", "missing )", `write it as has("cmake")`},
		{`python("numpy`, `"numpy`, "the quote is not closed", `end the text with the same quote: "`},
		{`has("cmake") >= 3`, ">=", `has("cmake") is not compared`, `write has("cmake") or not has("cmake"); of python(...) the version can be compared`},
		{`python("numpy") >= new`, "new", `"new" is not a version such as 12.4`, `write it as python("numpy") >= 1.26`},
		{`os >= "A100"`, ">=", "os is compared with == or !=", `write it as os == "...", in which * is any text`},
		{`gpu >= 2`, ">=", "gpu is compared with == or !=", `did you mean "gpus"?`},
		{`gpu`, "$", `gpu needs an operator, not ""`, "one of >= <= > < == !="},
		{`gpu == and`, "and", "a text is missing", `write it as gpu == "...", in which * is any text`},
		{`gpu == "[a"`, `"[a"`, `"[a" is not a pattern`, "* is any text, ? any character, [ab] one of several; a [ needs its ]"},
		{`os == Debian 12`, "12", `unexpected "12"`, `join comparisons with "and" or "or"`},
		{`nvcc >= x`, "x", `"x" is not a version such as 12.4`, "write it as nvcc >= 12.4"},
	} {
		_, err := Parse(tt.source)
		var got *Fault
		if !errors.As(err, &got) {
			t.Errorf("%s: %v", tt.source, err)
			continue
		}
		want := fault{Offset: strings.LastIndex(tt.source, tt.at), Width: len(tt.at), Message: tt.message, Hint: tt.hint}
		if tt.at == "$" {
			want.Offset, want.Width = len(tt.source), 1
		}
		if d := cmp.Diff(want, faultOf(got)); d != "" {
			t.Errorf("%s (-want +got)\n%s", tt.source, d)
		}
	}
}
