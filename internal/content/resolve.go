package content

import (
	"runtime"
	"slices"

	"github.com/yuin/goldmark/ast"
	"golang.org/x/sync/errgroup"
	"golang.org/x/text/unicode/norm"

	"github.com/gpudocs/gpudocs/internal/diag"
	"github.com/gpudocs/gpudocs/internal/markdown"
)

// What a page's links lead to depends on other pages, and is kept while those are the same.
// A page is known by its Source: that is another whenever its file was parsed again, and the
// same in a copy of the page whose links alone are others.

// A resolver resolves what pages of a site say of one another.
type resolver struct {
	site *Site
	// index is that of the site.
	index *index
	// byLabel are the pages that have a label.
	byLabel labelIndex
	// parsed are the pages, by their places, that were parsed for this site; copied are
	// those of which it has copies of its own.
	parsed, copied []bool
	hints          hints
}

// own returns a page that may be changed: a copy that no earlier site, block or target holds.
func (r *resolver) own(place int) *Page {
	if !r.copied[place] {
		p := *r.site.Pages[place]
		r.site.Pages[place], r.copied[place] = &p, true
	}
	return r.site.Pages[place]
}

// A resolution is what was found for the links of a page, and what that depends on beside
// the page itself and the index.
type resolution struct {
	diags diag.List
	// looked are the sources of the pages that were looked at, embeds those of pages that it
	// shows. images are the assets that were read, unread those that could not be.
	looked, embeds []*diag.File
	images, unread []string
	// asksLabels tells that it looked for a label on other pages, numbers that the number of
	// one stands in its own formulas.
	asksLabels, numbers bool
}

// pageLinks resolves the links of one page and reports each missing target once.
type pageLinks struct {
	*resolver
	resolution
	page     *Page
	reported map[string]bool
	suggest  diag.Suggester
	// cited are the keys in the page's Cited.
	cited map[string]bool
}

// at returns a page by its path below content/, or nil.
func (l *pageLinks) at(name string) *Page {
	if i, ok := l.index.pages[name]; ok {
		return l.looksAt(l.site.Pages[i])
	}
	return nil
}

// looksAt notes that what was found depends on what a page says, and returns the page without
// its links.
func (l *pageLinks) looksAt(p *Page) *Page {
	if n := len(l.looked); n == 0 || l.looked[n-1] != p.Source {
		l.looked = append(l.looked, p.Source)
	}
	return p.unlinked
}

// linked returns the site's own page of one without links. The page that shows it is resolved again
// whenever it is, so that it keeps no earlier one in memory.
func (l *pageLinks) linked(p *Page) *Page {
	return l.site.Pages[l.index.pages[p.Language.Code+"/"+norm.NFC.String(p.Path)]]
}

func (l *pageLinks) isPage(name string) bool {
	_, is := l.index.pages[name]
	return is
}

// resolve resolves the links of the pages at some places, on all processors.
func (r *resolver) resolve(places []int) []*resolution {
	for _, i := range places {
		r.own(i) // before any page takes it for a target
	}
	found := make([]*resolution, len(places))
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for n, i := range places {
		g.Go(func() error {
			found[n] = r.page(r.site.Pages[i], r.parsed[i])
			return nil
		})
	}
	_ = g.Wait() // no function above returns an error
	return found
}

func (r *resolver) page(p *Page, parsed bool) *resolution {
	l := &pageLinks{resolver: r, page: p, reported: map[string]bool{}}
	p.targets, p.rawTargets, p.referred, p.contents = nil, nil, nil, nil
	p.Links, p.Cited, p.embedding = nil, nil, false
	l.formulas(parsed)
	for n := range p.body.leading() {
		l.node(n)
	}
	l.looked, l.diags = slices.Clip(l.looked), slices.Clip(l.diags)
	found := l.resolution // a pointer into l would keep the site in memory
	return &found
}

// node resolves what a node leads to. The nodes that are placed come in their order.
func (l *pageLinks) node(n ast.Node) {
	p, place := l.page, len(l.page.targets)
	if placed(n) {
		p.targets = append(p.targets, Target{})
	}
	switch n := n.(type) {
	case *ast.Link:
		p.targets[place] = l.resolve(string(n.Destination), n.Pos(), "page")
	case *ast.Image:
		p.targets[place] = l.resolve(string(n.Destination), n.Pos(), "image")
		l.markdownImage(n)
	case *ast.AutoLink:
		if n.AutoLinkType == ast.AutoLinkURL {
			address := string(n.URL(p.Source.Data))
			if !l.dangerous(address, n.Pos(), "page") {
				l.note(address, string(n.Label(p.Source.Data)), n.Pos(), Target{External: address}, false)
			}
		}
	case *markdown.Citation:
		l.citation(n)
	case *markdown.Contents:
		l.list(n, place)
	case *markdown.Reference:
		r := l.reference(n)
		if p.referred == nil {
			p.referred = map[int]Referred{}
		}
		p.referred[place] = r
	case *markdown.Embed:
		t := l.embed(n)
		if t.Page != nil {
			p.embedding = true
			l.embeds = append(l.embeds, t.Page.Source)
			t.Page = l.linked(t.Page)
		}
		p.targets[place] = t
	case *markdown.WikiLink:
		p.targets[place] = l.wikiLink(n)
	case *ast.HTMLBlock, *ast.RawHTML, *markdown.Container:
		l.rawHTML(n)
	}
}

// list resolves a list of pages.
func (l *pageLinks) list(n *markdown.Contents, place int) {
	var targets []Target
	for _, e := range n.Entries {
		targets = append(targets, l.resolve(e.Page, e.Start, "page"))
	}
	if l.page.contents == nil {
		l.page.contents = map[int][]Target{}
	}
	l.page.contents[place] = targets
}
