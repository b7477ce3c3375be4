package notebook

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"strings"

	"github.com/gpudocs/gpudocs/internal/text/svg"
)

// A Picture is a picture to publish as a file.
type Picture struct {
	// Ext is "png", "jpg" or "svg".
	Ext  string
	Data []byte
	// Width and Height are in pixels, or 0 if an SVG has no size.
	Width, Height int
}

// picture selects the best picture of a set of formats. If there is none, why is the reason why a
// picture cannot be used, or empty.
func picture(data map[string]json.RawMessage) (p *Picture, why string) {
	if raw, ok := data["image/svg+xml"]; ok {
		t := []byte(textOf(raw))
		w, h, err := svg.Check(t)
		if err == nil {
			return &Picture{"svg", t, w, h}, ""
		}
		why = "the SVG is not published: " + err.Error()
	}
	for _, f := range []struct {
		mime, ext string
		read      func([]byte) (image.Config, error)
	}{
		{"image/png", "png", func(b []byte) (image.Config, error) { return png.DecodeConfig(bytes.NewReader(b)) }},
		{"image/jpeg", "jpg", func(b []byte) (image.Config, error) { return jpeg.DecodeConfig(bytes.NewReader(b)) }},
	} {
		raw, ok := data[f.mime]
		if !ok {
			continue
		}
		b, err := unbase64(textOf(raw))
		if err != nil {
			why = "the " + f.mime + " is no base64"
			continue
		}
		c, err := f.read(b)
		switch {
		case err != nil:
			why = fmt.Sprintf("the %s cannot be read: %v", f.mime, err)
		case c.Width < 1 || c.Height < 1 || c.Width > MaxSide || c.Height > MaxSide:
			why = fmt.Sprintf("the %s has %d x %d pixels, more than %d", f.mime, c.Width, c.Height, MaxSide)
		default:
			return &Picture{f.ext, b, c.Width, c.Height}, why
		}
	}
	return nil, why
}

// unbase64 decodes base64 with line ends, with or without padding.
func unbase64(s string) ([]byte, error) {
	s = strings.NewReplacer("\n", "", "\r", "", " ", "", "\t", "").Replace(s)
	return base64.RawStdEncoding.DecodeString(strings.TrimRight(s, "="))
}
