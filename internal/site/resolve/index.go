package resolve

import (
	"maps"
	"path"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// An index finds the pages, files and redirects of a site by name.
type index struct {
	site.NameIndex
	// redirects are the former addresses of pages, and pageByRedirect the indexes of these pages.
	redirects      []redirect
	pageByRedirect map[string]int
	// pages are the indexes of pages by the NFC form of their path below content/:
	// "pt/gpu/index.md".
	pages map[string]int
	// byBase and byDir list pages and files by name and by folder, for hints.
	byBase, byDir map[string][]string
	// byFold maps paths in lower case to paths. dirs are the folders, and pageDirs those with pages at or
	// below them.
	byFold   map[string]string
	dirs     map[string]bool
	pageDirs map[string]bool
	vault    *vault
	// byLabel are the indexes of the pages that have a label.
	byLabel labelIndex
	// diags are about names only. If they contain errors, which quote pages, the index is rebuilt
	// for each site.
	diags diag.List
}

// A redirect is a [site.Redirect] with the index of its page.
type redirect struct {
	from     string
	page     int
	language *site.Language
}

// sameNames reports whether two sites have the same index.
func sameNames(s, other *site.Site) bool {
	same := func(a, b *site.Page) bool {
		return a == b || a.Language == b.Language && a.Path == b.Path && a.Key == b.Key && a.URL == b.URL && a.Original == b.Original &&
			slices.Equal(a.Aliases, b.Aliases) && slices.Equal(a.Redirects, b.Redirects) && (len(a.Blocks) > 0) == (len(b.Blocks) > 0) &&
			maps.Equal(givenLabels(a), givenLabels(b))
	}
	return s.Config.Source == other.Config.Source && slices.Equal(s.Languages, other.Languages) &&
		slices.Equal(s.Assets, other.Assets) && maps.Equal(s.LeftOut, other.LeftOut) && slices.EqualFunc(s.Pages, other.Pages, same)
}

func newIndex(s *site.Site) *index {
	x := &index{pageByRedirect: map[string]int{}}
	s.Names = &x.NameIndex
	x.ByKey = map[string]map[string]int{}
	for i, p := range s.Pages {
		if x.ByKey[p.Key] == nil {
			x.ByKey[p.Key] = map[string]int{}
		}
		x.ByKey[p.Key][p.Language.Code] = i
	}
	x.diags.Add(x.resolveRedirects(s)...)
	for _, p := range s.Pages {
		x.Sources = append(x.Sources, s.PageIndex[s.Source(p.Key)])
		x.HasChecks = x.HasChecks || len(p.Blocks) > 0
	}
	x.list(s)
	x.byLabel = newLabelIndex(s.Pages)
	return x
}

// list indexes all files.
func (x *index) list(s *site.Site) {
	x.pages, x.Files = map[string]int{}, map[string]string{}
	x.byBase, x.byDir, x.byFold, x.dirs = map[string][]string{}, map[string][]string{}, map[string]string{}, map[string]bool{}
	for i, p := range s.Pages {
		x.pages[p.Language.Code+"/"+norm.NFC.String(p.Path)] = i
	}
	for _, a := range s.Assets {
		x.Files[norm.NFC.String(a)] = a
	}
	pages, assets := slices.Sorted(maps.Keys(x.pages)), slices.Sorted(maps.Keys(x.Files))
	for i, name := range slices.Concat(pages, assets) {
		if i == len(pages) {
			x.pageDirs = maps.Clone(x.dirs)
		}
		dir, base := path.Dir(name), path.Base(name)
		x.byBase[base] = append(x.byBase[base], name)
		x.byDir[dir] = append(x.byDir[dir], name)
		x.byFold[strings.ToLower(name)] = name
		for ; dir != "." && !x.dirs[dir]; dir = path.Dir(dir) {
			x.dirs[dir] = true
		}
	}
	if x.pageDirs == nil {
		x.pageDirs = x.dirs
	}
	x.vault = newVault(pages, assets, func(name string) []string { return s.Pages[x.pages[name]].Aliases })
}
