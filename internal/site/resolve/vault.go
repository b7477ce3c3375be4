package resolve

import (
	"path"
	"slices"
	"strings"
	"sync"

	"golang.org/x/text/unicode/norm"

	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/sitefile"
)

// Links of Obsidian name a note in any folder: https://help.obsidian.md/links. A name is searched
// in the page's language, then in files without a language, then in the other languages. The
// nearest file wins.

// A vault indexes the files of a site by name in lower case: pages without their extension, other
// files with it.
type vault struct {
	names map[string][]string // paths below content/
	// folders are the index pages by the name of their folder: gpu/index.md.
	folders, aliases map[string][]string
	// notes and files are the names to suggest.
	notes, files site.KnownNames
	// found caches the results of filesNamed.
	found sync.Map
}

func newVault(pages, assets []string, aliases func(page string) []string) *vault {
	v := &vault{names: map[string][]string{}, folders: map[string][]string{}, aliases: map[string][]string{}}
	add := func(to map[string][]string, key, name string) {
		to[site.FoldName(key)] = append(to[site.FoldName(key)], name)
	}
	for _, name := range pages {
		stem := strings.TrimSuffix(name, path.Ext(name))
		add(v.names, path.Base(stem), name)
		v.notes.Add(path.Base(stem))
		if path.Base(stem) == "index" {
			add(v.folders, path.Base(path.Dir(stem)), name)
		}
		for _, alias := range aliases(name) {
			add(v.aliases, alias, name)
			v.notes.Add(alias)
		}
	}
	for _, name := range assets {
		add(v.names, path.Base(name), name)
		v.files.Add(path.Base(name))
	}
	return v
}

// filesNamed returns the files that a name or a path can mean, nearest first.
func (f *finder) filesNamed(file string, page bool) []string {
	want := site.FoldName(strings.TrimSuffix(strings.TrimPrefix(file, "/"), "/"))
	if page && sitefile.IsPage(want) {
		want = strings.TrimSuffix(want, path.Ext(want))
	}
	type query struct {
		want         string
		page, rooted bool
	}
	q := query{want, page, strings.HasPrefix(file, "/")}
	if found, ok := f.index.vault.found.Load(q); ok {
		return f.nearestFirst(found.([]string))
	}
	fits := func(name string) bool {
		stem := site.FoldName(name)
		if page {
			stem = strings.TrimSuffix(stem, path.Ext(stem))
		}
		_, below, _ := strings.Cut(stem, "/")
		_, isPage := f.index.pages[name]
		return isPage == page && (stem == want || below == want ||
			!q.rooted && strings.HasSuffix(stem, "/"+want))
	}
	var found []string
	for _, name := range f.index.vault.names[path.Base(want)] {
		if fits(name) {
			found = append(found, name)
		}
	}
	for _, other := range []map[string][]string{f.index.vault.aliases, f.index.vault.folders} {
		if page && len(found) == 0 {
			found = other[want]
		}
	}
	f.index.vault.found.Store(q, found)
	return f.nearestFirst(found)
}

// maxNamesakes bounds how many files of one name are compared. If there are more, only those in the
// nearest folders are.
const maxNamesakes = 100

// nearby returns at most maxNamesakes of the files: those below the folder, or else below the next
// folder above it that has at least two.
func nearby(here string, files []string) []string {
	if len(files) <= maxNamesakes {
		return files
	}
	var near []string
	for dir := here; ; dir = path.Dir(dir) {
		below := dir + "/"
		if dir == "." {
			below = ""
		}
		for _, name := range files {
			if strings.HasPrefix(name, below) && !slices.Contains(near, name) {
				if near = append(near, name); len(near) == maxNamesakes {
					break
				}
			}
		}
		if len(near) > 1 || dir == "." {
			return near
		}
	}
}

// nearestFirst selects the files of one language, and sorts them by distance from the page.
func (f *finder) nearestFirst(files []string) []string {
	here := path.Join(f.page.Language.Code, path.Dir(norm.NFC.String(f.page.Path)))
	rank := func(name string) int {
		code, _, _ := strings.Cut(name, "/")
		if code == f.page.Language.Code {
			return -2
		}
		return slices.IndexFunc(f.site.Languages, func(o *site.Language) bool { return o.Code == code }) // -1: of no language
	}
	files = nearby(here, files)
	best := len(f.site.Languages)
	for _, name := range files {
		best = min(best, rank(name))
	}
	files = slices.DeleteFunc(slices.Clone(files), func(name string) bool { return rank(name) != best })
	slices.SortStableFunc(files, func(a, b string) int {
		return strings.Count(relative(here, a), "/") - strings.Count(relative(here, b), "/")
	})
	return slices.Compact(files)
}

// obsidianPath returns the unambiguous form in which Obsidian writes the path of a file.
func (f *finder) obsidianPath(name string) string {
	code, below, _ := strings.Cut(name, "/")
	if !f.isLanguage(code) {
		below = name
	}
	if sitefile.IsPage(below) {
		below = strings.TrimSuffix(below, path.Ext(below))
	}
	if !strings.Contains(below, "/") {
		return "/" + below
	}
	return below
}
