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
	List []Notebook
	// Diags are about pages without a notebook, and blocks that stay text in theirs.
	Diags diag.List
}

// A Notebook is that of a page, named after the page's file.
type Notebook struct {
	Page *site.Page
	Name string
	Make func() ([]byte, error)
}

// Clash returns the diagnostic if another file is in the way of the notebook.
func (n Notebook) Clash(other string) diag.Diagnostic {
	return diag.Diagnostic{
		Severity: diag.Warning,
		File:     n.Page.File.Name,
		Message:  diag.Say("page.notebook-clash", "name", n.Name, "other", other),
		Hint:     diag.Say("diag.rename-one-of-two-hint"),
	}
}

// Notebooks returns the notebooks of all pages that have one.
func (s *Site) Notebooks() *Notebooks {
	all := &Notebooks{}
	folded := map[string]*site.Page{} // not every file system tells capital letters from small ones
	for _, p := range s.Content.Pages {
		b, kernel, none := nbexport.Left(p)
		if none = none && p.Notebook == nil; b != nil && p.Notebook == nil {
			message, hint := diag.Say("page.notebook-block-left", "kernel", kernel), diag.Say("page.notebook-block-left-hint")
			if none {
				message, hint = diag.Say("page.notebook-none"), diag.Say("page.notebook-none-hint")
			}
			all.Diags.Add(p.Source.At(diag.Notice, b.Pos, b.Pos+len(b.Opening), message, hint))
		}
		if none {
			continue
		}
		n := Notebook{Page: p, Name: path.Join(p.Language.Code, strings.TrimSuffix(p.Path, path.Ext(p.Path))+".ipynb")}
		n.Make = func() ([]byte, error) { return makeNotebook(s, p, n.Name) }
		if before := folded[strings.ToLower(n.Name)]; before != nil {
			all.Diags.Add(n.Clash(before.File.Name))
			continue
		}
		folded[strings.ToLower(n.Name)] = p
		all.List = append(all.List, n)
	}
	return all
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
