package report

import (
	"slices"
	"time"
)

// A Spot is where a check stands in a site: a page's key and a block's name.
type Spot struct{ Page, Name string }

// Held are the checks that a site holds now, each with where it stands.
type Held map[ID][]Spot

// PruneOptions say what [Prune] takes out beside the results that the site has
// no place for.
type PruneOptions struct {
	// Before takes out results and earlier outcomes of an earlier time, unless zero.
	Before time.Time
	// History is how many earlier outcomes each check keeps.
	History int
}

// Why a result is taken out.
type Why string

const (
	// GoneBlock: the site has no such block any more.
	GoneBlock Why = "block-gone"
	// Replaced: the report holds a result of the block as it is now.
	Replaced Why = "replaced"
	// TooOld: it is older than was asked for.
	TooOld Why = "too-old"
)

// A Gone is a result that was taken out.
type Gone struct {
	Check *Check
	Why   Why
}

// Pruned is what [Prune] took out: results, and a number of earlier outcomes of
// those that stay.
type Pruned struct {
	Gone []Gone
	Past int
}

// Prune returns the report without what its site does not hold any more. A
// result whose code has changed stays, because the site shows it as stale, until
// there is one of the code as it is now; verify has the same rule.
func Prune(r *Report, held Held, o PruneOptions) (*Report, Pruned) {
	out, p := *r, Pruned{}
	out.Checks = []Check{}
	known, current := map[Spot]bool{}, map[Spot]bool{}
	for _, spots := range held {
		for _, at := range spots {
			known[at] = true
		}
	}
	for _, c := range r.Checks {
		for _, at := range held[c.ID] {
			current[at] = true
		}
	}
	for i := range r.Checks {
		c := r.Checks[i]
		at := Spot{c.Page, c.Name}
		switch {
		case held[c.ID] == nil && !known[at]:
			p.Gone = append(p.Gone, Gone{&r.Checks[i], GoneBlock})
			continue
		case held[c.ID] == nil && current[at]:
			p.Gone = append(p.Gone, Gone{&r.Checks[i], Replaced})
			continue
		case c.Ran.Before(o.Before):
			p.Gone = append(p.Gone, Gone{&r.Checks[i], TooOld})
			continue
		}
		kept := slices.DeleteFunc(slices.Clone(c.History), func(h Past) bool { return h.Ran.Before(o.Before) })
		kept = kept[:min(len(kept), o.History)]
		p.Past += len(c.History) - len(kept)
		c.History = kept
		out.Checks = append(out.Checks, c)
	}
	return &out, p
}
