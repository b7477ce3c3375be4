package render

import (
	"cmp"
	"slices"
	"time"

	"github.com/gpudocs/gpudocs/internal/content"
	"github.com/gpudocs/gpudocs/internal/diag"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/unseen"
)

// A Source is a report and where it comes from.
type Source struct {
	Report *report.Report
	// Local marks the report that this very build has made on its own machine.
	Local     bool
	Signature Signature
}

// Status words of a result, from the best to the worst. Each is the suffix of
// a text's key and of a CSS class.
const (
	statusNone    = "none"
	statusPassed  = "passed"
	statusSkipped = "skipped"
	statusStale   = "stale"
	statusError   = "error"
	statusFailed  = "failed"
	// statusAltered: nothing in its report counts, for the signature does not match.
	statusAltered = "altered"
)

var severity = []string{statusNone, statusPassed, statusSkipped, statusStale, statusError, statusFailed, statusAltered}

func worse(a, b string) string {
	if slices.Index(severity, b) > slices.Index(severity, a) {
		return b
	}
	return a
}

// results finds what machines reported for a check.
type results struct {
	sources []Source
	// machines are those of the sources, their texts made visible.
	machines []report.Machine
	byID     []map[report.ID]*report.Check
	// byPlace finds what was reported for a block whose code has changed since.
	byPlace []map[place][]*report.Check
	// pages are the files that hold a check as it is now.
	pages map[report.ID]map[string]bool
	// tallies and lasts sum each report up, and say when it was made.
	tallies []Tally
	lasts   []time.Time
}

type place struct{ page, name string }

// A finding is what one machine reported for a check.
type finding struct {
	machine   *report.Machine
	local     bool
	check     *report.Check
	stale     bool
	signature Signature
}

func (f finding) status() string {
	switch {
	case f.signature.State == SignedOther:
		return statusAltered
	case f.stale:
		return statusStale
	}
	return string(f.check.Outcome)
}

// newResults indexes the reports: the local machine first, then by name.
func newResults(site *content.Site, sources []Source) *results {
	r := &results{sources: slices.Clone(sources), pages: map[report.ID]map[string]bool{}}
	slices.SortFunc(r.sources, func(a, b Source) int {
		if a.Local != b.Local {
			if a.Local {
				return -1
			}
			return 1
		}
		return cmp.Compare(a.Report.Machine.Name, b.Report.Machine.Name)
	})
	hold := func(id report.ID, p *content.Page) {
		if r.pages[id] == nil {
			r.pages[id] = map[string]bool{}
		}
		r.pages[id][p.Source.Name] = true
	}
	for _, p := range site.Pages {
		for _, b := range p.Blocks {
			if b.Kind != content.GPU {
				hold(b.ID, p)
			}
			for _, l := range b.GPULines {
				hold(l.ID, p)
			}
		}
	}
	for _, s := range r.sources {
		r.machines = append(r.machines, visibleMachine(s.Report.Machine))
		ids, places := map[report.ID]*report.Check{}, map[place][]*report.Check{}
		for i := range s.Report.Checks {
			c := &s.Report.Checks[i]
			ids[c.ID] = c
			places[place{c.Page, c.Name}] = append(places[place{c.Page, c.Name}], c)
		}
		tally, last := count(s)
		r.byID, r.byPlace = append(r.byID, ids), append(r.byPlace, places)
		r.tallies, r.lasts = append(r.tallies, tally), append(r.lasts, last)
	}
	return r
}

// find returns what each machine reported for a check of a page, current or
// stale; machines that have not run it are left out.
func (r *results) find(id report.ID, page *content.Page, name string) []finding {
	var out []finding
	for i, s := range r.sources {
		if c := r.byID[i][id]; c != nil {
			out = append(out, finding{&r.machines[i], s.Local, c, false, s.Signature})
		} else if c := r.outdated(i, page, name); c != nil {
			out = append(out, finding{&r.machines[i], s.Local, c, true, s.Signature})
		}
	}
	return out
}

// outdated returns what a machine reported for the block of that name when its
// code was another. The page must not hold that code any more, at another
// place; another language may, if the report says that it stood here too.
func (r *results) outdated(source int, page *content.Page, name string) *report.Check {
	for _, c := range r.byPlace[source][place{page.Key, name}] {
		if r.left(c, page) {
			return c
		}
	}
	return nil
}

