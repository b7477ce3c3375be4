package reportcmd

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gpudocs/gpudocs/internal/cli/env"
	"github.com/gpudocs/gpudocs/internal/cli/words"
	"github.com/gpudocs/gpudocs/internal/project"
	"github.com/gpudocs/gpudocs/internal/render/results"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/standing"
	"github.com/gpudocs/gpudocs/internal/text"
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
		ValidArgsFunction: completeMachines(a, cobra.ShellCompDirectiveDefault),
		RunE:              func(_ *cobra.Command, args []string) error { return showReports(a, f, args) },
	}
	c.Flags().BoolVar(&f.failed, "failed", false, "")
	c.Flags().StringVar(&f.check, "check", "", "")
	c.Flags().BoolVar(&f.json, "json", false, "")
	c.Flags().BoolVar(&f.list, "list", false, "")
	_ = c.RegisterFlagCompletionFunc("check", func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		_, reports, _, _ := readReports(a, nil)
		return namesOf(reports), cobra.ShellCompDirectiveNoFileComp
	})
	return c
}

func showReports(a *env.Env, f *showFlags, args []string) error {
	p, reports, diags, err := readReports(a, args)
	if err != nil {
		return err
	}
	named := func(s project.Report) bool { return slices.ContainsFunc(s.Checks, f.named) }
	if f.check != "" && len(reports) > 0 && !slices.ContainsFunc(reports, named) {
		hint := diag.Suggest(f.check, namesOf(reports), diag.Say("report.show-checks-hint"))
		return diag.Wrong(diag.Say("report.check-unknown", "name", f.check).WithHint(hint))
	}
	if len(reports) > 1 && *f == (showFlags{}) {
		if err := showMatrix(a, tableOf(p, reports), reports); err != nil {
			return err
		}
		return warnUnreadable(a, diags)
	}
	table := tableOf(p, reports)
	for i, s := range reports {
		if err := show(a, f, i, s, table); err != nil {
			return err
		}
	}
	return warnUnreadable(a, diags)
}

// named reports whether --check names a check.
func (f *showFlags) named(c report.Check) bool {
	return f.check == c.Name || f.check == c.Page+":"+c.Name || f.check == string(c.ID)
}

// show prints a report: with --json, --check and --failed of all that it holds, and else what of it counts.
func show(a *env.Env, f *showFlags, i int, s project.Report, t table) error {
	if f.json {
		chosen := *s.Report
		chosen.Checks = slices.DeleteFunc(slices.Clone(s.Checks), func(c report.Check) bool {
			return f.check != "" && !f.named(c) || f.failed && !standing.Of(&c).Broken()
		})
		return a.WriteJSONLine(struct {
			File      string `json:"file"`
			Local     bool   `json:"local"`
			Signature string `json:"signature,omitempty"`
			*report.Report
		}{s.File, s.Local, signed(words.English(), s), &chosen})
	}
	if i > 0 {
		a.Line("")
	}
	printMachine(a, s, "", t.tally(s, a.Text))
	if f.check != "" {
		for i := range s.Checks {
			if c := &s.Checks[i]; f.named(*c) && (!f.failed || standing.Of(c).Broken()) {
				printCheck(a, c)
			}
		}
		return nil
	}
	printTable(a, slices.DeleteFunc(slices.Clone(t.rows), func(r *results.Row) bool {
		found := r.Findings[t.of(s)]
		return found.Check == nil || f.failed && !found.State().Broken()
	}), t.of(s))
	if n := t.gone(s); n > 0 && !f.failed {
		a.Indented(0, a.Text.Count("matrix_gone", n))
	}
	return nil
}

