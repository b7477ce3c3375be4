package resolve

import (
	"bytes"
	"strings"
	"sync"

	"github.com/yuin/goldmark/ast"
	"golang.org/x/net/html"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/rawhtml"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// rawHTML resolves the addresses in raw HTML, which browsers would look for below the page's
// address, one level deeper than its file. It also reports what sanitising removes.
func (l *pageLinks) rawHTML(n ast.Node) {
	raw := markdown.RawHTML(n, l.page.Source.Data)
	p := site.NewHTMLOffsets(n)
	at, removed := 0, ""
	for z := html.NewTokenizer(bytes.NewReader(raw)); z.Next() != html.ErrorToken; {
		start, end := at, at+len(z.Raw())
		at = end
		t := z.Token()
		switch {
		case removed != "":
			if t.Type == html.EndTagToken && t.Data == removed {
				removed = ""
			}
		case t.Type == html.StartTagToken || t.Type == html.SelfClosingTagToken:
			if !l.unsafeHTML && !l.reportSanitised(p, t, raw[start:end], start) && t.Type == html.StartTagToken && rawhtml.Hidden(t.Data) {
				removed = t.Data
				continue
			}
			l.rawElement(t, p.At(start))
		}
	}
}

func (l *pageLinks) rawElement(t html.Token, pos int) {
	src, alt := "", false
	for _, a := range t.Attr {
		switch a.Key {
		case "src", "poster":
			src = a.Val
			l.resolveRaw(a.Val, pos, "file")
		case "srcset":
			for _, c := range rawhtml.Candidates(a.Val) {
				l.resolveRaw(c.Address, pos, "file")
			}
		case "href":
			l.resolveRaw(a.Val, pos, "page")
		case "alt":
			alt = true
		}
	}
	if t.Data == "img" && src != "" && !alt {
		l.warnNoAlt(src, pos, diag.Say("page.image-alt-hint"))
	}
}

func (l *pageLinks) resolveRaw(address string, pos int, what string) {
	if l.unsafeHTML && rawhtml.Dangerous(address) {
		return
	}
	set(&l.links.RawTargets, address, l.resolve(address, pos, what))
}

// dangerous reports and warns of an address with a dangerous scheme, in Markdown or in HTML.
func (l *pageLinks) dangerous(address string, pos int, what string) bool {
	if !rawhtml.Dangerous(address) || what != "page" && !rawhtml.DangerousImage(address) {
		return false
	}
	shown := address
	if len(shown) > 60 {
		shown = strings.ToValidUTF8(shown[:60], "") + "…"
	}
	l.missing(site.RuleLink, address, pos, diag.Say("page.address-runs-script", "shown", shown))
	return true
}

// maxLosses bounds how many removed attributes of one tag are reported, since the tag is searched
// for each of them.
const maxLosses = 100

// reportSanitised reports, once on a page for each kind, what sanitising removes from a tag. ok is
// false if the whole tag is removed. written is the text of the tag, at the offset from in the
// node.
func (r *reporter) reportSanitised(p *site.HTMLOffsets, t html.Token, written []byte, from int) (ok bool) {
	_, lost, ok := rawhtml.Tag(t)
	if len(lost) > maxLosses {
		lost = lost[:maxLosses]
	}
	lower := sync.OnceValue(func() []byte { return bytes.ToLower(written) })
	for _, loss := range lost {
		if loss.Attribute == "" {
			r.warnOfLoss("<"+loss.Element, p, from, from+1+len(loss.Element),
				diag.Say("page.html-element-removed", "element", loss.Element).WithHint(elementHint(loss.Element)))
			continue
		}
		if loss.Reserved != "" {
			at := from
			if i := bytes.Index(written, []byte(loss.Reserved)); i > 0 {
				at = from + i
			}
			message := site.ReservedNameMessage(loss.Attribute, loss.Reserved)
			r.warnOfLoss("reserved "+loss.Reserved, p, at, at+len(loss.Reserved), message)
			continue
		}
		if loss.Address != "" && rawhtml.Dangerous(loss.Address) {
			continue // reported for all links
		}
		at := from
		if i := bytes.Index(lower(), []byte(loss.Attribute)); i > 0 {
			at = from + i
		}
		r.warnOfLoss(loss.Element+" "+loss.Attribute, p, at, at+len(loss.Attribute),
			diag.Say("page.html-attribute-removed", "attribute", loss.Attribute, "element", loss.Element).WithHint(attributeHint(loss)))
	}
	return ok
}

// warnOfLoss warns of something at offsets in the text of a node.
func (r *reporter) warnOfLoss(kind string, p *site.HTMLOffsets, from, to int, message diag.Text) {
	if r.first("html " + kind) {
		start := p.At(from)
		r.warnAt(site.RuleHTML, markdown.Span{Start: start, Stop: start + to - from}, message)
	}
}

func elementHint(element string) diag.Text {
	switch element {
	case "script", "noscript":
		return diag.Say("page.script-hint")
	case "style", "font", "link":
		return diag.Say("page.style-class-hint")
	case "iframe", "frame", "frameset", "object", "embed", "applet", "param":
		return diag.Say("page.embed-hint")
	case "form", "input", "button", "select", "option", "textarea", "label", "fieldset":
		return diag.Say("page.form-hint")
	case "svg", "path", "g", "rect", "circle", "line", "text", "polygon", "defs", "use":
		return diag.Say("page.svg-inline-hint")
	case "math", "mrow", "mi", "mo", "mn":
		return diag.Say("page.formula-hint")
	}
	return diag.Say("page.html-hint")
}

func attributeHint(l rawhtml.Loss) diag.Text {
	switch {
	case strings.HasPrefix(l.Attribute, "on"):
		return diag.Say("page.script-hint")
	case l.Attribute == "style":
		return diag.Say("page.style-class-hint")
	case l.Address != "":
		return diag.Say("page.address-scheme-hint")
	}
	return diag.Say("page.html-hint")
}
