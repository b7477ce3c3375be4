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
	"github.com/gpudocs/gpudocs/internal/render/status"
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
	// Notebooks are those of the pages, whether the site publishes them or not.
	Notebooks *feeds.Notebooks
	plan      *Plan
	// figures returns the contents of figures by the names of their files.
	figures func() map[string][]byte
	paths   func() []string
}

// inputs are what a site is made from. Nothing of them changes.
type inputs struct {
	ctx       context.Context //nolint:containedctx // pages are made later, for as long as the site is used
	content   *site.Site
	options   Options
	pages     []*nav.Entry // in all languages, those without a translation too
	nav       *nav.Map
	theme     *theme.Compiled
	reports   *results.Index
	feeds     *feeds.Site
	notebooks *feeds.Notebooks
	// documents are files that were made of books, by their names.
	documents map[string][]byte
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
	o.Highlighter, o.Math = cmp.Or(o.Highlighter, new(highlight.Highlighter)), cmp.Or(o.Math, tex.New(nil))
	o.Diagrams, o.Images = cmp.Or(o.Diagrams, diagram.New(nil)), cmp.Or(o.Images, picture.NewScaler(nil))
	o.Theme, o.Reports = cmp.Or(o.Theme, &theme.Cache{}), cmp.Or(o.Reports, &results.Cache{})
	in := &inputs{ctx: ctx, content: all, options: o}
	if in.theme, err = compile(all, files, o); err != nil {
		return nil, nil, err
	}
	diags, err := page.Faults(ctx, all, o.Math, o.Diagrams, o.Lazy, o.Progress)
	if err != nil {
		return nil, nil, err
	}
	diags.Add(in.theme.Warnings...)
	in.nav = &nav.Map{Content: all, BaseURL: o.BaseURL, Offline: o.Offline, Changed: o.Changed}
	pages, found := in.nav.Build()
	in.pages = pages
	diags.Add(found...)
	in.reports = results.NewIndex(all, sources, o.Unreadable, o.Reports)
	in.reports.ReportURL = in.reportURL
	in.feeds = newFeeds(in)
	in.notebooks = in.feeds.Notebooks()
	s := &Site{Notebooks: in.notebooks, figures: sync.OnceValue(func() map[string][]byte { return findFigures(in) })}
	diags.Add(s.use(in)...)
	if all.Config.Launch != nil {
		diags.Add(in.notebooks.Diags...)
	}
	return s, append(diags, in.unknownMachines()...), nil
}

// use plans the files of the site.
func (s *Site) use(in *inputs) (diags diag.List) {
	s.plan, diags = plan(in)
	s.paths = sync.OnceValue(s.list)
	return diags
}

func newFeeds(in *inputs) *feeds.Site {
	f := &feeds.Site{
		Content:   in.content,
		Nav:       in.nav,
		Reports:   in.reports,
		Theme:     in.theme,
		Generator: in.options.Generator,
		Display: func(f report.Figure) template.HTML {
			return page.DisplayHTML(in.ctx, in.options.Math, f.Form(), string(f.Data()))
		},
	}
	if hasStatus(in.content, in.theme) {
		f.Generated = []string{status.Dir}
	}
	return feeds.New(f)
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
	return o.Theme.Compile(files, theme.CompileOptions{
		Languages: codes,
		Style:     o.Style,
		Generated: map[string][]byte{"chroma.css": css, mygpu.File: mygpu.Script()},
	})
}

// Asset returns the name of a theme's file from the name that it had in an earlier version of the theme.
func (s *Site) Asset(name string) (now string, ok bool) {
	return theme.AssetName(s.plan.theme.Folder, name)
}

// Paths returns the names of all files, sorted, as slash paths.
func (s *Site) Paths() []string { return s.paths() }

func (s *Site) list() []string {
	paths := slices.AppendSeq(s.plan.feeds.Paths(), maps.Keys(s.plan.files))
	paths = slices.AppendSeq(paths, maps.Keys(s.figures()))
	slices.Sort(paths)
	return paths
}

// File makes one file. ok is false if the site has no file of that name.
func (s *Site) File(name string) (data []byte, ok bool, err error) {
	make, ok := s.plan.files[name]
	switch {
	case ok:
		data, err = make(s.plan)
	case strings.HasPrefix(name, results.FigureDir+"/"):
		data, ok = s.figures()[name]
	default:
		data, ok = s.plan.feeds.File(name)
	}
	if err != nil {
		return nil, true, fmt.Errorf("%s: %w", name, err)
	}
	if s.plan.options.Offline && strings.HasSuffix(name, ".html") {
		data = page.Offline(data)
	}
	return data, ok, nil
}

// Tally counts the results that the site shows, with a diagnostic for each that is doubtful.
func (s *Site) Tally() (standing.Count, diag.List) { return s.plan.reports.Tally(s.plan.content) }

// unknownMachines returns a warning for each {live} value whose machine has no report, and a notice for each
// from the results of --verify, which the next build does not have.
func (in *inputs) unknownMachines() diag.List {
	names, local := slices.Clone(in.options.Unreadable), ""
	for _, m := range in.reports.Machines {
		if names = append(names, m.Report.Machine.Name); m.Local {
			local = m.Report.Machine.Name
		}
	}
	var diags diag.List
	if l := in.content.Config.Launch; l != nil && l.Outputs != "" && !slices.Contains(names, l.Outputs) {
		d := l.At
		d.Severity, d.Message = diag.Warning, diag.Say("page.machine-without-report", "machine", l.Outputs)
		d.Hint = diag.Suggest(l.Outputs, names, diag.Say("page.report-commit-hint", "machine", l.Outputs))
		diags.Add(d)
	}
	for _, p := range in.content.Pages {
		for _, n := range p.LiveValues {
			hint := diag.Say("page.report-local-hint")
			switch {
			case n.Machine == local:
				diags.Add(p.Source.At(diag.Notice, n.Start, n.Stop, diag.Say("page.machine-only-here", "machine", n.Machine), hint))
				continue
			case slices.Contains(names, n.Machine):
				continue
			case n.Machine != in.options.Local:
				hint = diag.Suggest(n.Machine, names, diag.Say("page.report-commit-hint", "machine", n.Machine))
			}
			diags.Add(p.Source.Warning(n.Start, n.Stop, diag.Say("page.machine-without-report", "machine", n.Machine), hint))
		}
	}
	return diags
}

func (in *inputs) site() theme.SiteView {
	return theme.SiteView{
		Title:      in.content.Config.Title,
		Repository: in.content.Config.Repository,
		Report:     in.content.Config.Report,
		Generator:  in.options.Generator,
		Params:     in.options.Params,
	}
}

func (p *Plan) renderRoot() ([]byte, error) {
	v := theme.RootView{
		Site:      p.site(),
		Theme:     nav.Href("", p.theme.Folder),
		Canonical: cmp.Or(p.options.Editions.Canonical(""), p.options.BaseURL),
	}
	for i, l := range p.content.Languages {
		if i == 0 {
			v.Default, v.Dir = l.Code, p.theme.Text(l.Code).Dir()
		}
		v.Languages = append(v.Languages, theme.LanguageLink{Code: l.Code, Name: l.Name, URL: p.nav.Near("", p.homeURL(l))})
	}
	return p.theme.Execute("root.html", v)
}
