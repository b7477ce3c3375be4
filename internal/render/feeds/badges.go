package feeds

import (
	"cmp"
	"path"
	"strings"

	"github.com/gpudocs/gpudocs/internal/render/nav"
	"github.com/gpudocs/gpudocs/internal/render/results"
	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// BadgeDir is the folder of badges, which other sites can show:
//
//	badges/all.svg                  the pages of all languages, in words of the default one
//	badges/deepnine.svg             one machine
//	badges/pt/_all.svg              the pages of a language
//	badges/pt/_all/deepnine.svg
//	badges/pt/medir-tempo.svg       a page, by its address; "index" is the language's home page
//	badges/pt/medir-tempo/deepnine.svg
const BadgeDir = "badges"

// maxBadges bounds the number of badges for a page on a machine. If a site has more, those without results
// are left out.
const maxBadges = 20_000

// A subject is what badges are about: a page, all pages of a language, or all pages.
type subject struct {
	// name is the path of its badge below BadgeDir: "pt/medir-tempo".
	name, title string
	language    *site.Language
	pages       []*site.Page
	// page is nil for all pages.
	page *site.Page
}

// subjects returns what the site has badges of. All pages have the top folder, in words of the first language, if that has any.
func (s *Site) subjects() (list []subject) {
	everywhere := subject{language: s.Content.Languages[0]}
	everywhere.title = s.Nav.Title(everywhere.language)
	for _, l := range s.Content.Languages {
		all, each := subject{name: path.Join(l.Code, "_all"), title: s.Nav.Title(l), language: l}, []subject(nil)
		for _, e := range s.Nav.Checked(l) {
			p := e.Placed.Page
			all.pages = append(all.pages, p)
			each = append(each, subject{badgeName(*e.Placed), e.Title(), l, []*site.Page{p}, p})
		}
		everywhere.pages = append(everywhere.pages, all.pages...)
		if len(each) > 0 {
			list = append(append(list, all), each...)
		}
	}
	if len(list) > 0 && list[0].language == everywhere.language {
		list = append(list, everywhere)
	}
	return list
}

// A putBadge adds a badge. lost returns the diagnostic if the site publishes another file, taken, that is in its way.
type putBadge = func(name string, make func() ([]byte, error), lost func(taken string) diag.Diagnostic)

// PlanBadges adds the badges of all pages with checks.
func (s *Site) PlanBadges(put putBadge) {
	if s.Content.Config.Without.Badges || len(s.Content.Languages) == 0 {
		return
	}
	for _, of := range s.subjects() {
		t, pages := s.Theme.Text(of.language.Code), len(s.Nav.Checked(of.language))
		found := func(m *results.Machine) badge { // on all machines if it is nil
			c := s.Reports.Checks(m, of.pages...)
			return badge{of.language.Code, of.title, s.message(of.language, c), colour(c)}
		}
		s.planBadge(of, "", put, func() badge { return found(nil) })
		for _, m := range s.Reports.Machines {
			if of.page != nil && pages*len(s.Reports.Machines) > maxBadges && s.Reports.Checks(m, of.page).Unknown() {
				continue
			}
			s.planBadge(of, m.Name, put, func() badge { return found(m).on(of, results.Label(s.Reports.Present(t, "", nil), m)) })
		}
		for _, name := range s.Reports.Unreadable { // other sites may show its badge
			if of.page == nil || pages*len(s.Reports.Unreadable) <= maxBadges {
				unread := badge{of.language.Code, of.title, t.Get("machine_unreadable"), unknown}
				s.planBadge(of, name, put, func() badge { return unread.on(of, name) })
			}
		}
	}
}

// planBadge adds the badge of a subject on a machine, or on all.
func (s *Site) planBadge(of subject, machine string, put putBadge, make func() badge) {
	file := site.ConfigFile
	switch {
	case of.page != nil:
		file = of.page.Source.Name
	case machine != "":
		file = path.Join("results", machine+".json")
	}
	name := path.Join(BadgeDir, cmp.Or(path.Join(of.name, machine), "all")) + ".svg"
	put(name, func() ([]byte, error) { return make().svg(), nil }, func(taken string) diag.Diagnostic {
		return diag.Diagnostic{
			Severity: diag.Warning,
			File:     file,
			Message:  diag.Say("page.badge-path-taken", "name", name, "taken", taken),
			Hint:     diag.Say("page.badge-path-taken-hint"),
		}
	})
}

// on returns the badge with the label of a machine.
func (b badge) on(of subject, machine string) badge {
	if b.label = machine; of.page != nil {
		b.label = of.title + " · " + machine
	}
	return b
}

// badgeName returns "pt/medir-tempo", and "pt/index" for the home page.
func badgeName(p nav.Placed) string {
	name := strings.TrimSuffix(p.URL(), "/")
	if name == p.Language.Code {
		name += "/index"
	}
	return name
}

// message returns the counts that are not zero: "7 passed, 2 failed, 1 skipped".
func (s *Site) message(l *site.Language, c theme.CheckCount) string {
	t := s.Theme.Text(l.Code)
	if c.Unknown() {
		return t.Get("badge_none")
	}
	var parts []string
	for _, n := range c.Counts() {
		parts = append(parts, t.Count(n.Key, n.N))
	}
	return strings.Join(parts, ", ")
}

// colour returns the colour of the worst result. Green means that all checks passed or were skipped for a
// reason.
func colour(c theme.CheckCount) status {
	switch {
	case c.Failed() > 0, c.Lost > 0, c.Altered() > 0:
		return bad
	case c.Unknown():
		return unknown
	case c.Stale() > 0, c.NotRun() > 0, c.Passed() == 0 && c.Skipped() > 0:
		return doubtful
	case c.Passed() == 0: // nothing of it applies
		return unknown
	}
	return good
}
