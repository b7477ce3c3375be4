package resolve

import (
	"maps"
	"slices"
	"strings"

	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// checkNav checks the groups of the sidebar, and the groups and prerequisites of pages.
func checkNav(s *site.Site) (diags diag.List) {
	var names []string
	for _, g := range s.Config.Nav {
		names = append(names, g.Name)
		checkLocalized(s, g.Name, g.Label, g.At, &diags)
		for _, l := range g.Links {
			checkLocalized(s, g.Name, l.Label, l.At, &diags)
			checkLocalized(s, g.Name, l.URL, l.At, &diags)
		}
	}
	for _, p := range s.Pages {
		switch g := p.Group; {
		case g.Text == "" || s.Config.Unreadable:
		case names == nil:
			diags.Add(g.Say(diag.Warning, diag.Say("page.group-without-groups", "name", g.Text)))
		case !slices.Contains(names, g.Text):
			message := diag.Say("page.group-unknown", "name", g.Text, "names", strings.Join(names, ", "))
			diags.Add(g.Say(diag.Error, message.WithHint(diag.Suggest(g.Text, names, message.Hint()))))
		case p.Hidden.Text != "":
			diags.Add(g.Say(diag.Error, diag.Say("page.hidden-in-group", "name", g.Text)))
		}
	}
	for _, c := range s.Courses {
		byFile := s.PagesByFile()
		for _, l := range c.Listed {
			if p := byFile[l.File]; p != nil && p.Hidden.Text != "" {
				diags.Add(p.Hidden.Say(diag.Warning, diag.Say("page.hidden-but-listed", "file", c.File)))
			}
		}
	}
	r := cycleFinder{site: s, state: map[*site.Page]int{}}
	for _, p := range s.Pages {
		named := p.Requires
		for _, n := range []*site.Named{p.Prev, p.Next} {
			switch {
			case n == nil || n.Text == "":
			case slices.Contains(s.Translations(n.Text), p):
				diags.Add(n.Say(diag.Error, diag.Say("page.neighbour-self")))
			default:
				named = append(slices.Clip(named), *n)
			}
		}
		for _, name := range named {
			if len(s.Translations(name.Text)) == 0 {
				message, keys := diag.Say("page.prerequisite-missing", "key", name.Text), slices.Sorted(maps.Keys(s.Names.ByKey))
				diags.Add(name.Say(diag.Error, message.WithHint(diag.Suggest(name.Text, keys, message.Hint()))))
			}
		}
		if s.Source(p.Key) == p && r.state[p] == 0 {
			r.visit(p)
		}
	}
	return append(diags, r.diags...)
}

// checkLocalized reports languages of the site that a label lacks, and those that the site lacks.
func checkLocalized(s *site.Site, group string, text site.Localized, at diag.Diagnostic, diags *diag.List) {
	var codes []string
	for _, l := range s.Languages {
		codes = append(codes, l.Code)
		if text != nil && text.In(l.Code) == "" {
			at.Message = diag.Say("config.nav-language-missing", "group", group, "code", l.Code)
			at.Hint = at.Message.Hint()
			diags.Add(at)
		}
	}
	for _, code := range slices.Sorted(maps.Keys(text)) {
		if code != "" && !slices.Contains(codes, code) {
			at.Message = diag.Say("config.nav-language-unknown", "group", group, "code", code)
			at.Hint = diag.Suggest(code, codes, diag.Say("config.nav-language-unknown-hint", "codes", strings.Join(codes, ", ")))
			diags.Add(at)
		}
	}
}

// A cycleFinder finds pages that require each other to be read first.
type cycleFinder struct {
	site  *site.Site
	state map[*site.Page]int // 1 while the pages before it are visited, then 2
	path  []string
	diags diag.List
}

func (r *cycleFinder) visit(p *site.Page) {
	r.state[p] = 1
	r.path = append(r.path, p.Key)
	for _, name := range p.Requires {
		switch before := r.site.Source(name.Text); {
		case before == nil || r.state[before] == 2:
		case r.state[before] == 1:
			circle := slices.Clone(r.path[slices.Index(r.path, before.Key):])
			if len(circle) > 8 { // many long circles would make long messages
				circle = slices.Replace(circle, 4, len(circle)-3, "…")
			}
			r.diags.Add(name.Say(diag.Warning, diag.Say("page.prerequisites-circular", "path", strings.Join(append(circle, before.Key), " → "))))
		default:
			r.visit(before)
		}
	}
	r.path = r.path[:len(r.path)-1]
	r.state[p] = 2
}
