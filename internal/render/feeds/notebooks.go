package feeds

import (
	"io/fs"
	"path"
	"strings"

	"github.com/gpudocs/gpudocs/internal/render/textout"
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
		b, kernel, none := textout.Left(p)
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
	if p.Notebook != nil && !p.Withheld {
		data, err := fs.ReadFile(s.Content.FS, p.File.Name)
		if err != nil {
			return nil, diag.Unreadable(p.File.Name, err)
		}
		return textout.Clean(data)
	}
	in := s.input(p, path.Dir(name)+"/")
	in.Outputs = s.outputs
	return textout.Notebook(in)
}

// outputs returns the results that notebooks contain as outputs of a block: those of the machine that the configuration names.
func (s *Site) outputs(b *site.Block) *report.Check {
	launch := s.Content.Config.Launch
	if launch == nil || launch.Outputs == "" {
		return nil
	}
	for _, r := range s.Reports.For(b) {
		for _, f := range r.Findings {
			state := f.State().Standing
			ran := state == standing.Passed || state == standing.Failed
			if ran && r.Machine.Report.Machine.Name == launch.Outputs && f.Name == b.CheckName() {
				return f.Check
			}
		}
	}
	return nil
}
