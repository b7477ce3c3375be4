package picture

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"strings"

	"github.com/gpudocs/gpudocs/internal/text/diag"
	"github.com/gpudocs/gpudocs/internal/text/svg"
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
	w, h := svg.Size(e)
	if w <= 0 || h <= 0 || w > maxSide || h > maxSide {
		return Size{}
	}
	return Size{max(1, int(math.Round(w))), max(1, int(math.Round(h)))}
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
