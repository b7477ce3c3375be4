package render

import (
	"html/template"
	"strconv"
	"strings"

	"github.com/gpudocs/gpudocs/internal/render/feeds"
	"github.com/gpudocs/gpudocs/internal/render/status"
	"github.com/gpudocs/gpudocs/internal/render/step"
	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/site"
)

// A generatedPage is one that no author wrote: the status of all machines, what stands where
// nothing is found. It looks like the others, in every language, and its text comes
// from a template of the theme.
type generatedPage struct {
	// path is its address below the language's, "_status/".
	path string
	// in is the one language that has it, nil where all have; then elsewhere is what
	// the others have in its place.
	in        *site.Language
	elsewhere string
	// title is the key of its title among the interface texts, with what goes into it.
	title string
	with  []string
	// template makes its text of what data returns; data gets the view of the page.
	template string
	data     func(l *site.Language, v theme.PageView) any
	// hidden keeps it from search engines.
	hidden bool
	// absolute begins its links at the server's root: it is shown at any depth.
	absolute bool
}

// planGenerated adds such a page in all languages, if the theme has its template and no page of the
// content has its address.
func (s *Site) planGenerated(o generatedPage) {
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
		s.publish(name, func(*step.Step) ([]byte, error) { return s.renderGenerated(o, l) })
	}
}

// planStatus makes the status page in each language, and if its table is too
// large for one page, the pages of its parts.
func (s *Site) planStatus() {
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
			s.planGenerated(generatedPage{path: status.PartPath(i), in: l, elsewhere: status.Dir, title: "status_part_title", with: []string{"n", strconv.Itoa(i), "of", strconv.Itoa(n)},
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
