package site

import (
	"cmp"
	"time"

	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// A NavGroup is a group of the sidebar: the pages whose front matter names it, then its links.
type NavGroup struct {
	Name  string
	Label Localized
	// Numbered is set if the pages have numbers. The count goes on from group to group, so that each number is one page.
	Numbered bool
	Links    []NavLink
	// At is its place in gpudocs.toml, without a message.
	At diag.Diagnostic
}

// A NavLink leads to another site.
type NavLink struct {
	Label, URL Localized
	At         diag.Diagnostic
}

// IsHidden reports whether a page, or its source, stands in no list.
func (s *Site) IsHidden(p *Page) bool { return p.Hidden.Text+s.Source(p.Key).Hidden.Text != "" }

// IsIndexed reports whether search engines may list a page: neither it nor its source forbids it.
func (s *Site) IsIndexed(p *Page) bool {
	return !s.IsHidden(p) && !p.NoIndex && !s.Source(p.Key).NoIndex
}

// SolutionsAfter returns the day, in UTC, from which on the solutions of a page are published: that of its
// front matter, of its source's, or of gpudocs.toml. Without any it is zero.
func (s *Site) SolutionsAfter(p *Page) time.Time {
	for _, day := range []time.Time{p.SolutionsAfter, s.Source(p.Key).SolutionsAfter} {
		if !day.IsZero() {
			return day
		}
	}
	return s.Config.SolutionsAfter
}

// Localized is a text by the code of a language, or one for all languages under "".
type Localized map[string]string

// In returns the text in a language, or "".
func (t Localized) In(code string) string { return cmp.Or(t[code], t[""]) }