// left tells that the code of a check of that page's name is not on it any more.
func (r *results) left(c *report.Check, page *content.Page) bool {
	file, now := page.Source.Name, r.pages[c.ID]
	here := func(p report.Place) bool { return p.File == file || slices.Contains(page.Includes, p.File) }
	return !now[file] && (len(now) == 0 || slices.ContainsFunc(c.Places, here))
}

// block returns the findings of a block by machine: one for a runnable block,
// one for each line of a gpu block.
func (r *results) block(b *content.Block) map[string][]finding {
	out := map[string][]finding{}
	add := func(list []finding) {
		for _, f := range list {
			name := f.machine.Name
			out[name] = append(out[name], f)
		}
	}
	if b.Kind != content.GPU {
		add(r.find(b.ID, b.Page, b.Name))
	}
	for _, l := range b.GPULines {
		add(r.find(l.ID, b.Page, l.Name))
	}
	return out
}

// machine returns the index of a machine, -1 if there is none.
func (r *results) machine(name string) int {
	return slices.IndexFunc(r.machines, func(m report.Machine) bool { return m.Name == name })
}

// Tally counts the checks of the site's pages over all machines; the same
// check in two languages counts once.
type Tally struct{ Passed, Failed, Errored, Skipped, Stale, NotRun, Altered int }

// tally counts, and words each doubtful result for --strict.
func (r *results) tally(site *content.Site) (t Tally, problems diag.List) {
	seen := map[*report.Check]bool{}
	missing := map[report.ID]bool{}
	for _, p := range site.Pages {
		for _, b := range p.Blocks {
			found := r.block(b)
			if len(found) == 0 && !missing[blockID(b)] {
				missing[blockID(b)] = true
				t.NotRun++
			}
			for _, s := range r.sources {
				for _, f := range found[s.Report.Machine.Name] {
					if seen[f.check] {
						continue
					}
					seen[f.check] = true
					if t.count(f.status()) {
						problems.Add(problem(b, f))
					}
				}
			}
		}
	}
	return t, problems
}

func blockID(b *content.Block) report.ID {
	if len(b.GPULines) > 0 {
		return b.GPULines[0].ID
	}
	return b.ID
}

// count adds one result and tells whether it is a problem.
func (t *Tally) count(status string) bool {
	switch status {
	case statusPassed:
		t.Passed++
	case statusSkipped:
		t.Skipped++
	case statusStale:
		t.Stale++
	case statusError:
		t.Errored++
	case statusAltered:
		t.Altered++
		return false // the report has a diagnostic of its own
	default:
		t.Failed++
	}
	return status != statusPassed && status != statusSkipped
}

func problem(b *content.Block, f finding) diag.Diagnostic {
	machine := f.machine.Name
	message := diag.Say("check %q is stale on %s: the code has changed since %s", b.Name, machine, f.check.Ran.Format(time.DateOnly))
	hint := diag.Say("run gpudocs verify --machine %s there", machine)
	if !f.stale {
		message = diag.Say("check %q: %s on %s (%s)", b.Name, f.status(), machine, visible(f.check.Reason.Code))
		hint = diag.Say("mend the code, its expectation or the machine, then %s", hint)
	}
	return diag.Diagnostic{Severity: diag.Warning, File: b.File, Cell: b.Cell, Line: b.Line, Column: 1,
		Message: message, Hint: hint, Source: b.Opening}
}

// count sums up a report.
func count(s Source) (t Tally, last time.Time) {
	for _, c := range s.Report.Checks {
		t.count(finding{check: &c, signature: s.Signature}.status())
		if c.Ran.After(last) {
			last = c.Ran
		}
	}
	return t, last
}

// visibleMachine makes every text of a machine visible, once for all pages.
func visibleMachine(m report.Machine) report.Machine {
	for _, s := range []*string{&m.OS, &m.Arch, &m.CPU, &m.GPU.Code, &m.GPU.Detail, &m.GPU.Driver, &m.GPU.CUDA} {
		*s = visible(*s)
	}
	m.GPU.Devices = slices.Clone(m.GPU.Devices)
	for i := range m.GPU.Devices {
		m.GPU.Devices[i].Name = visible(m.GPU.Devices[i].Name)
	}
	return m
}

// visible shows control and direction characters, which could hide or reorder
// what a machine wrote, as U+FFFD.
func visible(s string) string { return unseen.Visible(s) }
