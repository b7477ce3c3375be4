package outputs

import (
	"fmt"
	"os"
	"path"
	"strconv"
	"strings"

	"github.com/gpudocs/gpudocs/internal/cli/env"
	"github.com/gpudocs/gpudocs/internal/cli/exit"
	"github.com/gpudocs/gpudocs/internal/cli/words"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/standing"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// writeActions writes annotations to standard output and the step summary of GitHub Actions.
func (o *Outputs) writeActions(a *env.Env, how *exit.End) {
	var all []annotation
	for _, d := range o.diags {
		all = append(all, o.ofDiagnostic(d))
	}
	for _, r := range o.runs {
		for i := range r.Checks {
			c := &r.Checks[i]
			drifts := words.Drifts(words.English(), c)
			if !standing.Of(c).Broken() && len(drifts) == 0 {
				continue
			}
			all = append(all, o.ofCheck(r.Machine.Name, c))
			if a := &all[len(all)-1]; len(drifts) > 0 {
				a.message = strings.TrimSpace(a.message + "\n" + strings.Join(drifts, "\n"))
				if c.Outcome == report.Passed {
					a.level = diag.Warning
				}
			}
		}
	}
	if len(all) == 0 && how.Cause != nil {
		all = append(all, annotation{level: diag.Error, title: "gpudocs", message: how.Cause.Error()})
	}
	_ = annotate(a.Stdout, all)
	if err := appendTo(os.Getenv("GITHUB_STEP_SUMMARY"), o.summary()); err != nil {
		a.Warn(diag.Say("cli.github-summary-failed", "why", err))
	}
}

func (o *Outputs) ofDiagnostic(d diag.Diagnostic) annotation {
	out := annotation{level: d.Severity, line: d.Line, column: d.Column, title: "gpudocs", message: d.Message.String()}
	if d.File != "" {
		out.file = path.Join(o.below, d.File)
	}
	if d.Cell > 0 { // a line of a notebook's cell is not a line of the file
		out.line, out.column = 0, 0
		out.message = fmt.Sprintf("cell %d, line %d: %s", d.Cell, max(1, d.Line), d.Message)
	} else if d.Width > 0 {
		out.endColumn = d.Column + d.Width
	}
	if !d.Hint.IsZero() {
		out.message += "\nhint: " + d.Hint.String()
	}
	return out
}

// ofCheck puts an annotation where the check failed, else at its block.
func (o *Outputs) ofCheck(machine string, c *report.Check) annotation {
	t := words.English()
	out := annotation{title: fmt.Sprintf("%s on %s: %s", c.Name, machine, standing.Of(c).Word()), message: words.BareReason(t, c)}
	at := placeOf(c)
	if at.Cell > 0 {
		out.message = fmt.Sprintf("cell %d, line %d: %s", at.Cell, at.Line, out.message)
	} else {
		out.line = at.Line
	}
	if at.File != "" {
		out.file = path.Join(o.below, at.File)
	}
	for i, d := range c.Diff {
		if i == words.MaxDiffLines {
			out.message += fmt.Sprintf("\n... %d lines more", report.Lines(c.Diff[i:]))
			break
		}
		out.message += "\n" + d.Op + " " + words.Shortened(t, d).Text
	}
	return out
}

// placeOf returns the place where a check failed: the line if it is known, else its block.
func placeOf(c *report.Check) (at report.Place) {
	if len(c.Places) > 0 {
		at = c.Places[0]
	}
	if c.Reason != nil && c.Reason.Place != nil {
		at = *c.Reason.Place
	}
	return at
}

// summary returns Markdown: a table of the diagnostics, and for each machine one of the checks that
// did not pass, the failed ones first.
func (o *Outputs) summary() string {
	var b strings.Builder
	t := words.English()
	if len(o.diags) > 0 {
		var rows [][]string
		for _, d := range o.diags {
			rows = append(rows, []string{d.Severity.String(), o.place(d.File, d.Cell, d.Line), d.Message.String(), d.Hint.String()})
		}
		found := table([]string{"severity", "place", "message", "hint"}, rows)
		fmt.Fprintf(&b, "### gpudocs: %s\n\n%s\n", t.Count("findings", len(o.diags)), found)
	}
	for _, r := range o.runs {
		tally, facts := words.Tally(t, standing.Report(r)), escaped(words.Machine(t, r.Machine))
		fmt.Fprintf(&b, "### gpudocs on %s: %s\n\n%s\n\n", escaped(r.Machine.Name), tally, facts)
		if rows := o.notPassed(r); len(rows) > 0 {
			b.WriteString(table([]string{"outcome", "check", "place", "reason", "time"}, rows) + "\n")
		}
	}
	return bounded(b.String())
}

func (o *Outputs) notPassed(r *report.Report) (rows [][]string) {
	t := words.English()
	for _, word := range []string{"lost", "failed", "error", "skipped", "not-applicable", "no"} {
		for i := range r.Checks {
			if c := &r.Checks[i]; standing.Of(c).Word() == word {
				at := placeOf(c)
				rows = append(rows, []string{
					words.Outcome(t, word), c.Page + ": " + c.Name, o.place(at.File, at.Cell, at.Line), words.BareReason(t, c), words.Duration(c),
				})
			}
		}
	}
	return rows
}

// place returns a line of a file, or the file if the line is not known.
func (o *Outputs) place(file string, cell, line int) string {
	file = path.Join(o.below, file)
	switch {
	case line > 0:
		return report.Place{File: file, Cell: cell, Line: line}.String()
	case cell > 0:
		return words.English().Get("at_cell", "file", file, "n", strconv.Itoa(cell))
	}
	return file
}

// appendTo appends to a file that others write to as well.
func appendTo(file, text string) error {
	if file == "" || text == "" {
		return nil
	}
	f, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o644)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}
