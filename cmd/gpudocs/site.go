package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/gpudocs/gpudocs/internal/content"
	"github.com/gpudocs/gpudocs/internal/diag"
	"github.com/gpudocs/gpudocs/internal/render"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/terminal"
	"github.com/gpudocs/gpudocs/internal/theme"
	"github.com/gpudocs/gpudocs/internal/trust"
	"github.com/gpudocs/gpudocs/themes"
)

// Folders of a site beside its content.
const (
	resultsDir = "results"
	themesDir  = theme.Dir
	// privateDir holds what --verify found here; git ignores it.
	privateDir = ".gpudocs"
)

// openSite opens the site's folder. Through it no symbolic link leads out.
func (a *app) openSite() (fs.FS, error) {
	root, err := os.OpenRoot(a.site)
	if err != nil {
		var pe *fs.PathError
		if errors.As(err, &pe) {
			err = pe.Err
		}
		return nil, a.fault("no_site", "folder", a.site, "why", err.Error())
	}
	return root.FS(), nil
}

// path returns a path below the site's folder.
func (a *app) path(parts ...string) string {
	return filepath.Join(append([]string{a.site}, parts...)...)
}

// loaded is a site with its reports, ready to render.
type loaded struct {
	content *content.Site
	render  *render.Site
	reports []judged
	diags   diag.List
	// undated says why pages have no date of change, and is empty where git knows all.
	undated string
}

// inputs read what a build is made of.
type inputs struct {
	content func() (*content.Site, diag.List)
	reports func(*content.Config) ([]judged, diag.List)
}

// inputsOf reads all of it.
func inputsOf(fsys fs.FS, o content.Options) inputs {
	return inputs{
		func() (*content.Site, diag.List) { return content.Load(fsys, o) },
		func(c *content.Config) ([]judged, diag.List) { return readReports(fsys, c) },
	}
}

// load reads everything that a build needs. local is the report of this very
// machine, or nil. With errors among the diagnostics, which are what is wrong in the
// site, render is nil; an error is none of the site's.
func (a *app) load(ctx context.Context, fsys fs.FS, in inputs, local *report.Report, r render.Options, dates dating) (loaded, error) {
	site, diags := in.content()
	var config *content.Config
	if site != nil {
		config = site.Config
	}
	reports, found := in.reports(config)
	diags = append(diags, found...)
	for _, d := range unreadable(reports) {
		d.Severity = diag.Warning
		diags.Add(d)
	}
	out := loaded{content: site, reports: reports, diags: diags.Sorted()}
	if site == nil || diags.HasErrors() {
		return out, nil
	}
	if r.BaseURL == "" {
		r.BaseURL = site.Config.BaseURL
	}
	dated, problem := dates()
	r.Changed, out.undated = dated.Changed, a.undated(site, dated, problem)
	r.Generator = "gpudocs " + version()
	own, found := themeOf(fsys, site.Config)
	out.diags.Add(found...)
	if found.HasErrors() {
		return out, nil
	}
	r.Params, r.Style = own.Params, own.Style
	for _, j := range reports {
		machine := report.File{Name: j.name}.Machine()
		if j.fault != nil && report.CheckOldName(machine) == nil && (local == nil || local.Machine.Name != machine) {
			r.Unreadable = append(r.Unreadable, machine)
		}
	}
	rendered, more, err := render.New(ctx, site, sources(reports, local, config), layered(own), r)
	var faults *render.ThemeFaults
	switch {
	case ctx.Err() != nil:
		return out, ctx.Err()
	case errors.As(err, &faults):
		out.diags = append(out.diags, faults.List...).Sorted()
		return out, nil
	case err != nil:
		return out, err
	}
	out.render, out.diags = rendered, append(out.diags, more...).Sorted()
	if out.diags.HasErrors() {
		out.render = nil
	}
	return out, nil
}

// sources joins the committed reports and the local one, which replaces a
// committed report of the same machine.
func sources(reports []judged, local *report.Report, config *content.Config) []render.Source {
	var out []render.Source
	for _, r := range reports {
		if r.fault != nil {
			continue
		}
		if local == nil || r.report.Machine.Name != local.Machine.Name {
			out = append(out, render.Source{Report: r.report, Signature: signature(r.verdict, config)})
		}
	}
	if local != nil {
		out = append(out, render.Source{Report: local, Local: true, Signature: signature(trust.Verdict{}, config)})
	}
	return out
}

// themeOf reads the site's theme, with the site's own parameters.
func themeOf(fsys fs.FS, config *content.Config) (*theme.Theme, diag.List) {
	t, diags := theme.Open(fsys, config.Theme, themes.Default(), version())
	diags.Add(t.Override(fsys, config.Params)...)
	return t, diags
}

// layered lays a theme over the default theme.
func layered(t *theme.Theme) fs.FS {
	var all []fs.FS
	for _, l := range t.Layers {
		all = append(all, render.Layer{FS: l.FS, Dir: l.Dir})
	}
	return render.Overlay(append(all, themes.Default())...)
}

// print writes diagnostics to standard error.
func (a *app) print(l diag.List) {
	a.say(func() { a.printNow(l) })
}

// printNow does so where no live line can be in the way.
func (a *app) printNow(l diag.List) {
	diag.Print(a.stderr, l, diag.Look{Color: a.color(a.stderr), Width: a.textWidth(a.stderr), Catalog: a.w.catalog()})
	a.outlets.found(l)
}

// tell writes a line of text to standard output.
func (a *app) tell(text string) {
	fmt.Fprintln(a.stdout, terminal.Hang(text, a.textWidth(a.stdout), 2))
}

// codes lists the languages of a site with their number of pages: "pt 12, es 9".
func codes(s *content.Site) string {
	var parts []string
	for _, l := range s.Languages {
		n := 0
		for _, p := range s.Pages {
			if p.Language == l {
				n++
			}
		}
		parts = append(parts, fmt.Sprintf("%s %d", l.Code, n))
	}
	return strings.Join(parts, ", ")
}
