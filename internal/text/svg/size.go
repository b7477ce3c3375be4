package svg

import (
	"encoding/xml"
	"math"
	"strconv"
	"strings"
)

// Size returns width and height of the root in pixels, or what the viewBox gives for missing ones. They are 0 if it has neither, or
// relative sizes: browsers then use all available space.
func Size(e xml.StartElement) (w, h float64) {
	by := map[string]string{}
	for _, a := range e.Attr {
		by[a.Name.Local] = a.Value
	}
	w, h = pixels(by["width"]), pixels(by["height"])
	if box := numbers(by["viewBox"]); len(box) == 4 && box[2] > 0 && box[3] > 0 {
		switch {
		case w == 0 && h == 0:
			w, h = box[2], box[3]
		case w == 0:
			w = h * box[2] / box[3]
		case h == 0:
			h = w * box[3] / box[2]
		}
	}
	return w, h
}

// whole rounds a size up. It is 0 if one side is, or is longer than MaxSide.
func whole(w, h float64) (width, height int) {
	if w <= 0 || h <= 0 || w > MaxSide || h > MaxSide {
		return 0, 0
	}
	return int(math.Ceil(w)), int(math.Ceil(h))
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
