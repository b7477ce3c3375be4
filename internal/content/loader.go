package content

import (
	"bytes"
	"crypto/sha256"
	"io/fs"
	"maps"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"
	"golang.org/x/text/unicode/norm"

	"github.com/gpudocs/gpudocs/internal/bibtex"
	"github.com/gpudocs/gpudocs/internal/diag"
	"github.com/gpudocs/gpudocs/internal/sitepath"
)

// A Loader loads a site again and again, while it is written. What a load finds is what
// [Load] would find; it only does not do again what must come out the same:
//
//   - A page is parsed again when its file has other bytes, or a file that it includes has,
//     or what gpudocs.toml says of how pages are read is another.
//   - The names of the site are indexed again when a page came, went, or has another address,
//     key, alias or old address.
//   - A page's links are resolved again when the page was parsed again, or one that they lead to,
//     or one that it shows was resolved again, or an image has changed; all pages' are when
//     the names have, and those that ask for labels when the labels have.
//   - A translation is held against its source again when one of the two was parsed again.
//
// The sites of earlier loads stay as they are, and share with later ones the pages that
// have not changed; no later site keeps an earlier one in memory. A Loader is used by one goroutine
// at a time.
type Loader struct {
	fsys    fs.FS
	options Options
	// once is set where there is no later load to keep anything for.
	once bool

	listing *listing
	sorted  *sortedFiles
	// parsing is what of the configuration counts for how a page is read, and nothing else.
	parsing         *Config
	markdown, cells parsers
	books           books
	bibliography    *bibliography
	// pages are those of the sorted files, in their order.
	pages []*kept
	// site is the newest, and order tells which of the files its pages are. The rest is what it
	// was made with.
	site    *Site
	order   []int
	ground  ground
	byLabel labelIndex
	work    Work
	// drawn is what was found in the SVGs.
	drawn map[string]diag.List
}

// A Work counts what a load did anew.
type Work struct {
	// Parsed are the pages whose text was read, Resolved those whose links were, Compared the
	// translations that were held against their source. Indexed tells that the names were.
	Parsed, Resolved, Compared int
	Indexed                    bool
}

// ground is what the names and the links of all pages depend on, beside the pages.
type ground struct {
	baseURL, source string
	unsafeHTML      bool
	bibliography    *bibliography
}

// NewLoader returns a loader of the site in a folder.
func NewLoader(fsys fs.FS, o Options) *Loader {
	return &Loader{fsys: fsys, options: o, cells: parsers{cells: true}}
}

// Work tells what the last load did anew.
func (l *Loader) Work() Work { return l.work }

// Load loads the site as [Load] does. changed are the paths of files that may have changed
// since the last load, below the site's folder; one of a folder stands for all that is or was in
// it. Without any, everything may have. What could not be read is tried again each time, for nobody
// tells of a file that may be read from now on.
func (l *Loader) Load(changed []string) (*Site, diag.List) {
	c := newChanges(changed)
	l.work = Work{}
	config, diags := loadConfig(l.fsys)
	if config == nil { // what changes by the next load is not looked at
		l.forget()
		l.listing, l.sorted, l.bibliography, l.books.files = nil, nil, nil, nil
		return nil, diags
	}
	l.list(c)
	files := l.sort(config)
	s := &Site{Config: config, FS: l.fsys, Languages: files.languages, Assets: files.assets}
	diags.Add(l.listing.diags...)
	diags.Add(files.diags...)
	diags.Add(l.cite(s, c)...)
	diags.Add(l.parse(s, c)...)
	diags.Add(l.drawings(s, c)...)
	diags.Add(s.unusedParts(l.listing.parts)...)
	diags.Add(l.resolve(s, c)...)
	diags.Add(s.checkParts()...)
	diags.Add(s.resolveLive()...)
	diags.Add(l.checkTranslations(s)...)
	if len(files.pages) == 0 && !diags.HasErrors() {
		// An empty site would replace a good one.
		diags.Add(diag.Diagnostic{File: root, Message: diag.Say("the site has no pages"), Hint: diag.Say("write content/pt/index.md, or another language's")})
	}
	l.site = s
	return s, diags.Sorted()
}

// changes are the paths that may have changed since a load; none means all.
type changes struct {
	paths []string
	// set has them too, where they are many.
	set map[string]bool
}

func newChanges(paths []string) changes {
	const few = 8
	c := changes{paths: paths}
	if len(paths) > few {
		c.set = map[string]bool{}
		for _, p := range paths {
			c.set[p] = true
		}
	}
	return c
}

func (c changes) all() bool { return len(c.paths) == 0 }

// of tells whether a file may have changed.
func (c changes) of(name string) bool {
	if c.set == nil {
		return c.all() || slices.ContainsFunc(c.paths, func(p string) bool {
			return strings.HasPrefix(name, p) && (len(name) == len(p) || name[len(p)] == '/')
		})
	}
	for i := range len(name) {
		if name[i] == '/' && c.set[name[:i]] {
			return true
		}
	}
	return c.set[name]
}

// forget has every page parsed anew.
func (l *Loader) forget() {
	l.pages, l.site = nil, nil
}

