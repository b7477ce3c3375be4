// Package rawhtml sanitises the HTML that authors write in Markdown, with a policy for bluemonday
// that is applied tag by tag.
//
// Markdown splits HTML into pieces: <details> opens in one block, ends in another, and between them
// is Markdown. A sanitiser of the pieces, or of a tree of the whole page, would close and move the
// wrong elements. So each tag is checked alone, and [Nest] tracks how tags nest. Both the renderer
// and the warnings about removed tags (packages site/page and site/resolve) call [Tag], and so
// cannot differ.
//
// Allowed are text and its structure, tables, images, audio and video, ids, classes, languages and
// attributes for assistive technology. Removed are scripts and handlers; styles and forms, which
// the Content-Security-Policy of pages forbids, see package hosting; frames, plug-ins and other
// documents; SVG and MathML, whose parsing rules are the way around most sanitisers
// (https://research.securitum.com/dompurify-bypass-using-mxss/): a drawing is a file, and a formula
// is written in TeX; and addresses that would run something.
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

// A Loss is what the policy removes: an attribute, a reserved word in one, or, if Attribute is
// empty, the whole tag. Address is set if the attribute is removed because of its address.
type Loss struct {
	Element, Attribute string
	Address            string
	// Reserved is a class or an id that authors cannot use.
	Reserved string
}

// void are the elements without an end tag,
// https://html.spec.whatwg.org/multipage/syntax.html#void-elements.
var void = []string{"area", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}

// Void reports whether an element has no end tag.
func Void(element string) bool { return slices.Contains(void, element) }

// hidden are elements whose text readers would not see. It is removed with them.
var hidden = []string{"frame", "frameset", "iframe", "math", "noembed", "noframes", "noscript", "object", "script", "select",
	"style", "svg", "template", "textarea", "title"}

// Hidden reports whether the content of an element is removed with it.
func Hidden(element string) bool { return slices.Contains(hidden, element) }

// addresses are the attributes with addresses; srcset is a list.
var addresses = []string{"href", "src", "poster", "cite", "srcset"}

// policy returns the policy, which is large and built once.
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
	// bluemonday requires an ASCII letter in an id; headings in Chinese have none.
	id := regexp.MustCompile(`^[\p{L}\p{N}\p{M}_:.-]+$`)
	p.AllowAttrs("id").Matching(id).Globally()
	p.AllowAttrs("name").Matching(id).OnElements("a")

	p.AllowAttrs("align").Matching(regexp.MustCompile(`(?i)^(left|right|center|justify)$`)).OnElements("div", "p", "h1", "h2", "h3", "h4", "h5", "h6", "table", "caption", "figure", "hr")
	p.AllowAttrs("target").Matching(regexp.MustCompile(`(?i)^_(blank|self)$`)).OnElements("a", "area")
	// All of https://html.spec.whatwg.org/multipage/links.html#linkTypes that a link may have and
	// of https://microformats.org/wiki/rel-me, except opener, which gives the other page control
	// over this tab.
	p.AllowAttrs("rel").Matching(regexp.MustCompile(`(?i)^\s*((alternate|author|bookmark|external|help|license|me|next|nofollow|noopener|noreferrer|prev|privacy-policy|search|sponsored|tag|terms-of-service|ugc)(\s+|$))*$`)).OnElements("a")
	p.AllowAttrs("hreflang", "download").OnElements("a")
	p.AllowAttrs("start").Matching(bluemonday.Integer).OnElements("ol")
	p.AllowAttrs("reversed").Matching(regexp.MustCompile(`(?i)^(reversed|)$`)).OnElements("ol")
	p.AllowAttrs("name").Matching(id).OnElements("details")
	p.AllowElements("kbd", "samp", "var", "mark", "abbr", "figure", "figcaption", "small", "wbr", "center", "header", "footer", "main",
		"nav", "address", "menu", "rtc", "rb")
	p.AllowAttrs("value").OnElements("data")
	p.AllowNoAttrs().OnElements("dfn", "center", "header", "footer", "main", "nav", "address", "menu", "rtc", "rb", "data", "progress",
		"meter", "strike", "bdo", "map")

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
	// bluemonday's pattern for descriptions allows neither < nor emoji.
	p.AllowAttrs("alt").OnElements("img", "area")
	return p
})

// withoutAttributes caches the names of elements that are allowed without attributes: most tags are
// <br>, <sub> or </td>.
var withoutAttributes sync.Map

