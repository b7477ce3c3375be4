package render

import (
	"cmp"
	"path"
	"strings"

	"github.com/gpudocs/gpudocs/internal/badge"
	"github.com/gpudocs/gpudocs/internal/content"
	"github.com/gpudocs/gpudocs/internal/diag"
)

// badgeDir is where badges are published, for other sites to show:
//
//	badges/all.svg                  the whole site, in the default language
//	badges/deepnine.svg             one machine
//	badges/pt/_all.svg              both in a language of their own
//	badges/pt/_all/deepnine.svg
//	badges/pt/medir-tempo.svg       a page, by its address; "index" is the language's first
//	badges/pt/medir-tempo/deepnine.svg
const badgeDir = "badges"

// maxBadges bounds the badges of a page on one machine. Of a site with more there
// are none that would say "no results".
const maxBadges = 20_000

// planBadges names them, for every page with checks.
func (s *Site) planBadges() diag.List {
	var diags diag.List
	if s.content.Config.Without.Badges {
		return nil
	}
	add := func(name, of string, make func(s *Site) badge.Badge) {
		name = path.Join(badgeDir, name) + ".svg"
		if taken := s.taken(name); taken != "" {
			diags.Add(diag.Diagnostic{Severity: diag.Warning, File: of, Message: diag.Say("no badge /%s: the site publishes /%s already", name, taken),
				Hint: diag.Say("rename the page, the machine or the file in content/badges/, if that badge is wanted")})
			return
		}
		s.files[name] = func(s *Site) ([]byte, error) { return make(s).SVG(), nil }
	}
	for i, l := range s.content.Languages {
		pages := s.checked(l)
		if len(pages) == 0 {
			continue
		}
		for _, dir := range languageBadges(l, i == 0) {
			add(cmp.Or(dir, "all"), content.ConfigFile, func(s *Site) badge.Badge { return s.badge(l, s.title(l), s.checked(l), everyMachine) })
			for m, machine := range s.results.machines {
				add(path.Join(dir, machine.Name), path.Join("results", machine.Name+".json"), func(s *Site) badge.Badge { return s.badge(l, machine.Name, s.checked(l), m) })
			}
			for _, name := range s.options.Unreadable { // other sites show its badge
				add(path.Join(dir, name), path.Join("results", name+".json"), func(s *Site) badge.Badge { return s.unreadableBadge(l, name) })
			}
		}
		for _, e := range pages {
			p, name, id := e.placed, badgeName(*e.placed), e.id
			page := func(s *Site) []*entry { return s.nav[l.Code].all[id : id+1] }
			add(name, p.page.Source.Name, func(s *Site) badge.Badge { return s.badge(l, page(s)[0].title(), page(s), everyMachine) })
			for m, machine := range s.results.machines {
				if len(pages)*len(s.results.machines) > maxBadges && s.checksOn(p.page, m).unknown() {
					continue
				}
				add(path.Join(name, machine.Name), p.page.Source.Name, func(s *Site) badge.Badge { return s.badge(l, page(s)[0].title()+" · "+machine.Name, page(s), m) })
			}
			for _, machine := range s.options.Unreadable {
				if len(pages)*len(s.options.Unreadable) <= maxBadges {
					add(path.Join(name, machine), p.page.Source.Name, func(s *Site) badge.Badge { return s.unreadableBadge(l, page(s)[0].title()+" · "+machine) })
				}
			}
		}
	}
	return diags
}

// languageBadges are the folders of the badges of all pages: that of the language,
// and for the default language the topmost too.
func languageBadges(l *content.Language, first bool) []string {
	own := path.Join(l.Code, "_all")
	if first {
		return []string{"", own}
	}
	return []string{own}
}

// badgeName is "pt/medir-tempo", and "pt/index" for the first page.
func badgeName(p placed) string {
	name := strings.TrimSuffix(p.url(), "/")
	if name == p.language.Code {
		name += "/index"
	}
	return name
}

// taken tells what has a name, or stands in the way of it as a file where it needs a
// folder: a file of the content, or another badge.
func (s *Site) taken(name string) string {
	for at := name; at != "."; at = path.Dir(at) {
		if _, taken := s.files[at]; taken {
			return at
		}
	}
	return ""
}

// checked are the pages of a language with blocks to check, in reading order.
func (s *Site) checked(l *content.Language) (pages []*entry) {
	t := s.nav[l.Code]
	if t == nil {
		return nil
	}
	for _, e := range t.order {
		if len(e.placed.page.Blocks) > 0 {
			pages = append(pages, e)
		}
	}
	return pages
}

// everyMachine stands for the worst of all.
const everyMachine = -1

// badge says how the checks of some pages stand.
func (s *Site) badge(l *content.Language, label string, pages []*entry, machine int) badge.Badge {
	var c CheckCount
	for _, e := range pages {
		if machine == everyMachine {
			c = c.plus(s.checks(e.placed.page))
		} else {
			c = c.plus(s.checksOn(e.placed.page, machine))
		}
	}
	return badge.Badge{Lang: l.Code, Label: visible(label), Message: s.message(l, c), Status: c.colour()}
}

func (s *Site) unreadableBadge(l *content.Language, label string) badge.Badge {
	return badge.Badge{Lang: l.Code, Label: visible(label), Message: s.strings[l.Code].Get("machine_unreadable"), Status: badge.Unknown}
}

// message is "7 passed, 2 failed, 1 skipped", and nothing that is not so.
func (s *Site) message(l *content.Language, c CheckCount) string {
	t := s.strings[l.Code]
	if c.unknown() {
		return t.Get("badge_none")
	}
	var parts []string
	for _, n := range []struct {
		n   int
		key string
	}{{c.Passed, "passed"}, {c.Failed, "failed"}, {c.Altered, "altered"}, {c.Stale, "stale"}, {c.Skipped, "skipped"}, {c.NotRun, "notrun"}} {
		if n.n > 0 {
			parts = append(parts, t.Count("checks_"+n.key, n.n))
		}
	}
	return strings.Join(parts, ", ")
}

// unknown tells that no machine has run any of the checks.
func (c CheckCount) unknown() bool { return c.NotRun == c.Total }

// colour is that of the worst. Green is for what passed alone, but for what machines
// had a reason to skip.
func (c CheckCount) colour() badge.Status {
	switch {
	case c.Failed > 0, c.Altered > 0:
		return badge.Bad
	case c.unknown():
		return badge.Unknown
	case c.Stale > 0, c.NotRun > 0, c.Passed == 0:
		return badge.Doubtful
	}
	return badge.Good
}