// rearrange brings what is known of files into their new order.
func (l *Loader) rearrange(old, now []markdownFile) {
	known := make(map[string]*kept, len(old))
	for i, f := range old {
		known[f.name] = l.pages[i]
	}
	l.pages, l.site = make([]*kept, len(now)), nil
	for i, f := range now {
		l.pages[i] = known[f.name]
	}
}

// A bibliography is what its file says.
type bibliography struct {
	name  string
	file  *diag.File
	works map[string]*bibtex.Entry
	diags diag.List
}

// cite reads the works that pages cite.
func (l *Loader) cite(s *Site, c changes) diag.List {
	b, name := l.bibliography, s.Config.Bibliography
	if b == nil || b.name != name || name != "" && (c.of(name) || len(b.diags) > 0 || isLinked(l.fsys, name)) {
		now := readBibliography(l.fsys, name)
		if b == nil || len(now.diags)+len(b.diags) > 0 || now.name != b.name || now.name != "" && !bytes.Equal(now.file.Data, b.file.Data) {
			b = now
		}
	}
	l.bibliography = b
	s.works, s.bibliography = b.works, b.file
	return b.diags
}

// isLinked tells whether a symbolic link leads to a file: it can change under another name.
func isLinked(fsys fs.FS, name string) bool {
	_, is := sitepath.Follow(fsys, name)
	return is
}

// kept is what is remembered of a page's file.
type kept struct {
	*parsed
	sum [sha256.Size]byte
	err string
	// fresh is set in the load that has parsed it.
	fresh bool
	// resolution is that of the page in the newest site, or nil.
	resolution *resolution
	// source is what a translation was held against, and differs what was found.
	source  *diag.File
	differs diag.List
}

// stale tells whether a page must be parsed anew although its file is the same: it includes
// another, or what was found in it may come out another way.
func (k *kept) stale(books []string) bool {
	return k.searched || k.resolution != nil && k.resolution.numbers ||
		len(k.asked) > 0 && slices.ContainsFunc(books, func(name string) bool { return slices.Contains(k.asked, name) })
}

// parse reads the pages that have changed, on all processors, and takes the others as they are.
func (l *Loader) parse(s *Site, c changes) (diags diag.List) {
	parsing := &Config{Blocks: s.Config.Blocks, Env: s.Config.Env, Dialects: s.Config.Dialects, Smart: s.Config.Smart, UnsafeHTML: s.Config.UnsafeHTML, unread: s.Config.unread}
	if s.Config.Bibliography != "" {
		parsing.Bibliography = "cited"
	}
	if !reflect.DeepEqual(l.parsing, parsing) {
		l.forget()
		l.parsing = parsing
	}
	books := l.books.refresh(l.fsys, c)
	files := l.sorted.pages
	if l.pages == nil {
		l.pages = make([]*kept, len(files))
	}
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, f := range files {
		old := l.pages[i]
		if old != nil && old.err == "" && !old.stale(books) && !c.of(f.name) && !l.listing.linked[f.name] {
			old.fresh = false
			continue
		}
		g.Go(func() error {
			l.pages[i] = l.look(f, old, books)
			return nil
		})
	}
	_ = g.Wait() // no function above returns an error
	asked := map[string]bool{}
	for _, k := range l.pages {
		diags = append(diags, k.diags...)
		for _, name := range k.asked {
			asked[name] = true
		}
		if k.shown(l.options) {
			s.Pages = append(s.Pages, k.page)
		}
		if k.fresh {
			l.work.Parsed++
		}
	}
	maps.DeleteFunc(l.books.files, func(name string, _ *includedFile) bool { return !asked[name] })
	s.Included = slices.Sorted(maps.Keys(asked))
	if name := s.Config.Bibliography; name != "" {
		s.Included = append(s.Included, name)
	}
	return diags
}

// shown tells whether it is a page of the site.
func (k *kept) shown(o Options) bool { return k.page != nil && (!k.page.Draft || o.Drafts) }

// look reads a page's file, and parses it where it is another.
func (l *Loader) look(f markdownFile, old *kept, books []string) *kept {
	now := &kept{fresh: true}
	data, err := readPage(l.fsys, f.name)
	if err != nil {
		now.err = err.Error()
	}
	if !l.once {
		now.sum = sha256.Sum256(data)
	}
	if old != nil && old.sum == now.sum && old.err == now.err && !old.stale(books) {
		old.fresh = false
		return old
	}
	now.parsed = l.parsePage(f, data, err)
	return now
}

// resolve indexes the names and resolves the links of pages, where they may come out another
// way than they did for the last site.
func (l *Loader) resolve(s *Site, c changes) (diags diag.List) {
	changed := l.changedAssets(s, c)
	s.images = &sync.Map{}
	if l.site != nil && len(changed) == 0 {
		s.images = l.site.images
	}
	ground := ground{s.Config.BaseURL, s.Config.Source, s.Config.UnsafeHTML, l.bibliography}
	var places []int
	if l.ground == ground && l.sameNames(s) {
		s.useIndex(l.site.index)
		places = l.outdated(s, changed)
	} else {
		places = l.indexAnew(s)
	}
	l.ground = ground
	r := &resolver{site: s, index: s.index, byLabel: l.byLabel, parsed: make([]bool, len(s.Pages)), copied: make([]bool, len(s.Pages))}
	for i, at := range l.order {
		r.parsed[i] = l.pages[at].fresh
	}
	for n, found := range r.resolve(places) {
		l.pages[l.order[places[n]]].resolution = found
	}
	r.orderByContents()
	for i, at := range l.order {
		k := l.pages[at]
		k.page = s.Pages[i]
		diags = append(append(diags, k.resolution.diags...), k.loose...)
	}
	s.useIndex(s.index) // its pages may be copies by now
	l.work.Resolved = len(places)
	return append(diags, s.index.diags...)
}

// indexAnew indexes the names, and returns the places of all pages.
func (l *Loader) indexAnew(s *Site) (places []int) {
	s.makeIndex()
	l.work.Indexed = true
	l.byLabel = newLabelIndex(s.Pages)
	files := map[*Page]int{}
	for at, k := range l.pages {
		files[k.page] = at
	}
	l.order = make([]int, len(s.Pages))
	for i, p := range s.Pages {
		l.order[i] = files[p]
		places = append(places, i)
	}
	return places
}

// changedAssets are those assets, by the NFC form of their names, that may be others.
func (l *Loader) changedAssets(s *Site, c changes) map[string]bool {
	changed := map[string]bool{}
	for _, a := range s.Assets {
		if name := root + "/" + a; c.of(name) || l.listing.linked[name] {
			changed[norm.NFC.String(a)] = true
		}
	}
	for _, k := range l.pages {
		if k.resolution == nil {
			continue
		}
		for _, name := range k.resolution.unread {
			changed[name] = true
		}
	}
	return changed
}

// sameNames brings the pages into the order of the last site, and tells whether all of their
// names are the same.
func (l *Loader) sameNames(s *Site) bool {
	if l.site == nil || l.site.index.diags.HasErrors() || len(l.site.Pages) != len(s.Pages) {
		return false
	}
	pages := make([]*Page, len(s.Pages))
	for i, at := range l.order {
		k := l.pages[at]
		if k.fresh && (!k.shown(l.options) || !sameNames(k.page, l.site.Pages[i])) {
			return false
		}
		pages[i] = k.page
	}
	s.Pages = pages
	return true
}

// outdated finds the pages whose links must be resolved anew, by their places.
func (l *Loader) outdated(s *Site, changed map[string]bool) (places []int) {
	var gone []*diag.File // the sources of pages that were parsed anew
	relabelled := false
	for i, at := range l.order {
		if k := l.pages[at]; k.fresh {
			gone = append(gone, l.site.Pages[i].Source)
			relabelled = relabelled || !sameLabels(k.page, l.site.Pages[i])
		}
	}
	if relabelled {
		l.byLabel = newLabelIndex(s.Pages)
	}
	isGone := among(gone)
	again := make([]bool, len(s.Pages))
	var embedders []int
	for i, at := range l.order {
		r := l.pages[at].resolution
		switch {
		case r == nil, relabelled && r.asksLabels, slices.ContainsFunc(r.looked, isGone),
			len(changed) > 0 && slices.ContainsFunc(r.images, func(name string) bool { return changed[name] }):
			again[i] = true
		case len(r.embeds) > 0:
			embedders = append(embedders, i)
		}
	}
	l.withEmbedders(s, embedders, again)
	for i, is := range again {
		if is {
			places = append(places, i)
		}
	}
	return places
}

// among tells of a source whether it is one of some.
func among(some []*diag.File) func(*diag.File) bool {
	if len(some) == 1 {
		return func(f *diag.File) bool { return f == some[0] }
	}
	set := map[*diag.File]bool{}
	for _, f := range some {
		set[f] = true
	}
	return func(f *diag.File) bool { return set[f] }
}

// withEmbedders adds the pages that show any of those that are resolved again: the links that
// they show are those of the shown.
func (l *Loader) withEmbedders(s *Site, embedders []int, again []bool) {
	if len(embedders) == 0 {
		return
	}
	sources := map[*diag.File]bool{}
	for i, is := range again {
		if is {
			sources[s.Pages[i].Source] = true
		}
	}
	for more := true; more; {
		more = false
		for _, i := range embedders {
			if !again[i] && slices.ContainsFunc(l.pages[l.order[i]].resolution.embeds, func(f *diag.File) bool { return sources[f] }) {
				again[i], more = true, true
				sources[s.Pages[i].Source] = true
			}
		}
	}
}

// checkTranslations holds every translation against its source.
func (l *Loader) checkTranslations(s *Site) (diags diag.List) {
	for i, p := range s.Pages {
		of := s.index.sources[i]
		if of < 0 || of == i {
			continue
		}
		k := l.pages[l.order[i]]
		if source := s.Pages[of]; k.source != source.Source {
			k.source, k.differs = source.Source, s.checkTranslation(p, source, l.options)
			l.work.Compared++
		}
		diags = append(diags, k.differs...)
	}
	return diags
}
