// Package render turns a site and the reports of its machines into files.
//
// Packages below it do the work: [nav] knows where pages stand, [results] what machines found, [theme] the templates
// and what they get. [page] renders the text of one page, [status] the pages of all checks, [feeds] what is published
// beside the pages. This package plans which files there are and what makes each (plan.go, generated.go, print.go,
// redirect.go, hosting.go, notfound.go), takes the plan of an earlier state over if it still holds (replan.go), and
// puts a frame around the text of a page (frame.go).
//
// It is pure: no program is run, no clock read, no network or GPU asked. The
// same site, reports and theme give the same bytes, on any machine. A [Site]
// knows the names of all its files from the start and makes each when it is
// asked for: build asks for all of them on all processors, serve for what the
// browser wants. Only how the index for search is cut depends on all pages, so it is
// made when its files or all names are asked for.
//
// Results enter here, and only here: under each runnable block stands what the
// reports say of its check ID. A report of code that has changed since is
// shown as stale, found by the block's page and name.
//
// # What is published
//
//	index.html            sends readers to their language, lists all of them
//	pt/a/b/index.html     a page; every language has every page, with a notice
//	                      and the original text where it lacks a translation
//	pt/a/b/index.html.md  the page in Markdown
//	pt/_print/a/...       all pages of a section on one
//	pt/404.html           what a host shows where nothing is found, also at the root
//	llms.txt, sitemap.xml, robots.txt, ... for programs
//	pt/old/index.html     sends readers of an old address to its page
//	_headers, _redirects  what a server should know, as Netlify reads it
//	pt/a/x.png            other files of content/, as they are
//	pt/_status/           how all checks stand on all machines; feed.xml tells of changes
//	badges/...            the same in a badge, by page and machine
//	_results/...          the same for programs
//	_theme/HASH/...       the theme's assets, and chroma.css, made here; another
//	                      theme has another hash, so caches may keep them for ever
//	pt/_search/...        the index of that language's pages, see internal/render/search
//	_figures/...          what snippets drew, from the reports, and the pictures
//	                      that notebooks hold
//	_cards/...            pictures for links to pages
//
// Every link in a page is relative, so the site works below any prefix; only
// canonical and hreflang addresses, the sitemap and cards need the base URL.
package render

