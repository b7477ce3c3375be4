package env

import (
	"cmp"
	"errors"
	"fmt"
	"os"
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

// Tally counts the outcomes of checks.
func Tally(runs ...*report.Report) map[report.Outcome]int {
	n := map[report.Outcome]int{}
	for _, r := range runs {
		for _, c := range r.Checks {
			n[c.Outcome]++
		}
	}
	return n
}

// Catalog are what a terminal says, in the language of who reads there. What programs
// read is said [inEnglish].
type Catalog struct{ text.Catalog }

// CatalogOf are those of a language, as [text.FromEnv] gives it.
func CatalogOf(code string) Catalog { return Catalog{text.Of(code, "cli")} }

// Primary is the language without its country.
func (t Catalog) Primary() string { return primary(t.Code()) }

func primary(code string) string {
	code, _, _ = strings.Cut(strings.ReplaceAll(code, "_", "-"), "-")
	return code
}

func English() Catalog { return CatalogOf("en") }

// CatalogFromEnv are the words for who started the program.
func CatalogFromEnv() Catalog { return CatalogOf(text.FromEnv(os.Getenv)) }

// outcomes are all of them, in the order in which they are counted.
var outcomes = []report.Outcome{report.Passed, report.Failed, report.Errored, report.Skipped}

func (t Catalog) Outcome(o report.Outcome) string { return t.Get("outcome_" + string(o)) }

// OutcomeOf is the outcome that a word says, or empty.
func (t Catalog) OutcomeOf(word string) report.Outcome {
	for _, o := range outcomes {
		if t.Outcome(o) == word {
			return o
		}
	}
	return ""
}

// OutcomeWidth is that of the longest of the words.
func (t Catalog) OutcomeWidth() (most int) {
	for _, o := range outcomes {
		most = max(most, terminal.Columns(t.Outcome(o)))
	}
	return most
}

// Tallied says the outcomes of checks.
func (t Catalog) Tallied(n map[report.Outcome]int) string {
	var parts []string
	for _, o := range outcomes {
		parts = append(parts, t.Count("tally_"+string(o), n[o]))
	}
	return strings.Join(parts, ", ")
}

// Shown says which results a site shows.
func (t Catalog) Shown(tally results.Tally) string {
	n := map[report.Outcome]int{report.Passed: tally.Passed, report.Failed: tally.Failed, report.Errored: tally.Errored, report.Skipped: tally.Skipped}
	altered := ""
	if tally.Altered > 0 {
		altered = t.Count("tally_altered", tally.Altered)
	}
	return t.Get("results", "tally", t.Tallied(n), "stale", t.Count("tally_stale", tally.Stale), "altered", altered, "without", t.Count("without_result", tally.NotRun))
}

// Lasting is a check's time for people, or empty where it has none.
func Lasting(c *report.Check) string {
	if c.Kind == report.KindGPU && c.Measurement == nil || c.Outcome == report.Skipped {
		return ""
	}
	return fmt.Sprintf("%.2fs", c.DurationMS/1000)
}

// ReasonOf says why a check did not pass; a check that passed has no reason.
func (t Catalog) ReasonOf(c *report.Check) string {
	if c.Reason == nil {
		return ""
	}
	return diag.Printable(cmp.Or(t.Because(c.Reason), c.Reason.Code))
}

// where a check failed: the line that is known, else its block.
func where(c *report.Check) (at report.Place) {
	if len(c.Places) > 0 {
		at = c.Places[0]
	}
	if c.Reason != nil && c.Reason.Place != nil {
		at = *c.Reason.Place
	}
	return at
}

// bareReason is a reason that stands beside its place.
func (t Catalog) bareReason(c *report.Check) string {
	bare := *c
	if c.Reason != nil {
		reason := *c.Reason
		reason.Place = nil
		bare.Reason = &reason
	}
	return t.ReasonOf(&bare)
}

// place says a line of a file, or the file where no line is known.
func (t Catalog) place(file string, cell, line int) string {
	if cell > 0 && line == 0 {
		return t.Get("at_cell", "file", file, "n", strconv.Itoa(cell))
	}
	if line == 0 {
		return file
	}
	return report.Place{File: file, Cell: cell, Line: line}.String()
}

// Facts say a machine in one line.
func (t Catalog) Facts(m report.Machine) string {
	var parts []string
	for _, p := range []string{m.OS, m.Arch, m.CPU} {
		if p != "" {
			parts = append(parts, p)
		}
	}
	parts = append(parts, t.gpuFacts(m.GPU)...)
	return diag.Printable(strings.Join(parts, ", "))
}

// gpuFacts say what a machine's GPUs are, and what is wrong with them.
func (t Catalog) gpuFacts(g report.GPU) (parts []string) {
	if len(g.Devices) > 0 {
		parts = append(parts, compare.Devices(g))
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

// Day says a time to the minute.
func Day(t time.Time) string { return t.UTC().Format("2006-01-02 15:04") }

// Fault words what ends a command. An error of the system or of a library is English, and said to be one.
func (t Catalog) Fault(err error) string {
	var in interface{ In(text.Catalog) string }
	if errors.As(err, &in) {
		return t.Error(err)
	}
	return t.Say(text.Say("cli.failed", "why", err))
}
