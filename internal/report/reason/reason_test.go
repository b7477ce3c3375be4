package reason

import (
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/text"
)

// codes returns the values of the constants of package report by the beginnings of their names.
func codes(t *testing.T, file string, prefixes ...string) map[string][]string {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), "../"+file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]string{}
	ast.Inspect(parsed, func(n ast.Node) bool {
		if v, ok := n.(*ast.ValueSpec); ok && len(v.Values) == 1 {
			value, ok := v.Values[0].(*ast.BasicLit)
			for _, prefix := range prefixes {
				if ok && strings.HasPrefix(v.Names[0].Name, prefix) {
					s, err := strconv.Unquote(value.Value)
					if err != nil {
						t.Fatal(err)
					}
					all[prefix] = append(all[prefix], s)
				}
			}
		}
		return true
	})
	return all
}

// every returns a reason for each code, and for each code behind it, with all fields that a text may name.
func every(t *testing.T) (all []report.Reason) {
	t.Helper()
	exit := 3
	full := report.Reason{Need: "driver >= 550", Found: "470", Value: "rate", Block: "b1", Program: "prog", Path: "f.csv", Lines: []int{7, 9}, GPUs: []int{0, 1},
		Exit: &exit, Said: "Xyzzy", Limit: &report.Limit{What: report.LimitTime, Amount: 90}}
	add := func(code, why string, change ...func(*report.Reason)) {
		r := full
		r.Code, r.Why = code, why
		for _, c := range change {
			c(&r)
		}
		all = append(all, r)
	}
	found := codes(t, "reasons.go", "Reason", "Lacks", "Env", "Bwrap", "Job", "File", "Limit")
	gpus := codes(t, "gpu.go", "Code", "Why")
	if len(found["Reason"]) < 30 || len(gpus["Code"]) < 15 || len(gpus["Why"]) < 9 {
		t.Fatalf("%v, %v", found, gpus)
	}
	of := map[string][]string{report.ReasonNoInterpreter: found["Lacks"], report.ReasonEnvironment: found["Env"], report.ReasonNoSandbox: found["Bwrap"],
		report.ReasonSlurm: found["Job"], report.ReasonFiles: found["File"], report.ReasonNoGPU: gpus["Code"], report.ReasonBroken: gpus["Code"],
		report.ReasonMeasure: gpus["Why"]}
	for _, code := range found["Reason"] {
		for _, why := range of[code] {
			add(code, why)
			add(code, why, func(r *report.Reason) { r.Need, r.Said, r.Signal, r.Found = "", "", "SIGSEGV", "" })
		}
		if of[code] != nil && code != report.ReasonNoInterpreter && code != report.ReasonFiles && code != report.ReasonSlurm {
			continue // which have always a code behind them
		}
		if code == report.ReasonNeeds {
			add(code, report.NeedUnknown, func(r *report.Reason) { r.Found, r.Said = "", "" })
			add(code, report.CodeNoLibrary, func(r *report.Reason) { r.Found, r.Need, r.Said = "0", "gpus >= 1", "" })
		}
		add(code, "")
		add(code, "", func(r *report.Reason) { r.Found, r.Exit = "", new(int) })
		add(code, "", func(r *report.Reason) {
			r.Found, r.Need, r.Expected = "0", "gpus >= 1", 4
			r.Expected = 4
		})
		add(code, "", func(r *report.Reason) { r.Signal, r.Env, r.Program = "SIGKILL", "lab", "Python 3.12.4" })
		add(code, "", func(r *report.Reason) { r.Signal, r.Said, r.Found, r.Env = "SIGSEGV", "", "", "lab" })
		for _, what := range found["Limit"] {
			add(code, "", func(r *report.Reason) { r.Limit = &report.Limit{What: what, Amount: 4096} })
		}
	}
	return all
}

