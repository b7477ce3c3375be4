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

// Words are what a terminal says, in the language of who reads there. What programs
// read is said [inEnglish].
type Words struct{ text.Catalog }

// WordsOf are those of a language, as [text.FromEnv] gives it.
func WordsOf(code string) Words { return Words{text.Of(code, "cli")} }

// Primary is the language without its country.
func (w Words) Primary() string { return primary(w.Code()) }

func primary(code string) string {
	code, _, _ = strings.Cut(strings.ReplaceAll(code, "_", "-"), "-")
	return code
}

func InEnglish() Words { return WordsOf("en") }

// OfReader are the words for who started the program.
func OfReader() Words { return WordsOf(text.FromEnv(os.Getenv)) }

// outcomes are all of them, in the order in which they are counted.
var outcomes = []report.Outcome{report.Passed, report.Failed, report.Errored, report.Skipped}

func (w Words) Outcome(o report.Outcome) string { return w.Get("outcome_" + string(o)) }

// OutcomeOf is the outcome that a word says, or empty.
func (w Words) OutcomeOf(word string) report.Outcome {
	for _, o := range outcomes {
		if w.Outcome(o) == word {
			return o
		}
	}
	return ""
}

// OutcomeWidth is that of the longest of the words.
func (w Words) OutcomeWidth() (most int) {
	for _, o := range outcomes {
		most = max(most, terminal.Columns(w.Outcome(o)))
	}
	return most
}

// Tallied says the outcomes of checks.
func (w Words) Tallied(n map[report.Outcome]int) string {
	var parts []string
	for _, o := range outcomes {
		parts = append(parts, w.Count("tally_"+string(o), n[o]))
	}
	return strings.Join(parts, ", ")
}

// Shown says which results a site shows.
func (w Words) Shown(t results.Tally) string {
	n := map[report.Outcome]int{report.Passed: t.Passed, report.Failed: t.Failed, report.Errored: t.Errored, report.Skipped: t.Skipped}
	altered := ""
	if t.Altered > 0 {
		altered = w.Count("tally_altered", t.Altered)
	}
	return w.Get("results", "tally", w.Tallied(n), "stale", w.Count("tally_stale", t.Stale), "altered", altered, "without", w.Count("without_result", t.NotRun))
}

// Lasting is a check's time for people, or empty where it has none.
func Lasting(c *report.Check) string {
	if c.Kind == report.KindGPU && c.Measurement == nil || c.Outcome == report.Skipped {
		return ""
	}
	return fmt.Sprintf("%.2fs", c.DurationMS/1000)
}

// ReasonOf says why a check did not pass; a check that passed has no reason.
func (w Words) ReasonOf(c *report.Check) string {
	if c.Reason == nil {
		return ""
	}
	return diag.Printable(cmp.Or(w.Because(c.Reason), c.Reason.Code))
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
func (w Words) bareReason(c *report.Check) string {
	bare := *c
	if c.Reason != nil {
		reason := *c.Reason
		reason.Place = nil
		bare.Reason = &reason
	}
	return w.ReasonOf(&bare)
}

// place says a line of a file, or the file where no line is known.
func (w Words) place(file string, cell, line int) string {
	if cell > 0 && line == 0 {
		return w.Get("at_cell", "file", file, "n", strconv.Itoa(cell))
	}
	if line == 0 {
		return file
	}
	return report.Place{File: file, Cell: cell, Line: line}.String()
}

// Facts say a machine in one line.
func (w Words) Facts(m report.Machine) string {
	var parts []string
	for _, p := range []string{m.OS, m.Arch, m.CPU} {
		if p != "" {
			parts = append(parts, p)
		}
	}
	parts = append(parts, w.gpuFacts(m.GPU)...)
	return diag.Printable(strings.Join(parts, ", "))
}

// gpuFacts say what a machine's GPUs are, and what is wrong with them.
func (w Words) gpuFacts(g report.GPU) (parts []string) {
	if len(g.Devices) > 0 {
		parts = append(parts, compare.Devices(g))
		if g.Driver != "" {
			parts = append(parts, w.Get("driver", "version", g.Driver))
		}
		switch {
		case g.Compat != "":
			parts = append(parts, w.Get("by_compat", "version", g.Compat))
		case g.CUDA != "":
			parts = append(parts, "CUDA "+g.CUDA)
		}
	}
	if g.Platform != "" && g.Status != report.GPUNone {
		parts = append(parts, w.Get("in_platform", "name", g.Platform))
	}
	if c := g.Counts; c != nil && c.NVML != nil && c.CUDA != nil && *c.NVML != *c.CUDA {
		parts = append(parts, w.Get("cuda_sees", "n", strconv.Itoa(*c.CUDA), "all", strconv.Itoa(*c.NVML), "why", c.Why))
	}
	switch {
	case g.Code == report.CodeNotReached:
		parts = append(parts, w.Get("not_reached"))
	case g.Status == report.GPUBroken:
		parts = append(parts, w.Get("driver_unusable", "why", w.unusable(g.Code)))
	case g.Status == report.GPUNone:
		parts = append(parts, w.Get("no_gpu", "why", w.unusable(g.Code)))
	case g.Counts != nil && g.Counts.Why == report.DifferCUDA:
		parts = append(parts, w.Get("cuda_unusable", "detail", g.Counts.Detail))
	}
	return parts
}

// Day says a time to the minute.
func Day(t time.Time) string { return t.UTC().Format("2006-01-02 15:04") }

// Fault words what ends a command. An error of the system or of a library is English, and said to be one.
func (w Words) Fault(err error) string {
	var in interface{ In(text.Catalog) string }
	if errors.As(err, &in) {
		return w.Error(err)
	}
	return w.Say(text.Say("cli.failed", "why", err))
}
