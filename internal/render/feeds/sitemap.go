package feeds

import (
	"encoding/xml"
	"fmt"
	"slices"
	"time"

	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/site"
)

// The sitemap for search engines, https://www.sitemaps.org/protocol.html, with the translations of each page as
// https://developers.google.com/search/docs/specialty/international/localized-versions has them. Its addresses are
// absolute, so a site without a base URL has none.
const (
	sitemapFile = "sitemap.xml"
	robotsFile  = "robots.txt"
)

// A sitemap may have 50,000 addresses and 50 MB. Addresses of translations count only for the size: with 250 bytes
// each, this is less than 40 MB.
const maxMapped, maxMappedLinks = 50_000, 150_000

type mapped struct {
	XMLName xml.Name      `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 urlset"`
	XHTML   string        `xml:"xmlns:xhtml,attr,omitempty"`
	URLs    []mappedEntry `xml:"url"`
}

type mappedEntry struct {
	Loc     string       `xml:"loc"`
	LastMod string       `xml:"lastmod,omitempty"`
	Links   []mappedLink `xml:"xhtml:link"`
}

type mappedLink struct {
	Rel  string `xml:"rel,attr"`
	Lang string `xml:"hreflang,attr"`
	URL  string `xml:"href,attr"`
}

type mapOfMaps struct {
	XMLName xml.Name      `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 sitemapindex"`
	Maps    []mappedEntry `xml:"sitemap"`
}

// PlanSitemap adds the sitemap, or several and one that lists them, and robots.txt.
func (s *Site) PlanSitemap(publish func(name string, make func() ([]byte, error))) {
	if s.Nav.BaseURL == "" || s.Nav.Offline {
		return
	}
	s.planMaps(s.mapParts(maxMapped, maxMappedLinks), publish)
	publish(robotsFile, func() ([]byte, error) {
		return []byte("User-agent: *\nAllow: /\n\nSitemap: " + s.Nav.Absolute(sitemapFile) + "\n"), nil
	})
}

// planMaps adds the sitemaps, and if there are several the list of them.
func (s *Site) planMaps(parts []mapPart, publish func(name string, make func() ([]byte, error))) {
	if len(parts) == 1 {
		publish(sitemapFile, func() ([]byte, error) { return s.sitemap(parts[0]) })
	} else {
		list := mapOfMaps{}
		for i, part := range parts {
			name := fmt.Sprintf("sitemap-%d.xml", i+1)
			publish(name, func() ([]byte, error) { return s.sitemap(part) })
			list.Maps = append(list.Maps, mappedEntry{Loc: s.Nav.Absolute(name)})
		}
		publish(sitemapFile, func() ([]byte, error) { return asXML(list, "  ") })
	}
}

// A mapPart is the pages of one sitemap. generated are addresses below that of each language.
type mapPart struct {
	pages     []*site.Page
	generated []string
}

// mapParts divides the pages into sitemaps. A page that is also shown in languages without a translation is in one
// once, at its own address.
func (s *Site) mapParts(most, mostLinks int) []mapPart {
	parts := []mapPart{{generated: s.Generated}}
	links := 0
	for _, p := range s.Content.Pages {
		if p.Draft || !s.Content.IsIndexed(p) {
			continue
		}
		last := &parts[len(parts)-1]
		add := 2 + len(s.Content.Names.ByKey[p.Key])
		if len(last.pages)+len(last.generated)*len(s.Content.Languages) >= most || links+add > mostLinks {
			parts, links = append(parts, mapPart{}), 0
			last = &parts[len(parts)-1]
		}
		last.pages = append(last.pages, p)
		links += add
	}
	return parts
}

func (s *Site) sitemap(part mapPart) ([]byte, error) {
	m := mapped{}
	for _, p := range part.pages {
		e := mappedEntry{Loc: s.Nav.Absolute(p.URL), Links: mappedLinks(s.Nav.Alternates(p))}
		if day := s.Nav.ChangedOn(p); !day.IsZero() {
			e.LastMod = day.Format(time.DateOnly)
		}
		m.URLs = append(m.URLs, e)
	}
	for _, o := range part.generated {
		for _, l := range s.Content.Languages {
			m.URLs = append(m.URLs, mappedEntry{Loc: s.Nav.Absolute(l.Code + "/" + o), Links: mappedLinks(s.Nav.AlternatesAt(o))})
		}
	}
	for _, e := range m.URLs {
		if len(e.Links) > 0 {
			m.XHTML = "http://www.w3.org/1999/xhtml"
		}
	}
	return asXML(m, "  ")
}

func mappedLinks(alternates []theme.Alternate) (links []mappedLink) {
	for _, a := range alternates {
		links = append(links, mappedLink{"alternate", a.Lang, a.URL})
	}
	return links
}

// asXML returns the file of a value.
func asXML(v any, indent string) ([]byte, error) {
	data, err := xml.MarshalIndent(v, "", indent)
	return slices.Concat([]byte(xml.Header), data, []byte("\n")), err
}
