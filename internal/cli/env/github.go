package env

import (
	"cmp"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/gpudocs/gpudocs/internal/cli/github"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// actions writes annotations and the step summary of GitHub Actions at the end of a run. A nil
// *actions writes nothing.
type actions struct {
	// below is the site's folder below the repository's root.
	below string
	diags diag.List
}

// BelowRoot returns the site's path below the repository's root, which the CI servers GitHub,
// GitLab and Jenkins name in the environment. It is empty if none does, or if the site is elsewhere.
func BelowRoot(site string) string {
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

func (g *actions) found(l diag.List) {
	if g != nil {
		g.diags = append(g.diags, l...)
	}
}

func (g *actions) end(a *Env, runs []*report.Report, how *exit) {
	if g == nil {
		return
	}
	var all []github.Annotation
	for _, d := range g.diags {
		all = append(all, g.ofDiagnostic(d))
	}
	for _, r := range runs {
		for i := range r.Checks {
			if c := &r.Checks[i]; c.Outcome == report.Failed || c.Outcome == report.Errored {
				all = append(all, g.ofCheck(r.Machine.Name, c))
			}
		}
	}
	if len(all) == 0 && how.Cause != nil { // otherwise they say it better
		all = append(all, github.Annotation{Level: github.Error, Title: "gpudocs", Message: how.Cause.Error()})
	}
	_ = github.Annotate(a.Stdout, all)
	if err := appendTo(os.Getenv("GITHUB_STEP_SUMMARY"), g.summary(runs)); err != nil {
		a.Warn(diag.Say("cli.github-summary-failed", "why", err))
	}
}

func (g *actions) ofDiagnostic(d diag.Diagnostic) github.Annotation {
	level := map[diag.Severity]github.Level{diag.Error: github.Error, diag.Warning: github.Warning, diag.Notice: github.Notice}[d.Severity]
	out := github.Annotation{Level: level, Line: d.Line, Column: d.Column, Title: "gpudocs", Message: d.Message.String()}
	if d.File != "" {
		out.File = path.Join(g.below, d.File)
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
func (g *actions) ofCheck(machine string, c *report.Check) github.Annotation {
	t := English()
	out := github.Annotation{Level: github.Error, Title: fmt.Sprintf("%s on %s: %s", c.Name, machine, c.Outcome), Message: t.bareReason(c)}
	at := where(c)
	if at.Cell > 0 {
		out.Message = fmt.Sprintf("cell %d, line %d: %s", at.Cell, at.Line, out.Message)
	} else {
		out.Line = at.Line
	}
	if at.File != "" {
		out.File = path.Join(g.below, at.File)
	}
	for i, d := range c.Diff {
		if i == MaxDiffLines {
			out.Message += fmt.Sprintf("\n... %d lines more", len(c.Diff)-i)
			break
		}
		out.Message += "\n" + d.Op + " " + t.shortened(d).Text
	}
	return out
}

// summary returns Markdown: a table of the diagnostics, and for each machine one of the checks that
// did not pass, the failed ones first.
func (g *actions) summary(runs []*report.Report) string {
	var b strings.Builder
	if len(g.diags) > 0 {
		var rows [][]string
		for _, d := range g.diags {
			rows = append(rows, []string{d.Severity.String(), English().place(path.Join(g.below, d.File), d.Cell, d.Line), d.Message.String(), d.Hint.String()})
		}
		fmt.Fprintf(&b, "### gpudocs: %s\n\n%s\n", English().Count("findings", len(g.diags)), github.Table([]string{"severity", "place", "message", "hint"}, rows))
	}
	t := English()
	for _, r := range runs {
		fmt.Fprintf(&b, "### gpudocs on %s: %s\n\n%s\n\n", github.Text(r.Machine.Name), t.TallyText(Tally(r)), github.Text(t.Facts(r.Machine)))
		if rows := g.notPassed(t, r); len(rows) > 0 {
			b.WriteString(github.Table([]string{"outcome", "check", "place", "reason", "time"}, rows) + "\n")
		}
	}
	return github.Bounded(b.String())
}

var worstFirst = []report.Outcome{report.Failed, report.Errored, report.Skipped}

func (g *actions) notPassed(t Catalog, r *report.Report) [][]string {
	var rows [][]string
	for _, o := range worstFirst {
		for i := range r.Checks {
			if c := &r.Checks[i]; c.Outcome == o {
				at := where(c)
				rows = append(rows, []string{string(c.Outcome), c.Page + ": " + c.Name, t.place(path.Join(g.below, at.File), at.Cell, at.Line), t.bareReason(c), DurationText(c)})
			}
		}
	}
	return rows
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
