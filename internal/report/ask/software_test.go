package ask

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSoftware(t *testing.T) {
	lacks := func(need, found string, program Fact) verdict {
		return verdict{Need: need, Found: found, Program: program}
	}
	for source, want := range map[string]verdict{
		"python >= 3.9 and torch >= 1.12": {Met: true},
		"python >= 3.12":                  lacks("python >= 3.12", "3.11.7", Python),
		"not python >= 3.12":              {Met: true},
		"slurm >= 21.08, slurm < 22":      {Met: true},
		"slurm >= 22.05":                  lacks("slurm >= 22.05", "21.08.8-2", Slurm),

		// The rest of a version after its numbers is ignored.
		"torch >= 1.13":              {Met: true},
		"torch == 1.13":              {Met: true},
		"torch > 1.13 or torch >= 2": lacks("torch > 1.13", "1.13.0a0+cu118", "torch"),

		// A name without a version requires that it is installed.
		"torch":                   {Met: true},
		"jax":                     {Met: true},
		"not torch":               lacks("not torch", "1.13.0a0+cu118", "torch"),
		"numba":                   lacks("numba", "", "numba"),
		"not numba":               {Met: true},
		"numba or (torch), jax":   {Met: true},
		"not (numba or torch)":    lacks("not torch", "1.13.0a0+cu118", "torch"),
		"cupy":                    lacks("cupy", "", "cupy"), // not queried
		"not cupy":                lacks("not cupy", "", "cupy"),
		"not not numba":           lacks("not not numba", "", "numba"),
		"numba and gpus >= 1":     lacks("numba", "", "numba"),
		"torch and gpus >= 1":     {Need: "gpus >= 1", Found: "0"},
		"torch >= 2 or not jax":   lacks("torch >= 2", "1.13.0a0+cu118", "torch"),
		"not (torch and not jax)": {Met: true},

		// A package that is missing, or of unknown version, is neither old nor new.
		"numba >= 0.1":     lacks("numba >= 0.1", "", "numba"),
		"not numba >= 0.1": lacks("not numba >= 0.1", "", "numba"),
		"jax >= 0.1":       lacks("jax >= 0.1", "?", "jax"),
		"not jax >= 0.1":   lacks("not jax >= 0.1", "?", "jax"),
	} {
		e, err := Parse(source)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, judged(e, machines["python"])); d != "" {
			t.Errorf("%s (-want +got)\n%s", source, d)
		}
		if v := e.Judge(machines["broken"]); v.Met() {
			t.Errorf("%s holds on an unknown machine", source)
		}
	}
}

func TestSoftwareParse(t *testing.T) {
	for source, want := range map[string]string{
		" torch ":                    "torch",
		"not(torch),slurm>=21.08":    "not (torch), slurm >= 21.08",
		"python and torch>=2 or jax": "python and torch >= 2 or jax",
	} {
		if e, err := Parse(source); err != nil || e.String() != want {
			t.Errorf("%q is %q, %v", source, e, err)
		}
	}
	for source, fact := range map[string]Fact{"torch": "torch", "slurm >= 21.08": Slurm} {
		if e, err := lineOf(source); err != nil || e.Fact() != fact || e.Software() != "" {
			t.Errorf("%q: fact %q, %v", source, e.Fact(), err)
		}
	}
	const operators = "one of >= <= > < == !="
	for _, tt := range []struct{ source, at, message, hint string }{
		{"torch 1.12", "1.12", `torch needs an operator, not "1.12"`, operators},
		{"torch = 1.12", "=", `torch needs an operator, not "="`, operators},
		{"torch >=", "$", "an empty version", "write it as torch >= 2.6"},
		{"torch >= 1.13.0a0", "1.13.0a0", `"1.13.0a0" is not a version such as 12.4`, "write it as torch >= 2.6"},
		{"python >= three", "three", `"three" is not a version such as 12.4`, "write it as python >= 3.9"},
		{"slurm > ", "$", "an empty version", "write it as slurm >= 21.08"},
		{"pytorch >= 1.12", "pytorch", `unknown fact "pytorch"`, `did you mean "torch"?`},
		{"tensorfow", "tensorfow", `unknown fact "tensorfow"`, `did you mean "tensorflow"?`},
		{"gpus", "$", `gpus needs an operator, not ""`, operators},
	} {
		_, err := Parse(tt.source)
		checkFault(t, tt.source, tt.at, tt.message, tt.hint, err)
	}
}

func TestRelease(t *testing.T) {
	for s, want := range map[string][]uint64{
		"2.6.0": {2, 6, 0}, "1.13.0a0+gitunknown": {1, 13, 0}, "2.9.0.dev2026": {2, 9, 0}, "21.08.8-2": {21, 8, 8}, "23.02.0rc1": {23, 2, 0},
		"2026": {2026}, "1.13rc1": {1, 13}, "1.": {1}, "": nil, "unknown": nil, "+1": nil, "99999999999.1": nil, "1.99999999999": {1},
	} {
		v := Release(s)
		if !slices.Equal(v.parts, want) || want == nil && v.String() != "?" || want != nil && v.String() != s {
			t.Errorf("%q: %v, %q", s, v.parts, v)
		}
	}
}

func TestWhatIsAsked(t *testing.T) {
	for source, want := range map[string][3]bool{ // of GPUs, of an environment, of Slurm
		"":                              {},
		"gpus >= 1":                     {true, false, false},
		"torch":                         {false, true, false},
		"python >= 3.9, not jax":        {false, true, false},
		"slurm >= 21.08":                {false, false, true},
		"runs cu124":                    {true, false, false},
		"runs torch":                    {true, true, false},
		"torch or (slurm, driver < 99)": {true, true, true},
	} {
		e, err := Parse(source)
		if err != nil {
			t.Fatal(err)
		}
		if got := [3]bool{e.OfGPU(), e.OfEnvironment(), e.OfSlurm()}; got != want {
			t.Errorf("%q: %v, want %v", source, got, want)
		}
	}
	e, _ := Parse("torch >= 1, jax, numba, cupy, gpus == 0")
	if got, want := strings.Join(e.Values(machines["python"]), ", "), "torch 1.13.0a0+cu118, jax ?, numba –, cupy –, gpus 0"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
