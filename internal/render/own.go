package render

import (
	"html/template"
	"strings"

	"github.com/gpudocs/gpudocs/internal/content"
)

// An own page is one that nobody wrote: the status of all machines, what stands where
// nothing is found. It looks like the others, in every language, and its text comes
// from a template of the theme.
type own struct {
	// path is its address below the language's, "_status/".
	path string
	// in is the one language that has it, nil where all have; then elsewhere is what
	// the others have in its place.
	in        *content.Language
	elsewhere string
	// title is the key of its title among the interface texts, with what goes into it.
	title string
	with  []string
	// template makes its text of what data returns; data gets the view of the page.
	template string
	data     func(s *Site, l *content.Language, v PageView) (any, error)
	// hidden keeps it from search engines.
	hidden bool
	// absolute begins its links at the server's root: it is shown at any depth.
	absolute bool
}

// planOwn adds such a page in all languages, if the theme has its template and no page of the
// content has its address.
func (s *Site) planOwn(o own) {
	if s.layouts.Lookup(o.template) == nil {
		return
	}
	if !o.hidden {
		s.owned = append(s.owned, o)
	}
	for _, l := range s.content.Languages {
		if o.in != nil && o.in != l {
			continue
		}
		name := l.Code + "/" + o.path
		if strings.HasSuffix(name, "/") {
			name += "index.html"
		}
		if _, taken := s.files[name]; taken {
			continue
		}
		s.files[name] = func(s *Site) ([]byte, error) { return s.renderOwn(o, l) }
	}
}

func (s *Site) renderOwn(o own, l *content.Language) ([]byte, error) {
	v := s.ownView(o, l)
	data, err := o.data(s, l, v)
	if err != nil {
		return nil, err
	}
	body, err := s.execute(o.template, data)
	if err != nil {
		return nil, err
	}
	v.Body = template.HTML(body)
	return s.execute("page.html", v)
}

// ownView is the frame that such a page shares with the others.
func (s *Site) ownView(o own, l *content.Language) PageView {
	t := s.strings[l.Code]
	from := l.Code + "/" + o.path
	at := from[:strings.LastIndex(from, "/")+1] // links start at its folder
	if o.absolute {
		at = s.rootPath()
	}
	v := PageView{
		Offline: s.options.Offline,
		Site:    s.site(), T: t, Kind: o.template, Hidden: o.hidden,
		Lang: l.Code, ContentLang: l.Code,
		Title: t.Get(o.title, o.with...), Heading: template.HTML(template.HTMLEscapeString(t.Get(o.title, o.with...))),
		Root: relative(at, ""), Theme: href(at, s.assets), Home: href(at, s.homeURL(l)), Search: s.searchLink(at, l.Code),
	}
	v.Machines = s.picker(l.Code)
	v.MachineNames, v.Unreadable = s.machineNames(s.allMachines()), s.options.Unreadable
	if nav := s.nav[l.Code]; nav != nil {
		v.Nav = nav.items(at)
	}
	for _, other := range s.content.Languages {
		to := o.path
		if o.in != nil && o.in != other {
			to = o.elsewhere
		}
		v.Languages = append(v.Languages, LanguageLink{Code: other.Code, Name: other.Name, URL: href(at, other.Code+"/"+to), Current: other == l})
	}
	s.feeds(&v, l, at)
	if s.options.BaseURL == "" || o.hidden {
		return v
	}
	v.Canonical = s.absolute(from)
	if s.options.Offline {
		return v
	}
	v.Alternates = s.ownAlternates(o)
	return v
}

// ownAlternates are the page in each language, as those of other pages.
func (s *Site) ownAlternates(o own) (list []Alternate) {
	if len(s.content.Languages) < 2 {
		return nil
	}
	for _, l := range s.content.Languages {
		list = append(list, Alternate{l.Code, s.absolute(l.Code + "/" + o.path)})
	}
	return append(list, Alternate{"x-default", list[0].URL})
}
