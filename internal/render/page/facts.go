package page

import (
	"github.com/gpudocs/gpudocs/internal/render/nav"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/bibtex"
	"github.com/gpudocs/gpudocs/internal/site/picture"
)

// FactsOf returns the facts of a site.
func FactsOf(m *nav.Map) Facts { return facts{m} }

type facts struct{ *nav.Map }

// Links implements [Facts].
func (f facts) Links(p *site.Page) *site.Links { return f.Content.Links(p) }

// ImageSize implements [Facts].
func (f facts) ImageSize(asset string) (picture.Size, error) { return f.Content.ImageSize(asset) }

// HasBibliography implements [Facts].
func (f facts) HasBibliography() bool { return f.Content.Config.Bibliography != "" }

// Work implements [Facts].
func (f facts) Work(key string) *bibtex.Entry { return f.Content.Work(key) }

// Cited implements [Facts].
func (f facts) Cited(l *site.Language) (keys []string) {
	for _, p := range f.Content.Pages {
		if p.Language == l {
			keys = append(keys, f.Content.Links(p).Cited...)
		}
	}
	return keys
}
