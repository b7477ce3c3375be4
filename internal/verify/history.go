package verify

import "github.com/gpudocs/gpudocs/internal/report"

// A blockLocation is the file of a block and its name there.
type blockLocation struct{ file, name string }

// locationOf returns the location of a check's first place.
func locationOf(c *report.Check) blockLocation {
	if len(c.Places) == 0 {
		return blockLocation{name: c.Name} // no file has this name
	}
	return blockLocation{c.Places[0].File, c.Name}
}

// previousChecks are the checks of an earlier report, by ID and by location.
type previousChecks struct {
	byID       map[report.ID]*report.Check
	byLocation map[blockLocation]*report.Check
}

// newPreviousChecks indexes a report, which may be nil. Only checks whose code is no
// longer in the site are indexed by location.
func newPreviousChecks(r *report.Report, p *Plan) previousChecks {
	out := previousChecks{r.ByID(), map[blockLocation]*report.Check{}}
	if r == nil {
		return out
	}
	for i := range r.Checks {
		if c := &r.Checks[i]; p.places[c.ID] == nil {
			out.byLocation[locationOf(c)] = c
		}
	}
	return out
}

// history returns the earlier outcomes of a check, newest first. If its code is new,
// they are those of the check that was at its location before.
func (h previousChecks) history(c *report.Check, locations []blockLocation) []report.Past {
	was := h.byID[c.ID]
	for _, s := range locations {
		if old := h.byLocation[s]; was == nil && old != nil && old.Kind == c.Kind {
			was = old
		}
	}
	if was == nil {
		return nil
	}
	list := append([]report.Past{was.Past()}, was.History...)
	return list[:min(len(list), report.MaxHistory)]
}
