package results

import (
	"slices"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/site"
)

// The statuses of a result. Each is the suffix of a text's key and of a CSS class.
const (
	None = "none"
	// NotApplicable means that the machine lacks what the check needs.
	NotApplicable = "not-applicable"
	// Skipped is any other reason for which a check was not run: an earlier one failed, its job did not start.
	Skipped = "skipped"
	Passed  = "passed"
	Stale   = "stale"
	Errored = "error"
	Failed  = "failed"
	// Altered means that nothing in the report counts, because its signature does not match.
	Altered = "altered"
)

// Unsteady is said of a result that passed, but not at the first try. It counts as passed.
const Unsteady = "unsteady"

// Statuses are all of them, from the weakest to the strongest. The strongest status of several findings, machines or
// blocks is that of all of them: a pass outranks what does not apply, and any failure a pass.
var Statuses = []string{None, NotApplicable, Skipped, Passed, Stale, Errored, Failed, Altered}

// Trouble reports whether a status is one that an author must look at.
func Trouble(status string) bool {
	return slices.Index(Statuses, status) > slices.Index(Statuses, Passed)
}

func stronger(a, b string) string {
	if slices.Index(Statuses, b) > slices.Index(Statuses, a) {
		return b
	}
	return a
}

// A Finding is what one machine reported for a check.
type Finding struct {
	Machine *Machine
	Check   *report.Check
	// Name is the name of the check on the page.
	Name string
	// Stale is set if the code has changed since.
	Stale bool
}

// Status returns the outcome of the check, unless it does not apply to the machine, its code has changed since, or the
// report was altered.
func (f Finding) Status() string {
	switch {
	case !f.Machine.Trusted():
		return Altered
	case f.Stale:
		return Stale
	case f.Check.NotApplicable():
		return NotApplicable
	}
	return string(f.Check.Outcome)
}

// A Result is what one machine found for a block: one finding for a runnable block, one for each
// line of a gpu block. Status is the strongest of their statuses.
type Result struct {
	*Machine
	Findings []Finding
	Status   string
}

// unsteady reports whether the result passed, and a check of it not at its first try.
func (r Result) unsteady() bool {
	return r.Status == Passed && slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Check.Unsteady() })
}

// label returns the status, or [Unsteady].
func (r Result) label() string {
	if r.unsteady() {
		return Unsteady
	}
	return r.Status
}

// For returns the result of each machine that has run a block, in the order of [Index.Machines].
// The block's panel has the status of all of them; see [Overall].
func (r *Index) For(b *site.Block) (list []Result) {
	for _, m := range r.Machines {
		result := Result{Machine: m, Status: None}
		for id, name := range checks(b) {
			if f := r.Find(m, id, b.Page, name); f.Check != nil {
				result.Findings, result.Status = append(result.Findings, f), stronger(result.Status, f.Status())
			}
		}
		if len(result.Findings) > 0 {
			list = append(list, result)
		}
	}
	return list
}

// Overall returns the strongest status of some results, [None] if there are none.
func Overall(list []Result) string {
	status := None
	for _, r := range list {
		status = stronger(status, r.Status)
	}
	return status
}

// Find returns what a machine reported for a check of a page, current or stale. Its check is nil if the
// machine has not run it.
func (r *Index) Find(m *Machine, id report.ID, page *site.Page, name string) Finding {
	if c := m.byID[id]; c != nil {
		return Finding{Machine: m, Check: c, Name: name}
	}
	return Finding{Machine: m, Check: r.outdated(m, page, name), Name: name, Stale: true}
}

// outdated returns what a machine reported for the block of that name when its code was different,
// or nil. It does not count if the page still has the old code, in another block. The page in another
// language may have it if the report says that this page had it too.
func (r *Index) outdated(m *Machine, page *site.Page, name string) *report.Check {
	for _, c := range m.byPlace[place{page.Key, name}] {
		if r.removed(c, page) {
			return c
		}
	}
	return nil
}

// removed reports whether the code of a check that names the page is no longer on it.
func (r *Index) removed(c *report.Check, page *site.Page) bool {
	file, now := page.Source.Name, r.files()[c.ID]
	here := func(p report.Place) bool { return p.File == file || slices.Contains(page.Includes, p.File) }
	return !now[file] && (len(now) == 0 || slices.ContainsFunc(c.Places, here))
}
