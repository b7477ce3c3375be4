// Package step makes files again only if what they are made of has changed.
//
// A [Step] generates one file. It is given the inputs that are known before it begins, and it records the
// facts of the site that are looked up meanwhile: where links lead, how large an image is, what machines
// found. The hash of the inputs and facts is the key of the file. The key and the names of the facts are
// its [memo.Trace]. A later step with that trace hashes its inputs and the same facts; if the key is the
// same, the file is too. Nothing else decides whether a file is made again, and there is no list of what
// an edit invalidates. A file that depends on anything else would be wrong after an edit: TestEdits in
// package render looks for that.
package step

import (
	"maps"
	"slices"

	"github.com/gpudocs/gpudocs/internal/memo"
	"github.com/gpudocs/gpudocs/internal/render/page"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/bibtex"
	"github.com/gpudocs/gpudocs/internal/site/picture"
)

// A Step makes one file. It is used by one goroutine, and implements [page.Facts].
type Step struct {
	site    *Site
	earlier memo.Trace
	// used are the names of the facts that were looked up.
	used map[string]bool
	// inputs is the key of the inputs, if [Step.Same] was called.
	inputs memo.Key
	known  bool
	same   bool
	failed bool
	// whole is the key of the file if [Step.SameIn] was called.
	whole memo.Key
}

// A Maker makes a file, or returns nil if [Step.Same] reports that it is the same as before.
type Maker func(s *Step) ([]byte, error)

// New returns a step for a file of a site. earlier is the trace of the file that exists, or zero.
func New(site *Site, earlier memo.Trace) *Step {
	return &Step{site: site, earlier: earlier, used: map[string]bool{}}
}

// Same reports whether the file is the same as that of the earlier trace, so that it need not be
// made. The inputs are all that it depends on, apart from the facts.
func (s *Step) Same(inputs ...any) bool {
	if !s.site.keyed {
		return false
	}
	h := memo.NewHash("step")
	h.Add(s.site.base)
	h.Add(inputs...)
	s.inputs, s.known = h.Key(), true
	s.same = s.earlier.Key != memo.Key{} && s.key(s.earlier.Facts) == s.earlier.Key
	return s.same
}

// SameIn is like [Step.Same] for one of the files of a folder that are made together. key returns the
// key of the folder.
func (s *Step) SameIn(folder string, key func() memo.Key) bool {
	if !s.site.keyed {
		return false
	}
	s.whole = memo.FolderKey(folder, key())
	s.same = s.earlier.Key == s.whole
	return s.same
}

// Reused reports whether [Step.Same] or [Step.SameIn] has reported true.
func (s *Step) Reused() bool { return s.same }

// Failed records that a part of the file could not be made, perhaps for lack of time. The file then has no
// key, so that it is made again.
func (s *Step) Failed() { s.failed = true }

// Trace returns the trace of the file that was made, or is the same.
func (s *Step) Trace() memo.Trace {
	switch {
	case s.same:
		return s.earlier
	case s.whole != memo.Key{}:
		return memo.Trace{Key: s.whole}
	case !s.known || s.failed:
		return memo.Trace{}
	}
	facts := slices.Sorted(maps.Keys(s.used))
	return memo.Trace{Key: s.key(facts), Facts: facts}
}

func (s *Step) key(facts []string) memo.Key {
	h := memo.NewHash("file")
	h.Add(s.inputs)
	for _, f := range facts {
		h.Add(s.site.hash(f))
	}
	return h.Key()
}

// Links implements [page.Facts].
func (s *Step) Links(p *site.Page) *site.Links {
	s.used[linksOf+p.Source.Name] = true
	return s.site.facts.Links(p)
}

// Shown implements [page.Facts].
func (s *Step) Shown(key, language string) *site.Page {
	s.used[shown+language+" "+key] = true
	return s.site.facts.Shown(key, language)
}

// ImageSize implements [page.Facts].
func (s *Step) ImageSize(asset string) (picture.Size, error) {
	s.used[imageSize+asset] = true
	return s.site.facts.ImageSize(asset)
}

// HasBibliography implements [page.Facts].
func (s *Step) HasBibliography() bool {
	s.used[bibliography] = true
	return s.site.facts.HasBibliography()
}

// Work implements [page.Facts].
func (s *Step) Work(key string) *bibtex.Entry {
	s.used[work+key] = true
	return s.site.facts.Work(key)
}

// Cited implements [page.Facts].
func (s *Step) Cited(l *site.Language) []string {
	s.used[cited+l.Code] = true
	return s.site.facts.Cited(l)
}

// Reports records that the file depends on the reports of machines.
func (s *Step) Reports() { s.used[reportsFact] = true }

// Results returns the results that a page shows, and records that it does.
func (s *Step) Results(of page.Results) page.Results { return recorder{of, s} }
