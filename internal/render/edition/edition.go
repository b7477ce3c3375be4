// Package edition links the editions of a site with one another: each page with the same page in the others, and old
// ones with the newest.
//
// Links are part of the pages, not made by a script. So they work in a folder and without JavaScript, and search engines
// see the canonical address.
package edition

import (
	"strings"

	"github.com/gpudocs/gpudocs/internal/render/nav"
	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/site"
)

// An Edition is one state of the site, as it is published.
type Edition struct {
	// Name is the folder below that of the current site, which has none.
	Name  string
	Label site.Localized
	// Has reports whether it has a file.
	Has func(file string) bool
	// Foreign is set if it was built earlier, perhaps by another program.
	Foreign bool
}

// Pages are what is known of the pages of the current site.
type Pages interface {
	// Canonical returns the address of the page that is shown at an address.
	Canonical(address string) (to string, ok bool)
	// Formerly returns earlier addresses of the page at an address.
	Formerly(address string) []string
}

// A List has the editions of a site, the current one first. It is filled after the current site is planned and before
// a page is made.
type List struct {
	Editions []*Edition
	// Current are the pages of the first, and BaseURL its address, or empty.
	Current Pages
	BaseURL string
}

// An Origin makes the links of one edition. A nil Origin makes none.
type Origin struct {
	List *List
	Name string
}

// View returns the links of a page at an address, for a language. from is where its links begin: the folder of the
// address, or the path of the edition on its server. View returns nil if there is no other edition.
func (o *Origin) View(from, address, language string) *theme.EditionsView {
	if o == nil || len(o.List.Editions) < 2 {
		return nil
	}
	address = address[:strings.LastIndex(address, "/")+1]
	root, absolute := strings.CutSuffix(from, dir(o.Name))
	if !strings.HasPrefix(from, "/") || !absolute {
		root = dir(o.Name) + from
	}
	v := &theme.EditionsView{}
	for i, e := range o.List.Editions {
		link := theme.EditionLink{Label: e.Label.In(language), Current: e.Name == o.Name}
		if link.Label == "" {
			link.Label = e.Name
		}
		to := address
		if !link.Current {
			to, link.Elsewhere = e.nearest(address, o.formerly(address))
		}
		link.URL = nav.Href(root, dir(e.Name)+to)
		v.Links = append(v.Links, link)
		if link.Current {
			v.Label = link.Label
		}
		if i == 0 && !link.Current {
			v.Newest = &link
		}
	}
	return v
}

// Canonical returns the absolute address of the same page in the current site, or "" if it has none, or if this is it.
func (o *Origin) Canonical(address string) string {
	if o == nil || o.Name == "" || o.List.BaseURL == "" {
		return ""
	}
	if address == "" {
		return o.List.BaseURL
	}
	if to, ok := o.List.Current.Canonical(address); ok {
		return o.List.BaseURL + nav.Escape(to)
	}
	return ""
}

// formerly returns the earlier addresses of a page of the current site. Those of old editions are not in the list.
func (o *Origin) formerly(address string) []string {
	if o.Name != "" {
		return nil
	}
	return o.List.Current.Formerly(address)
}

// nearest returns the address of a page, or else of the page above it that exists, or of the edition.
func (e *Edition) nearest(address string, formerly []string) (to string, elsewhere bool) {
	for _, to := range append([]string{address}, formerly...) {
		if e.Has(to + "index.html") {
			return to, false
		}
	}
	for to = address; to != "" && !e.Has(to+"index.html"); {
		to = to[:strings.LastIndex(to[:len(to)-1], "/")+1]
	}
	return to, true
}

// dir returns the folder of an edition, with a slash, or "".
func dir(name string) string {
	if name == "" {
		return ""
	}
	return name + "/"
}
