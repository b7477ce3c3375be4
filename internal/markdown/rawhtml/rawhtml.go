// Package rawhtml judges the HTML that authors write into Markdown: a documentation's
// policy for bluemonday, asked tag by tag.
//
// Markdown cuts HTML into pieces. <details> opens in one block, ends in another, and what
// stands between is Markdown; a sanitiser that is given the pieces, or a tree of the whole
// page, would close and move what is not its to close. So a tag is judged alone, and how
// tags nest is the business of who writes them (render). Both that writing and the warnings
// that tell an author what goes (content) ask [Tag], and so cannot differ.
//
// What stays is text and its structure, tables, images, sound and film, ids, classes,
// languages and what assistive technology reads. What goes: scripts and handlers; styles and
// forms, which no page has room for, see its Content-Security-Policy in package hosting;
// frames, plug-ins and other documents; SVG and MathML, whose own rules for reading tags are
// the way around most sanitisers (https://research.securitum.com/dompurify-bypass-using-mxss/):
// a drawing is a file, a formula is written in TeX; and addresses that would run something.
package rawhtml

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/microcosm-cc/bluemonday"
	"golang.org/x/net/html"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
)

// A Loss is what the policy takes from a tag: an attribute, or all of it where Attribute is
// empty or Own is one of its words. Address is set where it is what the attribute leads to that is refused.
type Loss struct {
	Element, Attribute string
	Address            string
	// Own is a class or an id that is none for authors.
	Own string
}

// void are the elements without an end, https://html.spec.whatwg.org/multipage/syntax.html#void-elements.
var void = []string{"area", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}

// Void tells whether an element has no end.
func Void(element string) bool { return slices.Contains(void, element) }

// hidden are elements whose text no reader would see: it goes with them.
var hidden = []string{"frame", "frameset", "iframe", "math", "noembed", "noframes", "noscript", "object", "script", "select", "style", "svg", "template", "textarea", "title"}

// Hidden tells whether what stands in an element goes with it, where the element goes.
func Hidden(element string) bool { return slices.Contains(hidden, element) }

// addresses are the attributes that lead somewhere; srcset is a list of them.
var addresses = []string{"href", "src", "poster", "cite", "srcset"}

// policy is built once: it is large and constant.
var policy = sync.OnceValue(func() *bluemonday.Policy {
	p := bluemonday.UGCPolicy()
	p.RequireNoFollowOnLinks(false)
	p.AllowURLSchemes("attachment") // of a notebook's cell
	p.AllowURLSchemes("tel", "ftp")
	p.AllowDataURIImages()

	p.AllowAttrs("class", "lang", "title", "role").Globally()
	p.AllowAttrs("dir").Matching(regexp.MustCompile(`(?i)^(ltr|rtl|auto)$`)).Globally()
	p.AllowAttrs("translate").Matching(regexp.MustCompile(`(?i)^(yes|no|)$`)).Globally()
	p.AllowAttrs("hidden").Matching(regexp.MustCompile(`(?i)^(hidden|until-found|)$`)).Globally()
	p.AllowAttrs("tabindex").Matching(regexp.MustCompile(`^(0|-1)$`)).Globally()
	p.AllowAttrs("aria-current", "aria-describedby", "aria-details", "aria-hidden", "aria-label", "aria-labelledby", "aria-level",
		"aria-posinset", "aria-roledescription", "aria-setsize").Globally()
	// bluemonday wants an ASCII letter in an id; headings in Chinese have none.
	id := regexp.MustCompile(`^[\p{L}\p{N}\p{M}_:.-]+$`)
	p.AllowAttrs("id").Matching(id).Globally()
	p.AllowAttrs("name").Matching(id).OnElements("a")

	p.AllowAttrs("align").Matching(regexp.MustCompile(`(?i)^(left|right|center|justify)$`)).OnElements("div", "p", "h1", "h2", "h3", "h4", "h5", "h6", "table", "caption", "figure", "hr")
	p.AllowAttrs("target").Matching(regexp.MustCompile(`(?i)^_(blank|self)$`)).OnElements("a", "area")
	// All of https://html.spec.whatwg.org/multipage/links.html#linkTypes that a link may have and of
	// https://microformats.org/wiki/rel-me, but opener, with which the other page rules over this one's tab.
	p.AllowAttrs("rel").Matching(regexp.MustCompile(`(?i)^\s*((alternate|author|bookmark|external|help|license|me|next|nofollow|noopener|noreferrer|prev|privacy-policy|search|sponsored|tag|terms-of-service|ugc)(\s+|$))*$`)).OnElements("a")
	p.AllowAttrs("hreflang", "download").OnElements("a")
	p.AllowAttrs("start").Matching(bluemonday.Integer).OnElements("ol")
	p.AllowAttrs("reversed").Matching(regexp.MustCompile(`(?i)^(reversed|)$`)).OnElements("ol")
	p.AllowAttrs("name").Matching(id).OnElements("details")
	p.AllowElements("kbd", "samp", "var", "mark", "abbr", "figure", "figcaption", "small", "wbr", "center", "header", "footer", "main", "nav", "address", "menu", "rtc", "rb")
	p.AllowAttrs("value").OnElements("data")
	p.AllowNoAttrs().OnElements("dfn", "center", "header", "footer", "main", "nav", "address", "menu", "rtc", "rb", "data", "progress", "meter", "strike", "bdo", "map")

	p.AllowElements("picture")
	p.AllowAttrs("src").OnElements("audio", "video", "source", "track")
	p.AllowAttrs("srcset", "sizes").OnElements("img", "source")
	p.AllowAttrs("media", "type").OnElements("source")
	p.AllowAttrs("poster").OnElements("video")
	size := regexp.MustCompile(`^[0-9]+(px|%)?$`)
	p.AllowAttrs("width", "height").Matching(size).OnElements("img", "video", "source", "hr", "figure", "div", "table", "td", "th", "col")
	p.AllowAttrs("autoplay", "controls", "loop", "muted", "playsinline").OnElements("audio", "video")
	p.AllowAttrs("preload").Matching(regexp.MustCompile(`(?i)^(none|metadata|auto|)$`)).OnElements("audio", "video")
	p.AllowAttrs("kind", "srclang", "label", "default").OnElements("track")
	p.AllowAttrs("loading").Matching(regexp.MustCompile(`(?i)^(lazy|eager)$`)).OnElements("img")
	p.AllowAttrs("decoding").Matching(regexp.MustCompile(`(?i)^(async|sync|auto)$`)).OnElements("img")
	// bluemonday's own form of a description has no < and no emoji.
	p.AllowAttrs("alt").OnElements("img", "area")
	return p
})

