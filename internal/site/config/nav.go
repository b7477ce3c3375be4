package config

import (
	"maps"
	"net/url"
	"slices"

	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// navFile is the table [nav] of gpudocs.toml. Labels and addresses are texts, or tables by language.
type navFile struct {
	Groups []struct {
		Name  string `toml:"name" doc:"Name by which pages join the group, with group: in their front matter."`
		Label any    `toml:"label" form:"text|localized" doc:"What readers see: a text, or one for each language."`
		// Numbered is documented on site.NavGroup.
		Numbered bool `toml:"numbered" doc:"Number the pages of the group, as lessons. The next such group goes on counting."`
		Links    []struct {
			Label any `toml:"label" form:"text|localized" doc:"What readers see: a text, or one for each language."`
			URL   any `toml:"url" form:"text|localized" doc:"Address of another site: a text, or one for each language."`
		} `toml:"links" doc:"Links to other sites, after the pages of the group."`
	} `toml:"groups" doc:"Groups of the sidebar, in order."`
}

// The places of values in [[nav.groups]]: of names, and of other texts.
const (
	navName = `nav\b(?s:.*?)\bname\s*=`
	navText = `nav\b(?s:.*?)["']`
)

func (c *checker) nav(file navFile) (groups []site.NavGroup) {
	for _, g := range file.Groups {
		if !site.BlockName.MatchString(g.Name) {
			c.fault(navName, g.Name, diag.Say("config.nav-name-invalid", "name", g.Name))
			continue
		}
		if slices.ContainsFunc(groups, func(other site.NavGroup) bool { return other.Name == g.Name }) {
			c.fault(navName+`(?s:.*)\bname\s*=`, g.Name, diag.Say("config.nav-name-twice", "name", g.Name))
			continue
		}
		group := site.NavGroup{Name: g.Name, Numbered: g.Numbered, At: c.place(navName, g.Name)}
		group.Label = c.localized(g.Label, group.At)
		for _, l := range g.Links {
			link := site.NavLink{At: group.At, URL: c.localized(l.URL, group.At)}
			for _, code := range slices.Sorted(maps.Keys(link.URL)) {
				address := link.URL[code]
				if link.At = c.place(navText, address); !isAbsolute(address) {
					c.fault(navText, address, diag.Say("config.nav-url-invalid", "url", address))
					link.URL = nil
					break
				}
			}
			if link.Label = c.localized(l.Label, link.At); link.URL != nil && link.Label != nil {
				group.Links = append(group.Links, link)
			}
		}
		groups = append(groups, group)
	}
	return groups
}

// isAbsolute reports whether a text is an address of another site that a reader can open.
func isAbsolute(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
}

// localized reads a text, or a table of texts by language. With an error it returns nil.
func (c *checker) localized(value any, at diag.Diagnostic) site.Localized {
	texts := site.Localized{}
	switch v := value.(type) {
	case string:
		texts[""] = site.OneLine(v)
	case map[string]any:
		for code, text := range v {
			s, _ := text.(string)
			texts[code] = site.OneLine(s)
		}
	}
	if len(texts) == 0 || slices.Contains(slices.Collect(maps.Values(texts)), "") {
		at.Message = diag.Say("config.nav-text-expected", "example", `{pt = "Aprender", es = "Aprender"}`)
		at.Hint = at.Message.Hint()
		c.diags.Add(at)
		return nil
	}
	return texts
}