// TestSentences: each reason has a sentence in each language, with all that is known of it, and without a word of
// another language.
func TestSentences(t *testing.T) {
	for _, r := range every(t) {
		said := map[string]string{}
		for _, language := range []string{"en", "pt", "es"} {
			got := Sentence(text.Of(language), &r, report.GPU{})
			for _, other := range said {
				if got == other {
					t.Errorf("%v: %q in %s too", &r, got, language)
				}
			}
			said[language] = got
			if strings.ContainsAny(got, "[{}]") || got != strings.TrimSpace(got) || strings.Contains(got, "  ") || strings.HasSuffix(got, ":") {
				t.Errorf("%v in %s: %q", &r, language, got)
			}
			unknown := text.Of(language).Get("reason_unknown", "code", r.Code)
			if got == unknown && (r.Code != report.ReasonLimit || r.Limit.What != report.LimitTime) {
				t.Errorf("%v in %s: no text", &r, language)
			}
			if language != "en" {
				if m := english.FindString(got); m != "" {
					t.Errorf("%v in %s: the English %q in %q", &r, language, m, got)
				}
			}
			if strings.Contains(got, "Xyzzy") != (r.Said != "" && got != unknown) {
				t.Errorf("%v in %s: what was said: %q", &r, language, got)
			}
		}
		t.Logf("%v\n\t%s\n\t%s\n\t%s", &r, said["en"], said["pt"], said["es"])
	}
}

// english matches words that stand in no Portuguese or Spanish sentence.
var english = regexp.MustCompile(`\b(the|and|not|with|code|exit|killed|of|is|was|needs|this|has|lines|its|after|within|cannot|loaded|found)\b`)

// TestRemedies: a remedy is a text of its own.
func TestRemedies(t *testing.T) {
	n := 0
	for _, r := range every(t) {
		for _, language := range []string{"en", "pt", "es"} {
			c := text.Of(language)
			remedy := Remedy(c, &r)
			if strings.ContainsAny(remedy, "[{}]") || remedy != "" && strings.Contains(Sentence(c, &r, report.GPU{}), remedy) {
				t.Errorf("%v in %s: %q", &r, language, remedy)
			}
			if remedy != "" {
				n++
			}
		}
	}
	if n < 3*15 {
		t.Errorf("only %d remedies", n)
	}
}

// TestLater: a code of a later version is shown as it is.
func TestLater(t *testing.T) {
	for want, r := range map[string]report.Reason{
		"for a reason that this version of gpudocs does not know: of-later": {Code: "of-later"},
		"for a reason that this version of gpudocs does not know: slurm":    {Code: report.ReasonSlurm, Why: "of-later"},
		"needs a GPU; this machine has no usable GPU: of-later":             {Code: report.ReasonNoGPU, Why: "of-later"},
		"the environment is not available: of-later: words":                 {Code: report.ReasonEnvironment, Why: "of-later", Said: "words"},
		"did not finish within 1 h 30 min":                                  {Code: report.ReasonTimeout, Limit: &report.Limit{What: report.LimitTime, Amount: 5400}},
		"did not finish within 500 ms":                                      {Code: report.ReasonTimeout, Limit: &report.Limit{What: report.LimitTime, Amount: 0.5}},
		"used more than 8 GiB of memory":                                    {Code: report.ReasonLimit, Limit: &report.Limit{What: report.LimitMemory, Amount: 8 << 30}},
	} {
		if got := Sentence(text.Catalog{}, &r, report.GPU{}); got != want {
			t.Errorf("%v: %q, want %q", &r, got, want)
		}
	}
	if got := Message(&report.Reason{Code: report.ReasonSkip}).In(text.Of("es")); !strings.Contains(got, "ejemplos") {
		t.Error(got)
	}
}

