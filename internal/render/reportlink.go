package render

import (
	"cmp"
	"net/url"
	"strings"

	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text"
)

// reportURL returns the address at which readers report a wrong result of a page, or of a block on a machine, or
// "".
func (in *inputs) reportURL(t text.Catalog, p *site.Page, b *site.Block, machine string) string {
	form := in.content.Config.Report
	if form == "" {
		return ""
	}
	address, block := p.File.Name, ""
	if in.options.BaseURL != "" {
		address = in.nav.Absolute(p.URL)
	}
	if b != nil {
		address, block = address+"#"+b.Anchor(), b.Name
	}
	title := t.Get("report_title", "title", p.Title)
	marks := []string{"{page}", address, "{block}", block, "{machine}", machine, "{title}", title,
		"{body}", t.Get("report_body", "page", address, "block", cmp.Or(block, "-"), "machine", machine)}
	for i := 1; i < len(marks); i += 2 {
		marks[i] = escaped(marks[i])
	}
	return strings.NewReplacer(marks...).Replace(form)
}

// escaped returns a text as it is in an address.
func escaped(text string) string { return strings.ReplaceAll(url.QueryEscape(text), "+", "%20") }
