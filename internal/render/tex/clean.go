package tex

import (
	"cmp"
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// elements are the elements of MathML that are allowed: those that browsers lay out and that load
// nothing. https://www.w3.org/TR/mathml-core/
var elements = []string{
	"math", "mrow", "mi", "mn", "mo", "mtext", "mspace", "mstyle", "mpadded", "mphantom", "menclose",
	"mfrac", "msqrt", "mroot", "msub", "msup", "msubsup", "munder", "mover", "munderover",
	"mmultiscripts", "mprescripts", "none", "mtable", "mtr", "mtd",
}

// attributes are those that are allowed. They hold words, lengths and numbers.
var attributes = []string{
	"displaystyle", "scriptlevel", "mathvariant", "mathcolor", "mathbackground", "mathsize",
	"fence", "form", "stretchy", "symmetric", "separator", "largeop", "movablelimits", "accent", "accentunder",
	"lspace", "rspace", "minsize", "maxsize", "linethickness", "width", "height", "depth", "voffset",
	"columnspan", "rowspan", "columnalign", "columnspacing", "rowspacing", "notation",
}

var (
	value = regexp.MustCompile(`^[a-zA-Z0-9#%.,+\- ]*$`)
	class = regexp.MustCompile(`^[a-z][a-zA-Z0-9-]*$`)
	color = regexp.MustCompile(`^(#[0-9a-fA-F]{3,8}|[a-zA-Z]{1,30})$`)
)

// clean returns Temml's markup with what is allowed, and with the TeX in an annotation, which is not
// shown but copied. The text of an element that is not allowed is kept.
func clean(markup string, f formula) (string, error) {
	var b strings.Builder
	b.Grow(len(markup) + 2*len(f.tex) + 100)
	var open []string // "" for an element that is not allowed
	d := xml.NewDecoder(strings.NewReader(markup))
	for {
		token, err := d.RawToken()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return "", &Error{"this formula has a character that no page can hold", -1}
		}
		switch t := token.(type) {
		case xml.StartElement:
			open = append(open, start(&b, t, f, len(open)))
		case xml.EndElement:
			if len(open) == 0 {
				return "", &Error{"this formula is too much for Temml", -1}
			}
			end(&b, open[len(open)-1], f)
			open = open[:len(open)-1]
		case xml.CharData:
			_ = xml.EscapeText(&b, t) // a Builder takes everything
		}
	}
	if len(open) > 0 || !strings.HasPrefix(b.String(), "<math") {
		return "", &Error{"this formula is too much for Temml", -1}
	}
	return b.String(), nil
}

func start(b *strings.Builder, t xml.StartElement, f formula, depth int) string {
	name := t.Name.Local
	switch {
	case t.Name.Space != "" || !slices.Contains(elements, name) || (name == "math") != (depth == 0):
		return ""
	case name == "math":
		b.WriteString(`<math`)
		if f.display {
			b.WriteString(` display="block"`)
		}
		b.WriteString(`><semantics><mrow>`)
		return name
	}
	b.WriteString("<" + name)
	var classes []string
	written := map[string]bool{}
	write := func(key, v string) {
		if !written[key] {
			written[key] = true
			b.WriteString(` ` + key + `="` + v + `"`)
		}
	}
	for _, a := range t.Attr {
		switch key := a.Name.Local; {
		case a.Name.Space != "":
		case key == "class":
			for c := range strings.FieldsSeq(a.Value) {
				if class.MatchString(c) {
					classes = append(classes, c)
				}
			}
		case key == "style":
			classes = append(classes, style(write, a.Value)...)
		case slices.Contains(attributes, key) && value.MatchString(a.Value):
			write(key, a.Value)
		}
	}
	if len(classes) > 0 {
		slices.Sort(classes)
		b.WriteString(` class="` + strings.Join(slices.Compact(classes), " ") + `"`)
	}
	b.WriteByte('>')
	return name
}

func end(b *strings.Builder, name string, f formula) {
	switch name {
	case "":
	case "math":
		b.WriteString(`</mrow><annotation encoding="application/x-tex">`)
		_ = xml.EscapeText(b, []byte(strings.TrimSpace(f.tex))) // a Builder takes everything
		b.WriteString(`</annotation></semantics></math>`)
	default:
		b.WriteString("</" + name + ">")
	}
}

// styleClasses are the classes for properties, or for declarations.
var styleClasses = map[string]string{
	"width:100%": "tex-wide", "width:50%": "tex-fill", "math-depth:0": "tex-depth0", "font-weight": "tex-bold", "border": "tex-box",
	"border-top": "tex-top", "border-right": "tex-right", "border-bottom": "tex-bottom", "border-left": "tex-left",
}

// style converts styles to attributes of MathML, and returns classes for those that it has no
// attributes for. What it does not know, rare tricks with positions, is dropped.
func style(write func(key, v string), css string) (classes []string) {
	for declaration := range strings.SplitSeq(css, ";") {
		property, v, _ := strings.Cut(declaration, ":")
		class := cmp.Or(styleClasses[property], styleClasses[declaration])
		switch property {
		case "color":
			if color.MatchString(v) {
				write("mathcolor", v)
			}
		case "background-color":
			if color.MatchString(v) {
				write("mathbackground", v)
			}
		case "padding-left", "padding-right":
			class = padding(strings.TrimPrefix(property, "padding-"), v)
		case "margin-left":
			class = negative(v)
		}
		if class != "" {
			classes = append(classes, class)
		}
		if strings.HasPrefix(property, "border-") && class != "" && strings.Contains(v, "dashed") {
			classes = append(classes, "tex-dashed")
		}
	}
	return classes
}

// padding returns the class for the padding of a table cell: none, that between columns, or else the browser's .4em.
func padding(side, v string) string {
	switch em := ems(v); {
	case em == 0:
		return "tex-" + side + "-0"
	case em >= 1.5:
		return "tex-" + side + "-2"
	case em >= .9:
		return "tex-" + side + "-1"
	}
	return ""
}

// negative returns the class for negative space, \! and its neighbours, in steps of 1/18 em, TeX's mu.
func negative(v string) string {
	switch mu := -18 * ems(v); {
	case mu < 1:
		return ""
	case mu < 3.5:
		return "tex-back-3"
	case mu < 4.5:
		return "tex-back-4"
	}
	return "tex-back-5"
}

// ems parses a length in em or pt; a point of TeX is a tenth of its em.
func ems(v string) float64 {
	scale := 1.
	if strings.HasSuffix(v, "pt") {
		scale = .1
	}
	n, _ := strconv.ParseFloat(strings.TrimRight(v, "emptx%"), 64)
	return n * scale
}
