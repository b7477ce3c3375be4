// Package hosting has what a site requires of the server that publishes it: headers, and redirects of
// addresses without a page. The preview server follows it directly; for Netlify it is written into the
// files _headers and _redirects. docs/content/en/hosting.md says the same for nginx, which a test verifies.
package hosting

import (
	"bytes"
	"fmt"
	"net/url"
	"path"
	"strings"
	"unicode"
)

// Policy is the Content-Security-Policy of every page. It allows nothing inline, nothing unsafe, and
// nothing from other hosts except images, which authors may show from anywhere.
const Policy = "default-src 'self'; img-src 'self' https: data:; " +
	"object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'self'"

// Drawing is a second policy for every SVG; both apply. An SVG that a page shows runs nothing, but one
// that is opened by its own address is a document of the site's origin, in which scripts would run.
const Drawing = "script-src 'none'; sandbox"

// IsDrawing reports whether servers serve a file as SVG.
func IsDrawing(name string) bool { return strings.EqualFold(path.Ext(name), ".svg") }

// A Header is a header of a response.
type Header struct{ Name, Value string }

// Headers returns the headers of every response. They allow other sites to show badges.
func Headers() []Header {
	return []Header{
		{"Content-Security-Policy", Policy},
		{"X-Content-Type-Options", "nosniff"},
		{"Referrer-Policy", "strict-origin-when-cross-origin"},
		{"Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"},
	}
}

// Forever is the Cache-Control of files whose name depends on their content, Checked that of all
// others: browsers ask each time whether they have changed.
const (
	Forever = "public, max-age=31536000, immutable"
	Checked = "public, max-age=0, must-revalidate"
)

// An Input is what the two files are made from.
type Input struct {
	// Languages are the codes of the languages, the default first.
	Languages []string
	// Hashed are the folders whose files have names that depend on their content.
	Hashed []string
	// NotFound are the folders with a 404.html for the addresses below them: languages, and those of other editions.
	NotFound []string
	// Chooser is set if the root is a page that only sends readers to their language.
	Chooser bool
	// Moved are old addresses and their targets, below the root.
	Moved []Moved
}

// Moved is a redirect from an old address.
type Moved struct{ From, To string }

// NetlifyHeaders returns the file _headers. If two rules match, Netlify joins the values of a header
// with a comma, so no header is in two rules for one address, except the policy of SVGs: of policies
// that are separated by commas, all apply, https://www.w3.org/TR/CSP3/#parse-response-csp.
// https://docs.netlify.com/manage/routing/headers/.
func (s Input) NetlifyHeaders() []byte {
	var b bytes.Buffer
	rule := func(path string, headers ...Header) {
		fmt.Fprintf(&b, "%s\n", path)
		for _, h := range headers {
			fmt.Fprintf(&b, "  %s: %s\n", h.Name, h.Value)
		}
	}
	rule("/*", Headers()...)
	rule("/*.svg", Header{"Content-Security-Policy", Drawing})
	for _, dir := range s.Hashed {
		rule("/"+dir+"/*", Header{"Cache-Control", Forever})
	}
	rule("/", Header{"Cache-Control", Checked})
	for _, code := range s.Languages {
		rule("/"+code+"/*", Header{"Cache-Control", Checked})
	}
	return b.Bytes()
}

// NetlifyRedirects returns the file _redirects. own are the author's lines, which come first, because
// the first match counts. If there is a file at an address, Netlify ignores the rules unless their
// status has a "!": https://docs.netlify.com/manage/routing/redirects/overview/.
func (s Input) NetlifyRedirects(written []byte) []byte {
	var b bytes.Buffer
	if written = bytes.TrimRight(written, "\n"); len(written) > 0 {
		fmt.Fprintf(&b, "%s\n", written)
	}
	for _, m := range s.Moved {
		to := strings.ReplaceAll(escaped(m.To), "$", "%24") // "$" begins a variable in nginx
		fmt.Fprintf(&b, "%s %s 301!\n", escaped(m.From), to)
		if plain := "/" + m.From; plain != escaped(m.From) && !strings.ContainsFunc(plain, separates) {
			// netlify dev compares decoded addresses:
			fmt.Fprintf(&b, "%s %s 301!\n", plain, to)
		}
	}
	if s.Chooser && len(s.Languages) > 0 {
		for _, code := range s.Languages {
			fmt.Fprintf(&b, "/ /%s/ 302! Language=%s\n", code, conditions(code, s.Languages))
		}
		fmt.Fprintf(&b, "/ /%s/ 302!\n", s.Languages[0])
	}
	for _, dir := range s.NotFound {
		fmt.Fprintf(&b, "/%s/* /%s/404.html 404\n", dir, dir)
	}
	return b.Bytes()
}

// conditions returns the languages of readers to send to a site's language: pt-br is also for those
// who ask for pt if the site has no pt. The first match counts, so if there are several such
// languages, they go to the lightest.
func conditions(code string, all []string) string {
	primary, _, regional := strings.Cut(code, "-")
	if !regional {
		return code
	}
	for _, other := range all {
		if other == primary {
			return code
		}
	}
	return code + "," + primary
}

// separates reports whether a character would end an address in a line of _redirects, also for parsers
// that accept any Unicode space, as JavaScript's, or has a meaning there.
func separates(r rune) bool {
	return strings.ContainsRune(" %#", r) || !unicode.IsGraphic(r) || unicode.IsSpace(r)
}

// escaped returns an address as browsers request it.
func escaped(address string) string { return (&url.URL{Path: "/" + address}).EscapedPath() }
