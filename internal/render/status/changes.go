package status

import (
	"slices"
	"strings"
	"time"

	"github.com/gpudocs/gpudocs/internal/render/nav"
	"github.com/gpudocs/gpudocs/internal/render/results"
	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/reason"
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
		if m.Had != nil && m.Trusted() {
			v.Machines = append(v.Machines, w.t.Get("machine_lost", "machine", results.Label(w.Presenter, m), "date", w.t.Date(m.Had.Ran)))
		}
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
			switch now := (results.Finding{Machine: m, Check: c, Stale: stale}).State(); {
			case now.Broken():
				list = append(list, event{results.Change{Machine: m, Check: c, At: results.Since(c), Now: now}, true})
			case now.Standing == standing.Passed && last[c].Was.Broken():
				list = append(list, event{last[c], false})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b event) int { // what is lost first
		switch lost := a.fails && a.Now.Lost; {
		case lost == (b.fails && b.Now.Lost):
			return b.At.Compare(a.At)
		case lost:
			return -1
		}
		return 1
	})
	for _, e := range list {
		view, key := w.changed(e.Change, at), "change_mended"
		group := &v.Mended
		switch {
		case newest.Sub(e.At) <= recent:
			group = &v.Recent
		case e.fails:
			group = &v.Failing
		}
		switch {
		case e.fails && e.Now.Lost:
			v.Lost++
			key = "change_lost"
		case e.fails:
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

// elsewhere returns how much is broken on pages of other languages and not on those of this one, with links. Each counts once.
func (w *Writer) elsewhere(here results.Locations) (list []theme.Link) {
	told := map[*report.Check]bool{}
	for _, l := range w.nav.Content.Languages {
		if l == w.language {
			continue
		}
		n, there := 0, w.Locate(w.nav.Checked(l))
		for _, m := range w.Machines {
			for c := range m.Checks() {
				at, stale := there.Of(c)
				known, _ := here.Of(c)
				if found := (results.Finding{Machine: m, Check: c, Stale: stale}); known == nil && at != nil && !told[c] && found.State().Broken() {
					told[c] = true
					n++
				}
			}
		}
		if n > 0 {
			list = append(list, theme.Link{Title: w.t.Count("fails_elsewhere", n, "language", l.Name), URL: nav.Href(w.from, l.Code+"/"+Dir)})
		}
	}
	return list
}

func (w *Writer) changed(c results.Change, at results.Locations) theme.ChangeView {
	v := theme.ChangeView{HistoryView: w.history(c.Machine, c.Check, at)}
	v.DateISO, v.Date = c.At.UTC().Format(time.RFC3339), w.t.Date(c.At)
	if v.Status != standing.Passed.String() {
		v.Reason, _ = w.ReasonOf(c.Check, c.Machine.GPU)
		if v.Line = invisible.Visible(reason.TellingLine(c.Check)); strings.Contains(v.Reason, v.Line) {
			v.Line = ""
		}
		if want := invisible.Visible(c.Check.Want); !strings.Contains(v.Reason, want) {
			v.Reason = want + ": " + v.Reason
		}
	}
	return v
}