// bare are the names of elements that may stand without any attribute, once they have been
// judged: most tags are <br>, <sub> or </td>.
var bare sync.Map

// Tag judges a start tag. ok is false where all of it goes. Addresses stay as they are
// written; what a page says is [Address] of them.
func Tag(t html.Token) (kept html.Token, lost []Loss, ok bool) {
	if len(t.Attr) == 0 {
		if _, known := bare.Load(t.Data); known {
			return t, nil, true
		}
	}
	asked := t
	asked.Attr = nil
	seen := map[string]bool{}
	for _, a := range t.Attr {
		if seen[a.Key] { // a browser takes the first
			continue
		}
		seen[a.Key] = true
		if slices.Contains(addresses, a.Key) && a.Key != "srcset" {
			a.Val = Address(a.Val)
		}
		if a.Key == "srcset" && !safeSet(a.Val) || a.Key == "poster" && !safe(a.Val) || a.Key == "href" && Dangerous(a.Val) {
			lost = append(lost, Loss{Element: t.Data, Attribute: a.Key, Address: a.Val})
			continue
		}
		asked.Attr = append(asked.Attr, a)
	}
	clean, ok := ask(asked)
	if !ok {
		if slices.Contains(empty, t.Data) {
			return html.Token{}, append(lost, refused(asked, nil)...), false
		}
		return html.Token{}, []Loss{{Element: t.Data}}, false
	}
	lost = append(lost, refused(asked, clean.Attr)...)
	kept = html.Token{Type: t.Type, DataAtom: t.DataAtom, Data: t.Data}
	for _, a := range t.Attr {
		if i := slices.IndexFunc(clean.Attr, func(c html.Attribute) bool { return c.Key == a.Key }); i >= 0 {
			clean.Attr = slices.Delete(clean.Attr, i, i+1)
			if own := disown(&a); len(own) > 0 {
				for _, name := range own {
					lost = append(lost, Loss{Element: t.Data, Attribute: a.Key, Own: name})
				}
				if a.Val == "" {
					continue
				}
			}
			kept.Attr = append(kept.Attr, html.Attribute{Key: a.Key, Val: a.Val})
		}
	}
	if len(t.Attr) == 0 {
		bare.Store(t.Data, true)
	}
	return kept, lost, true
}