// TestBehind: what is behind a verdict is said, and wrong results without the number of a GPU or of two GPUs have words of their own.
func TestBehind(t *testing.T) {
	verdict := &report.Verdict{What: "cu124", Answer: report.RunsNo, By: report.ByNoDriver, Toolkit: "12.4"}
	for want, r := range map[string]report.Reason{
		"cu124 necesita el driver de NVIDIA, y aquí no hay ninguno en marcha: el módulo del driver no está cargado en el kernel": {
			Code: report.ReasonNeeds, Why: report.CodeNotLoaded, Need: "runs cu124", Verdict: verdict},
		"cu124 necesita el driver de NVIDIA, y aquí no hay ninguno en marcha": {Code: report.ReasonUnmet, Need: "runs cu124", Verdict: verdict},
		"la GPU da resultados incorrectos":                                    {Code: report.ReasonWrong},
		"GPU 3 da resultados incorrectos":                                     {Code: report.ReasonWrong, GPUs: []int{3}},
		"llegaron bytes incorrectos: GPU 0 → GPU 2":                           {Code: report.ReasonWrong, GPUs: []int{0, 2}},
	} {
		if got := Sentence(text.Of("es"), &r, report.GPU{}); got != want {
			t.Errorf("%v: %q, want %q", &r, got, want)
		}
	}
}

// TestTold: a reason that has only a number is followed by the line that says most.
func TestTold(t *testing.T) {
	exit := 3
	failed := report.Check{Kind: report.KindBash, Outcome: report.Failed, Reason: &report.Reason{Code: report.ReasonExit, Exit: &exit},
		Stderr: &report.Stream{Text: "+ make\nmake: *** No rule to make target 'x'.  Stop.\n"}}
	if got := Told(text.Catalog{}, &failed, report.GPU{}); got != "ended with exit code 3: make: *** No rule to make target 'x'.  Stop." {
		t.Error(got)
	}
	job := failed
	job.Kind, job.Stdout, job.Stderr = report.KindSbatch, &report.Stream{Text: "/var/job: line 3: module: command not found\n"}, nil
	if got := Told(text.Of("es"), &job, report.GPU{}); got != "terminó con el código de salida 3: /var/job: line 3: module: command not found" {
		t.Error(got)
	}
	raised := failed
	raised.Reason = &report.Reason{Code: report.ReasonException, Said: "ValueError: no"}
	if got := Told(text.Catalog{}, &raised, report.GPU{}); got != "raised ValueError: no" {
		t.Error(got)
	}
	array := failed
	array.Reason, array.Tasks = &report.Reason{Code: report.ReasonSlurm, Why: report.JobTasks}, []report.Task{{Index: 1, Outcome: report.Passed}}
	for i := range 7 {
		array.Tasks = append(array.Tasks, report.Task{Index: i + 2, Outcome: report.Failed, Reason: failed.Reason})
	}
	if got, want := Told(text.Catalog{}, &array, report.GPU{}), "tasks of the job array did not pass: task 2: ended with exit code 3; "; !strings.HasPrefix(got, want) || !strings.HasSuffix(got, "; and 2 more") {
		t.Error(got)
	}
}

// TestAdvice: what helps is for authors, and no part of the sentence.
func TestAdvice(t *testing.T) {
	lacks := report.Check{Outcome: report.Failed, Reason: &report.Reason{Code: report.ReasonException, Said: "ModuleNotFoundError: No module named 'torch'"}}
	if got, want := Advice(text.Catalog{}, &lacks), `add needs='python("torch")' so that machines without it skip this block`; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	unsynced := report.Check{Outcome: report.Skipped, Reason: &report.Reason{Code: report.ReasonEnvironment, Why: report.EnvUnsynced}}
	if got := Advice(text.Of("pt"), &unsynced); got != "execute gpudocs env --sync" {
		t.Error(got)
	}
}

// TestTellingLine: the line of an output that says most is the last one of an error, or the first that is not expected.
func TestTellingLine(t *testing.T) {
	t.Parallel()
	c := &report.Check{Stderr: &report.Stream{Text: "Traceback\n  line 1\nValueError: no\n\n"}}
	if got := TellingLine(c); got != "ValueError: no" {
		t.Errorf("%q", got)
	}
	c.Diff = []report.DiffLine{{Op: "-", Text: "1"}, {Op: "+", Text: " "}, {Op: "+", Text: "2"}}
	if got := TellingLine(c); got != "2" {
		t.Errorf("%q", got)
	}
}
