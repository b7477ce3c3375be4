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
	"github.com/gpudocs/gpudocs/internal/cli/workspace"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/compare"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

func newReportDiff(a *env.Env) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:               "diff A B",
		Args:              env.ExactArgs(2),
		ValidArgsFunction: workspace.CompleteMachines(a, cobra.ShellCompDirectiveDefault),
		RunE:              func(c *cobra.Command, args []string) error { return diffReports(c.Context(), a, args, asJSON) },
	}
	c.Flags().BoolVar(&asJSON, "json", false, "")
	return c
}

func diffReports(ctx context.Context, a *env.Env, args []string, asJSON bool) error {
	var sides [2]workspace.Stored
	for i, arg := range args {
		var err error
		if sides[i], err = oneReport(ctx, a, arg); err != nil {
			return err
		}
	}
	result := compare.Reports(sides[0].Report, sides[1].Report)
	p := a.NewPrinter()
	if asJSON {
		diffJSON(&p, sides, result)
	} else {
		printDifferences(&p, sides, result)
	}
	if p.Err == nil && result.Outcomes() {
		return env.ExitCode(env.ExitFailed)
	}
	return p.Err
}

// oneReport reads the report that A or B names. If a machine has two, it is the committed one.
func oneReport(ctx context.Context, a *env.Env, arg string) (workspace.Stored, error) {
	if machine, when, ok := strings.Cut(arg, "@"); ok && report.CheckOldName(machine) == nil {
		if _, err := os.Stat(arg); err != nil { // not the name of a file
			return reportAt(ctx, a, machine, when)
		}
	}
	found, diags, err := workspace.ReportsOf(a, arg)
	if err == nil && (len(found) == 0 || found[0].Local) {
		err = workspace.WarnUnreadable(a, diags)
	}
	if err != nil {
		return workspace.Stored{}, err
	}
	return found[0], nil
}

type diffSide struct {
	Machine string `json:"machine"`
	File    string `json:"file"`
	Commit  string `json:"commit,omitempty"`
	LastRan string `json:"last_ran,omitempty"`
}

func diffJSON(p *env.Printer, sides [2]workspace.Stored, result compare.Result) {
	side := func(s workspace.Stored) diffSide {
		out := diffSide{Machine: s.Machine.Name, File: s.File, Commit: s.Rev}
		if t := s.Newest(); !t.IsZero() {
			out.LastRan = t.UTC().Format("2006-01-02T15:04:05Z")
		}
		return out
	}
	p.JSON(struct {
		A diffSide `json:"a"`
		B diffSide `json:"b"`
		compare.Result
	}{side(sides[0]), side(sides[1]), result})
}

var kindColors = map[compare.Kind]string{compare.Regression: "31", compare.Mend: "32", compare.Outcome: "33"}

func printDifferences(p *env.Printer, sides [2]workspace.Stored, result compare.Result) {
	p.Text(0, "A: "+sides[0].Title(p.Catalog))
	p.Text(0, "B: "+sides[1].Title(p.Catalog))
	none := p.Catalog.Get("diff_none")
	for _, f := range result.Facts {
		p.Text(2, fmt.Sprintf("%s: %s -> %s", f.Name, cmp.Or(f.A, none), cmp.Or(f.B, none)))
	}
	for _, k := range compare.Kinds {
		changes := result.Of(k)
		if len(changes) == 0 {
			continue
		}
		p.Line("")
		p.Heading(kindColors[k], p.Catalog.Count("diff_"+string(k), len(changes)), "")
		for _, c := range changes {
			printChange(p, c)
		}
	}
	p.Line("")
	p.Text(0, p.Catalog.Count("checks_same", result.Same))
}

func printChange(p *env.Printer, c compare.Change) {
	note := ""
	if c.Edited {
		note = p.Catalog.Get("diff_edited")
	}
	line := func(format string, args ...any) {
		p.Text(2, fmt.Sprintf("%s: %s"+format, append([]any{c.Page, c.Name}, args...)...))
	}
	switch c.Kind {
	case compare.OnlyA:
		line("  %s", p.Catalog.OutcomeText(c.A))
	case compare.OnlyB:
		line("  %s", p.Catalog.OutcomeText(c.B))
	case compare.Duration:
		line("  %s -> %s%s", env.DurationText(c.A), env.DurationText(c.B), note)
	case compare.Output:
		line("%s", note)
		printResults(p, c)
	default:
		line("  %s -> %s%s", p.Catalog.OutcomeText(c.A), p.Catalog.OutcomeText(c.B), note)
		if c.A.Outcome != report.Skipped && c.B.Outcome != report.Skipped { // else one has printed nothing, as it did not run
			printResults(p, c)
		}
	}
}

// printResults prints the differences of a check's results, line by line.
func printResults(p *env.Printer, c compare.Change) {
	t, shown := p.Catalog, 0
	names := []string{t.Get("diff_reason"), t.Get("diff_found"), t.Get("diff_captures"), t.Get("diff_measured"), "stdout", "stderr"}
	a, b := resultsOf(t, c.A), resultsOf(t, c.B)
	for i, name := range names {
		if a[i] == b[i] || i == 0 && c.Kind != compare.Output {
			continue
		}
		p.Line("    %s:", name)
		for _, l := range differing(a[i], b[i]) {
			if shown++; shown == env.MaxDiffLines {
				p.Text(6, t.Get("diff_more", "name", c.Name))
				return
			}
			p.Line("      %s", l)
		}
	}
}

// resultsOf returns the reason of a check, what it found, captured and measured, and its output streams.
func resultsOf(t env.Catalog, c *report.Check) [6]string {
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
	return [6]string{t.ReasonOf(c), found, captured, t.Measured(c), output(c.Stdout), output(c.Stderr)}
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
