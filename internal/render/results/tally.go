package results

import (
	"slices"
	"time"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
	"github.com/gpudocs/gpudocs/internal/text/invisible"
)

// A Tally counts checks by status.
type Tally struct {
	Passed  int `json:"passed"`
	Failed  int `json:"failed"`
	Errored int `json:"error"`
	// Skipped counts NotApplicable too.
	Skipped       int `json:"skipped"`
	NotApplicable int `json:"not_applicable"`
	// Answered counts the lines that ask and demand nothing.
	Answered int `json:"answered"`
	Stale    int `json:"stale"`
	Altered  int `json:"altered"`
	NotRun   int `json:"not_run"`
}

// Tally counts the checks of a site's pages on all machines, and returns a diagnostic for each that neither
// passed nor was skipped, a notice if it is stale on a machine that runs later. The same check in two languages counts once.
func (r *Index) Tally(site *site.Site) (t Tally, problems diag.List) {
	seen := map[*report.Check]bool{}
	missing := map[report.ID]bool{}
	for _, p := range site.Pages {
		for _, b := range p.Blocks {
			found := r.For(b)
			if id := blockID(b); len(found) == 0 && !missing[id] {
				missing[id] = true
				t.NotRun++
			}
			for _, result := range found {
				for _, f := range result.Findings {
					if seen[f.Check] {
						continue
					}
					seen[f.Check] = true
					t.Add(f)
					if s := f.Status(); Trouble(s) && s != Altered { // an altered report has its own diagnostic
						d := problem(b, f)
						if s == Stale && slices.Contains(site.Config.Late, f.Machine.Name) {
							d.Severity = diag.Notice
						}
						problems.Add(d)
					}
				}
			}
		}
	}
	return t, problems
}

// blockID returns the ID of a block's first check.
func blockID(b *site.Block) report.ID {
	for id := range checks(b) {
		return id
	}
	return ""
}

// Add counts a finding, which may have no check.
func (t *Tally) Add(f Finding) {
	if f.Check == nil {
		t.NotRun++
		return
	}
	if !f.Check.Counts() {
		return
	}
	switch f.Status() {
	case Passed:
		t.Passed++
	case Answered:
		t.Answered++
	case NotApplicable:
		t.Skipped++
		t.NotApplicable++
	case Skipped:
		t.Skipped++
	case Stale:
		t.Stale++
	case Errored:
		t.Errored++
	case Altered:
		t.Altered++
	default:
		t.Failed++
	}
}

// problem returns the diagnostic of a finding.
func problem(b *site.Block, f Finding) diag.Diagnostic {
	machine := f.Machine.Name
	message := diag.Say("page.check-stale", "name", b.Name, "machine", machine, "date_only", f.Check.Ran.Format(time.DateOnly))
	hint := diag.Say("page.check-stale-hint", "machine", machine)
	if !f.Stale {
		message = diag.Say("page.check-failed", "name", b.Name, "status", f.Status(), "machine", machine, "code", invisible.Visible(f.Check.Reason.Code))
		hint = diag.Say("page.check-failed-hint", "hint", hint)
	}
	return diag.Diagnostic{Severity: diag.Warning, File: b.File, Cell: b.Cell, Line: b.Line, Column: 1,
		Message: message, Hint: hint, Source: b.Opening}
}
