package reportcmd

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"

	"github.com/gpudocs/gpudocs/internal/cli/env"
	"github.com/gpudocs/gpudocs/internal/cli/exit"
	"github.com/gpudocs/gpudocs/internal/cli/words"
	"github.com/gpudocs/gpudocs/internal/project"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/compare"
	"github.com/gpudocs/gpudocs/internal/text"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

func newReportDiff(a *env.Env) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:               "diff A B",
		ValidArgsFunction: completeMachines(a, cobra.ShellCompDirectiveDefault),
		RunE:              func(c *cobra.Command, args []string) error { return diffReports(c.Context(), a, args, asJSON) },
	}
	c.Flags().BoolVar(&asJSON, "json", false, "")
	return c
}

func diffReports(ctx context.Context, a *env.Env, args []string, asJSON bool) error {
	p, err := a.Open()
	if err != nil {
		return err
	}
	var sides [2]project.Report
	for i, arg := range args {
		if sides[i], err = oneReport(ctx, a, p, arg); err != nil {
			return err
		}
	}
	result := compare.Reports(sides[0].Report, sides[1].Report)
	if asJSON {
		err = diffJSON(a, sides, result)
	} else {
		printDifferences(a, sides, result)
	}
	if err == nil && result.Outcomes() {
		return exit.Code(exit.Failed)
	}
	return err
}

// oneReport reads the report that A or B names. If a machine has two, it is the committed one.
func oneReport(ctx context.Context, a *env.Env, p *project.Project, arg string) (project.Report, error) {
	if machine, when, ok := strings.Cut(arg, "@"); ok && report.CheckOldName(machine) == nil {
		if _, err := os.Stat(arg); err != nil { // not the name of a file
			return reportAt(ctx, a, machine, when)
		}
	}
	found, diags, err := p.Reports(arg)
	if err == nil && (len(found) == 0 || found[0].Local) {
		err = warnUnreadable(a, diags)
	}
	if err != nil {
		return project.Report{}, err
	}
	return found[0], nil
}

type diffSide struct {
	Machine string `json:"machine"`
	File    string `json:"file"`
	Commit  string `json:"commit,omitempty"`
	LastRan string `json:"last_ran,omitempty"`
}

func diffJSON(a *env.Env, sides [2]project.Report, result compare.Result) error {
	side := func(s project.Report) diffSide {
		out := diffSide{Machine: s.Machine.Name, File: s.File, Commit: s.Rev}
		if t := s.Newest(); !t.IsZero() {
			out.LastRan = t.UTC().Format("2006-01-02T15:04:05Z")
		}
		return out
	}
	return a.WriteJSONLine(struct {
		A diffSide `json:"a"`
		B diffSide `json:"b"`
		compare.Result
	}{side(sides[0]), side(sides[1]), result})
}

var kindColors = map[compare.Kind]string{compare.Regression: "31", compare.Mend: "32", compare.Outcome: "33"}

func printDifferences(a *env.Env, sides [2]project.Report, result compare.Result) {
	a.Indented(0, "A: "+title(a.Text, sides[0]))
	a.Indented(0, "B: "+title(a.Text, sides[1]))
	none := a.Text.Get("diff_none")
	for _, f := range result.Facts {
		a.Indented(2, fmt.Sprintf("%s: %s -> %s", f.Name, cmp.Or(f.A, none), cmp.Or(f.B, none)))
	}
	for _, k := range compare.Kinds {
		changes := result.Of(k)
		if len(changes) == 0 {
			continue
		}
		a.Line("")
		a.Heading(kindColors[k], a.Text.Count("diff_"+string(k), len(changes)), "")
		for _, c := range changes {
			printChange(a, c)
		}
	}
	a.Line("")
	a.Indented(0, a.Text.Count("checks_same", result.Same))
}

func printChange(a *env.Env, c compare.Change) {
	note := ""
	if c.Edited {
		note = a.Text.Get("diff_edited")
	}
	line := func(format string, args ...any) {
		a.Indented(2, fmt.Sprintf("%s: %s"+format, append([]any{c.Page, c.Name}, args...)...))
	}
	switch c.Kind {
	case compare.OnlyA:
		line("  %s", words.StandsWhy(a.Text, c.A))
	case compare.OnlyB:
		line("  %s", words.StandsWhy(a.Text, c.B))
	case compare.Duration:
		line("  %s -> %s%s", words.Duration(c.A), words.Duration(c.B), note)
	case compare.Output:
		line("%s", note)
		printResults(a, c)
	default:
		line("  %s -> %s%s", words.StandsWhy(a.Text, c.A), words.StandsWhy(a.Text, c.B), note)
		if c.A.Outcome != report.Skipped && c.B.Outcome != report.Skipped { // else one has printed nothing, as it did not run
			printResults(a, c)
		}
	}
}

// printResults prints the differences of a check's results, line by line.
func printResults(a *env.Env, c compare.Change) {
	t, shown := a.Text, 0
	names := []string{t.Get("diff_reason"), t.Get("diff_found"), t.Get("diff_captures"), t.Get("diff_measured"), "stdout", "stderr"}
	before, after := resultsOf(t, c.A), resultsOf(t, c.B)
	for i, name := range names {
		if before[i] == after[i] || i == 0 && c.Kind != compare.Output {
			continue
		}
		a.Line("    %s:", name)
		for _, l := range differing(before[i], after[i]) {
			if shown++; shown == words.MaxDiffLines {
				a.Indented(6, t.Get("diff_more", "name", c.Name))
				return
			}
			a.Line("      %s", l)
		}
	}
}

// resultsOf returns the reason of a check, what it found, captured and measured, and its output streams.
func resultsOf(t text.Catalog, c *report.Check) [6]string {
	found, captured := c.Found, ""
	for _, v := range c.Captures {
		captured += fmt.Sprintf("%s = %s %s\n", v.Name, v.Value, v.Unit)
	}
	if c.Measurement != nil { // it holds the same
		found, captured = "", ""
	}
	output := func(s *report.Stream) string {
		if s == nil {
			return ""
		}
		return s.Text
	}
	return [6]string{words.Reason(t, c), found, captured, words.Measured(t, c), output(c.Stdout), output(c.Stderr)}
}

// differing returns the lines of a difference without their context.
func differing(a, b string) (out []string) {
	ended := func(s string) []byte {
		if s = strings.TrimRight(s, "\n"); s != "" {
			s += "\n"
		}
		return []byte(s)
	}
	for i, l := range strings.SplitAfter(string(diff.Diff("a", ended(a), "b", ended(b))), "\n") {
		// The first three lines name the two sides.
		if i > 2 && l != "" && (l[0] == '-' || l[0] == '+') {
			out = append(out, l[:1]+" "+diag.Printable(strings.TrimSuffix(l[1:], "\n")))
		}
	}
	return out
}
