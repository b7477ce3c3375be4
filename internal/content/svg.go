package content

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/gpudocs/gpudocs/internal/diag"
)

// maxSVGHead bounds how much of an SVG is read for its size: its first element
// stands at the beginning, behind comments and the licence of its author.
const maxSVGHead = 256 << 10

// svgSize reads the size from the first element of an SVG: width and height, and
// what they lack from the viewBox. Both are zero where it has neither, or a share
// of what is around it, for a browser takes all room there is then.
func svgSize(data []byte) (ImageSize, error) {
	d := xml.NewDecoder(bytes.NewReader(data[:min(len(data), maxSVGHead)]))
	d.Strict = false // a document type may declare entities, as Inkscape's do
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	for {
		t, err := d.Token()
		if err != nil {
			return ImageSize{}, diag.Say("it is no SVG: no <svg> element was found")
		}
		e, ok := t.(xml.StartElement)
		if !ok {
			continue
		}
		if e.Name.Local != "svg" {
			return ImageSize{}, diag.Say("it is no SVG: it begins with <%s>", e.Name.Local)
		}
		return svgElement(e), nil
	}
}

func svgElement(e xml.StartElement) ImageSize {
	var w, h float64
	var box []float64
	for _, a := range e.Attr {
		switch a.Name.Local {
		case "width":
			w = pixels(a.Value)
		case "height":
			h = pixels(a.Value)
		case "viewBox":
			box = numbers(a.Value)
		}
	}
	if len(box) == 4 && box[2] > 0 && box[3] > 0 {
		switch {
		case w == 0 && h == 0:
			w, h = box[2], box[3]
		case w == 0:
			w = h * box[2] / box[3]
		case h == 0:
			h = w * box[3] / box[2]
		}
	}
	if w <= 0 || h <= 0 || w > maxSide || h > maxSide {
		return ImageSize{}
	}
	return ImageSize{max(1, int(math.Round(w))), max(1, int(math.Round(h)))}
}

// units are CSS's absolute lengths in pixels, https://www.w3.org/TR/css-values-4/#absolute-lengths.
var units = map[string]float64{"": 1, "px": 1, "in": 96, "cm": 96 / 2.54, "mm": 96 / 25.4, "q": 96 / 101.6, "pt": 96. / 72, "pc": 16}

// pixels reads a length, and is zero where it is relative or none.
func pixels(s string) float64 {
	s = strings.TrimSpace(s)
	digits := len(s) - len(strings.TrimLeft(s, "0123456789.+-"))
	scale, ok := units[strings.ToLower(strings.TrimSpace(s[digits:]))]
	v, err := strconv.ParseFloat(s[:digits], 64)
	if err != nil || !ok || v <= 0 || math.IsInf(v, 0) {
		return 0
	}
	return v * scale
}

func numbers(s string) (out []float64) {
	for _, w := range strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == ',' || r == '\t' || r == '\n' || r == '\r' }) {
		v, err := strconv.ParseFloat(w, 64)
		if err != nil || math.IsInf(v, 0) || math.IsNaN(v) {
			return nil
		}
		out = append(out, v)
	}
	return out
}

// wellFormed reads an SVG to its end: a browser shows nothing behind a fault. What
// follows an entity of the author's own is not looked at: nothing here resolves it.
func wellFormed(r io.Reader) error {
	d := xml.NewDecoder(r)
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	for {
		_, err := d.Token()
		var fault *xml.SyntaxError
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.As(err, &fault) && strings.HasPrefix(fault.Msg, "invalid character entity"):
			return nil
		case errors.As(err, &fault):
			return diag.Say("line %d: %s", fault.Line, fault.Msg)
		case err != nil:
			return err
		}
	}
}
