package resolve

import (
	"maps"
	"path"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/sitefile"
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
	// byFold maps paths in lower case to paths. dirs are the folders.
	byFold map[string]string
	dirs   map[string]bool
	vault  *vault
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
		slices.Equal(s.Assets, other.Assets) && slices.EqualFunc(s.Pages, other.Pages, same)
}

func newIndex(s *site.Site) *index {
	x := &index{pageByRedirect: map[string]int{}}
	s.Names = &x.NameIndex
	x.assemble(s)
	x.diags.Add(checkNames(s)...)
	x.diags.Add(x.resolveRedirects(s)...)
	for _, p := range s.Pages {
		source := -1
		if s.Page(p.Key, p.Language.Code) == p {
			source = s.PageIndex[s.Source(p.Key)]
		}
		x.Sources = append(x.Sources, source)
		x.HasChecks = x.HasChecks || len(p.Blocks) > 0
	}
	x.list(s)
	x.byLabel = newLabelIndex(s.Pages)
	return x
}

// assemble indexes pages by key, and reports those that claim the same address or key.
func (x *index) assemble(s *site.Site) {
	urls := map[string]string{} // address in lower case, file
	x.ByKey = map[string]map[string]int{}
	for i, p := range s.Pages {
		// Netlify and Windows ignore case.
		claim := strings.ToLower(p.URL)
		if other, ok := urls[claim]; ok {
			x.diags.Add(diag.Diagnostic{File: p.Source.Name, Line: 1, Column: 1, Source: p.Source.Text(1),
				Message: diag.Say("links.page-address-taken", "other", other, "url", p.URL), Hint: diag.Say("diag.rename-one-of-two-hint")})
		}
		urls[claim] = p.Source.Name
		if x.ByKey[p.Key] == nil {
			x.ByKey[p.Key] = map[string]int{}
		}
		if other, taken := x.ByKey[p.Key][p.Language.Code]; taken {
			x.diags.Add(diag.Diagnostic{File: p.Source.Name, Line: 1, Column: 1,
				Message: diag.Say("links.translation-key-duplicate", "name", s.Pages[other].Source.Name, "key", p.Key),
				Hint:    diag.Say("links.translation-key-duplicate-hint")})
			continue
		}
		x.ByKey[p.Key][p.Language.Code] = i
	}
	for _, a := range s.Assets {
		if page, ok := urls[strings.ToLower(strings.TrimSuffix(a, "index.html"))]; ok && path.Base(a) == "index.html" {
			x.diags.Add(diag.Diagnostic{File: path.Join(sitefile.ContentFolder, a), Message: diag.Say("links.file-address-taken", "page", page),
				Hint: diag.Say("diag.rename-one-of-two-hint")})
		}
	}
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
	for _, name := range slices.Concat(pages, assets) {
		dir, base := path.Dir(name), path.Base(name)
		x.byBase[base] = append(x.byBase[base], name)
		x.byDir[dir] = append(x.byDir[dir], name)
		x.byFold[strings.ToLower(name)] = name
		for ; dir != "." && !x.dirs[dir]; dir = path.Dir(dir) {
			x.dirs[dir] = true
		}
	}
	x.vault = newVault(pages, assets, func(name string) []string { return s.Pages[x.pages[name]].Aliases })
}
