package report

import (
	"slices"
	"time"
)

// A Spot is a place of a check in a site: a page's key and a block's name.
type Spot struct{ Page, Name string }

// Held are the checks of a site, each with its places.
type Held map[ID][]Spot

// PruneOptions are what [Prune] removes in addition to results without a place in the
// site.
type PruneOptions struct {
	// Before removes results and earlier outcomes from before that time, unless zero.
	Before time.Time
	// History limits the earlier outcomes of each check.
	History int
}

// Why is why a result is removed.
type Why string

const (
	// GoneBlock: the block is no longer in the site.
	GoneBlock Why = "block-gone"
	// Replaced: the report has a result of the current code of the block.
	Replaced Why = "replaced"
	// TooOld: it is older than [PruneOptions].Before.
	TooOld Why = "too-old"
)

// A Gone is a removed result.
type Gone struct {
	Check *Check
	Why   Why
}

// Pruned is what [Prune] removed: results, and a number of earlier outcomes of the
// remaining results.
type Pruned struct {
	Gone []Gone
	Past int
}

// Prune returns the report without results that are no longer in the site. A result of
// code that has changed is kept, because the site shows it as stale, until there is a
// result of the current code. verify has the same rule.
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
	for i, c := range r.Checks {
		at := Spot{c.Page, c.Name}
		var why Why
		switch {
		case held[c.ID] == nil && !known[at]:
			why = GoneBlock
		case held[c.ID] == nil && current[at]:
			why = Replaced
		case c.Ran.Before(o.Before):
			why = TooOld
		}
		if why != "" {
			p.Gone = append(p.Gone, Gone{&r.Checks[i], why})
			continue
		}
		history := slices.DeleteFunc(slices.Clone(c.History), func(h Past) bool { return h.Ran.Before(o.Before) })
		history = history[:min(len(history), o.History)]
		p.Past += len(c.History) - len(history)
		c.History = history
		out.Checks = append(out.Checks, c)
	}
	return &out, p
}
