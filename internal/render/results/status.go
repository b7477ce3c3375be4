package results

import (
	"slices"
	"strconv"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/standing"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text"
)

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

// State returns what the check is on the machine: what [standing.Of] says, unless its code has changed since, or the report was altered.
func (f Finding) State() standing.State {
	if f.Check == nil {
		return standing.State{}
	}
	s := standing.Of(f.Check)
	switch {
	case !f.Machine.Trusted():
		return standing.State{Standing: standing.Altered, Asks: s.Asks}
	case f.Stale:
		return standing.State{Standing: standing.Stale, Asks: s.Asks}
	}
	return s
}

// A Result is what one machine found for a block: one finding for a runnable block, one for each
// line of a gpu block. Its state is that of all of them.
type Result struct {
	*Machine
	Findings []Finding
	standing.State
}

func newResult(m *Machine, findings ...Finding) Result {
	r := Result{Machine: m, Findings: findings}
	for i, f := range findings {
		if s := f.State(); i == 0 {
			r.State = s
		} else {
			r.State = r.With(s)
		}
	}
	return r
}

// text returns the state in words. A block of which only some lines or combinations passed says how many.
func (r Result) text(t text.Catalog) string {
	demanded, passed := 0, 0
	for _, f := range r.Findings {
		switch f.State().Standing {
		case standing.Answered:
			continue
		case standing.Passed:
			passed++
		}
		demanded++
	}
	words := statusText(t, r.State)
	if r.Standing == standing.Passed && passed < demanded {
		words += " " + t.Get("partly", "n", strconv.Itoa(passed), "of", strconv.Itoa(demanded))
	}
	return words
}

// statusText returns a state in words.
func statusText(t text.Catalog, s standing.State) string { return t.Get("status_" + s.Label()) }

// For returns the result of each machine that has run a block, in the order of [Index.Machines].
// The block's panel has the status of all of them; see [Overall]. They are computed once, and callers must not change them.
func (r *Index) For(b *site.Block) (list []Result) {
	if known, ok := r.results.Load(b); ok {
		return known.([]Result)
	}
	for _, m := range r.Machines {
		var found []Finding
		for i, c := range checks(b) {
			if f := r.Find(m, c.ID, b.Page, c.Name); f.Check != nil {
				f.place = i + 1
				found = append(found, f)
			}
		}
		if len(found) > 0 {
			list = append(list, newResult(m, found...))
		}
	}
	r.results.Store(b, list)
	return list
}

// Overall returns the strongest standing of some results, [standing.None] if there are none.
func Overall(list []Result) (s standing.Standing) {
	for _, r := range list {
		s = max(s, r.Standing)
	}
	return s
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
