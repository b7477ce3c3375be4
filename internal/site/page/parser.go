package page

import (
	"cmp"
	"path"
	"strings"
	"sync"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/util"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/dialects"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/frontmatter"
	"github.com/gpudocs/gpudocs/internal/site/include"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// A Parser parses the pages of a site. It is safe for concurrent use.
type Parser struct {
	Config *site.Config
	// Withheld are the pages whose solutions are not published, by the names of their files.
	Withheld map[string]Withheld
	mu       sync.Mutex
	// parsers holds one Markdown parser for all pages of the same kind and options.
	parsers map[markdown.Options]goldmark.Markdown
}

// NewParser returns a parser. Only the part of the configuration that determines how pages are
// parsed is used.
func NewParser(c *site.Config) *Parser {
	return &Parser{Config: c, parsers: map[markdown.Options]goldmark.Markdown{}}
}

// Parse parses the content of a file. err is the error of reading it, or nil; l reads the files
// that the page includes.
func (r *Parser) Parse(f File, data []byte, err error, l *include.Library) *Parsed {
	out := &Parsed{}
	out.Page, out.Diags, out.ReferenceDiags = r.page(f, data, err, l)
	out.Dependencies, out.SearchedFolder, out.Queries = l.Dependencies, l.SearchedFolder, l.Data.Queries
	return out
}

// page returns nil for a file that cannot be read as a page.
func (r *Parser) page(f File, data []byte, err error, l *include.Library) (p *site.Page, diags, references diag.List) {
	file, nb, diags := decode(f.Name, data, err)
	if file == nil {
		return nil, diags, nil
	}
	recognised, by := r.Config.Dialects, ""
	if !r.Config.DialectsSet {
		recognised, by = dialects.RecogniseFile(f.Name, string(file.Data), f.Dialects, f.RecognisedBy)
	}
	file, fm, found := frontmatter.Read(file, r.Config.Blocks, recognised, r.Config)
	diags.Add(found...)
	p = newPage(f)
	p.Source, p.Notebook = file, nb
	diags.Add(applyFrontMatter(p, fm)...)
	if !fm.DialectsSet {
		p.RecognisedBy = by
	}
	found, complete := include.Compose(p, l)
	diags.Add(found...)
	if d, deep := checkDepth(p.Source); deep {
		diags.Add(d)
		complete = false
	}
	if !complete || fm.DraftUnknown {
		return nil, diags, nil
	}
	withheld := r.Withheld[f.Name]
	if withheld.Whole != nil {
		p.SolutionsAfter = withheld.Until
		r.withhold(p, fm, &withheld)
	}
	found, references = r.parseMarkdown(p, fm, l, withheld)
	diags.Add(found...)
	p.Includes, p.Faulty = l.Includes, diags.HasErrors()
	name := strings.TrimSuffix(f.Path, path.Ext(f.Path))
	if folder := path.Dir(name); path.Base(name) == "index" && folder != "." {
		name = folder
	}
	p.Title = cmp.Or(p.Title, path.Base(name))
	return p, diags, references
}

// markdown returns the Markdown parser with the options that the site and the page's front matter
// set. It also records the definitions of footnotes.
func (r *Parser) markdown(p *site.Page, fm frontmatter.FrontMatter) goldmark.Markdown {
	o := markdown.Options{Notebook: p.Notebook != nil, Dialects: p.Dialects, Language: p.Language.Code, Smart: fm.Smart, Run: fm.Blocks.Run,
		Citations: r.Config.Bibliography != ""}
	r.mu.Lock()
	defer r.mu.Unlock()
	md := r.parsers[o]
	if md == nil {
		md = dialects.New(o)
		md.Parser().AddOptions(parser.WithASTTransformers(util.Prioritized(footnoteRecorder{}, 900)), // before footnotes (999)
			parser.WithBlockParsers(util.Prioritized(withheldParser{}, 5)))
		if o.Notebook {
			md.Parser().AddOptions(parser.WithBlockParsers(util.Prioritized(cellParser{}, 10)))
		}
		r.parsers[o] = md
	}
	return md
}
