package results

import (
	"slices"
	"strconv"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text"
)

// The statuses of a result. Each is the suffix of a text's key and of a CSS class.
const (
	None = "none"
	// NotApplicable means that the machine lacks what the check needs.
	NotApplicable = "not-applicable"
	// Answered means that a line of a gpu block asks and demands nothing, and that the answer is known.
	Answered = "answered"
	// Skipped is any other reason for which a check was not run: an earlier one failed, its job did not start.
	Skipped = "skipped"
	Passed  = "passed"
	Stale   = "stale"
	Errored = "error"
	Failed  = "failed"
	// Altered means that nothing in the report counts, because its signature does not match.
	Altered = "altered"
)

// Unsteady is the label of a result that passed, but not at the first try. It counts as passed.
const Unsteady = "unsteady"

// Yes and No are the labels of a single answer.
const Yes, No = "yes", "no"

// Statuses are all of them, from the weakest to the strongest. The strongest status of several findings, machines or
// blocks is that of all of them: a pass outranks what does not apply, and any failure a pass.
var Statuses = []string{None, NotApplicable, Answered, Skipped, Passed, Stale, Errored, Failed, Altered}

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
	place int // among the checks of its block
}

// Status returns the outcome of the check, unless it does not apply to the machine, its code has changed since, or the
// report was altered.
func (f Finding) Status() string {
	switch {
	case !f.Machine.Trusted():
		return Altered
	case f.Stale:
		return Stale
	}
	switch means := f.Check.Means(); means {
	case report.Yes, report.No:
		return Answered
	default:
		return string(means)
	}
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

// label returns the status, or [Unsteady]. A single answer is [Yes] or [No].
func (r Result) label() string {
	switch {
	case r.unsteady():
		return Unsteady
	case r.Status == Answered && len(r.Findings) == 1 && r.Findings[0].Check.Outcome == report.Passed:
		return Yes
	case r.Status == Answered && len(r.Findings) == 1:
		return No
	}
	return r.Status
}

// text returns the label in words. A block of which only some lines or combinations passed says how many.
func (r Result) text(t text.Catalog) string {
	demanded, passed := 0, 0
	for _, f := range r.Findings {
		switch f.Status() {
		case Answered:
			continue
		case Passed:
			passed++
		}
		demanded++
	}
	words := t.Get("status_" + r.label())
	if r.Status == Passed && passed < demanded {
		words += " " + t.Get("partly", "n", strconv.Itoa(passed), "of", strconv.Itoa(demanded))
	}
	return words
}

// For returns the result of each machine that has run a block, in the order of [Index.Machines].
// The block's panel has the status of all of them; see [Overall]. They are computed once, and callers must not change them.
func (r *Index) For(b *site.Block) (list []Result) {
	if known, ok := r.results.Load(b); ok {
		return known.([]Result)
	}
	for _, m := range r.Machines {
		result := Result{Machine: m, Status: None}
		place := 0
		for id, name := range checks(b) {
			place++
			if f := r.Find(m, id, b.Page, name); f.Check != nil {
				f.place = place
				result.Findings, result.Status = append(result.Findings, f), stronger(result.Status, f.Status())
			}
		}
		if len(result.Findings) > 0 {
			list = append(list, result)
		}
	}
	r.results.Store(b, list)
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
