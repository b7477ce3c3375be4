package render

import (
	"slices"
	"strings"

	"github.com/gpudocs/gpudocs/internal/site"
)

// Addresses looks up what is at the addresses of a site. It implements [edition.Pages].
type Addresses struct{ site *Site }

// AddressesOf returns the addresses of a site.
func AddressesOf(s *Site) Addresses { return Addresses{s} }

// BaseURL returns the address of the site, or "".
func (a Addresses) BaseURL() string { return a.site.options.BaseURL }

// Has reports whether the site has a file, apart from figures and search indexes.
func (a Addresses) Has(file string) bool { return a.site.files[file] != nil }

// HasFolder reports whether a name at the root is taken, also where the file system ignores case.
func (a Addresses) HasFolder(name string) bool {
	for file := range a.site.files {
		if top, _, _ := strings.Cut(file, "/"); strings.EqualFold(top, name) {
			return true
		}
	}
	return false
}

// Canonical returns the address of the page that is shown at an address, in its own language. ok is false if nothing
// is shown there.
func (a Addresses) Canonical(address string) (to string, ok bool) {
	if moved, ok := a.site.redirects[address+"index.html"]; ok {
		address = moved
	}
	code, _, _ := strings.Cut(address, "/")
	if tree := a.site.nav.Trees[code]; tree != nil {
		if e := tree.Find(address); e != nil {
			return e.Placed.Page.URL, true
		}
	}
	return address, a.Has(address + "index.html")
}

// Formerly returns the addresses that lead to an address.
func (a Addresses) Formerly(address string) []string { return a.site.formerly[address] }

// imageOf returns the absolute address of the image that other sites show beside links to a page, or "".
func imageOf(s *Site, p *site.Page) string {
	t := s.content.Links(p).Image
	if image := s.content.Config.Image.Path; t == (site.Target{}) && site.IsExternal(image) {
		t.External = image
	} else if t == (site.Target{}) && slices.Contains(s.content.Assets, image) {
		t.Asset = image
	}
	if t.Asset != "" && s.options.BaseURL != "" && !s.options.Offline {
		return s.nav.Absolute(t.Asset)
	}
	return t.External
}
