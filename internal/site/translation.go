package site

import (
	"github.com/gpudocs/gpudocs/internal/site/translate"
)

// A State describes how a page relates to its source.
type State string

// The states of a page.
const (
	// IsSource: the page is not a translation.
	IsSource State = "source"
	// Current: no section of the source has changed since the page was stamped.
	Current  State = "current"
	Outdated State = "outdated"
	// Unstamped: it is not known which version of the source it translates.
	Unstamped State = "unstamped"
	// Missing: the language has no such page.
	Missing State = "missing"
)

// Source returns the page that the translations of a key are made from: the one with original:
// true, else that of the site's source language, else that of the first language that has one. It
// returns nil if no page has the key.
func (s *Site) Source(key string) *Page {
	all := s.Translations(key)
	for _, p := range all {
		if p.Original {
			return p
		}
	}
	for _, p := range all {
		if p.Language.Code == s.Config.Source {
			return p
		}
	}
	if len(all) == 0 {
		return nil
	}
	return all[0]
}

// Translation returns the state of a page and, if it is outdated, what has changed in the source
// since.
func (s *Site) Translation(p *Page) (State, translate.Changes) {
	source := s.Source(p.Key)
	switch {
	case source == p:
		return IsSource, translate.Changes{}
	case p.Stamp.IsZero() || p.Stamp.From != source.Language.Code:
		return Unstamped, translate.Changes{}
	}
	if c := translate.Compare(p.Stamp, source.Sections); c.Any() {
		return Outdated, c
	}
	return Current, translate.Changes{}
}
