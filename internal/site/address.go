package site

import (
	"net/url"
	"path"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/site/sitefile"
	"github.com/gpudocs/gpudocs/internal/text/diag"
	"github.com/gpudocs/gpudocs/internal/text/invisible"
)

// scheme matches the beginning of an absolute URL, RFC 3986, section 3.1.
var scheme = lazyregexp.New(`^[A-Za-z][A-Za-z0-9+.-]*:`)

// IsExternal reports whether an address leads out of the site: it has a scheme, or begins with //.
func IsExternal(destination string) bool {
	return strings.HasPrefix(destination, "//") || scheme.MatchString(destination)
}

// An OldAddress is an address that a page used to have, as its front matter gives it. Start and End
// are its offsets in the file, and Address is what Text means below the site's base. Text is empty for
// an address that gpudocs gave the page before.
type OldAddress struct {
	Text       string
	Start, End int
	Address    string
}

// addressSegment matches a part of an address that can be a file name on every system and that
// gpudocs neither generates nor leaves out.
var addressSegment = lazyregexp.New(`^[^._<>:"|?*\\/\x00-\x1f\x7f][^<>:"|?*\\/\x00-\x1f\x7f]*$`)

// ParseOldAddress returns the address below the site's base that a text means in a folder. If it
// names a page's file, that is the address which the file had.
func ParseOldAddress(folder, text string) (address string, fault diag.Text) {
	plain, err := url.PathUnescape(text)
	if err != nil || IsExternal(text) || strings.ContainsAny(text, "?#") || !utf8.ValidString(plain) {
		return "", diag.Say("links.redirect-invalid", "name", text)
	}
	plain = norm.NFC.String(plain)
	if !strings.HasPrefix(plain, "/") {
		plain = folder + "/" + plain
	}
	plain = strings.ReplaceAll(path.Clean(strings.TrimPrefix(plain, "/")), " ", "-")
	for _, name := range []string{"index.html", "index.htm"} {
		if dir, base := path.Split(plain); base == name {
			plain = path.Clean(dir)
		}
	}
	if sitefile.IsPage(plain) {
		plain = strings.TrimSuffix(plain, path.Ext(plain))
		if dir, base := path.Split(plain); base == "index" {
			plain = path.Clean(dir)
		}
	}
	if plain == "." || plain == "/" || strings.HasPrefix(plain, "..") {
		return "", diag.Say("links.address-leaves-site", "name", text)
	}
	for part := range strings.SplitSeq(plain, "/") {
		if !addressSegment.MatchString(part) || len(invisible.In(part, true)) > 0 || strings.HasSuffix(part, ".") || len(part) > 200 {
			return "", diag.Say("links.path-part-invalid", "name", text, "part", part)
		}
	}
	if e := strings.ToLower(path.Ext(plain)); e == ".html" || e == ".htm" {
		return plain, diag.Text{}
	}
	return plain + "/", diag.Text{}
}

// Old addresses have a separate key in the front matter, as in Jekyll,
// https://github.com/jekyll/jekyll-redirect-from. They are not aliases, as in Hugo: aliases in
// Obsidian are names, and a name such as "CPU/GPU" or "driver" looks like an address.

// A Redirect is a former address of a page.
type Redirect struct {
	// From is the old address below the site's base: "pt/gpu/antigo/", or
	// "pt/antigo.html".
	From string
	// Page replaces it, at the address that the page has in Language.
	Page     *Page
	Language *Language
}

// File returns the file that is published at the old address.
func (r Redirect) File() string {
	if strings.HasSuffix(r.From, "/") {
		return r.From + "index.html"
	}
	return r.From
}
