package env

import (
	"cmp"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/gpudocs/gpudocs/internal/cli/github"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/reason"
	"github.com/gpudocs/gpudocs/internal/report/standing"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// belowRoot returns the site's path below the repository's root, which the CI servers GitHub,
// GitLab and Jenkins name in the environment. It is empty if none does, or if the site is elsewhere.
func belowRoot(site string) string {
	root := cmp.Or(os.Getenv("GITHUB_WORKSPACE"), os.Getenv("CI_PROJECT_DIR"), os.Getenv("WORKSPACE"))
	if root == "" {
		return ""
	}
	real := func(p string) string {
		if abs, err := filepath.Abs(p); err == nil {
			p = abs
		}
		if clean, err := filepath.EvalSymlinks(p); err == nil {
			p = clean
		}
		return p
	}
	rel, err := filepath.Rel(real(root), real(site))
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return ""
	}
	return filepath.ToSlash(rel)
}

// writeActions writes annotations to standard output and the step summary of GitHub Actions.
func (o *outputs) writeActions(a *Env, how *exit) {
	var all []github.Annotation
	for _, d := range o.diags {
		all = append(all, o.ofDiagnostic(d))
	}
	for _, r := range o.runs {
		for i := range r.Checks {
			c := &r.Checks[i]
			drifts := English().Drifts(c)
			if !standing.Of(c).Broken() && len(drifts) == 0 {
				continue
			}
			all = append(all, o.ofCheck(r.Machine.Name, c))
			if a := &all[len(all)-1]; len(drifts) > 0 {
				a.Message = strings.TrimSpace(a.Message + "\n" + strings.Join(drifts, "\n"))
				if c.Outcome == report.Passed {
					a.Level = github.Warning
				}
			}
		}
	}
	if len(all) == 0 && how.Cause != nil {
		all = append(all, github.Annotation{Level: github.Error, Title: "gpudocs", Message: how.Cause.Error()})
	}
	_ = github.Annotate(a.Stdout, all)
	if err := appendTo(os.Getenv("GITHUB_STEP_SUMMARY"), o.summary()); err != nil {
		a.Warn(diag.Say("cli.github-summary-failed", "why", err))
	}
}

func (o *outputs) ofDiagnostic(d diag.Diagnostic) github.Annotation {
	level := map[diag.Severity]github.Level{diag.Error: github.Error, diag.Warning: github.Warning, diag.Notice: github.Notice}[d.Severity]
	out := github.Annotation{Level: level, Line: d.Line, Column: d.Column, Title: "gpudocs", Message: d.Message.String()}
	if d.File != "" {
		out.File = path.Join(o.below, d.File)
	}
	if d.Cell > 0 { // a line of a notebook's cell is not a line of the file
		out.Line, out.Column = 0, 0
		out.Message = fmt.Sprintf("cell %d, line %d: %s", d.Cell, max(1, d.Line), d.Message)
	} else if d.Width > 0 {
		out.EndColumn = d.Column + d.Width
	}
	if !d.Hint.IsZero() {
		out.Message += "\nhint: " + d.Hint.String()
	}
	return out
}

// ofCheck puts an annotation where the check failed, else at its block.
func (o *outputs) ofCheck(machine string, c *report.Check) github.Annotation {
	t := English()
	out := github.Annotation{Level: github.Error, Title: fmt.Sprintf("%s on %s: %s", c.Name, machine, standing.Of(c).Word()), Message: t.bareReason(c)}
	at := placeOf(c)
	if at.Cell > 0 {
		out.Message = fmt.Sprintf("cell %d, line %d: %s", at.Cell, at.Line, out.Message)
	} else {
		out.Line = at.Line
	}
	if at.File != "" {
		out.File = path.Join(o.below, at.File)
	}
	for i, d := range c.Diff {
		if i == MaxDiffLines {
			out.Message += fmt.Sprintf("\n... %d lines more", report.Lines(c.Diff[i:]))
			break
		}
		out.Message += "\n" + d.Op + " " + t.shortened(d).Text
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

// bareReason returns a reason without its place.
func (t Catalog) bareReason(c *report.Check) string {
	if c.Reason == nil {
		return ""
	}
	return diag.Printable(reason.Told(t.Catalog, c, report.GPU{}))
}

// summary returns Markdown: a table of the diagnostics, and for each machine one of the checks that
// did not pass, the failed ones first.
func (o *outputs) summary() string {
	var b strings.Builder
	t := English()
	if len(o.diags) > 0 {
		var rows [][]string
		for _, d := range o.diags {
			rows = append(rows, []string{d.Severity.String(), o.place(d.File, d.Cell, d.Line), d.Message.String(), d.Hint.String()})
		}
		fmt.Fprintf(&b, "### gpudocs: %s\n\n%s\n", t.Count("findings", len(o.diags)), github.Table([]string{"severity", "place", "message", "hint"}, rows))
	}
	for _, r := range o.runs {
		fmt.Fprintf(&b, "### gpudocs on %s: %s\n\n%s\n\n", github.Text(r.Machine.Name), t.TallyText(standing.Report(r)), github.Text(t.Facts(r.Machine)))
		if rows := o.notPassed(r); len(rows) > 0 {
			b.WriteString(github.Table([]string{"outcome", "check", "place", "reason", "time"}, rows) + "\n")
		}
	}
	return github.Bounded(b.String())
}

func (o *outputs) notPassed(r *report.Report) (rows [][]string) {
	for _, word := range []string{"lost", "failed", "error", "skipped", "not-applicable", "no"} {
		for i := range r.Checks {
			if c := &r.Checks[i]; standing.Of(c).Word() == word {
				at := placeOf(c)
				rows = append(rows, []string{English().Outcome(word), c.Page + ": " + c.Name, o.place(at.File, at.Cell, at.Line), English().bareReason(c), DurationText(c)})
			}
		}
	}
	return rows
}

// place returns a line of a file, or the file if the line is not known.
func (o *outputs) place(file string, cell, line int) string {
	file = path.Join(o.below, file)
	switch {
	case line > 0:
		return report.Place{File: file, Cell: cell, Line: line}.String()
	case cell > 0:
		return English().Get("at_cell", "file", file, "n", strconv.Itoa(cell))
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
