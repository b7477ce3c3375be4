// Package reason puts the reasons of reports into words, in the language of a catalog: for pages, the terminal, JUnit,
// annotations and doctor. The texts are in the group machine. Names, numbers and what others said come from a report,
// so a sentence must be escaped for where it is shown.
package reason

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/ask"
	"github.com/gpudocs/gpudocs/internal/report/compat"
	"github.com/gpudocs/gpudocs/internal/text"
)

// Sentence returns why a check did not pass, as a sentence without a full stop, or "" without a reason. gpu are the
// GPUs of the machine, or the zero GPU.
func Sentence(c text.Catalog, r *report.Reason, gpu report.GPU) string {
	switch {
	case r == nil:
		return ""
	case r.Verdict != nil && c.Has("gpu_"+r.Why):
		return compat.Sentence(c, *r.Verdict) + ": " + Unusable(c, r.Why)
	case r.Verdict != nil:
		return compat.Sentence(c, *r.Verdict)
	}
	key := "reason_" + r.Code + suffix(r)
	if !c.Has(key) {
		return c.Get("reason_unknown", "code", r.Code) // a code of a later version
	}
	if key == "reason_needs-unmet_none" && c.Has("gpu_"+r.Why) && ofGPU(r.Need) {
		key += "_gpu"
	}
	return filled(c, key, r) + last(c, r, gpu)
}

// ofGPU reports whether a requirement of a report is about GPUs, as far as it can be parsed.
func ofGPU(need string) bool {
	e, err := ask.ParseReported(need)
	return err != nil || e.OfGPU()
}

// suffix returns the end of the key of a reason's text. It depends on what is known.
func suffix(r *report.Reason) string {
	switch code := r.Code; {
	case code == report.ReasonNeeds && r.Found != "" && r.Found != "0":
	case code == report.ReasonNeeds && r.Found == "" && (r.Why == report.NeedUnknown || !ofGPU(r.Need)):
		return "_unknown"
	case code == report.ReasonSoftware && r.Env != "" && r.Found == "":
		return "_environment_none"
	case code == report.ReasonSoftware && r.Env != "":
		return "_environment"
	case code == report.ReasonNeeds, (code == report.ReasonSoftware || code == report.ReasonUnmet) && r.Found == "":
		return "_none"
	case code == report.ReasonCrash && r.Signal == "SIGKILL":
		return "_killed"
	case (code == report.ReasonSession || code == report.ReasonCrash) && r.Signal != "":
		return "_signal"
	case code == report.ReasonNoInterpreter && r.Why == report.LacksConda && r.Said != "":
		return "_conda_others"
	case slices.Contains([]string{report.ReasonNoInterpreter, report.ReasonFiles, report.ReasonSlurm}, code) && r.Why != "":
		return "_" + r.Why
	case code == report.ReasonExit && r.Exit != nil && *r.Exit == 0:
		return "_zero" // of a block that fails on purpose
	case code == report.ReasonExit && r.Expected != 0:
		return "_expected"
	case code == report.ReasonBuild && r.Said != "":
		return "_said"
	case code == report.ReasonLimit && r.Limit != nil:
		return "_" + r.Limit.What
	case code == report.ReasonWrong && r.Need != "":
		return "_error"
	case code == report.ReasonWrong && len(r.GPUs) == 0:
		return "_unnamed" // in old reports
	case code == report.ReasonWrong && len(r.GPUs) == 2:
		return "_copy"
	case code == report.ReasonMeasure && r.Need != "":
		return "_reading"
	}
	return ""
}

// filled returns a text with the fields of a reason. What others said follows a text that has no place for it.
func filled(c text.Catalog, key string, r *report.Reason) string {
	said, exit := flat(r.Said), ""
	if r.Exit != nil {
		exit = strconv.Itoa(*r.Exit)
	}
	pairs := []string{"needs", needs(c, r.Need), "need", c.Amount(r.Need), "found", c.Amount(r.Found), "value", r.Value, "block", r.Block,
		"environment", r.Env, "program", r.Program, "path", r.Path, "lines", numbers("", ", ", r.Lines),
		"gpu", cmp.Or(numbers("GPU ", " → ", r.GPUs), "GPU"), "exit", exit,
		"expected", strconv.Itoa(r.Expected), "signal", r.Signal, "limit", limit(c, r.Limit), "said", said, "why", Why(c, r)}
	if r.Code == report.ReasonSoftware && r.Program != "" {
		pairs = append([]string{"environment", r.Env + ", " + r.Program}, pairs...)
	}
	if r.Code == report.ReasonWrong && r.Found == "" {
		pairs = append([]string{"found", "NaN"}, pairs...)
	}
	words := c.Get(key, pairs...)
	if said != "" && !strings.Contains(words, said) {
		return words + ": " + said
	}
	return strings.TrimRight(words, " :,") // others said nothing
}

