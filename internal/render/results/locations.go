package results

import (
	"github.com/gpudocs/gpudocs/internal/render/nav"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/site"
)

// Locations has the first place on some pages of each check of the reports.
type Locations struct {
	byID    map[report.ID]*Location
	byPlace map[place]*Location
	index   *Index
}

// A Location is a block on a page at an address.
type Location struct {
	nav.Placed
	Block *site.Block
}

// Locate finds the checks of pages.
func (r *Index) Locate(pages []*nav.Entry) Locations {
	at := Locations{map[report.ID]*Location{}, map[place]*Location{}, r}
	for _, e := range pages {
		p := *e.Placed
		for _, b := range p.Page.Blocks {
			here := &Location{p, b}
			for _, c := range checks(b) {
				if at.byID[c.ID] == nil {
					at.byID[c.ID] = here
				}
				if key := (place{p.Page.Key, c.Name}); at.byPlace[key] == nil {
					at.byPlace[key] = here
				}
			}
		}
	}
	return at
}

// Current returns the location of a check whose code is the same as in the report, or nil.
func (at Locations) Current(id report.ID) *Location { return at.byID[id] }

// Of returns the location of a check, also if its code has changed since, which stale reports. It is nil
// if the check is not on these pages; a block of the same name in another language does not count.
func (at Locations) Of(c *report.Check) (here *Location, stale bool) {
	if here = at.byID[c.ID]; here != nil {
		return here, false
	}
	if here = at.byPlace[place{c.Page, c.Name}]; here != nil && at.index.removed(c, here.Page) {
		return here, true
	}
	return nil, false
}
