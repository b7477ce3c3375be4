package feeds

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/yuin/goldmark/ast"

	"github.com/gpudocs/gpudocs/internal/render/nbexport"
	"github.com/gpudocs/gpudocs/internal/render/page"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/standing"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// Notebooks are the notebooks of a site's pages.
type Notebooks struct {
	// Names are the names of the notebooks by page, and Makers make them by name.
	Names  map[*site.Page]string
	Makers map[string]func() ([]byte, error)
	// Diags are about pages without a notebook, and blocks that stay text in theirs.
	Diags diag.List
}

// NewNotebooks names the notebook of each page after its file. taken returns the file that is in the way of a name, or "".
func NewNotebooks(s *Site, taken func(name string) string) *Notebooks {
	n := &Notebooks{Names: map[*site.Page]string{}, Makers: map[string]func() ([]byte, error){}}
	folded := map[string]*site.Page{} // not every file system tells capital letters from small ones
	for _, p := range s.Content.Pages {
		b, kernel, none := nbexport.Left(p)
		if none = none && p.Notebook == nil; b != nil && p.Notebook == nil {
			message, hint := diag.Say("page.notebook-block-left", "kernel", kernel), diag.Say("page.notebook-block-left-hint")
			if none {
				message, hint = diag.Say("page.notebook-none"), diag.Say("page.notebook-none-hint")
			}
			n.Diags.Add(p.Source.At(diag.Notice, b.Pos, b.Pos+len(b.Opening), message, hint))
		}
		name := path.Join(p.Language.Code, strings.TrimSuffix(p.Path, path.Ext(p.Path))+".ipynb")
		other := taken(name)
		if before := folded[strings.ToLower(name)]; before != nil {
			other = before.File.Name
		}
		switch {
		case none:
		case other != "":
			n.Diags.Add(diag.Diagnostic{Severity: diag.Warning, File: p.File.Name, Message: diag.Say("page.notebook-clash", "name", name, "other", other), Hint: diag.Say("diag.rename-one-of-two-hint")})
		default:
			folded[strings.ToLower(name)], n.Names[p] = p, name
			n.Makers[name] = func() ([]byte, error) { return makeNotebook(s, p, name) }
		}
	}
	return n
}

func makeNotebook(s *Site, p *site.Page, name string) ([]byte, error) {
	w := &notebookWriter{exportWriter: newExportWriter(s, p, path.Dir(name)+"/"), site: s}
	w.toPages = true
	if p.Notebook != nil && !p.Withheld {
		data, err := fs.ReadFile(s.Content.FS, p.File.Name)
		if err != nil {
			return nil, diag.Unreadable(p.File.Name, err)
		}
		return nbexport.Clean(data)
	}
	heading := p.Title
	if page.Title(p) != nil {
		heading = ""
	}
	return nbexport.Page(p, heading, s.Content.Config, w.t, w)
}

// A notebookWriter provides the notebook of a page with data of the site. It implements [nbexport.Site].
type notebookWriter struct {
	*exportWriter
	site *Site
}

// Name implements [nbexport.Site].
func (w *notebookWriter) Name(p *site.Page, n ast.Node) string { return w.labels.NameOf(p, n) }

// FileAddress implements [nbexport.Site].
func (w *notebookWriter) FileAddress(file string) string {
	asset, ok := strings.CutPrefix(file, "content/")
	if !ok || !w.nav.AbsoluteLinks() || !slices.Contains(w.site.Content.Assets, asset) {
		return ""
	}
	return w.nav.Absolute(asset)
}

// Requirements implements [nbexport.Site]: the lines of a requirements.txt, or the dependencies of a pyproject.toml. A file
// that cannot be read has none; doctor reports it.
func (w *notebookWriter) Requirements(name string) (list []string) {
	data, _ := fs.ReadFile(w.site.Content.FS, name)
	if path.Ext(name) == ".toml" {
		var file struct {
			Project struct{ Dependencies []string }
		}
		_ = toml.Unmarshal(data, &file)
		return file.Project.Dependencies
	}
	for line := range strings.Lines(string(data)) {
		line, _, _ = strings.Cut(line, "#")
		line, _, _ = strings.Cut(line, " --")
		if line = strings.TrimRight(line, " \t\r\n\\"); line != "" && line[0] != '-' && line[0] != ' ' {
			list = append(list, line)
		}
	}
	return list
}

// Check implements [nbexport.Site].
func (w *notebookWriter) Check(b *site.Block) *report.Check {
	launch := w.site.Content.Config.Launch
	if launch == nil || launch.Outputs == "" {
		return nil
	}
	for _, r := range w.site.Reports.For(b) {
		for _, f := range r.Findings {
			if s := f.State().Standing; r.Machine.Report.Machine.Name == launch.Outputs && f.Name == b.CheckName() && (s == standing.Passed || s == standing.Failed) {
				return f.Check
			}
		}
	}
	return nil
}
