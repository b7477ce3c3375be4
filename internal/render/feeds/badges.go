package feeds

import (
	"cmp"
	"path"
	"strings"

	"github.com/gpudocs/gpudocs/internal/render/badge"
	"github.com/gpudocs/gpudocs/internal/render/nav"
	"github.com/gpudocs/gpudocs/internal/render/results"
	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
	"github.com/gpudocs/gpudocs/internal/text/invisible"
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

// PlanBadges adds the badges of all pages with checks. lost returns the diagnostic if the site publishes another file, taken,
// that is in the way of a badge.
func (s *Site) PlanBadges(put func(name string, make func() ([]byte, error), lost func(taken string) diag.Diagnostic)) {
	if s.Content.Config.Without.Badges {
		return
	}
	add := func(name, of string, make func() badge.Badge) {
		name = path.Join(BadgeDir, name) + ".svg"
		lost := func(taken string) diag.Diagnostic {
			return diag.Diagnostic{
				Severity: diag.Warning,
				File:     of,
				Message:  diag.Say("page.badge-path-taken", "name", name, "taken", taken),
				Hint:     diag.Say("page.badge-path-taken-hint"),
			}
		}
		put(name, func() ([]byte, error) { return make().SVG(), nil }, lost)
	}
	var everywhere []*nav.Entry
	for _, l := range s.Content.Languages {
		everywhere = append(everywhere, s.Nav.Checked(l)...)
	}
	for i, l := range s.Content.Languages {
		pages := s.Nav.Checked(l)
		if len(pages) == 0 {
			continue
		}
		folders := []string{path.Join(l.Code, "_all")}
		if i == 0 {
			folders = append(folders, "") // the first language has the top folder too
		}
		for _, dir := range folders {
			pages := pages
			if dir == "" {
				pages = everywhere
			}
			add(cmp.Or(dir, "all"), site.ConfigFile, func() badge.Badge { return s.badge(l, s.Nav.Title(l), pages, nil) })
			for _, machine := range s.Reports.Machines {
				add(path.Join(dir, machine.Name), path.Join("results", machine.Name+".json"), func() badge.Badge { return s.badge(l, s.labelOf(l, machine), pages, machine) })
			}
			for _, name := range s.Reports.Unreadable { // other sites may show its badge
				add(path.Join(dir, name), path.Join("results", name+".json"), func() badge.Badge { return s.unreadableBadge(l, name) })
			}
		}
		for _, e := range pages {
			p, name, page := e.Placed, badgeName(*e.Placed), []*nav.Entry{e}
			add(name, p.Page.Source.Name, func() badge.Badge { return s.badge(l, e.Title(), page, nil) })
			for _, machine := range s.Reports.Machines {
				if len(pages)*len(s.Reports.Machines) > maxBadges && s.Reports.Checks(machine, p.Page).Unknown() {
					continue
				}
				add(path.Join(name, machine.Name), p.Page.Source.Name, func() badge.Badge {
					return s.badge(l, e.Title()+" · "+s.labelOf(l, machine), page, machine)
				})
			}
			for _, machine := range s.Reports.Unreadable {
				if len(pages)*len(s.Reports.Unreadable) <= maxBadges {
					add(path.Join(name, machine), p.Page.Source.Name, func() badge.Badge { return s.unreadableBadge(l, e.Title()+" · "+machine) })
				}
			}
		}
	}
}

// badgeName returns "pt/medir-tempo", and "pt/index" for the home page.
func badgeName(p nav.Placed) string {
	name := strings.TrimSuffix(p.URL(), "/")
	if name == p.Language.Code {
		name += "/index"
	}
	return name
}

func (s *Site) labelOf(l *site.Language, m *results.Machine) string {
	return results.Label(s.Reports.Present(s.Theme.Text(l.Code), "", nil), m)
}

// badge returns a badge with the results of some pages on a machine, or the worst on all machines if it is nil.
func (s *Site) badge(l *site.Language, label string, pages []*nav.Entry, machine *results.Machine) badge.Badge {
	var list []*site.Page
	for _, e := range pages {
		list = append(list, e.Placed.Page)
	}
	c := s.Reports.Checks(machine, list...)
	return badge.Badge{Lang: l.Code, Label: invisible.Visible(label), Message: s.message(l, c), Status: colour(c)}
}

func (s *Site) unreadableBadge(l *site.Language, label string) badge.Badge {
	return badge.Badge{Lang: l.Code, Label: invisible.Visible(label), Message: s.Theme.Text(l.Code).Get("machine_unreadable"), Status: badge.Unknown}
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
func colour(c theme.CheckCount) badge.Status {
	switch {
	case c.Failed() > 0, c.Lost > 0, c.Altered() > 0:
		return badge.Bad
	case c.Unknown():
		return badge.Unknown
	case c.Stale() > 0, c.NotRun() > 0, c.Passed() == 0 && c.Skipped() > 0:
		return badge.Doubtful
	case c.Passed() == 0: // nothing of it applies
		return badge.Unknown
	}
	return badge.Good
}
