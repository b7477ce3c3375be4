package page

import (
	"path"
	"strings"

	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/frontmatter"
	"github.com/gpudocs/gpudocs/internal/site/include"
)

// A Parser parses the pages of a site. It is safe for concurrent use.
type Parser struct {
	Config          *site.Config
	markdown, cells parsers
}

// NewParser returns a parser. Only the part of the configuration that determines how pages are
// parsed is used.
func NewParser(c *site.Config) *Parser { return &Parser{Config: c, cells: parsers{cells: true}} }

// Parse parses the content of a file. err is the error of reading it, or nil; l reads the files
// that the page includes.
func (r *Parser) Parse(f File, data []byte, err error, l *include.Library) *Parsed {
	p := pageParser{config: r.Config, page: newPage(f), library: l}
	out := &Parsed{}
	if p.read(f.Name, data, err) {
		source, fm, diags := frontmatter.Read(p.file, r.Config.Blocks, r.Config)
		p.diags.Add(diags...)
		p.file = source
		p.applyFrontMatter(fm)
		p.applySlug(fm)
		p.addRedirects(fm)
		p.diags.Add(include.Compose(p.page, l)...)
		p.file = p.page.Source
		if !p.checkDepth() {
			of := &r.markdown
			if p.page.Notebook != nil {
				of = &r.cells
			}
			p.parse(of.get(p.markdownOptions(fm)), fm)
			if p.page.Title == "" {
				p.page.Title = strings.TrimSuffix(path.Base(f.Path), path.Ext(f.Path))
			}
			out.Page = p.page
			out.ReferenceDiags = p.referenceDiags
		}
	}
	out.Diags, out.Dependencies, out.SearchedFolder = p.diags, l.Dependencies, l.SearchedFolder
	return out
}
