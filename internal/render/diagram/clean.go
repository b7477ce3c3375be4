package diagram

import (
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"
)

// idMark is put before the ids of a cleaned drawing. It does not occur in text.
const idMark = "\x00"

// elements are the elements of SVG that are allowed: those that show something and load nothing.
var elements = []string{
	"g", "rect", "circle", "ellipse", "line", "polygon", "polyline", "path", "text", "tspan",
	"defs", "marker", "clipPath", "linearGradient", "stop", "symbol", "use",
}

// attributes are those that are allowed if their values have a simple form.
var attributes = []string{
	"x", "y", "dx", "dy", "x1", "y1", "x2", "y2", "cx", "cy", "r", "rx", "ry", "width", "height", "points", "d", "transform",
	"viewBox", "refX", "refY", "markerWidth", "markerHeight", "markerUnits", "orient", "offset", "gradientUnits", "preserveAspectRatio",
	"fill", "stroke", "stop-color", "fill-opacity", "stroke-opacity", "stop-opacity", "opacity", "fill-rule",
	"stroke-width", "stroke-dasharray", "stroke-linecap", "stroke-linejoin",
	"text-anchor", "dominant-baseline", "alignment-baseline", "font-size", "font-weight", "font-style", "text-decoration", "writing-mode",
	"marker-start", "marker-mid", "marker-end", "clip-path",
}

var (
	plain     = regexp.MustCompile(`^[\w#%(),.+\- ]*$`)
	idForm    = regexp.MustCompile(`^ID-\d+$`)
	urlForm   = regexp.MustCompile(`^url\(#ID-\d+\)$`)
	hrefForm  = regexp.MustCompile(`^#ID-\d+$`)
	classForm = regexp.MustCompile(`^diagram-(?:fill|stroke|stop-color)-[a-z0-9-]+$`)
)

// errMarkup is a bug of gpudocs: the drawing is not what write.js writes.
var errMarkup = &Error{"Mermaid drew something that no page can hold", 0}

// clean returns a drawing with what is allowed. The text of an element that is not allowed is removed
// with it.
func clean(markup string) (string, error) {
	var b strings.Builder
	b.Grow(len(markup))
	d := xml.NewDecoder(strings.NewReader(markup))
	depth, text, skipped := 0, 0, 0
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return "", errMarkup
		}
		switch t := token.(type) {
		case xml.StartElement:
			if skipped > 0 || t.Name.Space != "" || !slices.Contains(elements, t.Name.Local) {
				skipped++
				continue
			}
			start(&b, t)
			depth++
			if t.Name.Local == "text" {
				text++
			}
		case xml.EndElement:
			if skipped > 0 {
				skipped--
				continue
			}
			b.WriteString("</" + t.Name.Local + ">")
			depth--
			if t.Name.Local == "text" {
				text--
			}
		case xml.CharData:
			if skipped == 0 && text > 0 {
				b.WriteString(escape(string(t)))
			}
		}
	}
	if depth != 0 {
		return "", errMarkup
	}
	return b.String(), nil
}

func start(b *strings.Builder, t xml.StartElement) {
	b.WriteString("<" + t.Name.Local)
	var seen []string
	for _, a := range t.Attr {
		if value, ok := allowed(t.Name.Local, a); ok && !slices.Contains(seen, a.Name.Local) {
			seen = append(seen, a.Name.Local)
			b.WriteString(` ` + a.Name.Local + `="` + value + `"`)
		}
	}
	b.WriteByte('>')
}

// allowed returns the value of an attribute in the form that is allowed on a page.
func allowed(element string, a xml.Attr) (string, bool) {
	name, value := a.Name.Local, a.Value
	mark := func() (string, bool) { return strings.Replace(value, "ID-", idMark, 1), true }
	switch {
	case a.Name.Space != "":
		return "", false
	case name == "id" && idForm.MatchString(value), name == "href" && element == "use" && hrefForm.MatchString(value):
		return mark()
	case name == "class":
		return value, !slices.ContainsFunc(strings.Fields(value), func(c string) bool { return !classForm.MatchString(c) })
	case !slices.Contains(attributes, name):
		return "", false
	case strings.Contains(value, "url"):
		if urlForm.MatchString(value) {
			return mark()
		}
		return "", false
	}
	return value, plain.MatchString(value)
}

var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "\x00", "")

func escape(s string) string { return escaper.Replace(s) }
