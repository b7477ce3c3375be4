// Package feeds makes the files beside the pages of a site: results as JSON (json.go) and Atom (atom.go), badges,
// search indexes, Markdown exports and lists of them for language models (export.go, llms.go), and the
// sitemap (sitemap.go).
//
// All are made from a [Site]. Its Plan methods add files, each with the function that makes it. The names of the files
// of indexes depend on the text of all pages, so these are listed by [Site.Paths] and made by [Site.File].
package feeds

import (
	"html/template"

	"github.com/gpudocs/gpudocs/internal/render/nav"
	"github.com/gpudocs/gpudocs/internal/render/results"
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
	// Display makes safe HTML of what a snippet displayed, if it is no picture.
	Display func(report.Figure) template.HTML
	// Generator names the program and its version.
	Generator string
	// Generated are the addresses, below that of each language, of the generated pages for search engines.
	Generated []string

	// indexes have the files of each search index, by its folder.
	indexes map[string]func() map[string][]byte
}

// New completes a site whose exported fields are set.
func New(s *Site) *Site {
	s.planSearch()
	return s
}
