package render

import (
	"html/template"
	"strconv"
	"strings"

	"github.com/gpudocs/gpudocs/internal/render/feeds"
	"github.com/gpudocs/gpudocs/internal/render/status"
	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/site"
)

// A generatedPage is one that no author wrote, such as the status page. It looks like the others, in
// every language, and its text comes from a template of the theme.
type generatedPage struct {
	// path is the address below that of the language: "_status/".
	path string
	// in is the only language that has the page; elsewhere are paths of what the others have in its
	// place: of those that a language has the first, or else the last. If in is nil, all languages have the page.
	in        *site.Language
	elsewhere []string
	// title is the key of the title among the interface texts, with the arguments of the text; given is a title
	// that the site's author wrote.
	title string
	with  []string
	given string
	// template is the template of the text. data returns its data, for a language and the frame.
	template string
	data     func(l *site.Language, v theme.PageView) any
	// above is the path of the generated page that lists it, or empty.
	above string
	// hidden excludes the page from search engines.
	hidden bool
	// absolute makes links begin at the server's root, for a page that is shown at any address.
	absolute bool
}

// planGenerated adds a generated page in all languages, if the theme has its template and the content has
// no page at its address.
func (s *planner) planGenerated(o generatedPage) {
	if !s.theme.HasTemplate(o.template) {
		return
	}
	if !o.hidden {
		s.feeds.Generated = append(s.feeds.Generated, o.path)
	}
	for _, l := range s.content.Languages {
		if o.in != nil && o.in != l {
			continue
		}
		name := l.Code + "/" + o.path
		if strings.HasSuffix(name, "/") {
			name += "index.html"
		}
		s.publish(name, func() ([]byte, error) { return s.renderGenerated(o, l) })
	}
}

// planStatus adds the status page in each language, and pages with the parts of its table if that is too
// large for one page.
func (s *planner) planStatus() {
	if !s.content.HasChecks() {
		return
	}
	s.planGenerated(generatedPage{path: status.Dir, title: "status", template: "status", data: func(l *site.Language, v theme.PageView) any {
		badge := feeds.BadgeDir + "/" + l.Code + "/_all.svg"
		if s.files[badge] == nil {
			badge = ""
		}
		return s.status(l).Overview(v, badge)
	}})
	for _, l := range s.content.Languages {
		for i, n := 1, s.status(l).Parts(); i <= n && n > 1; i++ {
			s.planGenerated(generatedPage{path: status.PartPath(i), in: l, elsewhere: []string{status.Dir}, title: "status_part_title", with: []string{"n", strconv.Itoa(i), "of", strconv.Itoa(n)},
				template: "status", hidden: true, data: func(l *site.Language, _ theme.PageView) any { return s.status(l).Part(i) }})
		}
	}
}

func (s *Site) status(l *site.Language) *status.Writer {
	return status.New(s.reports, s.nav, l, s.theme.Text(l.Code))
}

func (s *Site) renderGenerated(o generatedPage, l *site.Language) ([]byte, error) {
	v := s.generatedFrame(o, l)
	body, err := s.theme.Execute(o.template, o.data(l, v))
	if err != nil {
		return nil, err
	}
	v.Body = template.HTML(body)
	return s.theme.Execute("page.html", v)
}
