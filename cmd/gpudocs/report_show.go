package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/gpudocs/gpudocs/internal/diag"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/terminal"
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
		return usage(diag.Suggest(f.check, namesOf(reports), diag.Say("gpudocs report show lists all checks")), "no report holds a check %q", f.check)
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
	p := a.newPaper()
	if f.json {
		p.json(struct {
			File      string `json:"file"`
			Local     bool   `json:"local"`
			Signature string `json:"signature,omitempty"`
			*report.Report
		}{s.file, s.local, s.signed(inEnglish()), chosen})
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
	words words
	color bool
	width int // 0 where there is no terminal
	err   error
}

func (a *app) newPaper() paper {
	return paper{w: a.stdout, words: a.w, color: a.color(a.stdout), width: a.width(a.stdout)}
}

// text writes a line of text, and what of it does not fit below it.
func (p *paper) text(indent int, text string) {
	_, err := fmt.Fprintln(p.w, terminal.Hang(strings.Repeat(" ", indent)+diag.Printable(text), min(p.width, widestText), indent+2))
	p.keep(err)
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
	mark, from := "", "report_from"
	if s.local {
		mark = ", " + p.words.Get("made_here")
	} else if signed := s.signed(p.words); signed != "" {
		mark = ", " + signed
	}
	if s.Newest().IsZero() {
		from = "report_from_empty"
	}
	p.text(0, s.Machine.Name+": "+p.words.facts(s.Machine))
	p.text(2, p.words.tallied(tally(s.Report)))
	p.text(2, p.words.Get(from, "file", s.file, "day", day(s.Newest()), "generator", s.Generator, "mark", mark))
}

// mostReason is how much of a reason stands in a table, where it is not wrapped.
const mostReason = 100

// table writes a line for each check. On a narrow terminal it does without the
// times.
func (p *paper) table(checks []report.Check) {
	w := p.words
	t := terminal.Table{
		Head: []string{w.Get("head_outcome"), w.Get("head_page"), w.Get("head_name"), w.Get("head_time"), w.Get("head_ran"), w.Get("head_reason")},
		Drop: []int{4, 3},
		Paint: func(row, column int, cell string) string {
			if column > 0 {
				return cell
			}
			word := strings.TrimRight(cell, " ")
			return p.paint(colors[checks[row].Outcome], word) + cell[len(word):]
		},
	}
	for i := range checks {
		c := &checks[i]
		t.Rows = append(t.Rows, []string{w.outcome(c.Outcome), diag.Printable(c.Page), diag.Printable(c.Name), lasting(c), day(c.Ran), terminal.Clip(w.reasonOf(c), mostReason)})
	}
	p.line("")
	p.lines(t)
}

// lines writes a table.
func (p *paper) lines(t terminal.Table) {
	for _, l := range t.Lines(p.width) {
		_, err := fmt.Fprintln(p.w, strings.TrimRight(l, " "))
		p.keep(err)
	}
}

// check writes all that is known of a check.
func (p *paper) check(c *report.Check) {
	p.line("")
	_, err := fmt.Fprintf(p.w, "%s  %s: %s\n", p.paint(colors[c.Outcome], p.words.outcome(c.Outcome)), diag.Printable(c.Page), diag.Printable(c.Name))
	p.keep(err)
	for _, at := range c.Places {
		p.line("  %s", at)
	}
	if c.Reason != nil {
		p.text(2, p.words.Get("check_reason", "why", p.words.because(c.Reason)))
	}
	p.text(2, p.words.Get("check_ran", "day", day(c.Ran), "how", strings.Join(p.words.aspects(c), ", ")))
	if c.Want != "" {
		p.text(2, p.words.Get("check_wants", "want", c.Want, "found", cmp.Or(c.Found, p.words.Get("nothing"))))
	}
	for _, v := range c.Captures {
		p.line("  %s = %s %s", v.Name, v.Value, v.Unit)
	}
	if m := p.words.measured(c); m != "" {
		p.text(2, p.words.Get("check_measured"))
		for l := range strings.Lines(m) {
			p.line("    %s", strings.TrimSuffix(l, "\n"))
		}
	}
	for i, v := range c.Figures {
		p.text(2, p.words.Get("check_figure", "n", strconv.Itoa(i+1), "bytes", strconv.Itoa(len(v.PNG))))
	}
	p.stream("stdout", c.Stdout)
	p.stream("stderr", c.Stderr)
	if len(c.Diff) > 0 {
		p.text(2, p.words.Get("check_difference"))
		for _, d := range c.Diff {
			p.line("    %s %s", d.Op, d.Text)
		}
	}
	if len(c.History) > 0 {
		p.text(2, p.words.Get("check_before"))
		for _, h := range c.History {
			p.line("    %s  %s  %6.2fs  %s", terminal.Pad(p.words.outcome(h.Outcome), p.words.outcomeWidth()), day(h.Ran), h.DurationMS/1000, h.Code)
		}
	}
}

// aspects are how a check ran.
func (w words) aspects(c *report.Check) []string {
	all := []string{w.Get("check_kind", "kind", c.Kind), lasting(c)}
	if c.Exit != nil {
		all = append(all, w.Get("exit_code", "code", strconv.Itoa(*c.Exit)))
	}
	all = append(all, c.Interpreter)
	for _, v := range c.Packages {
		all = append(all, v.Name+" "+cmp.Or(v.Version, w.Get("not_installed")))
	}
	return slices.DeleteFunc(append(all, "ID "+string(c.ID)), func(s string) bool { return s == "" })
}

func (p *paper) stream(name string, s *report.Stream) {
	if s == nil || s.Text == "" {
		return
	}
	if s.Cut > 0 {
		name = p.words.Get("stream_cut", "name", name, "n", strconv.FormatInt(s.Cut, 10))
	}
	p.text(2, name+":")
	for l := range strings.Lines(s.Text) {
		p.line("    %s", strings.TrimRight(l, "\r\n"))
	}
}
