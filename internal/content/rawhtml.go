package content

import (
	"bytes"
	"slices"
	"strings"
	"sync"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
	"golang.org/x/net/html"

	"github.com/gpudocs/gpudocs/internal/diag"
	"github.com/gpudocs/gpudocs/internal/rawhtml"
)

// RuleHTML is of raw HTML that is not shown as it is written.
const RuleHTML = "html"

// rawHTML resolves what raw HTML refers to; the browser would look for it below
// the page's address, which is one level deeper than its file. It tells what is not shown.
func (l *pageLinks) rawHTML(n ast.Node) {
	raw := rawHTML(n, l.page.Source.Data)
	p := places(n)
	at, gone := 0, ""
	for z := html.NewTokenizer(bytes.NewReader(raw)); z.Next() != html.ErrorToken; {
		start, end := at, at+len(z.Raw())
		at = end
		t := z.Token()
		switch {
		case gone != "":
			if t.Type == html.EndTagToken && t.Data == gone {
				gone = ""
			}
		case t.Type == html.StartTagToken || t.Type == html.SelfClosingTagToken:
			if !l.sanitised(p, t, raw[start:end], start) && t.Type == html.StartTagToken && rawhtml.Hidden(t.Data) {
				gone = t.Data
				continue
			}
			l.rawElement(t, p.at(start))
		}
	}
}

func (l *pageLinks) rawElement(t html.Token, pos int) {
	src, alt := "", false
	for _, a := range t.Attr {
		switch a.Key {
		case "src", "poster":
			src = a.Val
			l.leads(a.Val, pos, "file")
		case "srcset":
			for _, c := range rawhtml.Candidates(a.Val) {
				l.leads(c.Address, pos, "file")
			}
		case "href":
			l.leads(a.Val, pos, "page")
		case "alt":
			alt = true
		}
	}
	if t.Data == "img" && src != "" && !alt {
		l.alternative(src, pos, diag.Say(`write alt="what it shows", or alt="" where it only adorns`))
	}
}

func (l *pageLinks) leads(address string, pos int, what string) {
	if l.site.Config.UnsafeHTML && rawhtml.Dangerous(address) {
		return
	}
	if l.page.rawTargets == nil {
		l.page.rawTargets = map[string]Target{}
	}
	l.page.rawTargets[address] = l.resolve(address, pos, what)
}

// maxLosses is how many attributes of one tag are told: each is searched for in it.
const maxLosses = 100

// sanitised tells an author, once on a page for each kind, what a tag loses; ok is false
// where the tag goes. It is written so, at an offset in the text of the node.
func (l *pageLinks) sanitised(p *rawPlaces, t html.Token, written []byte, from int) (ok bool) {
	if l.site.Config.UnsafeHTML {
		return true
	}
	_, lost, ok := rawhtml.Tag(t)
	if len(lost) > maxLosses {
		lost = lost[:maxLosses]
	}
	lower := sync.OnceValue(func() []byte { return bytes.ToLower(written) })
	for _, loss := range lost {
		if loss.Attribute == "" {
			l.loses("<"+loss.Element, p, from, from+1+len(loss.Element),
				diag.Say("raw HTML is sanitised: <%s> is not shown", loss.Element), elementHint(loss.Element))
			continue
		}
		if loss.Own != "" {
			at := from
			if i := bytes.Index(written, []byte(loss.Own)); i > 0 {
				at = from + i
			}
			message, hint := ownText(loss.Attribute, loss.Own)
			l.loses("own "+loss.Own, p, at, at+len(loss.Own), message, hint)
			continue
		}
		if loss.Address != "" && rawhtml.Dangerous(loss.Address) {
			continue // said of all links, whatever they are written as
		}
		at := from
		if i := bytes.Index(lower(), []byte(loss.Attribute)); i > 0 {
			at = from + i
		}
		l.loses(loss.Element+" "+loss.Attribute, p, at, at+len(loss.Attribute),
			diag.Say("raw HTML is sanitised: the attribute %s of <%s> is left out", loss.Attribute, loss.Element), attributeHint(loss))
	}
	return ok
}

