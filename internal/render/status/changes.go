package status

import (
	"slices"
	"strings"
	"time"

	"github.com/gpudocs/gpudocs/internal/render/results"
	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/standing"
	"github.com/gpudocs/gpudocs/internal/text/invisible"
)

// recent is how long a change is news. It ends with the newest result, so that the same reports give the same page.
const recent = 7 * 24 * time.Hour

// changes returns what fails on which machine and since when, and what is mended.
func (w *Writer) changes(at results.Locations) *theme.ChangesView {
	newest, _ := w.span()
	if newest.IsZero() {
		return nil
	}
	v := &theme.ChangesView{Until: day(w.t, newest), T: w.t}
	type event struct {
		results.Change
		fails bool
	}
	var list []event
	for _, m := range w.Machines {
		last := map[*report.Check]results.Change{} // of each check
		for _, c := range m.Changes() {
			if _, ok := last[c.Check]; !ok {
				last[c.Check] = c
			}
		}
		for c := range m.Checks() {
			here, stale := at.Of(c)
			if here == nil {
				continue
			}
			switch f := (results.Finding{Machine: m, Check: c, Stale: stale}); {
			case f.State().Bad():
				list = append(list, event{results.Change{Machine: m, Check: c, At: results.Since(c)}, true})
			case f.State().Standing == standing.Passed && last[c].Was.Bad():
				list = append(list, event{last[c], false})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b event) int { return b.At.Compare(a.At) })
	for _, e := range list {
		view, key := w.changed(e.Change, at), "change_mended"
		group := &v.Mended
		switch {
		case newest.Sub(e.At) <= recent:
			group = &v.Recent
		case e.fails:
			group = &v.Failing
		}
		if e.fails {
			v.Failed++
			key = "change_since"
			if group == &v.Recent && len(e.Check.History) > 0 {
				key = "change_began"
			}
		}
		view.Text = w.t.Get(key)
		if len(*group) < maxHistories {
			*group = append(*group, view)
		} else {
			v.Cut++
		}
	}
	return v
}

func (w *Writer) changed(c results.Change, at results.Locations) theme.ChangeView {
	v := theme.ChangeView{HistoryView: w.history(c.Machine, c.Check, at)}
	v.DateISO, v.Date = c.At.UTC().Format(time.RFC3339), w.t.Date(c.At)
	if v.Status != standing.Passed.String() {
		v.Reason, _ = w.ReasonOf(c.Check, c.Machine.GPU)
		if v.Line = invisible.Visible(results.TellingLine(c.Check)); strings.Contains(v.Reason, v.Line) {
			v.Line = ""
		}
		if want := invisible.Visible(c.Check.Want); !strings.Contains(v.Reason, want) {
			v.Reason = want + ": " + v.Reason
		}
	}
	return v
}