// disown takes from an attribute what is none for authors.
func disown(a *html.Attribute) (own []string) {
	switch a.Key {
	case "class":
		a.Val, own = OthersClasses(a.Val)
	case "id", "name":
		if OwnID(a.Val) {
			own, a.Val = []string{a.Val}, ""
		}
	}
	return own
}

// ask gives a tag to the policy.
func ask(t html.Token) (html.Token, bool) {
	z := html.NewTokenizer(strings.NewReader(policy().Sanitize(t.String())))
	if k := z.Next(); k != html.StartTagToken && k != html.SelfClosingTagToken {
		return html.Token{}, false
	}
	return z.Token(), true
}

// refused are the attributes of a tag that are not among those kept. markdown is none: it
// speaks to the parser.
func refused(t html.Token, kept []html.Attribute) (lost []Loss) {
	for _, a := range t.Attr {
		if a.Key == "markdown" || slices.ContainsFunc(kept, func(k html.Attribute) bool { return k.Key == a.Key }) {
			continue
		}
		l := Loss{Element: t.Data, Attribute: a.Key}
		if slices.Contains(addresses, a.Key) {
			l.Address = a.Val
		}
		lost = append(lost, l)
	}
	return lost
}

// empty are elements that say nothing without attributes: <a> without a place to lead to is
// its text.
var empty = []string{"a", "area", "img", "source", "track"}

// Address is what a browser makes of an address before it looks at it: without blanks
// around, and without tabs and ends of lines anywhere (https://url.spec.whatwg.org/#concept-basic-url-parser).
// A blank within is written %20, as a browser would.
func Address(s string) string {
	s = strings.TrimFunc(s, func(r rune) bool { return r <= ' ' })
	s = strings.Map(func(r rune) rune {
		if r == '\t' || r == '\n' || r == '\r' {
			return -1
		}
		return r
	}, s)
	return strings.ReplaceAll(s, " ", "%20")
}

// schemes are those that a link may have in raw HTML's lists of images and posters.
var schemes = []string{"http", "https", "attachment"}

var scheme = lazyregexp.New(`^([A-Za-z][A-Za-z0-9+.-]*):`)

// safe judges an address that the policy does not look at: of a picture.
func safe(address string) bool {
	m := scheme.FindStringSubmatch(address)
	return m == nil || slices.Contains(schemes, strings.ToLower(m[1]))
}

func safeSet(srcset string) bool {
	for _, c := range Candidates(srcset) {
		if !safe(Address(c.Address)) {
			return false
		}
	}
	return true
}

// A Candidate is an image of a srcset, and for which screens it is.
type Candidate struct{ Address, Descriptor string }

// Candidates reads a srcset: https://html.spec.whatwg.org/multipage/images.html#parse-a-srcset-attribute.
func Candidates(srcset string) (list []Candidate) {
	for rest := srcset; ; {
		rest = strings.TrimLeft(rest, ", \t\n\f\r")
		if rest == "" {
			return list
		}
		end := strings.IndexAny(rest, " \t\n\f\r")
		if end < 0 {
			end = len(rest)
		}
		c := Candidate{Address: rest[:end]}
		rest = rest[end:]
		if cut := strings.TrimRight(c.Address, ","); cut != c.Address {
			c.Address = cut
		} else {
			c.Descriptor, rest, _ = strings.Cut(rest, ",")
			c.Descriptor = strings.Join(strings.Fields(c.Descriptor), " ")
		}
		list = append(list, c)
	}
}

// runs are the schemes whose addresses run something in a reader's browser, show a document
// of their own in the place of one, or open what lies on the reader's disk.
var runs = []string{"javascript", "vbscript", "livescript", "mocha", "data", "file", "blob", "filesystem", "view-source", "jar", "about"}

// inline is a picture in its own address, as notebooks and editors write it: an image runs nothing.
var inline = lazyregexp.New(`(?i)^data:image/(png|gif|jpeg|webp|svg\+xml);base64,[A-Za-z0-9+/=]*$`)

// Dangerous tells whether a link of Markdown must not be followed. Unlike raw HTML's, other
// schemes stay: vscode:, zotero: and whatever a reader's system knows.
func Dangerous(address string) bool {
	name, _, ok := strings.Cut(strings.ToLower(address), ":")
	return ok && slices.Contains(runs, strings.Map(func(r rune) rune {
		if r <= ' ' {
			return -1
		}
		return r
	}, name))
}

// DangerousImage is Dangerous of an image, which may stand in its own address.
func DangerousImage(address string) bool {
	return Dangerous(address) && !inline.MatchString(address)
}
