package main

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/gpudocs/gpudocs/internal/compare"
	"github.com/gpudocs/gpudocs/internal/diag"
	"github.com/gpudocs/gpudocs/internal/i18n"
	"github.com/gpudocs/gpudocs/internal/report"
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

// tallied says the outcomes of checks.
func tallied(n map[report.Outcome]int) string {
	return fmt.Sprintf("%d passed, %d failed, %d error, %d skipped", n[report.Passed], n[report.Failed], n[report.Errored], n[report.Skipped])
}

// lasting is a check's time for people, or empty where it has none.
func lasting(c *report.Check) string {
	if c.Kind == report.KindGPU && c.Measurement == nil || c.Outcome == report.Skipped {
		return ""
	}
	return fmt.Sprintf("%.2fs", c.DurationMS/1000)
}

// reasonOf says why a check did not pass; a check that passed has no reason.
func reasonOf(c *report.Check) string {
	if c.Reason == nil {
		return ""
	}
	return diag.Printable(cmp.Or(because(c.Reason), c.Reason.Code))
}

// english says a verdict in the terminal's one language.
func english(v report.Verdict) string {
	t, err := i18n.Load("en")
	if err != nil {
		return v.Answer + ": " + v.By // the texts are a part of the program
	}
	return t.Verdict(v)
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
func bareReason(c *report.Check) string {
	bare := *c
	if c.Reason != nil {
		reason := *c.Reason
		reason.Place = nil
		bare.Reason = &reason
	}
	return reasonOf(&bare)
}

// place says a line of a file, or the file where no line is known.
func place(file string, cell, line int) string {
	if cell > 0 && line == 0 {
		return fmt.Sprintf("%s, cell %d", file, cell)
	}
	if line == 0 {
		return file
	}
	return report.Place{File: file, Cell: cell, Line: line}.String()
}

// facts say a machine in one line.
func facts(m report.Machine) string {
	var parts []string
	for _, p := range []string{m.OS, m.Arch, m.CPU} {
		if p != "" {
			parts = append(parts, p)
		}
	}
	parts = append(parts, gpuFacts(m.GPU)...)
	return diag.Printable(strings.Join(parts, ", "))
}

// gpuFacts say what a machine's GPUs are, and what is wrong with them.
func gpuFacts(g report.GPU) (parts []string) {
	if len(g.Devices) > 0 {
		parts = append(parts, compare.Devices(g))
		if g.Driver != "" {
			parts = append(parts, "driver "+g.Driver)
		}
		switch {
		case g.Compat != "":
			parts = append(parts, "CUDA "+g.Compat+" by a compatibility package")
		case g.CUDA != "":
			parts = append(parts, "CUDA "+g.CUDA)
		}
	}
	if g.Platform != "" && g.Status != report.GPUNone {
		parts = append(parts, "in "+g.Platform)
	}
	if c := g.Counts; c != nil && c.NVML != nil && c.CUDA != nil && *c.NVML != *c.CUDA {
		parts = append(parts, fmt.Sprintf("CUDA sees %d of %d (%s)", *c.CUDA, *c.NVML, c.Why))
	}
	switch {
	case g.Code == report.CodeNotReached:
		parts = append(parts, "never reached")
	case g.Status == report.GPUBroken:
		parts = append(parts, "the GPU driver cannot be used: "+g.Code)
	case g.Status == report.GPUNone:
		parts = append(parts, "no GPU ("+g.Code+")")
	case g.Counts != nil && g.Counts.Why == report.DifferCUDA:
		parts = append(parts, "CUDA cannot be used: "+g.Counts.Detail)
	}
	return parts
}

// day says a time to the minute.
func day(t time.Time) string { return t.UTC().Format("2006-01-02 15:04") }
