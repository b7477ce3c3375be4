// Package words describes machines and checks on the terminal, in the language of a catalog. Programs get it in [English].
package words

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gpudocs/gpudocs/internal/render/results"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/compare"
	"github.com/gpudocs/gpudocs/internal/report/reason"
	"github.com/gpudocs/gpudocs/internal/report/standing"
	"github.com/gpudocs/gpudocs/internal/text"
	"github.com/gpudocs/gpudocs/internal/text/diag"
	"github.com/gpudocs/gpudocs/internal/text/terminal"
)

// English returns the catalog of texts for programs.
func English() text.Catalog { return text.Of("en", "cli") }

// Outcomes are the words of [Outcome], in the order in which they are printed. A report has the first four, and the others are
// what they mean.
var Outcomes = []string{"passed", "failed", "error", "skipped", "not-applicable", "lost", "yes", "no"}

// Colors are the colours of the words of states.
var Colors = map[string]string{
	"passed": "32", "failed": "31", "error": "31", "skipped": "33", "not-applicable": "90", "yes": "36", "no": "36", "stale": "33",
	"lost": "31", "none": "90",
}

// Outcome returns an outcome, or the word of a [standing.State], in the language.
func Outcome(t text.Catalog, word string) string { return t.Get("outcome_" + word) }

// Stands returns how a check stands by its report.
func Stands(t text.Catalog, c *report.Check) string { return Outcome(t, standing.Of(c).Word()) }

// StandsWhy returns how a check stands, with its reason.
func StandsWhy(t text.Catalog, c *report.Check) string {
	if why := Reason(t, c); why != "" {
		return fmt.Sprintf("%s (%s)", Stands(t, c), why)
	}
	return Stands(t, c)
}

// OutcomeWidth returns the width of the longest outcome that a report has.
func OutcomeWidth(t text.Catalog) (most int) {
	for _, w := range Outcomes[:4] {
		most = max(most, terminal.Columns(Outcome(t, w)))
	}
	return most
}

// Tally returns how many checks stand how. Those that a report cannot tell are named if there are any.
func Tally(t text.Catalog, c standing.Count) string {
	var parts []string
	add := func(word string, n int) {
		if n > 0 || slices.Contains(Outcomes[:4], word) {
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

// Duration returns a check's duration, or "" if it has none.
func Duration(c *report.Check) string {
	if c.Kind == report.KindGPU && c.Measurement == nil || c.Outcome == report.Skipped {
		return ""
	}
	return fmt.Sprintf("%.2fs", c.DurationMS/1000)
}

// Reason returns why a check did not pass, where, and what its author can do. It is "" if it passed.
func Reason(t text.Catalog, c *report.Check) string {
	why := BareReason(t, c)
	if why == "" {
		return ""
	}
	if at := c.Reason.Place; at != nil {
		why = diag.Printable(at.Text().In(t)) + ": " + why
	}
	if advice := reason.Advice(t, c); advice != "" {
		why += "; " + diag.Printable(advice)
	}
	return why
}

// BareReason returns why a check did not pass, without a place.
func BareReason(t text.Catalog, c *report.Check) string {
	if c.Reason == nil {
		return ""
	}
	return diag.Printable(reason.Told(t, c, report.GPU{}))
}

// Tried returns at which try an unsteady check passed, or how often one that did not pass was tried. It is
// "" for a check that was tried once.
func Tried(t text.Catalog, c *report.Check) string {
	n := strconv.Itoa(len(c.Tries) + 1)
	switch {
	case len(c.Tries) == 0:
		return ""
	case c.Unsteady():
		return t.Get("unsteady", "n", n)
	}
	return t.Get("tried", "n", n)
}

// Machine describes a machine in one line.
func Machine(t text.Catalog, m report.Machine) string {
	parts := append([]string{m.OS, m.Arch, m.CPU}, gpuFacts(t, m.GPU)...)
	if m.Had != nil {
		parts = append(parts, t.Get("had_gpu", "gpus", results.Models(m.Had.Devices), "day", Day(m.Had.Ran)))
	}
	parts = slices.DeleteFunc(parts, func(s string) bool { return s == "" })
	return diag.Printable(strings.Join(parts, ", "))
}

// gpuFacts describes a machine's GPUs and what is wrong with them.
func gpuFacts(t text.Catalog, g report.GPU) (parts []string) {
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
		parts = append(parts, t.Get("driver_unusable", "why", reason.Unusable(t, g.Code)))
	case g.Status == report.GPUNone:
		parts = append(parts, t.Get("no_gpu", "why", reason.Unusable(t, g.Code)))
	case g.Counts != nil && g.Counts.Why == report.DifferCUDA:
		parts = append(parts, t.Get("cuda_unusable", "detail", g.Counts.Detail))
	}
	return parts
}

// Day formats a time to the minute.
func Day(t time.Time) string { return t.UTC().Format("2006-01-02 15:04") }

// MaxDiffLines and maxDiffLine bound the printed difference, in lines and in bytes of a line. The
// report has all of it.
const MaxDiffLines, maxDiffLine = 20, 500

// Shortened cuts a line of a difference that is too long to read.
func Shortened(t text.Catalog, d report.DiffLine) report.DiffLine {
	if len(d.Text) <= maxDiffLine {
		return d
	}
	end := maxDiffLine
	for end > 0 && !utf8.RuneStart(d.Text[end]) {
		end--
	}
	var taken [][2]int
	for _, at := range d.Taken {
		if at[0] < end {
			taken = append(taken, [2]int{at[0], min(at[1], end)})
		}
	}
	shown := d.Text[:end] + t.Get("line_cut", "n", strconv.Itoa(len(d.Text)-end))
	return report.DiffLine{Op: d.Op, Text: shown, Taken: taken}
}
