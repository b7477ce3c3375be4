package resolve

import (
	"runtime"
	"slices"

	"github.com/yuin/goldmark/ast"
	"golang.org/x/sync/errgroup"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/obsidian"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// A resolution is the result for the links of one page, with what it depends on besides the page
// itself, the index and the settings.
type resolution struct {
	links *site.Links
	diags diag.List
	// dependencies are the other pages whose text was used, and images the images.
	dependencies []*site.Page
	images       []string
}

// A Resolution is the result of comparing the pages of a site. A later site reuses the parts whose
// inputs have not changed.
type Resolution struct {
	site  *site.Site
	index *index
	pages []*resolution
	// Indexed reports whether the names were indexed again. Resolved is the number of pages whose
	// links were resolved again.
	Indexed  bool
	Resolved int
}

// Resolve compares the pages of a site and completes the site with the results: the targets of
// links, redirects, the sources of translations. earlier is the result for an earlier site, or nil.
// newImage reports whether an image may have changed since then.
func Resolve(s *site.Site, earlier *Resolution, newImage func(asset string) bool) (*Resolution, diag.List) {
	r := &Resolution{site: s}
	number := func() {
		s.PageIndex = make(map[*site.Page]int, len(s.Pages))
		for i, p := range s.Pages {
			s.PageIndex[p] = i
		}
	}
	if earlier != nil && !earlier.index.diags.HasErrors() && sameNames(s, earlier.site) {
		number()
		r.index = earlier.index
		s.Names = &r.index.NameIndex
	} else {
		left := leaveOut(s)
		number()
		r.index, r.Indexed = newIndex(s), true
		r.index.diags = append(left, r.index.diags...)
	}
	for _, old := range r.index.redirects {
		s.Redirects = append(s.Redirects, site.Redirect{From: old.from, Page: s.Pages[old.page], Language: old.language})
	}
	diags := slices.Clone(r.index.diags)
	diags.Add(r.resolveLinks(earlier, newImage)...)
	orderByContents(s)
	diags.Add(checkEmbeds(s)...)
	diags.Add(resolveLive(s)...)
	diags.Add(checkReferences(s)...)
	diags.Add(checkNav(s)...)
	if image := s.Config.Image; image.Path != "" && !site.IsExternal(image.Path) && !slices.Contains(s.Assets, image.Path) {
		image.At.Severity, image.At.Message = diag.Warning, diag.Say("links.image-missing", "file", image.Path)
		image.At.Hint = diag.Say("config.image-hint")
		diags.Add(image.At)
	}
	return r, diags
}

// resolveLinks resolves the links of all pages, in parallel.
func (r *Resolution) resolveLinks(earlier *Resolution, newImage func(asset string) bool) (diags diag.List) {
	s := r.site
	known := func(int) *resolution { return nil }
	if earlier != nil && earlier.index == r.index && settingsOf(earlier.site) == settingsOf(s) {
		isNew := func(p *site.Page) bool { _, is := s.PageIndex[p]; return !is }
		known = func(i int) *resolution {
			old := earlier.pages[i]
			if earlier.site.Pages[i] != s.Pages[i] || slices.ContainsFunc(old.dependencies, isNew) || slices.ContainsFunc(old.images, newImage) {
				return nil
			}
			return old
		}
	}
	r.pages = make([]*resolution, len(s.Pages))
	hints := &hintCache{}
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	const chunk = 32 // one page takes a few microseconds
	for from := 0; from < len(s.Pages); from += chunk {
		g.Go(func() error {
			for i := from; i < min(from+chunk, len(s.Pages)); i++ {
				if r.pages[i] = known(i); r.pages[i] == nil {
					r.pages[i] = resolvePage(s, r.index, hints, s.Pages[i])
				}
			}
			return nil
		})
	}
	_ = g.Wait() // no function above returns an error
	s.LinksByPage = make([]*site.Links, len(s.Pages))
	for i, found := range r.pages {
		s.LinksByPage[i] = found.links
		diags = append(diags, found.diags...)
		if earlier == nil || i >= len(earlier.pages) || earlier.pages[i] != found {
			r.Resolved++
		}
	}
	return diags
}

// A pageLinks resolves the links of one page.
type pageLinks struct {
	finder
	reporter
	hints *hintCache
	links *site.Links
	// cited are the keys in links.Cited.
	cited map[string]bool
	// images are the images whose size was read.
	images []string
	// headings are the texts of the headings of pages with missing ones.
	headings map[*site.Page]site.KnownNames
}

func resolvePage(s *site.Site, x *index, hints *hintCache, p *site.Page) *resolution {
	l := &pageLinks{
		finder:   finder{settings: settingsOf(s), site: s, index: x, page: p},
		reporter: reporter{file: p.Source, reported: map[string]bool{}},
		hints:    hints,
		links:    &site.Links{Page: p},
		headings: map[*site.Page]site.KnownNames{},
	}
	l.formulas()
	if image := p.Image; image.Text != "" {
		l.links.Image = l.resolve(image.Text, image.Start, "image")
	}
	for n := range markdown.Nodes(p.Doc()) {
		l.node(n)
	}
	return &resolution{links: l.links, diags: l.diags, dependencies: l.dependencies, images: l.images}
}

// node resolves the links of a node. Numbered nodes come in the order of their numbers.
func (l *pageLinks) node(n ast.Node) {
	links, place := l.links, len(l.links.Targets)
	if site.IsNumbered(n) {
		links.Targets = append(links.Targets, site.Target{})
	}
	switch n := n.(type) {
	case *ast.Link:
		links.Targets[place] = l.resolve(string(n.Destination), n.Pos(), "page")
	case *ast.Image:
		links.Targets[place] = l.resolve(string(n.Destination), n.Pos(), "image")
		if l.page.ImagesWithoutAlt[n] {
			l.warnNoAlt(string(n.Destination), n.Pos(), diag.Say("links.image-alt-hint"))
		}
	case *ast.AutoLink:
		if n.AutoLinkType == ast.AutoLinkURL {
			address := string(n.URL(l.page.Source.Data))
			if !l.dangerous(address, n.Pos(), "page") {
				l.addLink(address, string(n.Label(l.page.Source.Data)), n.Pos(), site.Target{External: address}, false)
			}
		}
	case *markdown.Citation:
		l.citation(n)
	case *markdown.Contents:
		l.resolveContents(n, place)
	case *markdown.Reference:
		set(&links.ResolvedReferences, place, l.reference(n))
	case *markdown.Embed:
		t := l.embed(n)
		links.EmbedsPages = links.EmbedsPages || t.Page != nil
		links.Targets[place] = t
	case *obsidian.WikiLink:
		links.Targets[place] = l.wikiLink(n)
	case *ast.HTMLBlock, *ast.RawHTML, *markdown.Container:
		l.rawHTML(n)
	}
}

// set sets a value of a map that is nil until then: most pages have no use for most maps.
func set[K comparable, V any](m *map[K]V, key K, value V) {
	if *m == nil {
		*m = map[K]V{}
	}
	(*m)[key] = value
}
