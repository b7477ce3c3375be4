package feeds

import (
	"net/url"
	"slices"
	"time"

	"github.com/gpudocs/gpudocs/internal/render/atom"
	"github.com/gpudocs/gpudocs/internal/render/nav"
	"github.com/gpudocs/gpudocs/internal/render/results"
	"github.com/gpudocs/gpudocs/internal/report/compare"
	"github.com/gpudocs/gpudocs/internal/report/standing"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text"
	"github.com/gpudocs/gpudocs/internal/text/invisible"
)

// maxEntries bounds a feed: feed readers keep what they have seen.
const maxEntries = 100

// atom makes the feed of a language: changed results, new machines and edited pages. It does not depend on
// the time of the build.
func (s *Site) atom(l *site.Language) ([]byte, error) {
	t := s.Theme.Text(l.Code)
	w := &news{s.Reports.Present(t, "", nil), s.Nav, l, t}
	self := s.Nav.Absolute(l.Code + "/" + AtomFile)
	f := &atom.Feed{Lang: l.Code, Title: s.Nav.Title(l) + " – " + w.t.Get("feed_changes"), Author: s.Nav.Title(l),
		Generator: s.Generator, ID: self, Self: self, Home: s.Nav.Absolute(l.Code + "/" + site.StatusDir)}
	for _, e := range w.events() {
		f.Entries = append(f.Entries, e.entry())
	}
	f.Newest(maxEntries)
	return f.XML()
}

// news makes the entries for the changes of a language's pages and checks.
type news struct {
	*results.Presenter
	nav      *nav.Map
	language *site.Language
	t        text.Catalog
}

// An event becomes an entry if it is among the newest: reports have many.
type event struct {
	at    time.Time
	entry func() atom.Entry
}

// events returns the newest events.
func (w *news) events() (list []event) {
	spots := w.Locate(w.nav.Checked(w.language))
	for _, m := range w.Machines {
		if began, ok := m.Began(); ok {
			list = append(list, event{began, func() atom.Entry { return w.arrival(m, began) }})
		}
		for _, c := range m.Changes() {
			if here, stale := spots.Of(c.Check); here != nil {
				list = append(list, event{c.At, func() atom.Entry { return w.entry(c, here, stale) }})
			}
		}
	}
	for _, p := range w.nav.Content.Pages {
		if day := w.nav.ChangedOn(p); p.Language == w.language && !day.IsZero() {
			list = append(list, event{day, func() atom.Entry { return w.edited(p, day) }})
		}
	}
	slices.SortStableFunc(list, func(a, b event) int { return b.at.Compare(a.at) })
	return list[:min(maxEntries, len(list))]
}

// arrival returns the entry for a machine's first report. Its ID has no day, so that it stays the same when the oldest
// checks are removed from the report.
func (w *news) arrival(m *results.Machine, began time.Time) atom.Entry {
	home := w.nav.Absolute(w.language.Code + "/" + site.StatusDir)
	return atom.Entry{ID: home + "#machine-" + url.PathEscape(m.Name), Category: "machine", Updated: began,
		Title: w.t.Get("feed_machine", "machine", results.Label(w.Presenter, m)), Link: home, Text: w.GPUName(m.GPU)}
}

// entry returns the entry for a check whose outcome changed. Its ID has the name of the block, not the ID of the
// check, so that an edit of the code does not make an old entry new.
func (w *news) entry(c results.Change, here *results.Location, stale bool) atom.Entry {
	m, label := c.Machine, results.Label(w.Presenter, c.Machine)
	name, before, now := invisible.Visible(c.Check.Name), w.t.Get("status_"+c.Was.Word()), w.t.Get("status_"+c.Now.Word())
	text := w.t.Get("feed_result_text", "page", here.Page.Title, "name", name, "machine", label, "was", before, "now", now)
	if why, _ := w.ReasonOf(c.Check, m.GPU); c.Latest && !stale && why != "" {
		text += " (" + why + ")"
	}
	return atom.Entry{
		ID:       atom.Tag(w.nav.BaseURL, c.At, w.language.Code, "result", m.Name, here.Page.Key, c.Check.Name, c.At.UTC().Format(time.RFC3339Nano)),
		Category: category(c), Updated: c.At,
		Title: w.t.Get("feed_result", "name", name, "machine", label, "was", before, "now", now),
		Link:  w.nav.Absolute(here.URL()) + "#" + results.PanelID(here.Block), Text: text,
	}
}

// category returns the category of a change, as in "gpudocs report diff".
func category(c results.Change) string {
	if c.Was.Standing == standing.None {
		return "failure"
	}
	return string(compare.Turn(c.Was, c.Now))
}

// edited returns the entry for a page that was edited.
func (w *news) edited(p *site.Page, day time.Time) atom.Entry {
	return atom.Entry{ID: atom.Tag(w.nav.BaseURL, day, p.Language.Code, "page", p.Key), Category: "page", Updated: day,
		Title: p.Title, Link: w.nav.Absolute(p.URL), Text: w.t.Get("feed_page", "page", p.Title, "date", w.t.Date(day))}
}