func namesOf(reports []project.Report) []string {
	var names []string
	for _, s := range reports {
		for _, c := range s.Checks {
			names = append(names, c.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func printMachine(a *env.Env, s project.Report, number, tally string) {
	mark, from := "", "report_from"
	if s.Local {
		mark = ", " + a.Text.Get("made_here")
	} else if by := signed(a.Text, s); by != "" {
		mark = ", " + by
	}
	if s.Newest().IsZero() {
		from = "report_from_empty"
	}
	a.Indented(0, number+s.Machine.Name+": "+words.Machine(a.Text, s.Machine))
	for _, e := range s.Machine.Environments {
		if sources := e.Sources(); len(sources) > 0 {
			a.Indented(2, a.Text.Get("report_environment", "name", diag.Printable(e.Name), "sources", diag.Printable(strings.Join(sources, ", "))))
		}
	}
	a.Indented(2, tally)
	a.Indented(2, a.Text.Get(from, "file", s.File, "day", words.Day(s.Newest()), "generator", s.Generator, "mark", mark))
}

// maxReason bounds a reason in a table, in columns.
const maxReason = 100

// printTable writes a line for each check that a machine has a result of. On a narrow terminal it leaves out the times.
func printTable(a *env.Env, rows []*results.Row, machine int) {
	if len(rows) == 0 {
		return
	}
	t := a.Text
	word := func(row int) string { return rows[row].Findings[machine].State().Word() }
	table := terminal.Table{
		Drop:  []int{4, 3},
		Paint: func(row int, outcome string) string { return a.Paint(words.Colors[word(row)], outcome) },
	}
	for _, column := range []string{"outcome", "page", "name", "time", "ran", "reason"} {
		table.Head = append(table.Head, t.Get("head_"+column))
	}
	for i, row := range rows {
		c := row.Findings[machine].Check
		table.Rows = append(table.Rows, []string{words.Outcome(t, word(i)), diag.Printable(row.Page), diag.Printable(row.Title()),
			words.Duration(c), words.Day(c.Ran), terminal.Clip(cmp.Or(words.Reason(t, c), words.Tried(t, c)), maxReason)})
	}
	a.Line("")
	a.Table(table)
}

// printCheck writes everything that a report has about a check.
func printCheck(a *env.Env, c *report.Check) {
	a.Line("")
	a.Heading(words.Colors[standing.Of(c).Word()], words.Stands(a.Text, c), fmt.Sprintf("  %s: %s", c.Page, c.Name))
	for _, at := range c.Places {
		a.Line("  %s", at.Text().In(a.Text))
	}
	if c.Reason != nil {
		a.Indented(2, a.Text.Get("check_reason", "why", words.Reason(a.Text, c)))
	}
	a.Indented(2, a.Text.Get("check_ran", "day", words.Day(c.Ran), "how", strings.Join(aspects(a.Text, c), ", ")))
	if c.Build != nil {
		tool, took := cmp.Or(c.Build.Tool, a.Text.Get("compiler")), fmt.Sprintf("%.2fs", c.Build.DurationMS/1000)
		a.Indented(2, a.Text.Get("built_"+string(c.Build.Outcome), "tool", tool, "time", took))
	}
	if c.Want != "" {
		a.Indented(2, a.Text.Get("check_wants", "want", c.Want, "found", cmp.Or(c.Found, a.Text.Get("nothing"))))
	}
	for _, v := range c.Captures {
		a.Line("  %s = %s %s", v.Name, v.Value, v.Unit)
		for _, note := range words.Notes(a.Text, v) {
			a.Indented(4, note)
		}
	}
	if m := words.Measured(a.Text, c); m != "" {
		a.Indented(2, a.Text.Get("check_measured"))
		for l := range strings.Lines(m) {
			a.Line("    %s", strings.TrimSuffix(l, "\n"))
		}
	}
	for _, f := range c.Files {
		a.Indented(2, a.Text.Get("check_file", "name", f.Path, "bytes", strconv.FormatInt(f.Bytes, 10), "sum", f.SHA256))
	}
	for i, v := range c.Figures {
		a.Indented(2, a.Text.Get("check_figure", "n", strconv.Itoa(i+1), "form", v.Form().Name(), "bytes", strconv.Itoa(len(v.Data()))))
	}
	if c.Build != nil {
		printStream(a, a.Text.Get("stream_compiler", "name", "stdout"), c.Build.Stdout)
		printStream(a, a.Text.Get("stream_compiler", "name", "stderr"), c.Build.Stderr)
	}
	for _, t := range c.Tasks {
		one := &report.Check{Outcome: t.Outcome, Reason: t.Reason, DurationMS: t.DurationMS}
		result := strings.TrimSuffix(words.StandsWhy(a.Text, one)+", "+words.Duration(one), ", ")
		a.Indented(2, a.Text.Get("check_task", "index", strconv.Itoa(t.Index), "result", result))
	}
	printStream(a, "stdout", c.Stdout)
	printStream(a, "stderr", c.Stderr)
	if len(c.Diff) > 0 {
		a.Indented(2, a.Text.Get("check_difference"))
		for _, d := range c.Diff {
			a.Line("    %s %s", d.Op, d.Text)
		}
	}
	for i, try := range c.Tries {
		a.Indented(2, a.Text.Get("check_try", "n", strconv.Itoa(i+1), "outcome", words.Outcome(a.Text, string(try.Outcome)),
			"why", words.Reason(a.Text, &report.Check{Reason: try.Reason}), "time", fmt.Sprintf("%.2fs", try.DurationMS/1000)))
		printStream(a, "stdout", try.Stdout)
		printStream(a, "stderr", try.Stderr)
	}
	if len(c.History) > 0 {
		a.Indented(2, a.Text.Get("check_before"))
		width := words.OutcomeWidth(a.Text)
		for i := range c.History {
			width = max(width, terminal.Columns(words.Outcome(a.Text, standing.At(c, i).Word())))
		}
		for i, h := range c.History {
			code := h.Code
			if h.Unsteady {
				code = a.Text.Get("unsteady_before")
			}
			stood := terminal.Pad(words.Outcome(a.Text, standing.At(c, i).Word()), width)
			a.Line("    %s  %s  %6.2fs  %s", stood, words.Day(h.Ran), h.DurationMS/1000, code)
		}
	}
}

// aspects returns how a check ran.
func aspects(t text.Catalog, c *report.Check) []string {
	all := []string{t.Get("check_kind", "kind", c.Kind), words.Duration(c), words.Tried(t, c)}
	if c.Exit != nil {
		all = append(all, t.Get("exit_code", "code", strconv.Itoa(*c.Exit)))
	}
	all = append(all, c.Interpreter)
	for _, v := range c.Packages {
		all = append(all, v.Name+" "+cmp.Or(v.Version, t.Get("not_installed")))
	}
	return slices.DeleteFunc(append(all, "ID "+string(c.ID)), func(s string) bool { return s == "" })
}

func printStream(a *env.Env, name string, s *report.Stream) {
	if s == nil || s.Text == "" {
		return
	}
	if s.Cut > 0 {
		name = a.Text.Get("stream_cut", "name", name, "n", strconv.FormatInt(s.Cut, 10))
	}
	a.Indented(2, name+":")
	for l := range strings.Lines(s.Text) {
		a.Line("    %s", strings.TrimRight(l, "\r\n"))
	}
}