// kinds are the beginnings of the keys that say what is behind a reason, by its code.
var kinds = map[string]string{report.ReasonNoGPU: "gpu_", report.ReasonBroken: "gpu_", report.ReasonNeeds: "gpu_",
	report.ReasonEnvironment: "unavailable_", report.ReasonNoSandbox: "sandbox_", report.ReasonMeasure: "why_"}

// Why returns what is behind a reason, alone: why a machine has no usable GPU, why an environment or a sandbox is not
// available, why a value is not known. A code of a later version is shown as it is.
func Why(c text.Catalog, r *report.Reason) string {
	kind, has := kinds[r.Code]
	switch {
	case !has:
		return ""
	case r.Code == report.ReasonMeasure && r.Need == "":
		return Unmeasured(c, r.Why, r.Said)
	case !c.Has(kind + r.Why):
		return cmp.Or(r.Why, flat(r.Said))
	}
	plain := *r
	plain.Code = ""
	return filled(c, kind+r.Why, &plain)
}

// Unmeasured returns why something was not measured, and what a driver or a library said.
func Unmeasured(c text.Catalog, why, said string) string {
	words := why // a code of a later version
	if why == report.WhyNotSupported {
		words = c.Get("unmeasured_not-supported") // by the GPU, by CUDA or by this program
	} else if key := "why_" + why; c.Has(key) {
		words = c.Get(key)
	}
	if said = flat(said); said != "" {
		words += ": " + said
	}
	return words
}

// Unusable returns why a machine has no usable GPU, for the code of its status.
func Unusable(c text.Catalog, code string) string {
	return Why(c, &report.Reason{Code: report.ReasonNoGPU, Why: code})
}

// Lack returns what is missing: a program, or why an environment or a sandbox is not available.
func Lack(c text.Catalog, r *report.Reason) string {
	return cmp.Or(Why(c, r), Sentence(c, r, report.GPU{}))
}

// Remedy returns what helps, or "".
func Remedy(c text.Catalog, r *report.Reason) string {
	if key := kinds[r.Code] + r.Why + "_remedy"; c.Has(key) {
		return c.Get(key, "program", r.Program)
	}
	return ""
}

// needs returns a requirement in words: "needs a GPU".
func needs(c text.Catalog, need string) string {
	words, without := InWords(c, need)
	if without {
		return c.Get("needs_without", "what", words)
	}
	return c.Get("needs_with", "what", words)
}

// InWords returns a requirement of a report in words, or as it is if it is too long or cannot be parsed, and whether it
// is what a machine must not have.
func InWords(c text.Catalog, need string) (words string, without bool) {
	if e, err := ask.ParseReported(need); err == nil {
		words, without = e.Words(c)
	}
	return cmp.Or(words, c.Amount(need)), without
}

// numbers joins numbers, each behind a prefix.
func numbers(prefix, separator string, list []int) string {
	var all []string
	for _, n := range list {
		all = append(all, prefix+strconv.Itoa(n))
	}
	return strings.Join(all, separator)
}

// limit returns an amount with its unit.
func limit(c text.Catalog, l *report.Limit) string {
	switch {
	case l == nil:
		return ""
	case l.What == report.LimitMemory:
		amount, unit := l.Amount/(1<<20), " MiB"
		if amount >= 1024 {
			amount, unit = amount/1024, " GiB"
		}
		return c.Amount(strconv.FormatFloat(math.Round(10*amount)/10, 'f', -1, 64)) + unit
	case l.What != report.LimitTime:
		return c.Number(l.Amount, 0)
	case l.Amount < 1:
		return c.Duration(1000 * l.Amount)
	}
	var parts []string
	rest := int(l.Amount + 0.5)
	for _, unit := range []struct {
		name string
		of   int
	}{{" h", 3600}, {" min", 60}, {" s", 1}} {
		if n := rest / unit.of; n > 0 {
			parts = append(parts, strconv.Itoa(n)+unit.name)
		}
		rest %= unit.of
	}
	return strings.Join(parts, " ")
}

// flat returns a text in one line.
func flat(s string) string { return strings.Join(strings.Fields(s), " ") }

// last returns that what is needed is too new for an old GPU, or "": a newer driver does not help.
func last(c text.Catalog, r *report.Reason, gpu report.GPU) string {
	if version, card := compat.LastDriver(gpu, r.Need); version != "" {
		return "; " + c.Get("reason_last", "name", "driver", "version", version, "gpu", card)
	}
	return ""
}

