package verify

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/ask"
	"github.com/gpudocs/gpudocs/internal/report/standing"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text"
)

// A Plan is what a run will do: sessions and gpu lines in the order of the pages, each
// check once, even if several translations have it.
type Plan struct {
	Sessions []*Session
	Lines    []*Line
	// all are the checks of the site, chosen or not, and order their IDs in the order of
	// the pages.
	all   map[report.ID]*siteCheck
	order []report.ID
	// unread are the files whose pages could not be read, or not without errors. Nothing of them runs,
	// and what earlier runs found stays.
	unread map[string]bool
	// siteAsks is what the requirements of the site ask a machine for, by environment.
	siteAsks map[string][]ask.Fact
}

// A siteCheck is where a check is in the site. Page key and name are those of its first
// place. The locations are the same places by the blocks' names.
type siteCheck struct {
	page, name string
	places     []report.Place
	locations  []blockLocation
}

// A Session is a session of a page, run up to and including its block Last.
type Session struct {
	*site.Session
	Last int
}

// Chosen returns the blocks to run.
func (s *Session) Chosen() []*site.Block { return s.Blocks[:s.Last+1] }

// A Line is a line of a gpu block.
type Line struct {
	Block *site.Block
	site.GPULine
}

// A Filter chooses what to run; the zero Filter chooses everything.
type Filter struct {
	// Paths are files or folders as in "content/pt/gpu.md", below the site's folder.
	Paths []string
	// Names are names of blocks, or of gpu lines: "lab.driver". If empty, all are chosen.
	Names []string
	// Known reports whether a check need not run. If nil, all run.
	Known func(report.ID) bool
}

// NewPlan chooses what to run of a site. Pages with an error are left out. A path or a name that chooses nothing is an
// error.
func NewPlan(s *site.Site, f Filter) (*Plan, error) {
	p := &Plan{all: map[report.ID]*siteCheck{}, unread: map[string]bool{}, siteAsks: map[string][]ask.Fact{}}
	var sessions []*Session
	lines := map[report.ID]bool{}
	used := map[string]bool{}
	for _, page := range s.Pages {
		p.register(page)
		if chosen := f.page(page.Source.Name, used); !chosen || page.Faulty {
			p.unread[page.Source.Name] = page.Faulty
			continue
		}
		for _, b := range page.Blocks {
			if b.Kind != site.GPU {
				continue
			}
			for _, l := range b.GPULines {
				if !lines[l.ID] && f.wants(b.Name, l.Name) && !f.known(l.ID) {
					lines[l.ID] = true
					p.Lines = append(p.Lines, &Line{b, l})
				}
			}
		}
		sessions = append(sessions, f.sessions(page)...)
	}
	if len(p.order) > report.MaxChecks {
		return nil, text.Say("verify.checks-too-many", "n", len(p.order), "most", report.MaxChecks)
	}
	for file := range s.LeftOut {
		p.unread[file] = true
		f.page(file, used)
	}
	p.Sessions = distinct(sessions)
	return p, f.unused(p, used)
}

// register adds the places of every check of a page.
func (p *Plan) register(page *site.Page) {
	for _, b := range page.Runs() {
		addAsks(p.siteAsks, b)
		for _, of := range b.Checks() {
			c := p.all[of.ID]
			if c == nil {
				c = &siteCheck{page: page.Key, name: of.Name}
				p.all[of.ID], p.order = c, append(p.order, of.ID)
			}
			if at := b.Place(of.At); !slices.Contains(c.places, at) { // pages may include the same file
				c.places = append(c.places, at)
			}
			c.locations = append(c.locations, blockLocation{page.Source.Name, of.Name})
		}
	}
}

// sessions returns the sessions of a page with a block that the filter chooses, up to
// the last such block. The blocks before it in its session run too, because it needs
// them.
func (f Filter) sessions(page *site.Page) []*Session {
	var out []*Session
	seen := map[*site.Session]bool{}
	for _, b := range page.Runs() {
		s := b.Session
		if s == nil || seen[s] {
			continue
		}
		seen[s] = true
		last := -1
		for i, b := range s.Blocks {
			if f.wants(b.Name, b.CheckName()) && !f.known(b.ID) {
				last = i
			}
		}
		if last >= 0 {
			out = append(out, &Session{s, last})
		}
	}
	return out
}

// distinct leaves out sessions whose checks all run in another one anyway. Longer
// sessions are preferred.
func distinct(sessions []*Session) []*Session {
	longest := slices.Clone(sessions)
	slices.SortStableFunc(longest, func(a, b *Session) int { return cmp.Compare(b.Last, a.Last) })
	covered := map[report.ID]bool{}
	keep := map[*Session]bool{}
	for _, s := range longest {
		for _, b := range s.Chosen() {
			keep[s] = keep[s] || !covered[b.ID]
			covered[b.ID] = true
		}
	}
	return slices.DeleteFunc(sessions, func(s *Session) bool { return !keep[s] })
}