import (
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gpudocs/gpudocs/internal/memo"
	"github.com/gpudocs/gpudocs/internal/render/diagram"
	"github.com/gpudocs/gpudocs/internal/render/feeds"
	"github.com/gpudocs/gpudocs/internal/render/highlight"
	"github.com/gpudocs/gpudocs/internal/render/nav"
	"github.com/gpudocs/gpudocs/internal/render/page"
	"github.com/gpudocs/gpudocs/internal/render/results"
	"github.com/gpudocs/gpudocs/internal/render/step"
	"github.com/gpudocs/gpudocs/internal/render/tex"
	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// Options for [New].
type Options struct {
	// BaseURL makes canonical and hreflang links, the sitemap and cards; empty leaves them out.
	BaseURL string
	// Generator names the program and its version.
	Generator string
	// Program identifies the program's code. If it is empty, no file of the site has a key, and
	// [Site.Make] makes each file.
	Program string
	// Highlighter remembers what an earlier site has coloured already; nil
	// begins anew.
	Highlighter *highlight.Highlighter
	// Math remembers formulas in the same way.
	Math *tex.Converter
	// Diagrams remembers diagrams in the same way.
	Diagrams *diagram.Drawer
	// Lazy leaves formulas and diagrams to be made with their pages. New tells of no
	// fault in them then but those that are remembered; [page.Faults] finds the rest.
	Lazy bool
	// Progress is told of how many pages New has looked at formulas and diagrams,
	// by several goroutines; nil tells nobody.
	Progress func(done, all int)
	// Offline makes a site that opens from a folder, without a server.
	Offline bool
	// Root is where the site begins on its server: "/docs/". Where it is empty the base
	// URL says so.
	Root string
	// Params are the theme's, as templates get them; Style is CSS of theme.toml, which stands
	// behind the first part of style.css.
	Params map[string]any
	Style  string
	// Unreadable are the machines whose reports cannot be read: pages name them, and
	// show nothing else of them.
	Unreadable []string
	// Changed is when pages were last changed, by the name of their file.
	Changed map[string]time.Time
	// Before is a site of an earlier state of the same content, for who makes sites again
	// and again; what must be the same in both is taken from it. It may be nil.
	Before *Site
}

// A Site makes the files of a published site. It is safe for use by several
// goroutines.
type Site struct {
	ctx     context.Context //nolint:containedctx // pages are made later, for as long as the site is wanted
	content *site.Site
	// sources are the reports, results what they say of the content.
	sources []results.Source
	results *results.Results
	theme   *theme.Compiled
	options Options
	colours *highlight.Highlighter
	math    *tex.Converter
	drawer  *diagram.Drawer
	nav     *nav.Map
	answers *step.Answers
	feeds   *feeds.Site
	// plan is what is published.
	*plan
	// headers and moves are the author's own lines for a server.
	headers, moves []byte
	paths          func() []string
}

// New prepares a site. theme is the default theme, or a [theme.Overlay] on it. The
// diagnostics are about what content and reports say of one another; an error is
// a [theme.Faults], or not the site's fault: a file of the theme could not be read. The end of ctx, which the site keeps, ends the drawing of
// formulas and diagrams: no page is made after it.
func New(ctx context.Context, all *site.Site, sources []results.Source, theme fs.FS, o Options) (*Site, diag.List, error) {
	base, err := site.CheckBaseURL(o.BaseURL)
	if err != nil {
		return nil, nil, err
	}
	o.BaseURL = base
	if o.Highlighter == nil {
		o.Highlighter = highlight.New(nil)
	}
	if o.Math == nil {
		o.Math = tex.New(nil)
	}
	if o.Diagrams == nil {
		o.Diagrams = diagram.New(nil)
	}
	s := &Site{ctx: ctx, content: all, colours: o.Highlighter, math: o.Math, drawer: o.Diagrams, sources: sources, options: o,
		nav: &nav.Map{Content: all, BaseURL: o.BaseURL, Offline: o.Offline, Changed: o.Changed, Trees: map[string]*nav.Tree{}}}
	before := o.Before
	s.options.Before = nil // it must not live as long
	if s.theme, err = compileFor(all, theme, o); err != nil {
		return nil, nil, err
	}
	diags, err := page.Faults(ctx, all, s.math, s.drawer, o.Lazy, o.Progress)
	if err != nil {
		return nil, nil, err
	}
	diags.Add(s.theme.Warnings...)
	s.feeds = &feeds.Site{Content: all, Nav: s.nav, Theme: s.theme, Generator: o.Generator}
	if !s.replan(before) {
		s.results = results.New(all, sources, o.Unreadable)
		s.feeds.Results = s.results
		newPlan(s)
	}
	s.answers = step.Of(s.nav, s.results, s.base())
	s.feeds.Results, s.feeds.Answers = s.results, s.answers
	s.feeds.Prepare()
	diags.Add(s.plan.diags...)
	diags.Add(s.readHosting()...)
	s.paths = sync.OnceValue(func() []string { return s.list(nil) })
	return s, append(diags, s.unknownMachines()...), nil
}

// compileFor reads the theme for the languages of a site, unless the site before has read the same.
func compileFor(all *site.Site, files fs.FS, o Options) (*theme.Compiled, error) {
	var codes []string
	for _, l := range all.Languages {
		codes = append(codes, l.Code)
	}
	css, err := highlight.Stylesheet()
	if err != nil {
		return nil, err
	}
	var before *theme.Compiled
	if o.Before != nil {
		before = o.Before.theme
	}
	return theme.Compile(files, theme.Options{Languages: codes, Style: o.Style, Generated: map[string][]byte{"chroma.css": css}}, before)
}

// Asset names a theme's file as it is published now, by the name that another site of the
// same theme may have given it.
func (s *Site) Asset(name string) (now string, ok bool) { return theme.AssetName(s.theme.Folder, name) }

// base is the key of what each file of the site depends on.
func (s *Site) base() memo.Key {
	if s.options.Program == "" || s.theme.Key() == "" {
		return memo.Key{}
	}
	o := &s.options
	return memo.KeyOf("site", o.Program, o.Generator, o.BaseURL, o.Offline, o.Root, o.Params, o.Unreadable, s.content.Config, s.content.Languages, s.theme.Key())
}

// Paths returns the names of all files, sorted, as slash paths.
func (s *Site) Paths() []string { return s.paths() }

// PathsBeside returns what Paths does, but makes no search index that exists already: existing returns
// the names of the files below a folder that have a key, or nil.
func (s *Site) PathsBeside(existing func(folder string, key memo.Key) []string) []string {
	return s.list(existing)
}

func (s *Site) list(existing func(folder string, key memo.Key) []string) []string {
	paths := s.feeds.Paths(existing)
	for p := range s.files {
		paths = append(paths, p)
	}
	slices.Sort(paths)
	return paths
}

// File makes one file. ok is false when the site has none of that name.
func (s *Site) File(name string) (data []byte, ok bool, err error) {
	data, _, ok, err = s.Make(name, memo.Trace{})
	return data, ok, err
}

// Make makes one file, unless it is the same as the one that has a trace: then data is nil, and the
// trace is returned. ok is false when the site has none of that name.
func (s *Site) Make(name string, was memo.Trace) (data []byte, now memo.Trace, ok bool, err error) {
	file := step.New(s.answers, was)
	make, ok := s.files[name]
	if !ok {
		data, ok, err = s.feeds.File(name, file)
		return data, file.Trace(), ok, err
	}
	data, err = make(s, file)
	if file.Reused() {
		return nil, was, true, err
	}
	if s.options.Offline && strings.HasSuffix(name, ".html") {
		data = page.Offline(data)
	}
	if err != nil {
		return nil, memo.Trace{}, true, fmt.Errorf("%s: %w", name, err)
	}
	return data, file.Trace(), true, nil
}

// Tally counts the results shown on the site, and words every doubtful one.
func (s *Site) Tally() (results.Tally, diag.List) { return s.results.Tally(s.content) }

// unknownMachines warns of {live} values whose machine has no report.
func (s *Site) unknownMachines() diag.List {
	names := slices.Clone(s.options.Unreadable)
	for _, m := range s.results.Machines {
		names = append(names, m.Report.Machine.Name)
	}
	var diags diag.List
	for _, p := range s.content.Pages {
		for _, n := range p.LiveValues {
			if !slices.Contains(names, n.Machine) {
				diags.Add(p.Source.Warning(n.Start, n.Stop, diag.Say("page.machine-without-report", "machine", n.Machine),
					diag.Suggest(n.Machine, names, diag.Say("page.report-commit-hint", "machine", n.Machine))))
			}
		}
	}
	return diags
}

func (s *Site) site() theme.SiteView {
	return theme.SiteView{Title: s.content.Config.Title, Generator: s.options.Generator, Params: s.options.Params}
}

func (s *Site) renderRoot() ([]byte, error) {
	v := theme.RootView{Site: s.site(), Theme: nav.Href("", s.theme.Folder), Canonical: s.options.BaseURL}
	for i, l := range s.content.Languages {
		if i == 0 {
			v.Default = l.Code
		}
		v.Languages = append(v.Languages, theme.LanguageLink{Code: l.Code, Name: l.Name, URL: s.nav.Near("", s.homeURL(l))})
	}
	return s.theme.Execute("root.html", v)
}
