// Package feeds makes the files beside the pages of a site: results as JSON (results.go) and as news (atom.go), badges,
// cards, the index for search, Markdown exports and the lists of them for language models (export.go, llms.go),
// and the map for search engines (sitemap.go).
//
// All are made of a [Site]. Its Plan methods name files, each with a [Maker]; cards and indexes, whose names hang
// on the text of all pages, are listed by [Site.Paths] and made by [Site.File].
package feeds

import (
	"strings"
	"sync"

	"github.com/gpudocs/gpudocs/internal/render/card"
	"github.com/gpudocs/gpudocs/internal/render/nav"
	"github.com/gpudocs/gpudocs/internal/render/results"
	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/site"
)

// A Site is what the files beside the pages of a site are made of.
type Site struct {
	Content *site.Site
	Nav     *nav.Map
	Results *results.Results
	Theme   *theme.Compiled
	// Generator names the program and its version.
	Generator string
	// Once reports that each file is asked for once only: what is kept of it is let go then.
	Once bool
	// Generated are the addresses below that of each language of generated pages that search engines may list.
	Generated []string

	cards     func() map[string]card.Card
	firstFull func() []byte
	indexes   map[string]*index
}

// A Maker makes a file of a site.
type Maker func(s *Site) ([]byte, error)

// Prepare readies what is made once for several files.
func (s *Site) Prepare() {
	s.cards = sync.OnceValue(s.nameCards)
	s.firstFull = sync.OnceValue(func() []byte { l := s.Content.Languages[0]; return s.llmsFull(l, l.Code+"/") })
	s.planSearch()
}

// Paths lists the cards and the files of indexes.
func (s *Site) Paths() []string {
	paths := s.searchPaths()
	for p := range s.cards() {
		paths = append(paths, p)
	}
	return paths
}

// File makes one of them. ok is false if there is none of that name.
func (s *Site) File(name string) (data []byte, ok bool, err error) {
	if !strings.HasPrefix(name, CardDir+"/") {
		data, ok = s.searchFile(name)
		return data, ok, nil
	}
	c, ok := s.cards()[name]
	if ok {
		data, err = c.PNG()
	}
	return data, ok, err
}
