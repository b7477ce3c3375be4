package feeds

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/gpudocs/gpudocs/internal/render/textout"
	"github.com/gpudocs/gpudocs/internal/site"
)

// PlanExports adds the exports. A page that is also shown in languages without a translation has only one.
func (s *Site) PlanExports(publish func(name string, make func() ([]byte, error))) {
	for _, p := range s.Content.Pages {
		publish(textout.File(p), func() ([]byte, error) { return s.renderExport(p), nil })
	}
}

func (s *Site) renderExport(p *site.Page) []byte {
	day := s.Nav.ChangedOn(p)
	var b strings.Builder
	b.WriteString("---\n")
	asJSON := json.NewEncoder(&b)
	asJSON.SetEscapeHTML(false)
	field := func(name, value string) {
		if value != "" {
			b.WriteString(name + ": ")
			_ = asJSON.Encode(value) // a JSON string is a YAML string; Encode ends the line
		}
	}
	field("title", p.Title)
	field("description", p.Description)
	field("language", p.Language.Code)
	field("source", s.Nav.Link(p.URL, p.URL))
	if !day.IsZero() {
		field("updated", day.Format(time.DateOnly))
	}
	b.WriteString("---\n\n")
	b.WriteString(s.exportText(p, p.URL))
	return []byte(b.String())
}

// exportText returns a page as Markdown for a file below from.
func (s *Site) exportText(p *site.Page, from string) string {
	return textout.Markdown(s.input(p, from))
}

// input is what the text of a page is made from, for a file below from.
func (s *Site) input(p *site.Page, from string) textout.Input {
	t := s.Theme.Text(p.Language.Code)
	return textout.Input{
		Page:    p,
		Nav:     s.Nav,
		Results: s.Reports.Present(t, p.URL, s.Reports.Included(p)),
		Text:    t,
		From:    from,
	}
}
