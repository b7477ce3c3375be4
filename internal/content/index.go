package content

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/gpudocs/gpudocs/internal/diag"
)

// An index is what the names in a site say: the files of pages and others, addresses,
// keys, names that pages had. It knows pages by their place in [Site.Pages] alone, so that
// it serves every site whose pages have these names, whatever else they say.
type index struct {
	byKey map[string]map[string]int // key, language code
	// sources are where the pages are that these are translations of: their own places
	// for sources, and -1 for one of two pages with the same key.
	sources []int
	// redirects are the addresses that pages had; their pages are found by place.
	redirects []Redirect
	moved     []int
	was       map[string]int // by the address
	// pages are those by their path below content/: "pt/gpu/index.md"; files are the names of
	// assets on the disk. Both are found by their NFC form.
	pages map[string]int
	files map[string]string
	// byBase and byDir list both by their name and by their folder, for hints.
	byBase, byDir map[string][]string
	// byFold lists them by their path in lower case, dirs are the folders there are.
	byFold map[string]string
	dirs   map[string]bool
	vault  *vault
	// checks tells that a page has anything to check.
	checks bool
	// diags are about names alone. Where there are errors among them, which quote pages, no other
	// site has this index.
	diags diag.List
}

// sameNames tells whether a site with the one page has the index of a site with the other.
func sameNames(a, b *Page) bool {
	return a.Language == b.Language && a.Path == b.Path && a.Key == b.Key && a.URL == b.URL && a.Original == b.Original &&
		slices.Equal(a.aliases, b.aliases) && slices.Equal(a.redirects, b.redirects) && (len(a.Blocks) > 0) == (len(b.Blocks) > 0)
}

// makeIndex orders the pages and indexes them.
func (s *Site) makeIndex() {
	s.index = &index{}
	s.assemble()
	places := map[*Page]int{}
	for i, p := range s.Pages {
		places[p] = i
	}
	s.index.diags.Add(s.checkNames()...)
	s.index.diags.Add(s.resolveRedirects()...)
	s.index.was = map[string]int{}
	for i, r := range s.Redirects {
		s.index.moved = append(s.index.moved, places[r.Page])
		if _, twice := s.index.was[r.From]; !twice {
			s.index.was[r.From] = i
		}
	}
	s.index.redirects = s.Redirects
	for i, p := range s.Pages {
		source := -1
		if of := s.Source(p.Key); of != nil && s.Page(p.Key, p.Language.Code) == p {
			source = places[of]
		}
		s.index.sources = append(s.index.sources, source)
		s.index.checks = s.index.checks || len(s.Pages[i].Blocks) > 0
	}
	s.index.names(s)
}

// useIndex takes the index of a site whose pages have the same names.
func (s *Site) useIndex(x *index) {
	s.index = x
	s.Redirects = slices.Clone(x.redirects)
	for i := range s.Redirects {
		s.Redirects[i].Page = s.Pages[x.moved[i]]
	}
}

// assemble orders the pages and finds those that claim the same address or key.
func (s *Site) assemble() {
	diags := &s.index.diags
	urls := map[string]string{} // address in lower case, file
	byKey := map[string]map[string]*Page{}
	for _, p := range s.Pages {
		// Netlify and Windows do not tell upper from lower case.
		claim := strings.ToLower(p.URL)
		if other, ok := urls[claim]; ok {
			diags.Add(diag.Diagnostic{File: p.Source.Name, Line: 1, Column: 1, Message: diag.Say("this page and %s claim the same address /%s", other, p.URL),
				Hint: diag.Say("rename one of the two"), Source: p.Source.Text(1)})
		}
		urls[claim] = p.Source.Name
		if byKey[p.Key] == nil {
			byKey[p.Key] = map[string]*Page{}
		}
		if other := byKey[p.Key][p.Language.Code]; other != nil {
			diags.Add(diag.Diagnostic{File: p.Source.Name, Line: 1, Column: 1, Message: diag.Say("this page and %s have the same translation key %q", other.Source.Name, p.Key),
				Hint: diag.Say("a key stands once in each language")})
			continue
		}
		byKey[p.Key][p.Language.Code] = p
	}
	for _, a := range s.Assets {
		if page, ok := urls[strings.ToLower(strings.TrimSuffix(a, "index.html"))]; ok && path.Base(a) == "index.html" {
			diags.Add(diag.Diagnostic{File: path.Join(root, a), Message: diag.Say("this file and %s claim the same address", page), Hint: diag.Say("rename one of the two")})
		}
	}
	order := map[*Language]int{}
	for i, l := range s.Languages {
		order[l] = i
	}
	slices.SortStableFunc(s.Pages, func(a, b *Page) int {
		return cmp.Or(cmp.Compare(order[a.Language], order[b.Language]), cmp.Compare(a.Path, b.Path))
	})
	s.index.byKey = make(map[string]map[string]int, len(byKey))
	for i, p := range s.Pages {
		if byKey[p.Key][p.Language.Code] != p {
			continue
		}
		if s.index.byKey[p.Key] == nil {
			s.index.byKey[p.Key] = map[string]int{}
		}
		s.index.byKey[p.Key][p.Language.Code] = i
	}
}

// names lists all files for who resolves links.
func (x *index) names(s *Site) {
	x.pages, x.files = map[string]int{}, map[string]string{}
	x.byBase, x.byDir, x.byFold, x.dirs = map[string][]string{}, map[string][]string{}, map[string]string{}, map[string]bool{}
	for i, p := range s.Pages {
		x.pages[p.Language.Code+"/"+norm.NFC.String(p.Path)] = i
	}
	for _, a := range s.Assets {
		x.files[norm.NFC.String(a)] = a
	}
	pages, assets := slices.Sorted(maps.Keys(x.pages)), slices.Sorted(maps.Keys(x.files))
	for _, name := range slices.Concat(pages, assets) {
		dir, base := path.Dir(name), path.Base(name)
		x.byBase[base] = append(x.byBase[base], name)
		x.byDir[dir] = append(x.byDir[dir], name)
		x.byFold[strings.ToLower(name)] = name
		for ; dir != "." && !x.dirs[dir]; dir = path.Dir(dir) {
			x.dirs[dir] = true
		}
	}
	x.vault = newVault(pages, assets, func(name string) []string { return s.Pages[x.pages[name]].aliases })
}

// SameNames tells whether two sites have pages of the same names at the same places of Pages, with
// the same addresses and keys, and the same assets.
func (s *Site) SameNames(other *Site) bool { return s.index == other.index }
