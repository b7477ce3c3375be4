// Package hosting holds what a site asks of the server that publishes it: the headers of
// its answers, and where addresses lead that have no page. The preview server keeps to it
// itself; for Netlify it is written into the two files that Netlify reads, _headers and
// _redirects; docs/hosting.md says the same to nginx, and a test holds it to that.
package hosting

import (
	"bytes"
	"fmt"
	"net/url"
	"path"
	"strings"
	"unicode"
)

// Policy is the Content-Security-Policy of every page. Nothing inline, nothing unsafe, and
// nothing of another host but images, which authors may show from anywhere.
const Policy = "default-src 'self'; img-src 'self' https: data:; " +
	"object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'self'"

// Drawing is a further policy of every SVG, beside that of all answers: both hold. Shown by a page it runs
// nothing; opened by its own address it is a document of the site's origin, and a script in a file beside it
// would run as the site's own.
const Drawing = "script-src 'none'; sandbox"

// IsDrawing tells whether a file is an SVG to a server.
func IsDrawing(name string) bool { return strings.EqualFold(path.Ext(name), ".svg") }

// A Header is one of an answer.
type Header struct{ Name, Value string }

// Headers are those of every answer. Nothing in them keeps other sites from showing a badge.
func Headers() []Header {
	return []Header{
		{"Content-Security-Policy", Policy},
		{"X-Content-Type-Options", "nosniff"},
		{"Referrer-Policy", "strict-origin-when-cross-origin"},
		{"Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"},
	}
}

// Forever is the Cache-Control of files whose name changes with what they hold; Checked is
// that of all others, of which a browser asks each time whether they have changed.
const (
	Forever = "public, max-age=31536000, immutable"
	Checked = "public, max-age=0, must-revalidate"
)

// A Site is what the two files are made of.
type Site struct {
	// Languages are the codes, the default first.
	Languages []string
	// Hashed are folders at the root whose files are named by what they hold.
	Hashed []string
	// NotFound are the languages that have a 404.html.
	NotFound []string
	// Chooser tells that the root is a page that only sends readers to their language.
	Chooser bool
	// Moved are old addresses, and where they lead, below the root.
	Moved []Moved
}

// Moved is an address that a page had.
type Moved struct{ From, To string }

// NetlifyHeaders is the file _headers. Where two rules match, Netlify joins the values of a
// header with a comma, so none is in two rules for one address but the policy of drawings: of policies
// that a comma parts each holds, https://www.w3.org/TR/CSP3/#parse-response-csp.
// https://docs.netlify.com/manage/routing/headers/.
func (s Site) NetlifyHeaders() []byte {
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

// NetlifyRedirects is the file _redirects; own are the author's lines, which stand first,
// for the first that matches counts. Where a file stands at an address Netlify asks no rule,
// unless the status has a "!": https://docs.netlify.com/manage/routing/redirects/overview/.
func (s Site) NetlifyRedirects(own []byte) []byte {
	var b bytes.Buffer
	if own = bytes.TrimRight(own, "\n"); len(own) > 0 {
		fmt.Fprintf(&b, "%s\n", own)
	}
	for _, m := range s.Moved {
		to := strings.ReplaceAll(escaped(m.To), "$", "%24") // it would begin a variable of nginx
		fmt.Fprintf(&b, "%s %s 301!\n", escaped(m.From), to)
		if plain := "/" + m.From; plain != escaped(m.From) && !strings.ContainsFunc(plain, parts) {
			// netlify dev looks for what an address means, not for how it is written:
			// https://github.com/netlify/cli/blob/main/src/utils/rules-proxy.ts.
			fmt.Fprintf(&b, "%s %s 301!\n", plain, to)
		}
	}
	if s.Chooser && len(s.Languages) > 0 {
		for _, code := range s.Languages {
			fmt.Fprintf(&b, "/ /%s/ 302! Language=%s\n", code, conditions(code, s.Languages))
		}
		fmt.Fprintf(&b, "/ /%s/ 302!\n", s.Languages[0])
	}
	for _, code := range s.NotFound {
		fmt.Fprintf(&b, "/%s/* /%s/404.html 404\n", code, code)
	}
	return b.Bytes()
}

// conditions are the languages of readers who want a site's language: pt-br is for who asks
// for pt too, if the site has no pt. The first rule that matches counts, so several such
// go to the lightest.
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

// parts tells of characters that would end an address in a line of _redirects, to who takes any blank
// of Unicode's for one, as JavaScript does, or that mean something there.
func parts(r rune) bool {
	return strings.ContainsRune(" %#", r) || !unicode.IsGraphic(r) || unicode.IsSpace(r)
}

// escaped is an address as a browser asks for it.
func escaped(address string) string { return (&url.URL{Path: "/" + address}).EscapedPath() }
