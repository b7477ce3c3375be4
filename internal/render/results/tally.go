package results

import (
	"slices"
	"time"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/reason"
	"github.com/gpudocs/gpudocs/internal/report/standing"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// Tally counts the results of a site on all machines, and the checks without any, and returns a diagnostic for each that neither
// passed nor was skipped, a notice if it is stale on a machine that runs later. The same check in two languages counts once.
func (r *Index) Tally(site *site.Site) (c standing.Count, problems diag.List) {
	for _, on := range r.Totals() {
		c = c.Plus(on.Count)
	}
	c.By[standing.None] = r.Checks(nil, site.Pages...).NotRun()
	seen := map[*report.Check]bool{}
	for _, p := range site.Pages {
		for _, b := range p.Blocks {
			for _, result := range r.For(b) {
				for _, f := range result.Findings {
					s := f.State().Standing
					if seen[f.Check] || !s.Trouble() || s == standing.Altered { // an altered report has its own diagnostic
						continue
					}
					seen[f.Check] = true
					d := problem(b, f)
					if s == standing.Stale && slices.Contains(site.Config.Late, f.Machine.Name) {
						d.Severity = diag.Notice
					}
					problems.Add(d)
				}
			}
		}
	}
	return c, problems
}

// problem returns the diagnostic of a finding.
func problem(b *site.Block, f Finding) diag.Diagnostic {
	machine := f.Machine.Name
	message := diag.Say("page.check-stale", "name", f.Name, "machine", machine, "date_only", f.Check.Ran.Format(time.DateOnly))
	hint := diag.Say("page.check-stale-hint", "machine", machine)
	if !f.Stale {
		message = diag.Say("page.check-failed", "name", f.Name, "machine", machine, "why", reason.Message(f.Check.Reason))
		hint = diag.Say("page.check-failed-hint", "hint", hint)
	}
	return diag.Diagnostic{Severity: diag.Warning, File: b.File, Cell: b.Cell, Line: b.Line, Column: 1,
		Message: message, Hint: hint, Source: b.Opening}
}
