// Package feeds makes the files beside the pages of a site: results as JSON (json.go) and Atom (atom.go), badges,
// search indexes, Markdown exports and lists of them for language models (export.go, llms.go), and the
// sitemap (sitemap.go).
//
// All are made from a [Site]. Its Plan methods add files, each with a [step.Maker]. The names of the files
// of indexes depend on the text of all pages, so these are listed by [Site.Paths] and made by [Site.File].
package feeds

import (
	"html/template"
	"slices"
	"sync"

	"github.com/gpudocs/gpudocs/internal/memo"
	"github.com/gpudocs/gpudocs/internal/render/nav"
	"github.com/gpudocs/gpudocs/internal/render/results"
	"github.com/gpudocs/gpudocs/internal/render/step"
	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/site"
)

// A Site has what the files beside the pages of a site are made from.
type Site struct {
	Content *site.Site
	Nav     *nav.Map
	Reports *results.Index
	Theme   *theme.Compiled
	// Facts has the hashes of what the files are made from.
	Facts *step.Site
	// Display makes safe HTML of what a snippet displayed, if it is no picture.
	Display func(report.Figure) template.HTML
	// Generator names the program and its version.
	Generator string
	// Generated are the addresses, below that of each language, of the generated pages for search engines.
	Generated []string

	// indexes have the files of each search index, by its folder.
	indexes map[string]func() map[string][]byte
	// keys are the keys of the pages of each language.
	keys map[string]func() memo.Key
}

// New completes a site whose exported fields are set.
func New(s *Site) *Site {
	s.keys = map[string]func() memo.Key{}
	for _, l := range s.Content.Languages {
		s.keys[l.Code] = sync.OnceValue(func() memo.Key { return s.pagesKey(l) })
	}
	s.planSearch()
	return s
}

// pagesKey returns the key of what is made of all pages of a language.
func (s *Site) pagesKey(l *site.Language) memo.Key {
	h := memo.NewHash("pages")
	h.Add(l.Code, slices.Contains(s.Generated, site.StatusDir)) // the status page is in the index
	if tree := s.Nav.Trees[l.Code]; tree != nil {
		for _, e := range tree.Order {
			h.Add(e.Placed.URL(), e.Placed.Foreign(), e.Number, s.Facts.PageKey(e.Placed.Page))
			for _, key := range s.Content.Links(e.Placed.Page).Cited {
				h.Add(s.Content.Work(key))
			}
		}
	}
	return s.Facts.Key(h)
}
