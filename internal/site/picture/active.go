package picture

import (
	"bytes"
	"encoding/xml"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown/rawhtml"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// activeElements are the elements that run or load something, in any namespace.
var activeElements = []string{"script", "foreignobject", "iframe", "object", "embed", "handler", "listener", "base", "meta", "link", "form"}

// newDecoder returns a decoder that accepts any declared encoding.
func newDecoder(r io.Reader) *xml.Decoder {
	d := xml.NewDecoder(r)
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	return d
}

// ActiveContent finds the first part of an SVG that runs or loads something. It stops at a syntax
// error, as browsers do. It helps honest authors and their reviewers: against deliberate attacks
// there are headers.
func ActiveContent(data []byte) (at int, what diag.Text) {
	if !utf8.Valid(data) {
		return 0, diag.Say("picture.svg-not-utf")
	}
	d := newDecoder(bytes.NewReader(data))
	d.Strict = false // entities that the document declares are not resolved
	inStyle := false
	for {
		at = int(d.InputOffset())
		t, err := d.RawToken()
		if err != nil {
			return 0, diag.Text{}
		}
		switch t := t.(type) {
		case xml.Directive:
			if entityMarkup.Match(t) {
				what = diag.Say("picture.svg-declares-entities")
			}
		case xml.ProcInst:
			if t.Target == "xml-stylesheet" {
				what = diag.Say("picture.svg-loads-style")
			}
		case xml.StartElement:
			inStyle = t.Name.Local == "style"
			what = checkElement(t)
		case xml.EndElement:
			inStyle = false
		case xml.CharData:
			if inStyle && loadsStyle(string(t)) {
				what = diag.Say("picture.svg-style-loads")
			}
		}
		if !what.IsZero() {
			return at, what
		}
	}
}

// entityMarkup matches the declaration of an entity that contains a tag.
var entityMarkup = lazyregexp.New(`<!ENTITY[^>]*(["'][^"']*<|&#)`)

// checkElement describes what an element runs or loads.
func checkElement(e xml.StartElement) diag.Text {
	name := e.Name.Local
	if slices.Contains(activeElements, strings.ToLower(name)) {
		return diag.Say("picture.svg-holds", "name", name)
	}
	for _, a := range e.Attr {
		if what := checkAttribute(name, a.Name.Local, a.Value); !what.IsZero() {
			return what
		}
	}
	return diag.Text{}
}

// checkAttribute describes what an attribute runs or loads. Links are allowed: following one is the
// reader's choice.
func checkAttribute(element, attribute, value string) diag.Text {
	switch {
	case len(attribute) > 2 && strings.EqualFold(attribute[:2], "on"):
		return diag.Say("picture.svg-runs-something", "attribute", attribute, "element", element)
	case attribute == "href" || attribute == "src":
		to := strings.TrimSpace(value)
		switch {
		case strings.HasPrefix(to, "#"), to == "":
		case element == "a" && !rawhtml.Dangerous(to):
		case element != "a" && !rawhtml.DangerousImage(to) && strings.HasPrefix(strings.ToLower(to), "data:"):
		default:
			if len(to) > 60 {
				to = strings.ToValidUTF8(to[:60], "") + "…"
			}
			return diag.Say("picture.svg-refers", "to", to)
		}
	case attribute == "attributeName" && strings.HasSuffix(value, "href"):
		return diag.Say("picture.svg-changes-link")
	case loadsStyle(value):
		return diag.Say("picture.svg-attribute-loads", "attribute", attribute, "element", element)
	}
	return diag.Text{}
}

var styleAddress = lazyregexp.New(`(?i)url\s*\(\s*["']?\s*([^)"'\s]{0,5})|@import|image-set`)

// loadsStyle reports whether a style needs another file.
func loadsStyle(style string) bool {
	if !strings.ContainsAny(style, "(@") {
		return false
	}
	for _, m := range styleAddress.FindAllStringSubmatch(style, -1) {
		if to := strings.ToLower(m[1]); !strings.HasPrefix(to, "#") && to != "data:" {
			return true
		}
	}
	return false
}
