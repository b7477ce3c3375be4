package results

import (
	"github.com/gpudocs/gpudocs/internal/render/nav"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/site"
)

// Spots are where the checks of some pages stand: the first place of each.
type Spots struct {
	byID    map[report.ID]*Spot
	byPlace map[place]*Spot
	results *Results
}

// A Spot is a block at the address of a page.
type Spot struct {
	nav.Placed
	Block *site.Block
}

// Spots finds the checks of pages.
func (r *Results) Spots(pages []*nav.Entry) Spots {
	at := Spots{map[report.ID]*Spot{}, map[place]*Spot{}, r}
	for _, e := range pages {
		p := *e.Placed
		for _, b := range p.Page.Blocks {
			here := &Spot{p, b}
			note := func(id report.ID, name string) {
				if at.byID[id] == nil {
					at.byID[id] = here
				}
				if key := (place{p.Page.Key, name}); at.byPlace[key] == nil {
					at.byPlace[key] = here
				}
			}
			if b.Kind != site.GPU {
				note(b.ID, b.Name)
			}
			for _, line := range b.GPULines {
				note(line.ID, line.Name)
			}
		}
	}
	return at
}

// Current finds a check as it is now, or nil.
func (at Spots) Current(id report.ID) *Spot { return at.byID[id] }

// Of finds a check, also if its code has changed since; stale reports that. What
// another language says at the same place is none of this one's.
func (at Spots) Of(c *report.Check) (here *Spot, stale bool) {
	if here = at.byID[c.ID]; here != nil {
		return here, false
	}
	if here = at.byPlace[place{c.Page, c.Name}]; here != nil && at.results.removed(c, here.Page) {
		return here, true
	}
	return nil, false
}
