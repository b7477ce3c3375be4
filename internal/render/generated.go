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
	data     func(p *Plan, l *site.Language, v theme.PageView) any
	// above is the path of the generated page that lists it, or empty.
	above string
	// hidden excludes the page from search engines.
	hidden bool
	// absolute makes links begin at the server's root, for a page that is shown at any address.
	absolute bool
}

// claims are the files of a generated page in all languages, if the theme has its template.
func (o generatedPage) claims(in *inputs) (claims []claim) {
	if !in.theme.HasTemplate(o.template) {
		return nil
	}
	for _, l := range in.content.Languages {
		if o.in != nil && o.in != l {
			continue
		}
		name := l.Code + "/" + o.path
		if strings.HasSuffix(name, "/") {
			name += "index.html"
		}
		claims = append(claims, claim{name: name, make: func(p *Plan) ([]byte, error) { return p.renderGenerated(o, l) }})
	}
	return claims
}

// hasStatus reports whether the site has a status page.
func hasStatus(all *site.Site, t *theme.Compiled) bool {
	return all.HasChecks() && t.HasTemplate("status")
}

// statusClaims are the status page in each language, and pages with the parts of its table if that is too
// large for one page.
func statusClaims(in *inputs) []claim {
	if !hasStatus(in.content, in.theme) {
		return nil
	}
	overview := generatedPage{path: status.Dir, title: "status", template: "status"}
	overview.data = func(p *Plan, l *site.Language, v theme.PageView) any {
		badge := feeds.BadgeDir + "/" + l.Code + "/_all.svg"
		if p.files[badge] == nil {
			badge = ""
		}
		return p.status(l).Overview(v, badge)
	}
	claims := overview.claims(in)
	for _, l := range in.content.Languages {
		for i, n := 1, in.status(l).Parts(); i <= n && n > 1; i++ {
			claims = append(claims, generatedPage{
				path:      status.PartPath(i),
				in:        l,
				elsewhere: []string{status.Dir},
				title:     "status_part_title",
				with:      []string{"n", strconv.Itoa(i), "of", strconv.Itoa(n)},
				template:  "status",
				hidden:    true,
				data:      func(p *Plan, l *site.Language, _ theme.PageView) any { return p.status(l).Part(i) },
			}.claims(in)...)
		}
	}
	return claims
}

func (in *inputs) status(l *site.Language) *status.Writer {
	return status.New(in.reports, in.nav, l, in.theme.Text(l.Code))
}

func (p *Plan) renderGenerated(o generatedPage, l *site.Language) ([]byte, error) {
	v := p.generatedFrame(o, l)
	body, err := p.theme.Execute(o.template, o.data(p, l, v))
	if err != nil {
		return nil, err
	}
	v.Body = template.HTML(body)
	return p.theme.Execute("page.html", v)
}
