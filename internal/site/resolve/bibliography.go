package resolve

import (
	"maps"
	"slices"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// citation records the works that a citation names.
func (l *pageLinks) citation(c *markdown.Citation) {
	for _, w := range c.Works {
		if l.works.Works[w.Key] != nil {
			if !l.cited[w.Key] {
				set(&l.cited, w.Key, true)
				l.links.Cited = append(l.links.Cited, w.Key)
			}
			continue
		}
		if l.bibliographyFile == "" {
			if l.first(site.RuleCitation) {
				l.warnAt(site.RuleCitation, c.Span, diag.Say("links.bibliography-missing"))
			}
			continue
		}
		known := func() []string { return slices.Sorted(maps.Keys(l.works.Works)) }
		hint := l.suggest.Suggest(w.Key, known, diag.Say("links.citation-add-hint", "key", w.Key))
		message := diag.Say("links.citation-unknown", "bibliography", l.bibliographyFile, "key", w.Key)
		l.warnAt(site.RuleCitation, c.Span, message.WithHint(hint))
	}
}
