package env

import (
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
	"github.com/gpudocs/gpudocs/internal/report/reason"
	"github.com/gpudocs/gpudocs/internal/report/standing"
	"github.com/gpudocs/gpudocs/internal/text"
	"github.com/gpudocs/gpudocs/internal/text/diag"
	"github.com/gpudocs/gpudocs/internal/text/terminal"
)

// A Catalog has the texts of the terminal. Texts for programs are in [English].
type Catalog struct{ text.Catalog }

// CatalogOf returns the catalog of a language, as [text.FromEnv] returns it.
func CatalogOf(code string) Catalog { return Catalog{text.Of(code, "cli")} }

func English() Catalog { return CatalogOf("en") }

// CatalogFromEnv returns the catalog of the language that the environment asks for.
func CatalogFromEnv() Catalog { return CatalogOf(text.FromEnv(os.Getenv)) }

// words are those of [Catalog.Outcome], in the order in which they are printed. A report has the first four, and the others are what
// they mean.
var words = []string{"passed", "failed", "error", "skipped", "not-applicable", "lost", "yes", "no"}

// Outcome returns an outcome, or the word of a [standing.State], in the language.
func (t Catalog) Outcome(word string) string { return t.Get("outcome_" + word) }

// Stands returns how a check stands by its report.
func (t Catalog) Stands(c *report.Check) string { return t.Outcome(standing.Of(c).Word()) }

// OutcomeText returns how a check stands, with its reason.
func (t Catalog) OutcomeText(c *report.Check) string {
	if why := t.ReasonOf(c); why != "" {
		return fmt.Sprintf("%s (%s)", t.Stands(c), why)
	}
	return t.Stands(c)
}

// OutcomeOf returns the word that [Catalog.Outcome] translates so, or "".
func (t Catalog) OutcomeOf(translated string) string {
	for _, w := range words {
		if t.Outcome(w) == translated {
			return w
		}
	}
	return ""
}

// OutcomeWidth returns the width of the longest outcome that a report has.
func (t Catalog) OutcomeWidth() (most int) {
	for _, w := range words[:4] {
		most = max(most, terminal.Columns(t.Outcome(w)))
	}
	return most
}

// TallyText returns how many checks stand how. Those that a report cannot tell are named if there are any.
func (t Catalog) TallyText(c standing.Count) string {
	var parts []string
	add := func(word string, n int) {
		if n > 0 || slices.Contains(words[:4], word) {
			parts = append(parts, t.Count("tally_"+word, n))
		}
	}
	c.By[standing.NotApplicable] -= c.Lost
	for _, s := range []standing.Standing{standing.Passed, standing.Failed, standing.Errored, standing.Skipped, standing.NotApplicable,
		standing.Answered, standing.Stale, standing.Altered} {
		if s == standing.NotApplicable {
			add("lost", c.Lost)
		}
		add(s.String(), c.By[s])
	}
	return strings.Join(parts, ", ")
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
	return diag.Printable(t.Reason(c))
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
	if m.Had != nil {
		parts = append(parts, t.Get("had_gpu", "gpus", results.Models(m.Had.Devices), "day", Day(m.Had.Ran)))
	}
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
		parts = append(parts, t.Get("driver_unusable", "why", reason.Unusable(t.Catalog, g.Code)))
	case g.Status == report.GPUNone:
		parts = append(parts, t.Get("no_gpu", "why", reason.Unusable(t.Catalog, g.Code)))
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
