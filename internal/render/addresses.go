package render

import "strings"

// BaseURL returns the address of the site, or "".
func (s *Site) BaseURL() string { return s.plan.options.BaseURL }

// Has reports whether the site has a file, apart from figures and search indexes.
func (s *Site) Has(file string) bool { return s.plan.files[file] != nil }

// HasFolder reports whether a name at the root is taken, also where the file system ignores case.
func (s *Site) HasFolder(name string) bool {
	for file := range s.plan.files {
		if top, _, _ := strings.Cut(file, "/"); strings.EqualFold(top, name) {
			return true
		}
	}
	return false
}

// Redirect returns the address below the site's root to which a file redirects.
func (s *Site) Redirect(name string) (to string, ok bool) {
	to, ok = s.plan.redirects[name]
	return to, ok
}

// Canonical implements [edition.Pages]: it returns the address of the page that is shown at an address, in its own language. ok is
// false if nothing is shown there.
func (s *Site) Canonical(address string) (to string, ok bool) {
	if moved, ok := s.Redirect(address + "index.html"); ok {
		address = moved
	}
	code, _, _ := strings.Cut(address, "/")
	if tree := s.plan.nav.Trees[code]; tree != nil {
		if e := tree.Find(address); e != nil {
			return e.Placed.Page.URL, true
		}
	}
	return address, s.Has(address + "index.html")
}

// Formerly implements [edition.Pages]: it returns the addresses that lead to an address.
func (s *Site) Formerly(address string) []string { return s.plan.formerly[address] }
