package verify

import "github.com/gpudocs/gpudocs/internal/report"

// A spot is where a block stands: its file, and its name there.
type spot struct{ file, name string }

// spotOf is where a check of a report stood first.
func spotOf(c *report.Check) spot {
	if len(c.Places) == 0 {
		return spot{name: c.Name} // no file has this name
	}
	return spot{c.Places[0].File, c.Name}
}

// The past is an earlier report, to find in it what a check was before.
type past struct {
	byID   map[report.ID]*report.Check
	bySpot map[spot]*report.Check
}

// newPast indexes a report, which may be nil. By its place only a check is found
// whose code the site does not hold any more.
func newPast(r *report.Report, p *Plan) past {
	out := past{map[report.ID]*report.Check{}, map[spot]*report.Check{}}
	if r == nil {
		return out
	}
	for i := range r.Checks {
		c := &r.Checks[i]
		out.byID[c.ID] = c
		if p.places[c.ID] == nil {
			out.bySpot[spotOf(c)] = c
		}
	}
	return out
}

// history are the outcomes before this one, the newest first: of the same check,
// or, where its author has changed the code, of the one that stood in its place.
func (h past) history(c *report.Check, spots []spot) []report.Past {
	was := h.byID[c.ID]
	for _, s := range spots {
		if old := h.bySpot[s]; was == nil && old != nil && old.Kind == c.Kind {
			was = old
		}
	}
	if was == nil {
		return nil
	}
	list := append([]report.Past{was.Past()}, was.History...)
	return list[:min(len(list), report.MaxHistory)]
}
