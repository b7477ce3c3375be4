// Package atom writes Atom feeds (RFC 4287). It supports what a list of changes
// needs: plain texts, and one link for each entry.
//
//	f := atom.Feed{Title: "Changes", ID: "https://example.org/pt/feed.xml", Author: "A lab", ...}
//	f.Entries = append(f.Entries, atom.Entry{ID: atom.Tag("https://example.org/", day, "result", "deepnine"), ...})
//	f.Newest(100)
//	data, err := f.XML()
package atom

import (
	"cmp"
	"encoding/xml"
	"net/url"
	"slices"
	"strings"
	"time"
)

// A Feed is a list of entries. Its ID and links are absolute addresses.
type Feed struct {
	Lang, Title, Author, Generator string
	// ID identifies the feed for ever, Self is its address, Home that of the page that it is about.
	ID, Self, Home string
	Entries        []Entry
}

// An Entry is an event.
type Entry struct {
	// ID stays the same in every build; see [Tag].
	ID, Title, Link, Text string
	// Category is one word for programs.
	Category string
	Updated  time.Time
}

// Tag returns an ID that is the same in every build: a tag URI (RFC 4151) of the site's host and
// folder, a day on which they belonged to the site, and what the entry is about.
func Tag(site string, day time.Time, about ...string) string {
	host, below := "", ""
	if u, err := url.Parse(site); err == nil {
		host, below = strings.ToLower(u.Hostname()), strings.Trim(u.Path, "/")
	}
	var parts []string
	if below != "" {
		parts = append(parts, below)
	}
	for _, a := range about {
		parts = append(parts, url.PathEscape(a))
	}
	return "tag:" + host + "," + day.UTC().Format(time.DateOnly) + ":" + strings.Join(parts, "/")
}

// Newest sorts the entries, the newest first, and keeps that many.
func (f *Feed) Newest(most int) {
	slices.SortFunc(f.Entries, func(a, b Entry) int { return cmp.Or(b.Updated.Compare(a.Updated), cmp.Compare(a.ID, b.ID)) })
	f.Entries = f.Entries[:min(most, len(f.Entries))]
}

type feedXML struct {
	XMLName   xml.Name   `xml:"http://www.w3.org/2005/Atom feed"`
	Lang      string     `xml:"xml:lang,attr,omitempty"`
	ID        string     `xml:"id"`
	Title     string     `xml:"title"`
	Updated   string     `xml:"updated"`
	Author    string     `xml:"author>name"`
	Links     []linkXML  `xml:"link"`
	Generator string     `xml:"generator,omitempty"`
	Entries   []entryXML `xml:"entry"`
}

type linkXML struct {
	Rel  string `xml:"rel,attr"`
	Type string `xml:"type,attr"`
	Href string `xml:"href,attr"`
}

type entryXML struct {
	ID       string       `xml:"id"`
	Title    string       `xml:"title"`
	Updated  string       `xml:"updated"`
	Link     linkXML      `xml:"link"`
	Category *categoryXML `xml:"category"`
	Text     string       `xml:"summary"`
}

type categoryXML struct {
	Term string `xml:"term,attr"`
}

// XML returns the feed's file. Its time of update is that of the newest entry.
func (f *Feed) XML() ([]byte, error) {
	out := feedXML{Lang: f.Lang, ID: f.ID, Title: f.Title, Author: f.Author, Generator: f.Generator,
		Links: []linkXML{{"self", "application/atom+xml", f.Self}, {"alternate", "text/html", f.Home}}}
	var newest time.Time
	for _, e := range f.Entries {
		if e.Updated.After(newest) {
			newest = e.Updated
		}
		x := entryXML{ID: e.ID, Title: e.Title, Updated: stamp(e.Updated), Link: linkXML{"alternate", "text/html", e.Link}, Text: e.Text}
		if e.Category != "" {
			x.Category = &categoryXML{e.Category}
		}
		out.Entries = append(out.Entries, x)
	}
	out.Updated = stamp(newest)
	data, err := xml.MarshalIndent(out, "", " ")
	return slices.Concat([]byte(xml.Header), data, []byte("\n")), err
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }
