package load

import (
	"crypto/sha256"
	"io/fs"
	"maps"
	"path"
	"reflect"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/gpudocs/gpudocs/internal/markdown/notebook"
	"github.com/gpudocs/gpudocs/internal/memo"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/config"
	"github.com/gpudocs/gpudocs/internal/site/include"
	"github.com/gpudocs/gpudocs/internal/site/page"
	"github.com/gpudocs/gpudocs/internal/site/picture"
	"github.com/gpudocs/gpudocs/internal/site/resolve"
	"github.com/gpudocs/gpudocs/internal/site/sitefile"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// A Loader loads a site repeatedly while its files change. The result is always that of [Load], but
// work whose inputs are the same is not done again. A page is parsed again only if its file, a file
// that it includes, or the part of gpudocs.toml that determines how pages are read has changed. Its
// links are resolved again only if they depend on something that has changed. Files that pages include
// and the bibliography are read each time.
//
// Earlier sites do not change. They share unchanged pages with later sites, which do not keep them in
// memory. A Loader must not be used concurrently.
type Loader struct {
	fsys    fs.FS
	options Options
	listing *listing
	// languages are those of the latest site.
	languages []*site.Language
	// parser parses pages with the part of the configuration that matters for it, parserConfig.
	parser       *page.Parser
	parserConfig *site.Config
	bibliography *site.Bibliography
	// files are the parsed files by name.
	files map[string]*cachedFile
	// included are the files that pages include.
	included *include.Cache
	// sizes are the sizes of images, and drawings the diagnostics of SVGs by file.
	sizes    *picture.Sizes
	drawings map[string]diag.List
	// resolution is that of the latest site.
	resolution *resolve.Resolution
	work       Work
}

// A Work counts what a load did again instead of reusing it.
type Work struct {
	// Parsed is the number of pages that were parsed, Resolved of those whose links were resolved,
	// Compared of translations that were compared with their source. Indexed reports whether the
	// names were indexed.
	Parsed, Resolved, Compared int
	Indexed                    bool
}

// NewLoader returns a loader for the site in a folder.
func NewLoader(fsys fs.FS, o Options) *Loader {
	return &Loader{fsys: fsys, options: o}
}

// Work returns what the last load could not reuse.
func (l *Loader) Work() Work { return l.work }

// Load loads the site as the function [Load] does. changed are the paths of files that may have
// changed since the last load, below the site's folder. The path of a folder stands for all files
// that are or were in it. If changed is empty, everything may have changed. Files that could not be
// read are tried again each time, because a change of permissions is not reported.
func (l *Loader) Load(changed []string) (*site.Site, diag.List) {
	c := NewChanges(changed)
	l.work = Work{}
	config, diags := config.Read(l.fsys)
	if config == nil { // changes before the next load are not recorded
		*l = Loader{fsys: l.fsys, options: l.options}
		return nil, diags
	}
	l.listFiles(c)
	diags.Add(l.listing.diags...)
	diags.Add(l.readLanguages(config)...)
	isWhole := func(d diag.Diagnostic) bool {
		return d.Severity == diag.Error && (d.File == site.ConfigFile || d.File == sitefile.ContentFolder)
	}
	unusable := slices.ContainsFunc(diags, isWhole)
	pages, assets, found := splitFiles(l.listing.files, l.languages)
	diags.Add(found...)
	s := &site.Site{Config: config, FS: l.fsys, Languages: l.languages, Assets: assets, LeftOut: map[string]bool{}}
	courses, found := l.readCourses()
	diags.Add(found...)
	pages = l.applyCourses(s, courses, pages)
	works := l.bibliographies(config, courses, assets)
	l.bibliography = readBibliography(l.fsys, works, l.bibliography)
	diags.Add(l.bibliography.Diags...)
	s.Bibliography = l.bibliography
	for _, d := range l.listing.diags {
		if d.Severity == diag.Error && sitefile.IsPage(d.File) {
			s.LeftOut[d.File] = true
		}
	}
	diags.Add(l.parse(s, pages, c)...)
	for _, file := range shownParts(s.Pages, l.listing.parts) {
		if name := path.Join(sitefile.ContentFolder, file); !l.listing.linked[name] || followable(l.fsys, name, &diags) {
			s.Assets = append(s.Assets, file)
		}
	}
	slices.Sort(s.Assets)
	diags.Add(l.checkDrawings(s, c)...)
	diags.Add(unusedParts(s, l.listing.parts)...)
	l.resolution, found = resolve.Resolve(s, l.resolution, l.reuseImageSizes(s, c))
	diags.Add(found...)
	l.work.Resolved, l.work.Indexed = l.resolution.Resolved, l.resolution.Indexed
	diags.Add(l.checkTranslations(s)...)
	diags.Add(resolve.Renamed(s, l.options.Editing)...)
	if len(pages) == 0 && !diags.HasErrors() {
		// An empty site would replace a valid one.
		diags.Add(diag.About(diag.Error, sitefile.ContentFolder, diag.Say("page.site-empty")))
	}
	s.Unusable = unusable || len(s.Pages) == 0 && diags.HasErrors()
	return s, diags.Sorted()
}

// A cachedFile is a page's file with the results of reading it.
type cachedFile struct {
	*page.Parsed
	file     page.File
	sum      [sha256.Size]byte
	err      string
	included memo.Key // of Dependencies
	data     memo.Key // of Queries
	// source is the page that a translation was compared with, and differs the result.
	source  *site.Page
	differs diag.List
}

// stale reports whether a page must be parsed again although its file is the same: a file that it
// includes or that its blocks need has changed, or its diagnostics depend on the names in a folder.
func (k *cachedFile) stale(included *include.Cache) bool {
	return k.SearchedFolder || len(k.Dependencies) > 0 && k.included != included.Key(k.Dependencies) ||
		len(k.Queries) > 0 && k.data != included.Data.Key(k.Queries)
}

// parse parses the pages that have changed, in parallel, and reuses the others.
func (l *Loader) parse(s *site.Site, files []page.File, c Changes) (diags diag.List) {
	// A parser gets only what pages are read by, so that no other setting can change how.
	read := &site.Config{
		Blocks:      s.Config.Blocks,
		Env:         s.Config.Env,
		Dialects:    s.Config.Dialects,
		DialectsSet: s.Config.DialectsSet,
		Smart:       s.Config.Smart,
		UnsafeHTML:  s.Config.UnsafeHTML,
		Recipes:     s.Config.Recipes,
		Unreadable:  s.Config.Unreadable,
		Files:       s.Config.Files,
	}
	if s.Config.Bibliography != "" {
		read.Bibliography = "cited"
	}
	if !reflect.DeepEqual(l.parserConfig, read) {
		l.files, l.parser, l.parserConfig = nil, page.NewParser(read), read
		l.parser.Withheld = l.options.Withheld
	}
	l.included = include.NewCache(l.fsys, l.included)
	included := l.included
	pages := make([]*cachedFile, len(files))
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, f := range files {
		old := l.files[f.Name]
		if old != nil && old.file != f {
			old = nil
		}
		if old != nil && old.err == "" && !c.mayAffect(f.Name) && !l.listing.linked[f.Name] && !old.stale(included) {
			pages[i] = old
			continue
		}
		g.Go(func() error {
			pages[i] = l.readFile(f, old, included)
			return nil
		})
	}
	_ = g.Wait() // no function above returns an error
	dependencies, folders := map[string]bool{}, map[string]bool{}
	known := l.files
	l.files = make(map[string]*cachedFile, len(pages))
	for i, k := range pages {
		name := files[i].Name
		diags = append(diags, k.Diags...)
		for _, name := range k.Dependencies {
			dependencies[name] = true
		}
		if k.Page == nil {
			s.LeftOut[name] = true
		}
		if k.isShown(l.options) {
			s.Pages = append(s.Pages, k.Page)
			diags = append(diags, k.ReferenceDiags...)
		}
		for _, q := range k.Queries {
			paths, folder := l.included.Data.Found(q)
			for _, f := range paths {
				dependencies[f] = true
			}
			if folder != "." {
				folders[folder] = true
			}
		}
		if known[name] != k {
			l.work.Parsed++
		}
		l.files[name] = k
	}
	s.Included, s.Searched = slices.Sorted(maps.Keys(dependencies)), slices.Sorted(maps.Keys(folders))
	for _, f := range s.Bibliography.Files {
		s.Included = append(s.Included, f.Name)
	}
	for _, c := range s.Courses {
		s.Included = append(s.Included, c.File)
	}
	return diags
}

// isShown reports whether the file is a page of the site.
func (k *cachedFile) isShown(o Options) bool { return k.Page != nil && (!k.Page.Draft || o.Drafts) }

// readFile reads a page's file, and parses it unless it is the same as before.
func (l *Loader) readFile(f page.File, old *cachedFile, included *include.Cache) *cachedFile {
	now := &cachedFile{file: f}
	data, err := readPage(l.fsys, f.Name)
	if err != nil {
		now.err = err.Error()
	}
	now.sum = sha256.Sum256(data)
	if old != nil && old.sum == now.sum && old.err == now.err && !old.stale(included) {
		return old
	}
	now.Parsed = l.parser.Parse(f, data, err, include.NewLibrary(included))
	now.included, now.data = included.Key(now.Dependencies), included.Data.Key(now.Queries)
	return now
}

// reuseImageSizes reuses the sizes of images that have not changed, and returns a function that reports
// whether an image is new.
func (l *Loader) reuseImageSizes(s *site.Site, c Changes) (isNew func(asset string) bool) {
	l.sizes = l.sizes.Without(func(name string) bool { return c.mayAffect(name) || l.listing.linked[name] })
	s.ImageSizes = l.sizes
	known := l.sizes.Names()
	return func(name string) bool { return !known[name] }
}

// checkTranslations compares every translation with its source.
func (l *Loader) checkTranslations(s *site.Site) (diags diag.List) {
	for i, p := range s.Pages {
		of := s.Names.Sources[i]
		if of < 0 || of == i {
			continue
		}
		k := l.files[p.File.Name]
		if source := s.Pages[of]; k.source != source {
			k.source, k.differs = source, resolve.CheckTranslation(s, p, source, l.options.Editing)
			l.work.Compared++
		}
		diags = append(diags, k.differs...)
	}
	return diags
}

// readPage reads a page's file, unless it is too large.
func readPage(fsys fs.FS, name string) ([]byte, error) {
	if info, err := fs.Stat(fsys, name); err == nil {
		if sitefile.IsNotebook(name) && info.Size() > notebook.MaxFile {
			return nil, notebook.TooLarge(name)
		}
		if !sitefile.IsNotebook(name) && info.Size() > sitefile.MaxPage {
			return nil, diag.About(diag.Error, name, diag.Say("page.page-too-large", "most", sitefile.MaxPage>>20).
				WithHint(diag.Say("diag.split-hint")))
		}
	}
	return fs.ReadFile(fsys, name)
}