// tooNew returns that what a failed check uses is too new for an old GPU, or "".
func tooNew(c text.Catalog, check *report.Check, gpu report.GPU) (words string) {
	r := check.Reason
	if r == nil || len(gpu.Devices) == 0 {
		return ""
	}
	for _, name := range ask.Frameworks() {
		uses := r.Code == report.ReasonSoftware && strings.HasPrefix(r.Need, name+" ") ||
			r.Code == report.ReasonException && strings.Contains(r.Said+check.Stderr.String(), name)
		if !uses {
			continue
		}
		if version, card := compat.Last(gpu, name); version != "" {
			words += "; " + c.Get("reason_last", "name", ask.Spelling(name), "version", version, "gpu", card)
		}
	}
	return words
}

// Of returns why a check did not pass, or "": the sentence of its reason, how the tasks of a job array ended, and that a
// block was built only.
func Of(c text.Catalog, check *report.Check, gpu report.GPU) string {
	words := Sentence(c, check.Reason, gpu)
	if r := check.Reason; r != nil && r.Code == report.ReasonSlurm && r.Why == report.JobTasks {
		words = strings.TrimSuffix(words+": "+tasks(c, check.Tasks), ": ")
	}
	if check.Outcome == report.Skipped && check.Build != nil && check.Build.Outcome == report.Passed {
		words = c.Get("built_only", "why", words)
	}
	return words + tooNew(c, check, gpu)
}

// Told is [Of] with the line of its output that says most, if the reason has only a number.
func Told(c text.Catalog, check *report.Check, gpu report.GPU) string {
	words := Of(c, check, gpu)
	if r := check.Reason; r == nil || !slices.Contains([]string{report.ReasonExit, report.ReasonBuild, report.ReasonCrash,
		report.ReasonTimeout,
		report.ReasonLimit}, r.Code) {
		return words
	}
	if line := TellingLine(check); line != "" && !strings.Contains(words, line) {
		words += ": " + line
	}
	return words
}

// Advice returns what an author can do about a check that lacks something, or "".
func Advice(c text.Catalog, check *report.Check) string {
	if needs := ask.LackOf(check).Needs(); needs != "" {
		return c.Get("reason_lack", "needs", needs)
	}
	if r := check.Reason; r.Code == report.ReasonEnvironment || r.Code == report.ReasonNoSandbox {
		return Remedy(c, r)
	}
	return ""
}

// maxTasks limits the tasks that are named.
const maxTasks = 5

// tasks returns how tasks of a job array ended that did not pass, the worst first.
func tasks(c text.Catalog, all []report.Task) string {
	order := []report.Outcome{report.Errored, report.Failed, report.Skipped}
	all = slices.DeleteFunc(slices.Clone(all), func(t report.Task) bool { return t.Outcome == report.Passed })
	slices.SortStableFunc(all, func(a, b report.Task) int { return slices.Index(order, a.Outcome) - slices.Index(order, b.Outcome) })
	var named []string
	for _, t := range all[:min(len(all), maxTasks)] {
		named = append(named, c.Get("task", "n", strconv.Itoa(t.Index), "why", Sentence(c, t.Reason, report.GPU{})))
	}
	if more := len(all) - maxTasks; more > 0 {
		named = append(named, c.Count("tasks_more", more))
	}
	return strings.Join(named, "; ")
}

// TellingLine returns the line of a failed check's output that says most, or "": the first that is not as expected, or
// the last of an error, as of a traceback. A job of Slurm writes its errors to its output.
func TellingLine(c *report.Check) string {
	for _, d := range c.Diff {
		if d.Op == "+" && strings.TrimSpace(d.Text) != "" {
			return strings.TrimSpace(d.Text)
		}
	}
	if c.Diff != nil {
		return ""
	}
	all := c.Stderr.String()
	if c.Build != nil {
		all += c.Build.Stdout.String() + c.Build.Stderr.String()
	}
	if c.Kind == report.KindSbatch && all == "" {
		all = c.Stdout.String()
	}
	all = strings.TrimSpace(all)
	return strings.TrimSpace(all[strings.LastIndexByte(all, '\n')+1:])
}

// A message is a reason that is an argument of a message.
type message struct{ *report.Reason }

func (m message) Error() string                { return m.In(text.Catalog{}) }
func (m message) In(c text.Catalog) string     { return Sentence(c, m.Reason, report.GPU{}) }
func (m message) MarshalText() ([]byte, error) { return []byte(m.Error()), nil }

// Message returns a reason as a message.
func Message(r *report.Reason) text.Message { return text.Plain(message{r}) }
