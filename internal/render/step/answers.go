package step

import (
	"strings"
	"sync"

	"github.com/gpudocs/gpudocs/internal/memo"
	"github.com/gpudocs/gpudocs/internal/render/nav"
	"github.com/gpudocs/gpudocs/internal/render/page"
	found "github.com/gpudocs/gpudocs/internal/render/results"
	"github.com/gpudocs/gpudocs/internal/site"
)

// The questions that a step asks, each followed by what it is about.
const (
	linksOf      = "links " // name of a page's file
	shown        = "shown " // language, key
	imageSize    = "image " // asset
	work         = "work "  // key
	cited        = "cited " // language
	bibliography = "bibliography"
	reports      = "reports"
)

// Answers are the answers of one site to the questions of its steps. It is safe for concurrent use.
type Answers struct {
	facts   page.Facts
	nav     *nav.Map
	results *found.Results
	base    memo.Key
	keyed   bool
	// pages are the pages by the names of their files.
	pages func() map[string]*site.Page
	// known are the hashes of answers that were given, by question.
	known sync.Map
}

// Of returns the answers of a site. base is the hash of all that each of its files depends on. If it
// is zero no file has a key.
func Of(m *nav.Map, r *found.Results, base memo.Key) *Answers {
	return &Answers{facts: page.FactsOf(m), nav: m, results: r, base: base, keyed: base != memo.Key{}, pages: sync.OnceValue(func() map[string]*site.Page {
		pages := make(map[string]*site.Page, len(m.Content.Pages))
		for _, p := range m.Content.Pages {
			pages[p.Source.Name] = p
		}
		return pages
	})}
}

// PageKey returns the hash of a page, of the targets of its links, and of which results are those of
// its blocks.
func (a *Answers) PageKey(p *site.Page) memo.Key { return a.answer(linksOf + p.Source.Name) }

// Key returns the key of what is made of a site and of the inputs that were added to a hash.
func (a *Answers) Key(h *memo.Hash) memo.Key {
	h.Add(a.base)
	return h.Key()
}

func (a *Answers) answer(question string) memo.Key {
	if k, ok := a.known.Load(question); ok {
		return k.(memo.Key)
	}
	k := a.find(question)
	a.known.Store(question, k)
	return k
}

func (a *Answers) find(question string) memo.Key {
	kind, about, ok := strings.Cut(question, " ")
	if ok {
		kind += " "
	}
	switch kind {
	case linksOf:
		p := a.pages()[about]
		if p == nil {
			return memo.Key{}
		}
		return memo.KeyOf(question, p, a.facts.Links(p), a.results.Matching(p))
	case shown:
		language, key, _ := strings.Cut(about, " ")
		return memo.KeyOf(question, a.facts.Shown(key, language))
	case imageSize:
		size, err := a.facts.ImageSize(about)
		return memo.KeyOf(question, size, err != nil)
	case work:
		return memo.KeyOf(question, a.facts.Work(about))
	case cited:
		for _, l := range a.nav.Content.Languages {
			if l.Code == about {
				return memo.KeyOf(question, a.facts.Cited(l))
			}
		}
	case bibliography:
		return memo.KeyOf(question, a.facts.HasBibliography())
	case reports:
		return memo.KeyOf(question, a.results.Sources(), a.results.Unreadable)
	}
	return memo.Key{} // a question of another version
}
