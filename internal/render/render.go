// Package render turns a site and the reports of its machines into files.
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
//	pt/a/_on/0.js         what a page says of machines that it has no room for
//	pt/old/index.html     sends readers of an old address to its page
//	_headers, _redirects  what a server should know, as Netlify reads it
//	pt/a/x.png            other files of content/, as they are
//	pt/_status/           how all checks stand on all machines; feed.xml tells of changes
//	badges/...            the same in a badge, by page and machine
//	_results/...          the same for programs
//	_theme/HASH/...       the theme's assets, and chroma.css, made here; another
//	                      theme has another hash, so caches may keep them for ever
//	pt/_search/...        the index of that language's pages, see internal/search
//	_figures/...          what snippets drew, from the reports, and the pictures
//	                      that notebooks hold
//	_cards/...            pictures for links to pages
//
// Every link in a page is relative, so the site works below any prefix; only
// canonical and hreflang addresses, the sitemap and cards need the base URL.
package render

import (
	"bytes"
	"context"
	"fmt"
	"html/template"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/text/unicode/norm"

	"github.com/gpudocs/gpudocs/internal/card"
	"github.com/gpudocs/gpudocs/internal/content"
	"github.com/gpudocs/gpudocs/internal/diag"
	"github.com/gpudocs/gpudocs/internal/diagram"
	"github.com/gpudocs/gpudocs/internal/i18n"
	"github.com/gpudocs/gpudocs/internal/layout"
	"github.com/gpudocs/gpudocs/internal/tex"
)

// Options for [New].
type Options struct {
	// BaseURL makes canonical and hreflang links, the sitemap and cards; empty leaves them out.
	BaseURL string
	// Generator names the program and its version.
	Generator string
	// Highlighter remembers what an earlier site has coloured already; nil
	// begins anew.
	Highlighter *Highlighter
	// Math remembers formulas in the same way.
	Math *tex.Converter
	// Diagrams remembers diagrams in the same way.
	Diagrams *diagram.Drawer
	// Lazy leaves formulas and diagrams to be made with their pages. New tells of no
	// fault in them then but those that are remembered; [Faults] finds the rest.
	Lazy bool
	// Progress is told of how many pages New has looked at formulas and diagrams,
	// by several goroutines; nil tells nobody.
	Progress func(done, all int)
	// Once tells that each file is asked for once only: what was kept for it is let go then.
	Once bool
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
	content *content.Site
	// sources are the reports, results what they say of the content.
	sources []Source
	results *results
	theme   fs.FS
	layouts *template.Template
	quick   *layout.Set // of the layouts
	buffers sync.Pool
	strings map[string]i18n.Strings
	options Options
	colours *Highlighter
	math    *tex.Converter
	drawer  *diagram.Drawer
	nav     map[string]*tree // by language
	grids   sync.Map         // *content.Page: *grid
	// assets is the folder where the theme's files are published.
	assets string
	// sections are those that have a page with all of their pages.
	sections map[sectionKey]*section
	// owned are the pages that nobody wrote, and that search engines may list.
	owned []own
	files map[string]maker
	// cards are those of the pages, by their files.
	cards func() map[string]card.Card
	// headers and moves are the author's own lines for a server.
	headers, moves []byte
	// planned is what plan says.
	planned diag.List
	parsed  *parsedTheme
	// texts are those of twins that are asked for more than once, firstFull is the text of the
	// first language.
	texts     func() map[*content.Page]*sharedText
	firstFull func() []byte
	// indexes are those of the languages' texts, by their folders.
	indexes map[string]*index
	paths   func() []string
	// redirects are the files of old addresses, and where they lead.
	redirects map[string]string
}

