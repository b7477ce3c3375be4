package render

import (
	"reflect"
	"slices"

	"github.com/gpudocs/gpudocs/internal/render/results"
	"github.com/gpudocs/gpudocs/internal/site"
)

// A plan is the work of many thousand pages, and nearly always what it was before an edit. So a site takes the
// plan of the one before it, see [Options].Before, if all that a plan is made of is the same.

// replan takes the plan of an earlier site, and reports whether that is a plan of this one too.
func (s *Site) replan(before *Site) bool {
	if before == nil || before.theme != s.theme || !s.content.SameNames(before.content) || !sameSources(s.sources, before.sources) ||
		!reflect.DeepEqual(s.content.Config, before.content.Config) || !sameOptions(s.options, before.options) {
		return false
	}
	stale := map[*site.Language]bool{} // whose pages have changed
	for i, p := range s.content.Pages {
		old := before.content.Pages[i]
		if s.content.Weight(p) != before.content.Weight(old) {
			return false
		}
		if p != old {
			if !samePlan(p, old) {
				return false
			}
			stale[p.Language] = true
		}
	}
	s.results, s.plan = before.results.In(s.content), before.plan
	s.feeds.Generated = before.feeds.Generated
	for code, t := range before.nav.Trees {
		if len(stale) > 0 {
			t = t.With(s.content.Pages)
		}
		s.nav.Trees[code] = t
	}
	return true
}

// sameSources reports whether reports are the very same.
func sameSources(a, b []results.Source) bool {
	return slices.EqualFunc(a, b, func(a, b results.Source) bool {
		return a.Report == b.Report && a.Local == b.Local && a.Signature == b.Signature
	})
}

// sameOptions compares what of the options counts for a plan.
func sameOptions(a, b Options) bool {
	return a.BaseURL == b.BaseURL && a.Offline == b.Offline && a.Root == b.Root && slices.Equal(a.Unreadable, b.Unreadable) && sameDates(a, b)
}

func sameDates(a, b Options) bool { return (len(a.Changed) > 0) == (len(b.Changed) > 0) }

// samePlan reports whether two pages of the same names have the same files and the same checks.
func samePlan(a, b *site.Page) bool {
	return a.Draft == b.Draft && a.Updated.IsZero() == b.Updated.IsZero() &&
		a.Notebook == nil && b.Notebook == nil && slices.Equal(a.Includes, b.Includes) &&
		slices.EqualFunc(a.Blocks, b.Blocks, sameChecks)
}

// sameChecks reports whether reports say the same of two blocks.
func sameChecks(a, b *site.Block) bool {
	return a.ID == b.ID && a.Name == b.Name && a.Kind == b.Kind &&
		slices.EqualFunc(a.GPULines, b.GPULines, func(a, b site.GPULine) bool { return a.ID == b.ID && a.Name == b.Name })
}
