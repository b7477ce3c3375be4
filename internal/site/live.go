package site

import (
	"slices"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/ask"
)

// LiveFacts returns the facts of a machine that {live} can show, in addition to captured values.
func LiveFacts() []string {
	return append(ask.Reported(), "cpu", "date", "passed", "failed", "skipped")
}

// A Captured is a check that captures a value, and a block and a page that have it.
type Captured struct {
	ID    report.ID
	Block *Block
	Page  *Page
}

// Capture returns the checks that capture the value that a page means by a name: those of the page itself,
// or else those of pages in its language, or else of all. The same code in two languages is one check.
// If there are several, it is not known which is meant.
func (s *Site) Capture(on *Page, name string) (list []Captured) {
	here := func(p *Page) bool { return p == on }
	language := func(p *Page) bool { return p.Language.Code == on.Language.Code }
	any := func(*Page) bool { return true }
	for _, near := range []func(*Page) bool{here, language, any} {
		for _, c := range s.Captures[name] {
			if near(c.Page) && !slices.ContainsFunc(list, func(o Captured) bool { return o.ID == c.ID }) {
				list = append(list, c)
			}
		}
		if list != nil {
			return list
		}
	}
	return nil
}
