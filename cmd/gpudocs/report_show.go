package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"syscall"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/gpudocs/gpudocs/internal/diag"
	"github.com/gpudocs/gpudocs/internal/report"
)

type showFlags struct {
	failed, json bool
	check        string
}

func newReportShow(a *app) *cobra.Command {
	f := &showFlags{}
	c := &cobra.Command{
		Use:   "show [MACHINE|FILE...]",
		Short: "Show what machines reported",
		Long: `Show prints reports for people: the machine, and a line for each check. Without
an argument it shows all reports of the site, those of --verify included. What is
no file is a machine's name; a file is named with a slash or with .json.

--check NAME shows all that is known of one check: its output, the difference from
what is expected, captured values, earlier outcomes. NAME is the block's name, the
name behind its page (uso-gpu:count), or the check's ID. Control characters of a
report are shown as U+FFFD, so that it cannot act on your terminal.`,
		Example: `  gpudocs report show
  gpudocs report show deepnine --failed
  gpudocs report show deepnine --check count
  gpudocs report show /tmp/artifacts/deepnine.json
  gpudocs report show --json | jq -r '.checks[].outcome' | sort | uniq -c`,
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: a.completeMachines(cobra.ShellCompDirectiveDefault),
		RunE:              func(_ *cobra.Command, args []string) error { return a.showReports(f, args) },
	}
	c.Flags().BoolVar(&f.failed, "failed", false, "only checks that failed or were an error")
	c.Flags().StringVar(&f.check, "check", "", "all that is known of the check of this `name`")
	c.Flags().BoolVar(&f.json, "json", false, "print JSON, one report on a line")
	_ = c.RegisterFlagCompletionFunc("check", func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return a.checkNames(), cobra.ShellCompDirectiveNoFileComp
	})
	return c
}

func (a *app) showReports(f *showFlags, args []string) error {
	reports, diags, err := a.reports(args)
	if err != nil {
		return err
	}
	if f.check != "" && len(reports) > 0 && !slices.ContainsFunc(reports, func(s stored) bool { return slices.ContainsFunc(s.Checks, f.named) }) {
		return usage(diag.DidYouMean(f.check, namesOf(reports), "gpudocs report show lists all checks"), "no report holds a check %q", f.check)
	}
	for i, s := range reports {
		chosen := *s.Report
		chosen.Checks = slices.DeleteFunc(slices.Clone(s.Checks), func(c report.Check) bool { return !f.wants(c) })
		if err := a.show(f, i, s, &chosen); err != nil {
			return err
		}
	}
	return a.unreadable(diags)
}

// named tells whether --check means a check.
func (f *showFlags) named(c report.Check) bool {
	return f.check == c.Name || f.check == c.Page+":"+c.Name || f.check == string(c.ID)
}

func (f *showFlags) wants(c report.Check) bool {
	return (f.check == "" || f.named(c)) && (!f.failed || c.Outcome == report.Failed || c.Outcome == report.Errored)
}

func (a *app) show(f *showFlags, i int, s stored, chosen *report.Report) error {
	p := paper{w: a.stdout, color: a.color(a.stdout)}
	if f.json {
		p.json(struct {
			File      string `json:"file"`
			Local     bool   `json:"local"`
			Signature string `json:"signature,omitempty"`
			*report.Report
		}{s.file, s.local, s.signed(), chosen})
		return p.err
	}
	if i > 0 {
		p.line("")
	}
	p.machine(s)
	switch {
	case f.check != "":
		for i := range chosen.Checks {
			p.check(&chosen.Checks[i])
		}
	case len(chosen.Checks) > 0:
		p.table(chosen.Checks)
	}
	return p.err
}

// checkNames are the names of all checks, for the shell.
func (a *app) checkNames() []string {
	reports, _, err := a.allReports()
	if err != nil {
		return nil
	}
	return namesOf(reports)
}

