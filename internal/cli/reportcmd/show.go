package reportcmd

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gpudocs/gpudocs/internal/cli/env"
	"github.com/gpudocs/gpudocs/internal/cli/workspace"
	"github.com/gpudocs/gpudocs/internal/render/results"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/standing"
	"github.com/gpudocs/gpudocs/internal/text/diag"
	"github.com/gpudocs/gpudocs/internal/text/terminal"
)

type showFlags struct {
	failed, json, list bool
	check              string
}

func newReportShow(a *env.Env) *cobra.Command {
	f := &showFlags{}
	c := &cobra.Command{
		Use:               "show [MACHINE|FILE...]",
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: workspace.CompleteMachines(a, cobra.ShellCompDirectiveDefault),
		RunE:              func(_ *cobra.Command, args []string) error { return showReports(a, f, args) },
	}
	c.Flags().BoolVar(&f.failed, "failed", false, "")
	c.Flags().StringVar(&f.check, "check", "", "")
	c.Flags().BoolVar(&f.json, "json", false, "")
	c.Flags().BoolVar(&f.list, "list", false, "")
	_ = c.RegisterFlagCompletionFunc("check", func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		reports, _, _ := workspace.AllReports(a)
		return namesOf(reports), cobra.ShellCompDirectiveNoFileComp
	})
	return c
}

func showReports(a *env.Env, f *showFlags, args []string) error {
	reports, diags, err := workspace.Reports(a, args)
	if err != nil {
		return err
	}
	named := func(s workspace.Stored) bool { return slices.ContainsFunc(s.Checks, f.named) }
	if f.check != "" && len(reports) > 0 && !slices.ContainsFunc(reports, named) {
		return env.Usage(diag.Suggest(f.check, namesOf(reports), diag.Say("report.show-checks-hint")), diag.Say("report.check-unknown", "name", f.check))
	}
	if len(reports) > 1 && *f == (showFlags{}) {
		if err := showMatrix(a, reports); err != nil {
			return err
		}
		return workspace.WarnUnreadable(a, diags)
	}
	table := tableOf(a, reports)
	for i, s := range reports {
		if err := show(a, f, i, s, table); err != nil {
			return err
		}
	}
	return workspace.WarnUnreadable(a, diags)
}

// named reports whether --check names a check.
func (f *showFlags) named(c report.Check) bool {
	return f.check == c.Name || f.check == c.Page+":"+c.Name || f.check == string(c.ID)
}

// show prints a report: with --json, --check and --failed of all that it holds, and else what of it counts.
func show(a *env.Env, f *showFlags, i int, s workspace.Stored, t table) error {
	p := a.NewPrinter()
	if f.json {
		chosen := *s.Report
		chosen.Checks = slices.DeleteFunc(slices.Clone(s.Checks), func(c report.Check) bool {
			return f.check != "" && !f.named(c) || f.failed && !standing.Of(&c).Broken()
		})
		p.JSON(struct {
			File      string `json:"file"`
			Local     bool   `json:"local"`
			Signature string `json:"signature,omitempty"`
			*report.Report
		}{s.File, s.Local, s.Signed(env.English()), &chosen})
		return p.Err
	}
	if i > 0 {
		p.Line("")
	}
	printMachine(&p, s, "", t.tally(s, p.Catalog))
	if f.check != "" {
		for i := range s.Checks {
			if c := &s.Checks[i]; f.named(*c) && (!f.failed || standing.Of(c).Broken()) {
				printCheck(&p, c)
			}
		}
		return p.Err
	}
	printTable(&p, slices.DeleteFunc(slices.Clone(t.rows), func(r *results.Row) bool {
		found := r.Findings[t.of(s)]
		return found.Check == nil || f.failed && !found.State().Broken()
	}), t.of(s))
	if n := t.gone(s); n > 0 && !f.failed {
		p.Text(0, p.Catalog.Count("matrix_gone", n))
	}
	return p.Err
}

