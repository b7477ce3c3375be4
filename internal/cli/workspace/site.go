package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/gpudocs/gpudocs/internal/cli/env"
	"github.com/gpudocs/gpudocs/internal/render"
	"github.com/gpudocs/gpudocs/internal/render/results"
	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/trust"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/check"
	"github.com/gpudocs/gpudocs/internal/site/load"
	"github.com/gpudocs/gpudocs/internal/text/diag"
	"github.com/gpudocs/gpudocs/themes"
)

// Folders of a site beside its content.
const (
	ResultsDir = "results"
	ThemesDir  = theme.Dir
	// PrivateDir holds the results of --verify on this machine; git ignores it.
	PrivateDir = ".gpudocs"
)

// OpenSite opens the site's folder. No symbolic link leads out of it.
func OpenSite(a *env.Env) (fs.FS, error) {
	root, err := os.OpenRoot(a.Site)
	if err != nil {
		if pe, ok := errors.AsType[*fs.PathError](err); ok {
			err = pe.Err
		}
		return nil, env.Usage(diag.Say("cli.fault-no-site-hint"), diag.Say("cli.fault-no-site", "folder", a.Site, "why", err))
	}
	a.SayAbove()
	return root.FS(), nil
}

// Loaded is a site with its reports, ready to render.
type Loaded struct {
	Content *site.Site
	Render  *render.Site
	Reports []CheckedReport
	Diags   diag.List
	// Undated is a message about pages without a date of change. It is empty if git knows all dates.
	Undated string
}

// Inputs are functions that read the content and the reports of a build.
type Inputs struct {
	Content func() (*site.Site, diag.List)
	Reports func(*site.Config) ([]CheckedReport, diag.List)
	// Public returns the site as it is published. If it is nil, that is the whole site.
	Public func(*site.Site) *site.Site
}

// InputsOf returns the inputs that read the whole site.
func InputsOf(fsys fs.FS, o load.Options) Inputs {
	return Inputs{
		Content: func() (*site.Site, diag.List) { return load.Load(fsys, o) },
		Reports: func(c *site.Config) ([]CheckedReport, diag.List) { return ReadReports(fsys, c) },
	}
}

// PublicInputs returns the inputs that read a site as it is published.
func PublicInputs(fsys fs.FS, p load.Publication) Inputs {
	in := InputsOf(fsys, load.Options{})
	in.Public = p.Of
	return in
}

// Load reads everything that a build needs. local is the report of this machine, or nil. Render is nil if
// the site is unusable, or its theme or the list of its signers has errors. The error is for everything else.
func Load(ctx context.Context, a *env.Env, fsys fs.FS, in Inputs, local *report.Report, r render.Options, dates DatesFunc) (Loaded, error) {
	s, diags := in.Content()
	var config *site.Config
	if s != nil {
		config = s.Config
	}
	reports, found := in.Reports(config)
	diags = append(diags, found...)
	for _, d := range Unreadable(reports) {
		d.Severity = diag.Warning
		diags.Add(d)
	}
	if s != nil {
		diags.Add(s.WithoutFirstPage()...)
	}
	out := Loaded{Content: s, Reports: reports, Diags: diags.Sorted()}
	unusable := func(d diag.Diagnostic) bool { return d.Severity == diag.Error && d.File == config.AllowedSigners }
	if s == nil || s.Unusable || slices.ContainsFunc(found, unusable) {
		return out, nil
	}
	if r.BaseURL == "" {
		r.BaseURL = s.Config.BaseURL
	}
	out.Diags.Add(unknownReferences(s.Config.References, reports, local)...)
	dated, problem := dates()
	r.Changed, out.Undated = dated.Changed, undated(a, s, dated, problem)
	r.Generator = "gpudocs " + env.Version()
	siteTheme, found := ThemeOf(fsys, s.Config)
	out.Diags.Add(found...)
	if found.HasErrors() {
		return out, nil
	}
	r.Params, r.Style, r.Local = siteTheme.Params, siteTheme.Style, LocalMachine
	for _, c := range reports {
		machine := report.File{Name: c.name}.Machine()
		if c.fault != nil && report.CheckOldName(machine) == nil && (local == nil || local.Machine.Name != machine) {
			r.Unreadable = append(r.Unreadable, machine)
		}
	}
	public := s
	if in.Public != nil {
		if public = in.Public(s); public == nil { // gpudocs.toml cannot be read any more
			return out, nil
		}
	}
	rendered, more, err := render.New(ctx, public, sources(reports, local, config), siteTheme.Over(themes.Default()), r)
	if ctx.Err() != nil {
		return out, ctx.Err()
	}
	if faults, ok := errors.AsType[*theme.Faults](err); ok {
		out.Diags = append(out.Diags, faults.List...).Sorted()
		return out, nil
	}
	if err != nil {
		return out, err
	}
	out.Render, out.Diags = rendered, append(out.Diags, more...).Sorted()
	return out, nil
}

// Findings returns all that is wrong with the site: the diagnostics of Load, doubtful results, and what takes
// too long to find at each build. check reports it, and build --strict refuses it.
func (l Loaded) Findings() diag.List {
	list := slices.Concat(l.Diags, check.Site(l.Content))
	if l.Render != nil {
		_, problems := l.Render.Tally()
		list.Add(problems...)
	}
	return list.Sorted()
}

// unknownReferences warns of references for machines or GPUs that no report has.
func unknownReferences(list site.References, reports []CheckedReport, local *report.Report) (diags diag.List) {
	for _, r := range list {
		known := local != nil && r.Fits(local.Machine)
		for _, c := range reports {
			known = known || c.report == nil || r.Fits(c.report.Machine)
		}
		if !known {
			d := r.At
			d.Severity, d.Message, d.Hint = diag.Warning, diag.Say("links.reference-machine-unknown", "of", r.Of), diag.Say("links.reference-machine-unknown-hint")
			diags.Add(d)
		}
	}
	return diags
}

// sources returns the committed reports and the local one, which replaces a committed report of
// the same machine.
func sources(reports []CheckedReport, local *report.Report, config *site.Config) []results.Source {
	var out []results.Source
	for _, r := range reports {
		if r.fault != nil {
			continue
		}
		if local == nil || r.report.Machine.Name != local.Machine.Name {
			out = append(out, results.Source{Report: r.report, Signature: signature(r.verdict, config)})
		}
	}
	if local != nil {
		out = append(out, results.Source{Report: local, Local: true, Signature: signature(trust.Verdict{}, config)})
	}
	return out
}

// ThemeOf reads the site's theme, with the site's own parameters.
func ThemeOf(fsys fs.FS, config *site.Config) (*theme.Theme, diag.List) {
	t, diags := theme.Open(fsys, config.Theme, themes.Default(), env.Version())
	diags.Add(t.Override(fsys, config.Params)...)
	return t, diags
}

// Codes lists the languages of a site with their number of pages: "pt 12, es 9".
func Codes(s *site.Site) string {
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
