package step

import (
	"strings"
	"sync"

	"github.com/gpudocs/gpudocs/internal/memo"
	"github.com/gpudocs/gpudocs/internal/render/nav"
	"github.com/gpudocs/gpudocs/internal/render/page"
	"github.com/gpudocs/gpudocs/internal/render/results"
	"github.com/gpudocs/gpudocs/internal/site"
)

// The names of facts. Those that end with a space are followed by what they are about.
const (
	linksOf      = "links " // name of a page's file
	shown        = "shown " // language, key
	imageSize    = "image " // asset
	work         = "work "  // key
	cited        = "cited " // language
	bibliography = "bibliography"
	reportsFact  = "reports"
	totalsFact   = "totals" // of all checks of the site
)

// A Site has the facts of a site that its files are made of, and their hashes. It may be used concurrently.
type Site struct {
	facts   page.Facts
	nav     *nav.Map
	reports *results.Index
	base    memo.Key
	keyed   bool
	// pages are the pages by the names of their files.
	pages func() map[string]*site.Page
	// hashes are those of the facts that were looked up, by name.
	hashes sync.Map
}

// NewSite returns the facts of a site. base is the hash of all that each of its files depends on. If it
// is zero no file has a key.
func NewSite(m *nav.Map, reports *results.Index, base memo.Key) *Site {
	return &Site{facts: page.FactsOf(m), nav: m, reports: reports, base: base, keyed: base != memo.Key{}, pages: sync.OnceValue(func() map[string]*site.Page {
		pages := make(map[string]*site.Page, len(m.Content.Pages))
		for _, p := range m.Content.Pages {
			pages[p.Source.Name] = p
		}
		return pages
	})}
}

// PageKey returns the hash of a page, of the targets of its links, and of which results are those of
// its blocks.
func (s *Site) PageKey(p *site.Page) memo.Key { return s.hash(linksOf + p.Source.Name) }

// Key returns the key of what is made of a site and of the inputs that were added to a hash.
func (s *Site) Key(h *memo.Hash) memo.Key {
	h.Add(s.base)
	return h.Key()
}

// hash returns the hash of a fact, which is zero if there is no fact of that name.
func (s *Site) hash(fact string) memo.Key {
	if k, ok := s.hashes.Load(fact); ok {
		return k.(memo.Key)
	}
	k := s.newHash(fact)
	s.hashes.Store(fact, k)
	return k
}

func (s *Site) newHash(fact string) memo.Key {
	kind, about, ok := strings.Cut(fact, " ")
	if ok {
		kind += " "
	}
	switch kind {
	case linksOf:
		p := s.pages()[about]
		if p == nil {
			return memo.Key{}
		}
		return memo.KeyOf(fact, p, s.facts.Links(p), s.reports.Matching(p))
	case shown:
		language, key, _ := strings.Cut(about, " ")
		return memo.KeyOf(fact, s.facts.Shown(key, language))
	case imageSize:
		size, err := s.facts.ImageSize(about)
		return memo.KeyOf(fact, size, err != nil)
	case work:
		return memo.KeyOf(fact, s.facts.Work(about))
	case cited:
		for _, l := range s.nav.Content.Languages {
			if l.Code == about {
				return memo.KeyOf(fact, s.facts.Cited(l))
			}
		}
	case bibliography:
		return memo.KeyOf(fact, s.facts.HasBibliography())
	case totalsFact:
		return memo.KeyOf(fact, s.reports.Totals())
	case reportsFact:
		return memo.KeyOf(fact, s.reports.Sources(), s.reports.Unreadable)
	}
	return memo.Key{} // a fact of another version
}
