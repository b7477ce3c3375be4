package main

import (
	"cmp"
	"embed"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/gpudocs/gpudocs/internal/compare"
	"github.com/gpudocs/gpudocs/internal/diag"
	"github.com/gpudocs/gpudocs/internal/i18n"
	"github.com/gpudocs/gpudocs/internal/phrases"
	"github.com/gpudocs/gpudocs/internal/render"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/terminal"
)

// tally counts the outcomes of checks.
func tally(runs ...*report.Report) map[report.Outcome]int {
	n := map[report.Outcome]int{}
	for _, r := range runs {
		for _, c := range r.Checks {
			n[c.Outcome]++
		}
	}
	return n
}

//go:embed i18n
var texts embed.FS

// words are what a terminal says, in the language of who reads there. What programs
// read is said [inEnglish].
type words struct {
	i18n.Strings
	code string // of the language
}

// wordsOf are those of a language, as i18n.FromEnv gives it.
func wordsOf(code string) words {
	s, err := i18n.Load(code, texts)
	if err != nil {
		panic(err) // the texts are a part of the program
	}
	return words{s, code}
}

// catalog says diagnostics in the language.
func (w words) catalog() diag.Catalog { return phrases.Of(w.code) }

// primary is the language without its country.
func (w words) primary() string { return primary(w.code) }

func primary(code string) string {
	code, _, _ = strings.Cut(strings.ReplaceAll(code, "_", "-"), "-")
	return code
}

func inEnglish() words { return wordsOf("en") }

// ofReader are the words for who started the program.
func ofReader() words { return wordsOf(i18n.FromEnv(os.Getenv)) }

// outcomes are all of them, in the order in which they are counted.
var outcomes = []report.Outcome{report.Passed, report.Failed, report.Errored, report.Skipped}

func (w words) outcome(o report.Outcome) string { return w.Get("outcome_" + string(o)) }

// outcomeOf is the outcome that a word says, or empty.
func (w words) outcomeOf(word string) report.Outcome {
	for _, o := range outcomes {
		if w.outcome(o) == word {
			return o
		}
	}
	return ""
}

// outcomeWidth is that of the longest of the words.
func (w words) outcomeWidth() (most int) {
	for _, o := range outcomes {
		most = max(most, terminal.Columns(w.outcome(o)))
	}
	return most
}

// tallied says the outcomes of checks.
func (w words) tallied(n map[report.Outcome]int) string {
	var parts []string
	for _, o := range outcomes {
		parts = append(parts, w.Count("tally_"+string(o), n[o]))
	}
	return strings.Join(parts, ", ")
}

// shown says which results a site shows.
func (w words) shown(t render.Tally) string {
	n := map[report.Outcome]int{report.Passed: t.Passed, report.Failed: t.Failed, report.Errored: t.Errored, report.Skipped: t.Skipped}
	altered := ""
	if t.Altered > 0 {
		altered = w.Count("tally_altered", t.Altered)
	}
	return w.Get("results", "tally", w.tallied(n), "stale", w.Count("tally_stale", t.Stale), "altered", altered, "without", w.Count("without_result", t.NotRun))
}

// lasting is a check's time for people, or empty where it has none.
func lasting(c *report.Check) string {
	if c.Kind == report.KindGPU && c.Measurement == nil || c.Outcome == report.Skipped {
		return ""
	}
	return fmt.Sprintf("%.2fs", c.DurationMS/1000)
}

// reasonOf says why a check did not pass; a check that passed has no reason.
func (w words) reasonOf(c *report.Check) string {
	if c.Reason == nil {
		return ""
	}
	return diag.Printable(cmp.Or(w.because(c.Reason), c.Reason.Code))
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
func (w words) bareReason(c *report.Check) string {
	bare := *c
	if c.Reason != nil {
		reason := *c.Reason
		reason.Place = nil
		bare.Reason = &reason
	}
	return w.reasonOf(&bare)
}

// place says a line of a file, or the file where no line is known.
func (w words) place(file string, cell, line int) string {
	if cell > 0 && line == 0 {
		return w.Get("at_cell", "file", file, "n", strconv.Itoa(cell))
	}
	if line == 0 {
		return file
	}
	return report.Place{File: file, Cell: cell, Line: line}.String()
}

// facts say a machine in one line.
func (w words) facts(m report.Machine) string {
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
func (w words) gpuFacts(g report.GPU) (parts []string) {
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

// day says a time to the minute.
func day(t time.Time) string { return t.UTC().Format("2006-01-02 15:04") }