// New prepares a site. theme is the default theme, or a [Overlay] on it. The
// diagnostics are about what content and reports say of one another; an error is
// a [ThemeFaults], or not the site's fault: a file of the theme could not be read. The end of ctx, which the site keeps, ends the drawing of
// formulas and diagrams: no page is made after it.
func New(ctx context.Context, site *content.Site, sources []Source, theme fs.FS, o Options) (*Site, diag.List, error) {
	base, err := content.CheckBaseURL(o.BaseURL)
	if err != nil {
		return nil, nil, err
	}
	o.BaseURL = base
	if o.Highlighter == nil {
		o.Highlighter = &Highlighter{}
	}
	if o.Math == nil {
		o.Math = tex.New(nil)
	}
	if o.Diagrams == nil {
		o.Diagrams = diagram.New(nil)
	}
	s := &Site{ctx: ctx, content: site, colours: o.Highlighter, math: o.Math, drawer: o.Diagrams, sources: sources, theme: theme, options: o,
		nav: map[string]*tree{}}
	before := o.Before
	s.options.Before = nil // it must not live as long
	if err := s.useTheme(before); err != nil {
		return nil, nil, err
	}
	diags, err := Faults(ctx, site, s.math, s.drawer, o.Lazy, o.Progress)
	if err != nil {
		return nil, nil, err
	}
	diags.Add(s.parsed.diags...)
	if !s.replan(before) {
		s.results = newResults(site, sources)
		s.files, s.redirects = map[string]maker{}, map[string]string{}
		s.planned = s.plan()
		if err := s.planTheme(); err != nil {
			return nil, nil, err
		}
	}
	s.assets = s.parsed.folder
	diags.Add(s.planned...)
	diags.Add(s.readHosting()...)
	s.planSearch()
	s.cards, s.texts = sync.OnceValue(s.nameCards), sync.OnceValue(s.manyTexts)
	s.firstFull = sync.OnceValue(func() []byte { l := site.Languages[0]; return s.llmsFull(l, l.Code+"/") })
	s.paths = sync.OnceValue(s.list)
	return s, append(diags, s.unknownMachines()...), nil
}

// Paths returns the names of all files, sorted, as slash paths.
func (s *Site) Paths() []string { return s.paths() }

func (s *Site) list() []string {
	paths := s.searchPaths()
	for p := range s.files {
		paths = append(paths, p)
	}
	for p := range s.cards() {
		paths = append(paths, p)
	}
	slices.Sort(paths)
	return paths
}

// File makes one file. ok is false when the site has none of that name.
func (s *Site) File(name string) (data []byte, ok bool, err error) {
	make, ok := s.files[name]
	if !ok && strings.HasPrefix(name, cardDir+"/") {
		c, is := s.cards()[name]
		if is {
			data, err = c.PNG()
		}
		return data, is, err
	}
	if !ok {
		data, ok = s.searchFile(name)
		return data, ok, nil
	}
	data, err = make(s)
	if s.options.Offline && strings.HasSuffix(name, ".html") {
		data = offline(data)
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return data, true, err
}

// Tally counts the results shown on the site, and words every doubtful one.
func (s *Site) Tally() (Tally, diag.List) { return s.results.tally(s.content) }

// plan names the files of the content: every page in every language, and what
// lies beside them.
func (s *Site) plan() diag.List {
	diags := s.planPages()
	folders := map[string]bool{}
	for name := range s.files {
		for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
			folders[dir] = true
		}
	}
	for _, a := range s.content.Assets {
		name := norm.NFC.String(a) // as links and the addresses of pages have it
		if _, taken := s.files[name]; taken || folders[name] || isOurs(name) {
			diags.Add(diag.Diagnostic{File: path.Join("content", a), Message: diag.Say("the site publishes a page or another file under this name"), Hint: diag.Say("rename one of the two")})
			continue
		}
		s.files[name] = func(s *Site) ([]byte, error) {
			file := path.Join("content", a)
			data, err := fs.ReadFile(s.content.FS, file)
			if err != nil {
				return nil, diag.Unreadable(file, err)
			}
			return data, nil
		}
	}
	s.planRedirects()
	s.planFigures()
	s.planPictures()
	s.planFeeds()
	s.planStatus()
	diags.Add(s.planBadges()...)
	s.planAside()
	s.planHosting()
	if _, taken := s.files["index.html"]; !taken {
		s.files["index.html"] = (*Site).renderRoot
	}
	return diags
}

