package page

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/notebook"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/datafile"
	"github.com/gpudocs/gpudocs/internal/site/frontmatter"
	"github.com/gpudocs/gpudocs/internal/site/sitefile"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// A File is a file below a language's folder.
type File struct {
	Name     string // path below the site's folder
	Language *site.Language
	Path     string // path below the language's folder
	// Dialects are those of the course that the file belongs to, and RecognisedBy is its configuration.
	Dialects     markdown.Dialect
	RecognisedBy string
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
	// Queries are what was asked for files that sessions need.
	Queries []datafile.Query
	// ReferenceDiags are diagnostics of references and definitions. They do not count for a draft
	// that is left out.
	ReferenceDiags diag.List
}

func newPage(f File) *site.Page {
	p := &site.Page{Language: f.Language, Path: f.Path}
	stem := strings.TrimSuffix(f.Path, path.Ext(f.Path))
	p.Key = norm.NFC.String(stem)
	p.URL = addressOf(f.Language, f.Path, sitefile.URLPath)
	return p
}

// decode returns the Markdown of a file, or nil if the file cannot be read. nb is set for a notebook.
func decode(name string, data []byte, err error) (file *diag.File, nb *notebook.Notebook, diags diag.List) {
	if err != nil {
		return nil, nil, diag.List{diag.Unreadable(name, err)}
	}
	// The slice is clipped, because goldmark appends to slices of the source and must not write
	// into memory that another reader of the page shares.
	file = diag.NewFile(name, slices.Clip(sitefile.WithoutBOM(data)))
	if d, bad := sitefile.InvalidUTF8(file); bad {
		return nil, nil, diag.List{d}
	}
	if !sitefile.IsNotebook(name) {
		return file, nil, nil
	}
	nb, diags = notebook.Read(name, file.Data)
	if nb == nil {
		return nil, nil, diags
	}
	file = nb.Markdown(name)
	if len(file.Data) > sitefile.MaxPage {
		diags.Add(diag.About(diag.Error, name, diag.Say("page.content-too-large", "most", sitefile.MaxPage>>20).
			WithHint(diag.Say("diag.split-hint"))))
		return nil, nil, diags
	}
	return file, nb, diags
}

// applyFrontMatter copies the values of the front matter into the page.
func applyFrontMatter(p *site.Page, fm frontmatter.FrontMatter) (diags diag.List) {
	p.Title, p.Description, p.Weight = site.OneLine(fm.Title), site.OneLine(fm.Description), fm.Weight
	p.Draft = fm.Draft || fm.Unpublished
	p.Stamp, p.Original = fm.Stamp, fm.Original
	p.Dialects, p.Updated, p.SolutionsAfter = fm.Dialects, fm.Updated, fm.SolutionsAfter
	p.Tags, p.Aliases = fm.Tags, fm.Aliases
	p.Group, p.Hidden, p.Image, p.Requires = fm.Group, fm.Hidden, fm.Image, fm.Requires
	p.NoIndex, p.NoContents, p.Prev, p.Next = fm.NoIndex, fm.NoContents, fm.Prev, fm.Next
	p.Key = cmp.Or(site.OneLine(fm.Translation), p.Key)
	if fm.Slug != "" {
		diags.Add(applySlug(p, fm)...)
	}
	diags.Add(addRedirects(p, fm)...)
	return diags
}
