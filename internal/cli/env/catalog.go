package env

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gpudocs/gpudocs/internal/render/results"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/compare"
	"github.com/gpudocs/gpudocs/internal/text"
	"github.com/gpudocs/gpudocs/internal/text/diag"
	"github.com/gpudocs/gpudocs/internal/text/terminal"
)

// Tally counts what the checks mean.
func Tally(runs ...*report.Report) map[report.Outcome]int {
	n := map[report.Outcome]int{}
	for _, r := range runs {
		for _, c := range r.Checks {
			if c.Counts() {
				n[c.Means()]++
			}
		}
	}
	return n
}

// A Catalog has the texts of the terminal. Texts for programs are in [English].
type Catalog struct{ text.Catalog }

// CatalogOf returns the catalog of a language, as [text.FromEnv] returns it.
func CatalogOf(code string) Catalog { return Catalog{text.Of(code, "cli")} }

func English() Catalog { return CatalogOf("en") }

// CatalogFromEnv returns the catalog of the language that the environment asks for.
func CatalogFromEnv() Catalog { return CatalogOf(text.FromEnv(os.Getenv)) }

// outcomes are all outcomes, in the order in which they are printed, and meanings those that a report has no word for.
var (
	outcomes = []report.Outcome{report.Passed, report.Failed, report.Errored, report.Skipped}
	meanings = []report.Outcome{report.NotApplicable, report.Yes, report.No}
)

func (t Catalog) Outcome(o report.Outcome) string { return t.Get("outcome_" + string(o)) }

// OutcomeText returns the outcome of a check with its reason.
func (t Catalog) OutcomeText(c *report.Check) string {
	if why := t.ReasonOf(c); why != "" {
		return fmt.Sprintf("%s (%s)", t.Outcome(c.Means()), why)
	}
	return t.Outcome(c.Means())
}

// OutcomeOf returns the outcome of a word of [Catalog.Outcome], or "".
func (t Catalog) OutcomeOf(word string) report.Outcome {
	for _, o := range slices.Concat(outcomes, meanings) {
		if t.Outcome(o) == word {
			return o
		}
	}
	return ""
}

// OutcomeWidth returns the width of the longest outcome that a report has.
func (t Catalog) OutcomeWidth() (most int) {
	for _, o := range outcomes {
		most = max(most, terminal.Columns(t.Outcome(o)))
	}
	return most
}

// TallyText returns how many checks ended with each outcome.
func (t Catalog) TallyText(n map[report.Outcome]int) string {
	var parts []string
	for _, o := range outcomes {
		parts = append(parts, t.Count("tally_"+string(o), n[o]))
	}
	if n[report.NotApplicable] > 0 {
		parts = append(parts, t.Count("tally_not-applicable", n[report.NotApplicable]))
	}
	if answers := n[report.Yes] + n[report.No]; answers > 0 {
		parts = append(parts, t.Count("tally_answered", answers))
	}
	return strings.Join(parts, ", ")
}

// ResultsText returns how many results a site shows, by outcome.
func (t Catalog) ResultsText(tally results.Tally) string {
	n := map[report.Outcome]int{
		report.Passed: tally.Passed, report.Failed: tally.Failed, report.Errored: tally.Errored, report.Skipped: tally.Skipped - tally.NotApplicable,
		report.NotApplicable: tally.NotApplicable, report.Yes: tally.Answered,
	}
	altered := ""
	if tally.Altered > 0 {
		altered = t.Count("tally_altered", tally.Altered)
	}
	return t.Get("results", "tally", t.TallyText(n), "stale", t.Count("tally_stale", tally.Stale), "altered", altered,
		"without", t.Count("without_result", tally.NotRun))
}

// DurationText returns a check's duration, or "" if it has none.
func DurationText(c *report.Check) string {
	if c.Kind == report.KindGPU && c.Measurement == nil || c.Outcome == report.Skipped {
		return ""
	}
	return fmt.Sprintf("%.2fs", c.DurationMS/1000)
}

// ReasonOf returns why a check did not pass, or "" if it passed.
func (t Catalog) ReasonOf(c *report.Check) string {
	if c.Reason == nil {
		return ""
	}
	return diag.Printable(cmp.Or(t.Reason(c), c.Reason.Code))
}

// Tried returns at which try an unsteady check passed, or how often one that did not pass was tried. It is
// "" for a check that was tried once.
func (t Catalog) Tried(c *report.Check) string {
	n := strconv.Itoa(len(c.Tries) + 1)
	switch {
	case len(c.Tries) == 0:
		return ""
	case c.Unsteady():
		return t.Get("unsteady", "n", n)
	}
	return t.Get("tried", "n", n)
}

// Facts describes a machine in one line.
func (t Catalog) Facts(m report.Machine) string {
	parts := append([]string{m.OS, m.Arch, m.CPU}, t.gpuFacts(m.GPU)...)
	parts = slices.DeleteFunc(parts, func(s string) bool { return s == "" })
	return diag.Printable(strings.Join(parts, ", "))
}

// gpuFacts describes a machine's GPUs and what is wrong with them.
func (t Catalog) gpuFacts(g report.GPU) (parts []string) {
	if len(g.Devices) > 0 {
		parts = append(parts, compare.Devices(g))
		if g.SharesMemory() {
			parts = append(parts, t.Get("memory_shared"))
		}
		if g.Driver != "" {
			parts = append(parts, t.Get("driver", "version", g.Driver))
		}
		switch {
		case g.Compat != "":
			parts = append(parts, t.Get("by_compat", "version", g.Compat))
		case g.CUDA != "":
			parts = append(parts, "CUDA "+g.CUDA)
		}
	}
	if g.Platform != "" && g.Status != report.GPUNone {
		parts = append(parts, t.Get("in_platform", "name", g.Platform))
	}
	if c := g.Counts; c != nil && c.NVML != nil && c.CUDA != nil && *c.NVML != *c.CUDA {
		parts = append(parts, t.Get("cuda_sees", "n", strconv.Itoa(*c.CUDA), "all", strconv.Itoa(*c.NVML), "why", c.Why))
	}
	switch {
	case g.Code == report.CodeNotReached:
		parts = append(parts, t.Get("not_reached"))
	case g.Status == report.GPUBroken:
		parts = append(parts, t.Get("driver_unusable", "why", t.unusable(g.Code)))
	case g.Status == report.GPUNone:
		parts = append(parts, t.Get("no_gpu", "why", t.unusable(g.Code)))
	case g.Counts != nil && g.Counts.Why == report.DifferCUDA:
		parts = append(parts, t.Get("cuda_unusable", "detail", g.Counts.Detail))
	}
	return parts
}

// Day formats a time to the minute.
func Day(t time.Time) string { return t.UTC().Format("2006-01-02 15:04") }

// Fault returns the text of an error that ends a command. A rare error of the system, or one of a library, is
// in English, quoted in a sentence in the language.
func (t Catalog) Fault(err error) string {
	var in interface{ In(text.Catalog) string }
	if translated := t.Error(err); translated != err.Error() || errors.As(err, &in) {
		return translated
	}
	return t.Say(text.Say("cli.system-error", "why", err))
}
