package picture

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// maxSVGHead bounds how many bytes of an SVG are read for its size. Its first element may follow
// comments and a licence.
const maxSVGHead = 256 << 10

// svgSize returns the size in the first element of an SVG: width and height, or what the viewBox
// gives for missing ones. Both are zero if the SVG has neither, or relative sizes: browsers then use
// all available space.
func svgSize(data []byte) (Size, error) {
	d := newDecoder(bytes.NewReader(data[:min(len(data), maxSVGHead)]))
	d.Strict = false // a document type may declare entities, as Inkscape's do
	for {
		t, err := d.Token()
		if err != nil {
			return Size{}, diag.Say("picture.svg-element-missing")
		}
		e, ok := t.(xml.StartElement)
		if !ok {
			continue
		}
		if e.Name.Local != "svg" {
			return Size{}, diag.Say("picture.svg-root-wrong", "local", e.Name.Local)
		}
		return svgElement(e), nil
	}
}

func svgElement(e xml.StartElement) Size {
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
		return Size{}
	}
	return Size{max(1, int(math.Round(w))), max(1, int(math.Round(h)))}
}

// units are CSS's absolute lengths in pixels, https://www.w3.org/TR/css-values-4/#absolute-lengths.
var units = map[string]float64{"": 1, "px": 1, "in": 96, "cm": 96 / 2.54, "mm": 96 / 25.4, "q": 96 / 101.6, "pt": 96. / 72, "pc": 16}

// pixels parses a length. It returns 0 for a relative or invalid one.
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
	for w := range strings.FieldsFuncSeq(s, func(r rune) bool { return strings.ContainsRune(" ,\t\n\r", r) }) {
		v, err := strconv.ParseFloat(w, 64)
		if err != nil || math.IsInf(v, 0) || math.IsNaN(v) {
			return nil
		}
		out = append(out, v)
	}
	return out
}

// newDecoder returns a decoder that takes any encoding for UTF-8.
func newDecoder(r io.Reader) *xml.Decoder {
	d := xml.NewDecoder(r)
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	return d
}

// CheckSVG reads an SVG to its end, because browsers show nothing after a syntax error. It stops at
// an entity that the document declares, since entities are not resolved here.
func CheckSVG(r io.Reader) error {
	d := newDecoder(r)
	var err error
	for err == nil {
		_, err = d.Token()
	}
	fault, ok := errors.AsType[*xml.SyntaxError](err)
	switch {
	case err == io.EOF, ok && strings.HasPrefix(fault.Msg, "invalid character entity"):
		return nil
	case ok:
		return diag.Say("picture.svg-line", "line", fault.Line, "msg", fault.Msg)
	}
	return err
}
