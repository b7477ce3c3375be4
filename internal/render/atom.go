package render

import (
	"net/url"
	"slices"
	"time"

	"github.com/gpudocs/gpudocs/internal/atom"
	"github.com/gpudocs/gpudocs/internal/content"
	"github.com/gpudocs/gpudocs/internal/report"
)

// maxEntries bounds a feed: readers keep what they have seen.
const maxEntries = 100

// atom makes the feed of a language: results that changed, machines that came, and
// pages that were edited. Nothing in it is dated by the time of the build.
func (s *Site) atom(l *content.Language) ([]byte, error) {
	w := s.statusWriter(l, statusDir)
	self := s.absolute(l.Code + "/" + atomName)
	f := &atom.Feed{Lang: l.Code, Title: s.title(l) + " – " + w.t.Get("feed_changes"), Author: s.title(l),
		Generator: s.options.Generator, ID: self, Self: self, Home: s.absolute(l.Code + "/" + statusDir)}
	for _, e := range w.events() {
		f.Entries = append(f.Entries, e.entry())
	}
	f.Newest(maxEntries)
	return f.XML()
}

// An event becomes an entry if it is among the newest: a report remembers many.
type event struct {
	at    time.Time
	entry func() atom.Entry
}

// events are the newest.
func (w *statusWriter) events() (list []event) {
	spots := w.r.spots(w.language)
	for i := range w.r.results.sources {
		if began, ok := w.r.results.began(i); ok {
			list = append(list, event{began, func() atom.Entry { return w.arrival(i, began) }})
		}
		for _, c := range w.r.results.changes(i) {
			if here, stale := spots.of(c.check); here != nil {
				list = append(list, event{c.at, func() atom.Entry { return w.entry(c, here, stale) }})
			}
		}
	}
	for _, p := range w.r.content.Pages {
		if day := w.r.changedOn(p); p.Language == w.language && !day.IsZero() {
			list = append(list, event{day, func() atom.Entry { return w.edited(p, day) }})
		}
	}
	slices.SortStableFunc(list, func(a, b event) int { return b.at.Compare(a.at) })
	return list[:min(maxEntries, len(list))]
}

// arrival tells of a machine's first report. Its ID has no day: when the checks of that
// are gone from the report, the machine is no other one.
func (w *statusWriter) arrival(source int, began time.Time) atom.Entry {
	m, home := w.r.results.machines[source], w.r.absolute(w.language.Code+"/"+statusDir)
	return atom.Entry{ID: home + "#machine-" + url.PathEscape(m.Name), Category: "machine", Updated: began,
		Title: w.t.Get("feed_machine", "machine", m.Name), Link: home, Text: w.gpuName(m.GPU)}
}

// entry tells of a check that ended in another way than before. The name of its block,
// not its ID, is in the entry's: an edit of the code shall not make old news new.
func (w *statusWriter) entry(c change, here *spot, stale bool) atom.Entry {
	m := w.r.results.machines[c.source]
	name, was, now := visible(c.check.Name), w.t.Get("status_"+string(c.was)), w.t.Get("status_"+string(c.now))
	text := w.t.Get("feed_result_text", "page", here.page.Title, "name", name, "machine", m.Name, "was", was, "now", now)
	if why, _ := w.reason(c.check.Reason, m.GPU); c.latest && !stale && why != "" {
		text += " (" + why + ")"
	}
	return atom.Entry{
		ID:       atom.Tag(w.r.options.BaseURL, c.at, w.language.Code, "result", m.Name, here.page.Key, c.check.Name, c.at.UTC().Format(time.RFC3339Nano)),
		Category: c.category(), Updated: c.at,
		Title: w.t.Get("feed_result", "name", name, "machine", m.Name, "was", was, "now", now),
		Link:  w.r.absolute(here.url()) + "#" + here.panel(), Text: text,
	}
}

// category is that of package compare: what passed and does not any more matters most.
func (c change) category() string {
	bad := func(o report.Outcome) bool { return o == report.Failed || o == report.Errored }
	switch {
	case c.was == report.Passed && bad(c.now):
		return "regression"
	case bad(c.was) && c.now == report.Passed:
		return "mend"
	}
	return "outcome"
}

func (w *statusWriter) edited(p *content.Page, day time.Time) atom.Entry {
	return atom.Entry{ID: atom.Tag(w.r.options.BaseURL, day, p.Language.Code, "page", p.Key), Category: "page", Updated: day,
		Title: p.Title, Link: w.r.absolute(p.URL), Text: w.t.Get("feed_page", "page", p.Title, "date", w.t.Date(day))}
}
