package page

import (
	"bytes"
	"html/template"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// rewrite changes the HTML of one page so that it can be embedded in another: its ids get a prefix,
// with all that refers to them, and its highest heading is one below level. References to an id that
// it does not contain lead to the page that it is from.
func rewrite(body []byte, prefix, page string, level int) template.HTML {
	s := rewriter{prefix: prefix, page: page, ids: map[string]bool{}}
	highest := 7
	each(body, func(_ []byte, t html.Token) {
		for _, a := range t.Attr {
			if a.Key == "id" {
				s.ids[a.Val] = true
			}
		}
		if l := headingLevel(t.Data); l > 0 && t.Type == html.StartTagToken {
			highest = min(highest, l)
		}
	})
	s.deeper = level + 1 - highest
	var out strings.Builder
	out.Grow(len(body) + len(body)/16 + 64)
	each(body, func(raw []byte, t html.Token) {
		if s.token(&t) {
			out.WriteString(t.String())
		} else {
			out.Write(raw)
		}
	})
	return template.HTML(out.String())
}

type rewriter struct {
	prefix, page string
	ids          map[string]bool
	deeper       int
}

// each calls f with every token. Only tags have a name and attributes.
func each(body []byte, f func(raw []byte, t html.Token)) {
	if len(body) == 0 {
		return
	}
	z := html.NewTokenizer(bytes.NewReader(body))
	for kind := z.Next(); kind != html.ErrorToken; kind = z.Next() {
		switch kind {
		case html.StartTagToken, html.EndTagToken, html.SelfClosingTagToken:
			raw := slices.Clone(z.Raw())
			f(raw, z.Token())
		default:
			f(z.Raw(), html.Token{})
		}
	}
}

func headingLevel(name string) int {
	if len(name) == 2 && name[0] == 'h' && name[1] >= '1' && name[1] <= '6' {
		return int(name[1] - '0')
	}
	return 0
}

// referring are the attributes that hold ids, separated by spaces. The names of radio buttons form
// groups, like ids.
var referring = []string{"id", "for", "headers", "aria-controls", "aria-describedby", "aria-details", "aria-labelledby", "aria-owns"}

var urlForm = regexp.MustCompile(`url\(#([^)]*)\)`)

// token rewrites a tag, and reports whether it changed.
func (s *rewriter) token(t *html.Token) (changed bool) {
	if l := headingLevel(t.Data); l > 0 && s.deeper != 0 {
		t.Data = "h" + string(rune('0'+min(6, max(1, l+s.deeper))))
		changed = true
	}
	for i, a := range t.Attr {
		value := s.value(t.Data, a)
		changed = changed || value != a.Val
		t.Attr[i].Val = value
	}
	return changed
}

func (s *rewriter) value(element string, a html.Attribute) string {
	switch {
	case slices.Contains(referring, a.Key):
		words := strings.Fields(a.Val)
		for i, w := range words {
			if s.ids[w] {
				words[i] = s.prefix + w
			}
		}
		return strings.Join(words, " ")
	case a.Key == "name" && element == "input":
		return s.prefix + a.Val
	case strings.HasPrefix(a.Val, "#"+PrintPrefix): // another page within the same one
	case strings.HasSuffix(a.Key, "href") && len(a.Val) > 1 && a.Val[0] == '#':
		if s.ids[a.Val[1:]] {
			return "#" + s.prefix + a.Val[1:]
		}
		if element == "a" {
			return s.page + a.Val
		} // a <use> leads to an icon of the theme
	case strings.Contains(a.Val, "url(#"):
		return urlForm.ReplaceAllStringFunc(a.Val, func(u string) string {
			if id := urlForm.FindStringSubmatch(u)[1]; s.ids[id] {
				return "url(#" + s.prefix + id + ")"
			}
			return u
		})
	}
	return a.Val
}

// PrintPrefix begins the ids of the pages of a section: "_p.3", and "_p.3.x" for those in them.
const PrintPrefix = "_p."
