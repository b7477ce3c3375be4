package page

import (
	"path"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/notebook"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/frontmatter"
	"github.com/gpudocs/gpudocs/internal/site/sitefile"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// A File is a file below a language's folder.
type File struct {
	Name     string // path below the site's folder
	Language *site.Language
	Path     string // path below the language's folder
}

// A Parsed is the result of parsing one file, without regard to other pages. Its Page is nil if the
// file cannot be read.
type Parsed struct {
	Page  *site.Page
	Diags diag.List
	// Dependencies are the files that the page includes or tries to. SearchedFolder is set if the
	// diagnostics depend on the names in a folder too; see [include.Library].
	Dependencies   []string
	SearchedFolder bool
	// ReferenceDiags are diagnostics of references and definitions. They do not count for a draft
	// that is left out.
	ReferenceDiags diag.List
}

func newPage(f File) *site.Page {
	p := &site.Page{Language: f.Language, Path: f.Path}
	stem := strings.TrimSuffix(f.Path, path.Ext(f.Path))
	p.Key = norm.NFC.String(stem)
	dir, base := path.Split(stem)
	if base == "index" {
		p.URL = f.Language.Code + "/" + sitefile.URLPath(dir)
	} else {
		p.URL = f.Language.Code + "/" + sitefile.URLPath(stem) + "/"
	}
	return p
}

// read decodes the page's file.
func (p *pageParser) read(name string, data []byte, err error) bool {
	if err != nil {
		p.diags.Add(diag.Unreadable(name, err))
		return false
	}
	if len(data) > sitefile.MaxPage && !sitefile.IsNotebook(name) {
		p.diags.Add(sitefile.TooLarge(name))
		return false
	}
	// The slice is clipped, because goldmark appends to slices of the source and must not write
	// into memory that another reader of the page shares.
	p.file = diag.NewFile(name, slices.Clip(sitefile.WithoutBOM(data)))
	if d, bad := sitefile.InvalidUTF8(p.file); bad {
		p.diags.Add(d)
		return false
	}
	if sitefile.IsNotebook(name) {
		nb, diags := notebook.Read(name, p.file.Data)
		p.diags.Add(diags...)
		if nb == nil {
			return false
		}
		p.page.Notebook, p.file = nb, nb.Markdown(name)
		if len(p.file.Data) > sitefile.MaxPage {
			p.diags.Add(diag.Diagnostic{File: name, Message: diag.Say("page.text-code-more-mib", "most", sitefile.MaxPage>>20), Hint: diag.Say("import.part")})
			return false
		}
	}
	return true
}

// markdownOptions returns the options that the site and the page's front matter set.
func (p *pageParser) markdownOptions(fm frontmatter.FrontMatter) markdown.Options {
	return markdown.Options{Dialects: p.page.Dialects, Language: p.page.Language.Code, Smart: fm.Smart, Run: fm.Blocks.Run,
		Citations: p.config.Bibliography != ""}
}

// applyFrontMatter copies the values of the front matter into the page.
func (p *pageParser) applyFrontMatter(fm frontmatter.FrontMatter) {
	g := p.page
	g.Source = p.file
	g.Title, g.Description, g.Weight, g.Draft = site.OneLine(fm.Title), site.OneLine(fm.Description), fm.Weight, fm.Draft
	g.Stamp, g.Original = fm.Stamp, fm.Original
	g.Dialects, g.Updated = fm.Dialects, fm.Updated
	g.Tags, g.Aliases, g.Draft = fm.Tags, fm.Aliases, g.Draft || fm.Unpublished
	if fm.Translation != "" {
		g.Key = fm.Translation
	}
}