func namesOf(reports []stored) []string {
	var names []string
	for _, s := range reports {
		for _, c := range s.Checks {
			names = append(names, c.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// paper is where a report is written for people. Nothing of a report gets onto
// it but through diag.Printable.
type paper struct {
	w     io.Writer
	color bool
	err   error
}

// keep notes the first error. That who read has seen enough (show | head) is none.
func (p *paper) keep(err error) {
	if p.err == nil && !errors.Is(err, syscall.EPIPE) {
		p.err = err
	}
}

// json writes a value on a line of its own.
func (p *paper) json(v any) {
	line, err := jsonLine(v)
	if err == nil {
		_, err = p.w.Write(line)
	}
	p.keep(err)
}

// line writes a line; its arguments may be untrusted, its format is ours.
func (p *paper) line(format string, args ...any) {
	for i, arg := range args {
		if s, ok := arg.(string); ok {
			args[i] = diag.Printable(s)
		}
	}
	_, err := fmt.Fprintln(p.w, strings.TrimRight(fmt.Sprintf(format, args...), " "))
	p.keep(err)
}

func (p *paper) paint(code, text string) string {
	if !p.color {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

func (p *paper) machine(s stored) {
	mark := ""
	if s.local {
		mark = ", made by --verify here"
	} else if signed := s.signed(); signed != "" {
		mark = ", " + signed
	}
	p.line("%s: %s", s.Machine.Name, facts(s.Machine))
	p.line("  %s", tallied(tally(s.Report)))
	p.line("  %s, by %s%s", strings.TrimSuffix(s.file+", last ran "+day(s.Newest()), ", last ran 0001-01-01 00:00"), s.Generator, mark)
}

// table writes a line for each check. Its first column is coloured at last, for
// colours have no width.
func (p *paper) table(checks []report.Check) {
	var b strings.Builder
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "OUTCOME\tPAGE\tNAME\tTIME\tRAN (UTC)\tREASON")
	for i := range checks {
		c := &checks[i]
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\n", c.Outcome, diag.Printable(c.Page), diag.Printable(c.Name), lasting(c), day(c.Ran), clipped(reasonOf(c), 100))
	}
	p.keep(t.Flush())
	p.line("")
	for i, l := range strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n") {
		l = strings.TrimRight(l, " ")
		if i > 0 {
			o := checks[i-1].Outcome
			l = p.paint(colors[o], string(o)) + strings.TrimPrefix(l, string(o))
		}
		_, err := fmt.Fprintln(p.w, l)
		p.keep(err)
	}
}

// check writes all that is known of a check.
func (p *paper) check(c *report.Check) {
	p.line("")
	_, err := fmt.Fprintf(p.w, "%s  %s: %s\n", p.paint(colors[c.Outcome], string(c.Outcome)), diag.Printable(c.Page), diag.Printable(c.Name))
	p.keep(err)
	for _, at := range c.Places {
		p.line("  %s", at)
	}
	if c.Reason != nil {
		p.line("  reason: %s", because(c.Reason))
	}
	p.line("  ran %s UTC  %s", day(c.Ran), strings.Join(aspects(c), ", "))
	if c.Want != "" {
		p.line("  wants %s, found %s", c.Want, cmp.Or(c.Found, "nothing"))
	}
	for _, v := range c.Captures {
		p.line("  %s = %s %s", v.Name, v.Value, v.Unit)
	}
	if m := measured(c); m != "" {
		p.line("  measured:")
		for l := range strings.Lines(m) {
			p.line("    %s", strings.TrimSuffix(l, "\n"))
		}
	}
	for i, v := range c.Figures {
		p.line("  figure %d: PNG of %d bytes", i+1, len(v.PNG))
	}
	p.stream("stdout", c.Stdout)
	p.stream("stderr", c.Stderr)
	if len(c.Diff) > 0 {
		p.line("  difference (- expected, + found):")
		for _, d := range c.Diff {
			p.line("    %s %s", d.Op, d.Text)
		}
	}
	if len(c.History) > 0 {
		p.line("  before:")
		for _, h := range c.History {
			p.line("    %-7s  %s  %6.2fs  %s", string(h.Outcome), day(h.Ran), h.DurationMS/1000, h.Code)
		}
	}
}

// aspects are how a check ran.
func aspects(c *report.Check) []string {
	all := []string{"kind " + c.Kind, lasting(c)}
	if c.Exit != nil {
		all = append(all, fmt.Sprintf("exit code %d", *c.Exit))
	}
	all = append(all, c.Interpreter)
	for _, v := range c.Packages {
		all = append(all, v.Name+" "+cmp.Or(v.Version, "not installed"))
	}
	return slices.DeleteFunc(append(all, "ID "+string(c.ID)), func(s string) bool { return s == "" })
}

func (p *paper) stream(name string, s *report.Stream) {
	if s == nil || s.Text == "" {
		return
	}
	more := ""
	if s.Cut > 0 {
		more = fmt.Sprintf(", %d bytes left out of its middle", s.Cut)
	}
	p.line("  %s%s:", name, more)
	for l := range strings.Lines(s.Text) {
		p.line("    %s", strings.TrimRight(l, "\r\n"))
	}
}