// ownText says of a class or an id that it is none for authors.
func ownText(attribute, name string) (message, hint diag.Text) {
	if attribute == "class" {
		return diag.Say("the class %q is one by which results of machines are known, and is left out", name),
			diag.Say("take another name, and give the theme's style a rule for it; docs/themes.md")
	}
	return diag.Say("the id %q is one of a page's own parts, and is left out", name), diag.Say("take another that does not begin with _")
}

// loses warns of what stands at offsets in the text of a node.
func (l *pageLinks) loses(kind string, p *rawPlaces, from, to int, message, hint diag.Text) {
	key := "html " + kind
	if l.reported[key] {
		return
	}
	l.reported[key] = true
	start := p.at(from)
	d := l.page.Source.Warning(start, start+to-from, message, hint)
	d.Rule = RuleHTML
	l.diags.Add(d)
}

// rawPlaces tell where in the page the text of raw HTML stands. They are asked from its
// beginning to its end.
type rawPlaces struct {
	pos    int // of the node
	lines  []text.Segment
	before int // how much of the text stands before the first of the lines
}

func places(n ast.Node) *rawPlaces {
	p := &rawPlaces{pos: n.Pos()}
	switch n := n.(type) {
	case *ast.RawHTML:
		p.lines = n.Segments.Sliced(0, n.Segments.Len())
	case *ast.HTMLBlock:
		p.lines = n.Lines().Sliced(0, n.Lines().Len())
		if n.HasClosure() {
			p.lines = append(slices.Clip(p.lines), n.ClosureLine)
		}
	}
	return p // a container's tag was made of its words
}

// at is the offset in the page of an offset in the text.
func (p *rawPlaces) at(offset int) int {
	for len(p.lines) > 0 {
		s := p.lines[0]
		size := s.Padding + s.Len()
		if offset < p.before+size || len(p.lines) == 1 {
			return s.Start + max(0, offset-p.before-s.Padding)
		}
		p.before += size
		p.lines = p.lines[1:]
	}
	return p.pos
}

var (
	unsafeOr    = diag.Say("write it in Markdown; unsafe_html = true under [markdown] keeps HTML as it is written")
	scriptHint  = diag.Say("a script belongs into the theme, as a file; docs/themes.md")
	styleHint   = diag.Say("no page has styles of its own: give it a class, and the theme's style a rule for it")
	frameHint   = diag.Say("pages show nothing of other hosts but images: write a link to it")
	formHint    = diag.Say("pages have no forms; of a list to tick off, write - [ ] and - [x]")
	svgHint     = diag.Say("save the drawing as a file beside the page, and show it as ![what it shows](drawing.svg)")
	mathHint    = diag.Say("write the formula as $...$")
	addressHint = diag.Say("write an address that begins with https:, or a file of the site")
	dangerHint  = diag.Say("link to a page or a file; what a page does is up to the theme's scripts")
)

func elementHint(element string) diag.Text {
	switch element {
	case "script", "noscript":
		return scriptHint
	case "style", "font", "link":
		return styleHint
	case "iframe", "frame", "frameset", "object", "embed", "applet", "param":
		return frameHint
	case "form", "input", "button", "select", "option", "textarea", "label", "fieldset":
		return formHint
	case "svg", "path", "g", "rect", "circle", "line", "text", "polygon", "defs", "use":
		return svgHint
	case "math", "mrow", "mi", "mo", "mn":
		return mathHint
	}
	return unsafeOr
}

func attributeHint(l rawhtml.Loss) diag.Text {
	switch {
	case strings.HasPrefix(l.Attribute, "on"):
		return scriptHint
	case l.Attribute == "style":
		return styleHint
	case l.Address != "":
		return addressHint
	}
	return unsafeOr
}

// dangerous warns of an address that no link leads to, in Markdown or in HTML.
func (l *pageLinks) dangerous(address string, pos int, what string) bool {
	if !rawhtml.Dangerous(address) || what != "page" && !rawhtml.DangerousImage(address) {
		return false
	}
	shown := address
	if len(shown) > 60 {
		shown = strings.ToValidUTF8(shown[:60], "") + "…"
	}
	l.missing(RuleLink, address, pos, diag.Say("the address %q would run something in a reader's browser, and is left out", shown), dangerHint)
	return true
}
