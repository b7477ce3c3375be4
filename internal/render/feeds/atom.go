package feeds

import (
	"cmp"
	"encoding/xml"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/gpudocs/gpudocs/internal/render/nav"
	"github.com/gpudocs/gpudocs/internal/render/results"
	"github.com/gpudocs/gpudocs/internal/report/compare"
	"github.com/gpudocs/gpudocs/internal/report/standing"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text"
	"github.com/gpudocs/gpudocs/internal/text/invisible"
)

// AtomFile is the feed of changes, beside the status page.
const AtomFile = site.StatusDir + "feed.xml"

// maxEntries bounds a feed: feed readers keep what they have seen.
const maxEntries = 100

// A feed is an Atom feed, RFC 4287, with what a list of changes needs: plain texts, and one link for each entry.
type feed struct {
	XMLName   xml.Name `xml:"http://www.w3.org/2005/Atom feed"`
	Lang      string   `xml:"xml:lang,attr"`
	ID        string   `xml:"id"`
	Title     string   `xml:"title"`
	Updated   string   `xml:"updated"`
	Author    string   `xml:"author>name"`
	Links     []link   `xml:"link"`
	Generator string   `xml:"generator,omitempty"`
	Entries   []entry  `xml:"entry"`
}

type link struct {
	Rel  string `xml:"rel,attr"`
	Type string `xml:"type,attr"`
	Href string `xml:"href,attr"`
}

type entry struct {
	ID       string   `xml:"id"` // stays the same in every build
	Title    string   `xml:"title"`
	Updated  string   `xml:"updated"`
	Link     link     `xml:"link"`
	Category category `xml:"category"`
	Text     string   `xml:"summary"`

	at time.Time
}

// A category is one word for programs.
type category struct {
	Term string `xml:"term,attr"`
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

func htmlLink(address string) link { return link{"alternate", "text/html", address} }

// atom makes the feed of a language: changed results, new machines and edited pages. It does not depend on
// the time of the build.
func (s *Site) atom(l *site.Language) ([]byte, error) {
	t, title := s.Theme.Text(l.Code), s.Nav.Title(l)
	self := s.Nav.Absolute(l.Code + "/" + AtomFile)
	f := feed{
		Lang:      l.Code,
		ID:        self,
		Title:     title + " – " + t.Get("feed_changes"),
		Author:    title,
		Links:     []link{{"self", "application/atom+xml", self}, htmlLink(s.Nav.Absolute(l.Code + "/" + site.StatusDir))},
		Generator: s.Generator,
	}
	events := (&news{s.Reports.Present(t, "", nil), s.Nav, l, t}).events()
	for _, e := range events {
		x := e.entry()
		x.at, x.Updated = e.at, stamp(e.at)
		f.Entries = append(f.Entries, x)
	}
	slices.SortFunc(f.Entries, func(a, b entry) int { return cmp.Or(b.at.Compare(a.at), cmp.Compare(a.ID, b.ID)) })
	if len(events) > 0 {
		f.Updated = stamp(events[0].at)
	}
	return asXML(f, " ")
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
	entry func() entry
}

// events returns the newest events.
func (w *news) events() (list []event) {
	spots := w.Locate(w.nav.Checked(w.language))
	for _, m := range w.Machines {
		if began, ok := m.Began(); ok {
			list = append(list, event{began, func() entry { return w.arrival(m) }})
		}
		for _, c := range m.Changes() {
			if here, stale := spots.Of(c.Check); here != nil {
				list = append(list, event{c.At, func() entry { return w.changed(c, here, stale) }})
			}
		}
	}
	for _, p := range w.nav.Content.Pages {
		if day := w.nav.ChangedOn(p); p.Language == w.language && !day.IsZero() {
			list = append(list, event{day, func() entry { return w.edited(p, day) }})
		}
	}
	slices.SortStableFunc(list, func(a, b event) int { return b.at.Compare(a.at) })
	return list[:min(maxEntries, len(list))]
}

// arrival returns the entry for a machine's first report. Its ID has no day, so that it stays the same when the oldest
// checks are removed from the report.
func (w *news) arrival(m *results.Machine) entry {
	home := w.nav.Absolute(w.language.Code + "/" + site.StatusDir)
	return entry{
		ID:       home + "#machine-" + url.PathEscape(m.Name),
		Title:    w.t.Get("feed_machine", "machine", results.Label(w.Presenter, m)),
		Link:     htmlLink(home),
		Category: category{"machine"},
		Text:     w.GPUName(m.GPU),
	}
}

// changed returns the entry for a check whose outcome changed. Its ID has the name of the block, not the ID of the
// check, so that an edit of the code does not make an old entry new.
func (w *news) changed(c results.Change, here *results.Location, stale bool) entry {
	m, label := c.Machine, results.Label(w.Presenter, c.Machine)
	name, before, now := invisible.Visible(c.Check.Name), w.t.Get("status_"+c.Was.Word()), w.t.Get("status_"+c.Now.Word())
	text := w.t.Get("feed_result_text", "page", here.Page.Title, "name", name, "machine", label, "was", before, "now", now)
	if why, _ := w.ReasonOf(c.Check, m.GPU); c.Latest && !stale && why != "" {
		text += " (" + why + ")"
	}
	at := c.At.UTC().Format(time.RFC3339Nano)
	return entry{
		ID:       tag(w.nav.BaseURL, c.At, w.language.Code, "result", m.Name, here.Page.Key, c.Check.Name, at),
		Title:    w.t.Get("feed_result", "name", name, "machine", label, "was", before, "now", now),
		Link:     htmlLink(w.nav.Absolute(here.URL()) + "#" + results.PanelID(here.Block)),
		Category: category{turn(c)},
		Text:     text,
	}
}

// turn returns the category of a change, as in "gpudocs report diff".
func turn(c results.Change) string {
	if c.Was.Standing == standing.None {
		return "failure"
	}
	return string(compare.Turn(c.Was, c.Now))
}

// edited returns the entry for a page that was edited.
func (w *news) edited(p *site.Page, day time.Time) entry {
	return entry{
		ID:       tag(w.nav.BaseURL, day, p.Language.Code, "page", p.Key),
		Title:    p.Title,
		Link:     htmlLink(w.nav.Absolute(p.URL)),
		Category: category{"page"},
		Text:     w.t.Get("feed_page", "page", p.Title, "date", w.t.Date(day)),
	}
}

// tag returns an ID that is the same in every build: a tag URI (RFC 4151) of the site's host and
// folder, a day on which they belonged to the site, and what the entry is about.
func tag(site string, day time.Time, about ...string) string {
	host, path := "", []string{}
	if u, err := url.Parse(site); err == nil {
		host = strings.ToLower(u.Hostname())
		if below := strings.Trim(u.Path, "/"); below != "" {
			path = append(path, below)
		}
	}
	for _, a := range about {
		path = append(path, url.PathEscape(a))
	}
	return "tag:" + host + "," + day.UTC().Format(time.DateOnly) + ":" + strings.Join(path, "/")
}