// publish adds a file that is made of the content, unless the content brings its own.
func (s *Site) publish(name string, make maker) {
	if _, taken := s.files[name]; !taken {
		s.files[name] = make
	}
}

// isOurs tells whether a file would stand among those that are made here.
func isOurs(name string) bool {
	top, _, _ := strings.Cut(name, "/")
	return top == themeDir || top == figureDir || top == feedDir || top == cardDir
}

// planPages gives the pages their own addresses first, and then shows each in
// the languages that lack a translation of it.
func (s *Site) planPages() diag.List {
	var diags diag.List
	holders := map[string]*content.Page{}
	add := func(at pageRef) {
		view := s.at(at)
		if other := holders[view.file()]; other != nil {
			diags.Add(view.page.Source.Error(0, 1, diag.Say("this page is shown in %s for want of a translation, and %s has the address /%s already",
				view.language.Code, other.Source.Name, view.url()), diag.Say("give both the same translation key, or rename one")))
			return
		}
		holders[view.file()] = view.page
		s.files[view.file()] = func(s *Site) ([]byte, error) { return s.renderPage(s.at(at)) }
		s.planLater(at)
		if s.nav[view.language.Code] == nil {
			s.nav[view.language.Code] = newTree()
		}
		s.nav[view.language.Code].add(view, at.place)
	}
	for i, p := range s.content.Pages {
		add(pageRef{i, p.Language})
	}
	for i, p := range s.content.Pages {
		if s.content.Source(p.Key) != p {
			continue // no other language shows it
		}
		for _, l := range s.content.Languages {
			if s.content.Page(p.Key, l.Code) == nil {
				add(pageRef{i, l})
			}
		}
	}
	for _, t := range s.nav {
		t.finish()
	}
	return diags
}

// shown returns the page that a language shows for a key: its own, else the one
// that the others are translated from.
func (s *Site) shown(key, code string) *content.Page {
	if p := s.content.Page(key, code); p != nil {
		return p
	}
	return s.content.Source(key)
}

// unknownMachines warns of {live} values whose machine has no report.
func (s *Site) unknownMachines() diag.List {
	names := slices.Clone(s.options.Unreadable)
	for _, src := range s.results.sources {
		names = append(names, src.Report.Machine.Name)
	}
	var diags diag.List
	for _, p := range s.content.Pages {
		for _, n := range p.LiveValues {
			if !slices.Contains(names, n.Machine) {
				diags.Add(p.Source.Warning(n.Start, n.Stop, diag.Say("no report of a machine %q", n.Machine),
					diag.Suggest(n.Machine, names, diag.Say("run gpudocs verify --machine %s there, and commit its report", n.Machine))))
			}
		}
	}
	return diags
}

func (s *Site) execute(name string, data any) ([]byte, error) {
	b := s.buffer()
	defer s.release(b)
	if err := s.executeTo(b, name, data); err != nil {
		return nil, err
	}
	return bytes.Clone(b.Bytes()), nil
}

func (s *Site) executeTo(b *buffer, name string, data any) error {
	if err := s.quick.Execute(&b.Buffer, name, data); err != nil {
		return s.fault(err, data)
	}
	return nil
}

func (s *Site) site() SiteView {
	return SiteView{Title: s.content.Config.Title, Generator: s.options.Generator, Params: s.options.Params}
}

func (s *Site) renderRoot() ([]byte, error) {
	v := RootView{Site: s.site(), Theme: href("", s.assets), Canonical: s.options.BaseURL}
	for i, l := range s.content.Languages {
		if i == 0 {
			v.Default = l.Code
		}
		v.Languages = append(v.Languages, LanguageLink{Code: l.Code, Name: l.Name, URL: s.near("", s.homeURL(l))})
	}
	return s.execute("root.html", v)
}