func namesOf(reports []workspace.Stored) []string {
	var names []string
	for _, s := range reports {
		for _, c := range s.Checks {
			names = append(names, c.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func printMachine(p *env.Printer, s workspace.Stored, number, tally string) {
	mark, from := "", "report_from"
	if s.Local {
		mark = ", " + p.Catalog.Get("made_here")
	} else if signed := s.Signed(p.Catalog); signed != "" {
		mark = ", " + signed
	}
	if s.Newest().IsZero() {
		from = "report_from_empty"
	}
	p.Text(0, number+s.Machine.Name+": "+p.Catalog.Facts(s.Machine))
	for _, e := range s.Machine.Environments {
		if sources := e.Sources(); len(sources) > 0 {
			p.Text(2, p.Catalog.Get("report_environment", "name", diag.Printable(e.Name), "sources", diag.Printable(strings.Join(sources, ", "))))
		}
	}
	p.Text(2, tally)
	p.Text(2, p.Catalog.Get(from, "file", s.File, "day", env.Day(s.Newest()), "generator", s.Generator, "mark", mark))
}

// maxReason bounds a reason in a table, in columns.
const maxReason = 100

// printTable writes a line for each check that a machine has a result of. On a narrow terminal it leaves out the times.
func printTable(p *env.Printer, rows []*results.Row, machine int) {
	if len(rows) == 0 {
		return
	}
	t := p.Catalog
	word := func(row int) string { return rows[row].Findings[machine].State().Word() }
	table := terminal.Table{
		Head:  []string{t.Get("head_outcome"), t.Get("head_page"), t.Get("head_name"), t.Get("head_time"), t.Get("head_ran"), t.Get("head_reason")},
		Drop:  []int{4, 3},
		Paint: func(row int, outcome string) string { return p.Paint(env.Colors[word(row)], outcome) },
	}
	for i, row := range rows {
		c := row.Findings[machine].Check
		table.Rows = append(table.Rows, []string{t.Outcome(word(i)), diag.Printable(row.Page), diag.Printable(row.Title()), env.DurationText(c), env.Day(c.Ran),
			terminal.Clip(cmp.Or(t.ReasonOf(c), t.Tried(c)), maxReason)})
	}
	p.Line("")
	p.Lines(table)
}

// printCheck writes everything that a report has about a check.
func printCheck(p *env.Printer, c *report.Check) {
	p.Line("")
	p.Heading(env.Colors[standing.Of(c).Word()], p.Catalog.Stands(c), fmt.Sprintf("  %s: %s", c.Page, c.Name))
	for _, at := range c.Places {
		p.Line("  %s", at.Text().In(p.Catalog.Catalog))
	}
	if c.Reason != nil {
		p.Text(2, p.Catalog.Get("check_reason", "why", p.Catalog.Reason(c)))
	}
	p.Text(2, p.Catalog.Get("check_ran", "day", env.Day(c.Ran), "how", strings.Join(aspects(p.Catalog, c), ", ")))
	if c.Build != nil {
		p.Text(2, p.Catalog.Built(c.Build))
	}
	if c.Want != "" {
		p.Text(2, p.Catalog.Get("check_wants", "want", c.Want, "found", cmp.Or(c.Found, p.Catalog.Get("nothing"))))
	}
	for _, v := range c.Captures {
		p.Line("  %s = %s %s", v.Name, v.Value, v.Unit)
		for _, note := range p.Catalog.Notes(v) {
			p.Text(4, note)
		}
	}
	if m := p.Catalog.Measured(c); m != "" {
		p.Text(2, p.Catalog.Get("check_measured"))
		for l := range strings.Lines(m) {
			p.Line("    %s", strings.TrimSuffix(l, "\n"))
		}
	}
	for _, f := range c.Files {
		p.Text(2, p.Catalog.Get("check_file", "name", f.Path, "bytes", strconv.FormatInt(f.Bytes, 10), "sum", f.SHA256))
	}
	for i, v := range c.Figures {
		p.Text(2, p.Catalog.Get("check_figure", "n", strconv.Itoa(i+1), "form", v.Form().Name(), "bytes", strconv.Itoa(len(v.Data()))))
	}
	if c.Build != nil {
		printStream(p, p.Catalog.Get("stream_compiler", "name", "stdout"), c.Build.Stdout)
		printStream(p, p.Catalog.Get("stream_compiler", "name", "stderr"), c.Build.Stderr)
	}
	for _, t := range c.Tasks {
		one := &report.Check{Outcome: t.Outcome, Reason: t.Reason, DurationMS: t.DurationMS}
		p.Text(2, p.Catalog.Get("check_task", "index", strconv.Itoa(t.Index), "result", strings.TrimSuffix(p.Catalog.OutcomeText(one)+", "+env.DurationText(one), ", ")))
	}
	printStream(p, "stdout", c.Stdout)
	printStream(p, "stderr", c.Stderr)
	if len(c.Diff) > 0 {
		p.Text(2, p.Catalog.Get("check_difference"))
		for _, d := range c.Diff {
			p.Line("    %s %s", d.Op, d.Text)
		}
	}
	for i, try := range c.Tries {
		p.Text(2, p.Catalog.Get("check_try", "n", strconv.Itoa(i+1), "outcome", p.Catalog.Outcome(string(try.Outcome)),
			"why", p.Catalog.ReasonOf(&report.Check{Reason: try.Reason}), "time", fmt.Sprintf("%.2fs", try.DurationMS/1000)))
		printStream(p, "stdout", try.Stdout)
		printStream(p, "stderr", try.Stderr)
	}
	if len(c.History) > 0 {
		p.Text(2, p.Catalog.Get("check_before"))
		width := p.Catalog.OutcomeWidth()
		for i := range c.History {
			width = max(width, terminal.Columns(p.Catalog.Outcome(standing.At(c, i).Word())))
		}
		for i, h := range c.History {
			code := h.Code
			if h.Unsteady {
				code = p.Catalog.Get("unsteady_before")
			}
			p.Line("    %s  %s  %6.2fs  %s", terminal.Pad(p.Catalog.Outcome(standing.At(c, i).Word()), width), env.Day(h.Ran), h.DurationMS/1000, code)
		}
	}
}

// aspects returns how a check ran.
func aspects(t env.Catalog, c *report.Check) []string {
	all := []string{t.Get("check_kind", "kind", c.Kind), env.DurationText(c), t.Tried(c)}
	if c.Exit != nil {
		all = append(all, t.Get("exit_code", "code", strconv.Itoa(*c.Exit)))
	}
	all = append(all, c.Interpreter)
	for _, v := range c.Packages {
		all = append(all, v.Name+" "+cmp.Or(v.Version, t.Get("not_installed")))
	}
	return slices.DeleteFunc(append(all, "ID "+string(c.ID)), func(s string) bool { return s == "" })
}

func printStream(p *env.Printer, name string, s *report.Stream) {
	if s == nil || s.Text == "" {
		return
	}
	if s.Cut > 0 {
		name = p.Catalog.Get("stream_cut", "name", name, "n", strconv.FormatInt(s.Cut, 10))
	}
	p.Text(2, name+":")
	for l := range strings.Lines(s.Text) {
		p.Line("    %s", strings.TrimRight(l, "\r\n"))
	}
}