// Tag sanitises a start tag. ok is false if the whole tag is removed. Addresses stay as written;
// pages contain [Address] of them.
func Tag(t html.Token) (kept html.Token, lost []Loss, ok bool) {
	if len(t.Attr) == 0 {
		if _, known := withoutAttributes.Load(t.Data); known {
			return t, nil, true
		}
	}
	candidate := t
	candidate.Attr = nil
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
		candidate.Attr = append(candidate.Attr, a)
	}
	clean, ok := allowed(candidate)
	if !ok {
		if slices.Contains(empty, t.Data) {
			return html.Token{}, append(lost, refused(candidate, nil)...), false
		}
		return html.Token{}, []Loss{{Element: t.Data}}, false
	}
	lost = append(lost, refused(candidate, clean.Attr)...)
	kept = html.Token{Type: t.Type, DataAtom: t.DataAtom, Data: t.Data}
	for _, a := range t.Attr {
		if i := slices.IndexFunc(clean.Attr, func(c html.Attribute) bool { return c.Key == a.Key }); i >= 0 {
			clean.Attr = slices.Delete(clean.Attr, i, i+1)
			if reserved := removeReserved(&a); len(reserved) > 0 {
				for _, name := range reserved {
					lost = append(lost, Loss{Element: t.Data, Attribute: a.Key, Reserved: name})
				}
				if a.Val == "" {
					continue
				}
			}
			kept.Attr = append(kept.Attr, html.Attribute{Key: a.Key, Val: a.Val})
		}
	}
	if len(t.Attr) == 0 {
		withoutAttributes.Store(t.Data, true)
	}
	return kept, lost, true
}

// removeReserved removes the reserved words from an attribute, and returns them.
func removeReserved(a *html.Attribute) (reserved []string) {
	switch a.Key {
	case "class":
		a.Val, reserved = SplitClasses(a.Val)
	case "id", "name":
		if ReservedID(a.Val) {
			reserved, a.Val = []string{a.Val}, ""
		}
	}
	return reserved
}

// allowed applies the policy to a tag.
func allowed(t html.Token) (html.Token, bool) {
	z := html.NewTokenizer(strings.NewReader(policy().Sanitize(t.String())))
	if k := z.Next(); k != html.StartTagToken && k != html.SelfClosingTagToken {
		return html.Token{}, false
	}
	return z.Token(), true
}

// refused returns the attributes of a tag that are not among those kept. The attribute markdown,
// which is for the parser, does not count.
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

// empty are elements without a meaning if they have no attributes, such as <a> without an address.
var empty = []string{"a", "area", "img", "source", "track"}

// Address normalises an address as browsers do: without blanks around it, and without tabs and line
// ends anywhere (https://url.spec.whatwg.org/#concept-basic-url-parser). Blanks within become %20.
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

// imageSchemes are the allowed schemes of images in srcset and poster.
var imageSchemes = []string{"http", "https", "attachment"}

var scheme = lazyregexp.New(`^([A-Za-z][A-Za-z0-9+.-]*):`)

// safe reports whether the address of an image is allowed, for attributes that the policy does not
// check.
func safe(address string) bool {
	m := scheme.FindStringSubmatch(address)
	return m == nil || slices.Contains(imageSchemes, strings.ToLower(m[1]))
}

func safeSet(srcset string) bool {
	for _, c := range Candidates(srcset) {
		if !safe(Address(c.Address)) {
			return false
		}
	}
	return true
}

// A Candidate is an image of a srcset, with the descriptor of the screens that it is for.
type Candidate struct{ Address, Descriptor string }

// Candidates parses a srcset:
// https://html.spec.whatwg.org/multipage/images.html#parse-a-srcset-attribute.
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

// dangerousSchemes are the schemes that run something in the reader's browser, show another document in place
// of the page, or open files of the reader.
var dangerousSchemes = []string{"javascript", "vbscript", "livescript", "mocha", "data", "file", "blob", "filesystem",
	"view-source", "jar", "about"}

// imageData matches an image in a data URL, as notebooks and editors write it. An image runs nothing.
var imageData = lazyregexp.New(`(?i)^data:image/(png|gif|jpeg|webp|svg\+xml);base64,[A-Za-z0-9+/=]*$`)

// Dangerous reports whether a link must not be followed. In Markdown, unlike raw HTML, all other
// schemes are allowed: vscode:, zotero: and whatever a reader's system supports.
func Dangerous(address string) bool {
	name, _, ok := strings.Cut(strings.ToLower(address), ":")
	return ok && slices.Contains(dangerousSchemes, strings.Map(func(r rune) rune {
		if r <= ' ' {
			return -1
		}
		return r
	}, name))
}

// DangerousImage is Dangerous for an image, which may be a data URL.
func DangerousImage(address string) bool {
	return Dangerous(address) && !imageData.MatchString(address)
}
