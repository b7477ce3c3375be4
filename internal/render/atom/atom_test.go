package atom

import (
	"encoding/xml"
	"strings"
	"testing"
	"time"
)

func TestXML(t *testing.T) {
	day := time.Date(2026, 11, 21, 10, 0, 0, 0, time.FixedZone("", -3*3600))
	f := Feed{Lang: "pt", Title: "A & B", Author: "Lab", ID: "https://example.org/f.xml", Self: "https://example.org/f.xml", Home: "https://example.org/"}
	for i, title := range []string{"old", "b", "a", "<x>\x00"} {
		at := day
		if i == 0 {
			at = day.AddDate(0, 0, -1)
		}
		f.Entries = append(f.Entries, Entry{ID: Tag("https://example.org/docs/", at, "x", title), Title: title, Link: f.Home, Text: title, Category: "c", Updated: at})
	}
	f.Newest(3)
	got, err := f.XML()
	if err != nil {
		t.Fatal(err)
	}
	var read struct {
		Updated string `xml:"updated"`
		Entries []struct {
			ID    string `xml:"id"`
			Title string `xml:"title"`
		} `xml:"entry"`
	}
	if err := xml.Unmarshal(got, &read); err != nil {
		t.Fatalf("%v\n%s", err, got)
	}
	if read.Updated != "2026-11-21T13:00:00Z" || !strings.HasPrefix(string(got), xml.Header) {
		t.Errorf("updated %s\n%s", read.Updated, got)
	}
	var titles, ids []string
	for _, e := range read.Entries {
		titles, ids = append(titles, e.Title), append(ids, e.ID)
	}
	if s := strings.Join(titles, " "); s != "<x>\ufffd a b" {
		t.Errorf("%q", s)
	}
	if s := strings.Join(ids, " "); s != "tag:example.org,2026-11-21:docs/x/%3Cx%3E%00 tag:example.org,2026-11-21:docs/x/a tag:example.org,2026-11-21:docs/x/b" {
		t.Errorf("%q", s)
	}
}

func TestTag(t *testing.T) {
	day := time.Date(2026, 1, 2, 23, 0, 0, 0, time.UTC)
	for site, want := range map[string]string{
		"https://Lab.Example.org:8443/": "tag:lab.example.org,2026-01-02:a%2Fb/%23",
		"http://example.org/x/y":        "tag:example.org,2026-01-02:x/y/a%2Fb/%23",
	} {
		if got := Tag(site, day, "a/b", "#"); got != want {
			t.Errorf("%s: %s", site, got)
		}
	}
}
