package ask

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// software runs cu112 and torch, does not run cu124, and knows nothing about the rest.
var software = Software(func(name string) (Answer, string) {
	switch name {
	case "cu112", "torch":
		return Yes, "driver 460.91.03"
	case "cu124":
		return No, "driver 460.91.03"
	}
	return Unknown, ""
})

func TestRuns(t *testing.T) {
	m := Machine{GPUs: Count(1), Runs: software}
	no := func(need, found, what string) verdict { return verdict{Need: need, Found: found, Software: what} }
	for source, want := range map[string]verdict{
		"runs cu112":     {Met: true},
		"runs torch":     {Met: true},
		"not runs cu124": {Met: true},
		"runs cu124":     no("runs cu124", "driver 460.91.03", "cu124"),
		"not runs cu112": no("not runs cu112", "driver 460.91.03", "cu112"),

		// If a fact is unknown, neither the requirement nor its negation is met.
		"runs cu140":         no("runs cu140", "", "cu140"),
		"not runs cu140":     no("not runs cu140", "", "cu140"),
		"not not runs cu140": no("not not runs cu140", "", "cu140"),

		"runs cu124 or runs torch":              {Met: true},
		"runs cu140 or runs torch":              {Met: true},
		"runs cu124, gpus >= 1":                 no("runs cu124", "driver 460.91.03", "cu124"),
		"runs cu140 and runs cu124":             no("runs cu124", "driver 460.91.03", "cu124"),
		"runs cu124 or runs cu140":              no("runs cu140", "", "cu140"),
		"gpus >= 2 and runs torch":              {Need: "gpus >= 2", Found: "1"},
		"not (runs cu112 and runs cu124)":       {Met: true},
		"not (runs cu112 or runs cu124)":        no("not runs cu112", "driver 460.91.03", "cu112"),
		"(gpus == 0 or runs cu112), runs torch": {Met: true},
	} {
		e, err := Parse(source)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, judged(e, m)); d != "" {
			t.Errorf("%s (-want +got)\n%s", source, d)
		}
	}
	e, _ := Parse("runs cu112")
	if d := cmp.Diff(verdict{Need: "runs cu112", Software: "cu112"}, judged(e, Machine{GPUs: Count(1)})); d != "" {
		t.Errorf("a machine without software (-want +got)\n%s", d)
	}
}

func TestRunsParse(t *testing.T) {
	for source, want := range map[string]string{
		"runs cu124":                     "runs cu124",
		"  runs\t cu124 ":                "runs cu124",
		"not(runs torch),gpus>=1":        "not (runs torch), gpus >= 1",
		"runs cu100 or runs onnxruntime": "runs cu100 or runs onnxruntime",
	} {
		if e, err := Parse(source); err != nil || e.String() != want {
			t.Errorf("%q is %q, %v", source, e, err)
		}
	}
	e, err := lineOf("runs cu124")
	if err != nil || e.Fact() != Runs || e.Software() != "cu124" {
		t.Errorf("%q, fact %q, software %q, %v", e, e.Fact(), e.Software(), err)
	}
	for _, source := range []string{"", "gpus >= 1", "not runs cu124", "runs cu124, gpus >= 1"} {
		if e, _ := Parse(source); e.Software() != "" {
			t.Errorf("%q requires the software %q", source, e.Software())
		}
	}
	all := "write a CUDA toolkit as cu124, or one of " + strings.Join(Frameworks(), ", ")
	for _, tt := range []struct{ source, at, message, hint string }{
		{"runs", "$", `runs does not know ""`, all},
		{"runs toruch", "toruch", `runs does not know "toruch"`, `did you mean "torch"?`},
		{"runs tensorfow", "tensorfow", `runs does not know "tensorfow"`, `did you mean "tensorflow"?`},
		{"runs pytorch", "pytorch", `runs does not know "pytorch"`, `did you mean "torch"?`},
		{"runs 12.4", "12.4", `runs does not know "12.4"`, `write it as runs cu124`},
		{"runs cuda12.4", "cuda12.4", `runs does not know "cuda12.4"`, `write it as runs cu124`},
		{"runs cu12.4", "cu12.4", `runs does not know "cu12.4"`, `write it as runs cu124`},
		{"runs cu12", "cu12", `runs does not know "cu12"`, "write CUDA 12.4 as cu124, with both numbers"},
		{"runs cu1240", "cu1240", `runs does not know "cu1240"`, "write CUDA 12.4 as cu124, with both numbers"},
		{"runs CU124", "CU124", `runs does not know "CU124"`, `write it as runs cu124`},
		{"runs >= cu124", ">=", `runs does not know ">="`, all},
		{"runs cu124 >= 1", ">=", `unexpected ">="`, `join comparisons with "and" or "or"`},
		{"not runs", "$", `runs does not know ""`, all},
		{"run cu124", "run", `unknown fact "run"`, `did you mean "runs"?`},
	} {
		_, err := Parse(tt.source)
		checkFault(t, tt.source, tt.at, tt.message, tt.hint, err)
	}
}
