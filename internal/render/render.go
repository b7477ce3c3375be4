package render

import (
	"cmp"
	"context"
	"fmt"
	"html/template"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gpudocs/gpudocs/internal/render/diagram"
	"github.com/gpudocs/gpudocs/internal/render/edition"
	"github.com/gpudocs/gpudocs/internal/render/feeds"
	"github.com/gpudocs/gpudocs/internal/render/highlight"
	"github.com/gpudocs/gpudocs/internal/render/mygpu"
	"github.com/gpudocs/gpudocs/internal/render/nav"
	"github.com/gpudocs/gpudocs/internal/render/page"
	"github.com/gpudocs/gpudocs/internal/render/results"
	"github.com/gpudocs/gpudocs/internal/render/tex"
	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/standing"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/picture"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// Options are the options of [New].
type Options struct {
	// BaseURL is the address of the site. Canonical and hreflang links, the sitemap and images of pages need it.
	BaseURL string
	// Generator names the program and its version.
	Generator string
	// Highlighter, Math, Diagrams, Images, Theme and Reports cache what earlier sites have made. The default
	// is an empty cache each.
	Highlighter *highlight.Highlighter
	Math        *tex.Converter
	Diagrams    *diagram.Drawer
	Images      *picture.Scaler
	Theme       *theme.Cache
	Reports     *results.Cache
	// Lazy leaves formulas and diagrams to be made with their pages. New then reports only the faults of
	// those that are cached; [page.Faults] finds the rest.
	Lazy bool
	// Progress is called with the number of pages whose formulas and diagrams are done, by several
	// goroutines. It may be nil.
	Progress func(done, all int)
	// Offline makes a site that opens from a folder, without a server.
	Offline bool
	// Root is the path of the site on its server: "/docs/". The default is that of the base URL.
	Root string
	// Params are the theme's parameters. Style is CSS of theme.toml, which is added after the first
	// part of style.css.
	Params map[string]any
	Style  string
	// Editions makes the links to other editions of the site. It may be nil.
	Editions *edition.Origin
	// Unreadable are the machines whose reports cannot be read. Pages name them, and show nothing else
	// of them.
	Unreadable []string
	// Local is the usual name of this machine's own report.
	Local string
	// Changed has the times at which pages were last changed, by the names of their files.
	Changed map[string]time.Time
}

// A Site makes the files of a published site. It may be used concurrently.
type Site struct {
	ctx     context.Context //nolint:containedctx // pages are made later, for as long as the site is used
	content *site.Site
	reports *results.Index
	theme   *theme.Compiled
	options Options
	nav     *nav.Map
	feeds   *feeds.Site
	// Notebooks are those of the pages, whether the site publishes them or not.
	Notebooks *feeds.Notebooks
	// files are the makers of the files by name, except for those whose names are listed only when
	// asked for: figures and search indexes.
	files map[string]func() ([]byte, error)
	// figures returns the contents of figures by the names of their files.
	figures func() map[string][]byte
	// redirects are the addresses to which the files at former addresses lead.
	redirects map[string]string
	// formerly are the former addresses by those to which they lead.
	formerly map[string][]string
	// sections are those that have a page with all of their pages.
	sections map[*nav.Entry]*section
	tags     tagPages
	// booked are the paths of books, without the ending.
	booked map[*nav.Entry]string
	// headers and moves are the author's lines for _headers and _redirects.
	headers, moves []byte
	paths          func() []string
}

// New prepares a site. files is the default theme, or a [theme.Overlay] on it. The diagnostics are
// about what the pages and the reports refer to. An error is a [theme.Faults], or says that a file of the
// theme could not be read. The site keeps ctx: after its end, formulas and diagrams are no longer made,
// and so no pages.
func New(ctx context.Context, all *site.Site, sources []results.Source, files fs.FS, o Options) (*Site, diag.List, error) {
	base, err := site.CheckBaseURL(o.BaseURL)
	if err != nil {
		return nil, nil, err
	}
	o.BaseURL = base
	o.Highlighter = cmp.Or(o.Highlighter, new(highlight.Highlighter))
	o.Math, o.Diagrams, o.Images = cmp.Or(o.Math, tex.New(nil)), cmp.Or(o.Diagrams, diagram.New(nil)), cmp.Or(o.Images, picture.NewScaler(nil))
	o.Theme, o.Reports = cmp.Or(o.Theme, &theme.Cache{}), cmp.Or(o.Reports, &results.Cache{})
	s := &Site{ctx: ctx, content: all, options: o, nav: &nav.Map{Content: all, BaseURL: o.BaseURL, Offline: o.Offline, Changed: o.Changed}}
	if s.theme, err = compile(all, files, o); err != nil {
		return nil, nil, err
	}
	diags, err := page.Faults(ctx, all, o.Math, o.Diagrams, o.Lazy, o.Progress)
	if err != nil {
		return nil, nil, err
	}
	diags.Add(s.theme.Warnings...)
	pages, found := s.nav.Build()
	diags.Add(found...)
	s.reports = results.NewIndex(all, sources, o.Unreadable, o.Reports)
	s.reports.ReportURL = s.reportURL
	s.feeds = feeds.New(&feeds.Site{Content: all, Nav: s.nav, Reports: s.reports, Theme: s.theme, Generator: o.Generator,
		Display: func(f report.Figure) template.HTML {
			return page.DisplayHTML(ctx, o.Math, f.Form(), string(f.Data()))
		}})
	s.figures = sync.OnceValue(s.findFigures)
	diags.Add((&planner{s}).plan(pages)...)
	diags.Add(s.readHosting()...)
	s.paths = sync.OnceValue(s.list)
	return s, append(diags, s.unknownMachines()...), nil
}

// compile reads the theme for the languages of a site.
func compile(all *site.Site, files fs.FS, o Options) (*theme.Compiled, error) {
	var codes []string
	for _, l := range all.Languages {
		codes = append(codes, l.Code)
	}
	css, err := highlight.Stylesheet()
	if err != nil {
		return nil, err
	}
	return o.Theme.Compile(files, theme.Options{Languages: codes, Style: o.Style, Generated: map[string][]byte{"chroma.css": css, mygpu.File: mygpu.Script()}})
}

// Asset returns the name of a theme's file from the name that it had in an earlier version of the theme.
func (s *Site) Asset(name string) (now string, ok bool) { return theme.AssetName(s.theme.Folder, name) }

// Paths returns the names of all files, sorted, as slash paths.
func (s *Site) Paths() []string { return s.paths() }

func (s *Site) list() []string {
	paths := slices.AppendSeq(s.feeds.Paths(), maps.Keys(s.files))
	paths = slices.AppendSeq(paths, maps.Keys(s.figures()))
	slices.Sort(paths)
	return paths
}

// File makes one file. ok is false if the site has no file of that name.
func (s *Site) File(name string) (data []byte, ok bool, err error) {
	make, ok := s.files[name]
	switch {
	case ok:
		data, err = make()
	case strings.HasPrefix(name, results.FigureDir+"/"):
		data, ok = s.figures()[name]
	default:
		data, ok = s.feeds.File(name)
	}
	if err != nil {
		return nil, true, fmt.Errorf("%s: %w", name, err)
	}
	if s.options.Offline && strings.HasSuffix(name, ".html") {
		data = page.Offline(data)
	}
	return data, ok, nil
}

// Tally counts the results that the site shows, with a diagnostic for each that is doubtful.
func (s *Site) Tally() (standing.Count, diag.List) { return s.reports.Tally(s.content) }

// unknownMachines returns a warning for each {live} value whose machine has no report, and a notice for each
// from the results of --verify, which the next build does not have.
func (s *Site) unknownMachines() diag.List {
	names, local := slices.Clone(s.options.Unreadable), ""
	for _, m := range s.reports.Machines {
		if names = append(names, m.Report.Machine.Name); m.Local {
			local = m.Report.Machine.Name
		}
	}
	var diags diag.List
	if l := s.content.Config.Launch; l != nil && l.Outputs != "" && !slices.Contains(names, l.Outputs) {
		d := l.At
		d.Severity, d.Message = diag.Warning, diag.Say("page.machine-without-report", "machine", l.Outputs)
		d.Hint = diag.Suggest(l.Outputs, names, diag.Say("page.report-commit-hint", "machine", l.Outputs))
		diags.Add(d)
	}
	for _, p := range s.content.Pages {
		for _, n := range p.LiveValues {
			hint := diag.Say("page.report-local-hint")
			switch {
			case n.Machine == local:
				diags.Add(p.Source.At(diag.Notice, n.Start, n.Stop, diag.Say("page.machine-only-here", "machine", n.Machine), hint))
				continue
			case slices.Contains(names, n.Machine):
				continue
			case n.Machine != s.options.Local:
				hint = diag.Suggest(n.Machine, names, diag.Say("page.report-commit-hint", "machine", n.Machine))
			}
			diags.Add(p.Source.Warning(n.Start, n.Stop, diag.Say("page.machine-without-report", "machine", n.Machine), hint))
		}
	}
	return diags
}

func (s *Site) site() theme.SiteView {
	return theme.SiteView{Title: s.content.Config.Title, Repository: s.content.Config.Repository, Report: s.content.Config.Report, Generator: s.options.Generator, Params: s.options.Params}
}

func (s *Site) renderRoot() ([]byte, error) {
	v := theme.RootView{Site: s.site(), Theme: nav.Href("", s.theme.Folder), Canonical: cmp.Or(s.options.Editions.Canonical(""), s.options.BaseURL)}
	for i, l := range s.content.Languages {
		if i == 0 {
			v.Default, v.Dir = l.Code, s.theme.Text(l.Code).Dir()
		}
		v.Languages = append(v.Languages, theme.LanguageLink{Code: l.Code, Name: l.Name, URL: s.nav.Near("", s.homeURL(l))})
	}
	return s.theme.Execute("root.html", v)
}