func (f Filter) page(name string, used map[string]bool) bool {
	chosen := len(f.Paths) == 0
	for _, p := range f.Paths {
		clean := path.Clean(strings.ReplaceAll(p, `\`, "/"))
		if clean == "." || name == clean || strings.HasPrefix(name, clean+"/") {
			used[p] = true
			chosen = true
		}
	}
	return chosen
}

// Chooses reports whether a page, as in "content/pt/gpu.md", is among the chosen ones.
func (f Filter) Chooses(page string) bool { return f.page(page, map[string]bool{}) }

func (f Filter) wants(names ...string) bool {
	return len(f.Names) == 0 || slices.ContainsFunc(names, func(n string) bool { return slices.Contains(f.Names, n) })
}

func (f Filter) known(id report.ID) bool { return f.Known != nil && f.Known(id) }

func (f Filter) unused(p *Plan, used map[string]bool) error {
	for _, path := range f.Paths {
		if !used[path] {
			return text.Say("verify.page-unknown", "path", path)
		}
	}
	if f.Known != nil {
		return nil
	}
	for _, name := range f.Names {
		if !p.contains(name) {
			return text.Say("verify.block-unknown", "name", name)
		}
	}
	return nil
}

// contains reports whether a block or a gpu line of that name is to run.
func (p *Plan) contains(name string) bool {
	return slices.ContainsFunc(p.Lines, func(l *Line) bool { return l.Block.Name == name || l.Name == name }) ||
		slices.ContainsFunc(p.Sessions, func(s *Session) bool {
			return slices.ContainsFunc(s.Chosen(), func(b *site.Block) bool { return b.Name == name || b.CheckName() == name })
		})
}

// Unread returns the chosen files of which nothing runs because of an error.
func (p *Plan) Unread(f Filter) (files []string) {
	for file, is := range p.unread {
		if is && f.Chooses(file) {
			files = append(files, file)
		}
	}
	slices.Sort(files)
	return files
}

// Outdated reports whether the plan runs code that is no longer in the site.
func (p *Plan) Outdated(site *site.Site) bool {
	now := map[report.ID]bool{}
	for _, page := range site.Pages {
		for _, b := range page.Runs() {
			now[b.ID] = true
		}
	}
	for _, s := range p.Sessions {
		if !now[s.Blocks[s.Last].ID] {
			return true
		}
	}
	return false
}

// The time that a run may take in addition to the time limits of its blocks: to start,
// for each block (to start an interpreter, to clean up a session), for a line that
// measures, and for a job script after it has left the queue.
const (
	startTime   = time.Hour
	blockTime   = time.Minute
	measureTime = time.Hour
	jobTime     = 10 * time.Minute
	maxTime     = 30 * 24 * time.Hour // of the whole run
)

// Longest returns how long a run of the plan can take on any machine, if its blocks run
// one after the other and each uses its whole time limit. It is at most 30 days. Only
// the options Timeout and QueueWait are used.
func (p *Plan) Longest(o Options) time.Duration {
	longest := startTime
	for _, l := range p.Lines {
		longest += blockTime
		if l.Measures() != nil {
			longest += measureTime
		}
	}
	for _, s := range p.Sessions {
		session := time.Duration(0) // up to a block
		for _, b := range s.Chosen() {
			limit := blockTime + cmp.Or(o.Timeout, b.Timeout)
			if b.Kind == site.Sbatch {
				limit += jobTime + o.QueueWait
			}
			session = min(session+limit, maxTime)
			longest = min(longest+limit+time.Duration(b.Retries)*session, maxTime)
		}
	}
	return min(longest, maxTime)
}

// Order returns checks in the order of the pages, with the page, name and places that the site gives them.
// Checks that are not in the site are left out.
func (p *Plan) Order(checks map[report.ID]report.Check) []report.Check {
	out := []report.Check{}
	for _, id := range p.order {
		if c, ok := checks[id]; ok {
			here := p.all[id]
			c.ID, c.Page, c.Name, c.Places = id, here.page, here.name, here.places
			out = append(out, c)
		}
	}
	return out
}

// ids returns the checks that the plan runs.
func (p *Plan) ids() map[report.ID]bool {
	ids := map[report.ID]bool{}
	for _, l := range p.Lines {
		ids[l.ID] = true
	}
	for _, s := range p.Sessions {
		for _, b := range s.Chosen() {
			ids[b.ID] = true
		}
	}
	return ids
}

// Checks returns the number of checks that the plan runs.
func (p *Plan) Checks() int { return len(p.ids()) }

// Steps returns the number of lines and blocks that the plan runs. A check counts in each session that
// needs it.
func (p *Plan) Steps() int {
	n := len(p.Lines)
	for _, s := range p.Sessions {
		n += len(s.Chosen())
	}
	return n
}

// Known returns a function that reports whether a check need not run again: all checks
// that the report holds.
func Known(r *report.Report) func(report.ID) bool {
	checks := r.ByID()
	return func(id report.ID) bool { return checks[id] != nil }
}

// Of returns a copy of the report with only those checks that are in the plan.
func (p *Plan) Of(r *report.Report) *report.Report {
	chosen := p.ids()
	out := *r
	out.Checks = slices.DeleteFunc(slices.Clone(r.Checks), func(c report.Check) bool { return !chosen[c.ID] })
	return &out
}

// Failed reports whether any check of the plan failed or was an error.
func (p *Plan) Failed(r *report.Report) bool {
	return slices.ContainsFunc(p.Of(r).Checks, func(c report.Check) bool { return standing.Of(&c).Bad() })
}
