// Package svg recognises drawings in SVG that only draw: they run, load, link and animate nothing.
package svg

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// drawing are the elements of SVG that only draw, and do not run, load, link or animate anything:
// https://www.w3.org/TR/SVG2/eltindex.html.
var drawing = strings.Fields(`svg g defs symbol use path rect circle ellipse line polyline polygon text tspan textPath
	title desc metadata style clipPath mask pattern marker linearGradient radialGradient stop image filter switch
	feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight
	feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feMerge feMergeNode feMorphology feOffset
	fePointLight feSpecularLighting feSpotLight feTile feTurbulence`)

// rdf are the namespaces that Matplotlib uses in <metadata>, which browsers do not show.
var rdf = []string{"http://www.w3.org/1999/02/22-rdf-syntax-ns#", "http://creativecommons.org/ns#", "http://purl.org/dc/elements/1.1/"}

const svgSpace = "http://www.w3.org/2000/svg"

// MaxSide limits width and height, in pixels. A larger side counts as unknown.
const MaxSide = 16384

// Check accepts an SVG that only draws, and rejects any other: sanitising one is harder than
// recognising a safe one. Pages show it with <img>, where scripts do not run. In the file itself,
// which a reader may open, they would. Width and height are in pixels, or 0 if it has no size.
func Check(data []byte) (width, height int, err error) {
	d := xml.NewDecoder(bytes.NewReader(data))
	// The texts of the open elements: a style is the whole text of its element, across comments and
	// elements.
	var texts [][]byte
	all := drawn{byID: map[string]int{}, counted: map[int]int{}}
	seen := false
	for {
		t, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return 0, 0, diag.Say("notebook.svg-not-xml", "why", err)
		}
		switch t := t.(type) {
		case xml.StartElement:
			if texts = append(texts, nil); len(texts) > 200 {
				return 0, 0, diag.Say("notebook.svg-nesting-too-deep")
			}
			if err := checkElement(t, !seen); err != nil {
				return 0, 0, err
			}
			if !seen {
				width, height = whole(Size(t))
			}
			seen = true
			all.start(t)
		case xml.EndElement:
			last := len(texts) - 1
			if t.Name.Local == "style" && loads(string(texts[last])) {
				return 0, 0, diag.Say("notebook.svg-style-loads")
			}
			texts = texts[:last]
			all.end()
		case xml.CharData:
			if last := len(texts) - 1; last >= 0 {
				texts[last] = append(texts[last], t...)
			}
		case xml.ProcInst:
			if t.Target != "xml" {
				return 0, 0, diag.Say("notebook.svg-instruction", "target", t.Target)
			}
			if strings.Contains(strings.ToLower(string(t.Inst)), "encoding") && !utf8Form.Match(t.Inst) {
				return 0, 0, diag.Say("notebook.svg-not-utf8") // a browser would read another text
			}
		case xml.Directive:
			if bytes.ContainsRune(t, '[') {
				return 0, 0, diag.Say("notebook.svg-entities")
			}
		}
	}
	if !seen {
		return 0, 0, diag.Say("diag.file-empty")
	}
	if all.count(0) > maxDrawn {
		return 0, 0, diag.Say("notebook.svg-draws-too-much", "most", maxDrawn)
	}
	return width, height, nil
}

func checkElement(e xml.StartElement, root bool) error {
	if root && (e.Name.Local != "svg" || e.Name.Space != svgSpace) {
		return diag.Say("notebook.svg-root-wrong", "local", e.Name.Local, "svg_space", svgSpace)
	}
	if !slices.Contains(rdf, e.Name.Space) && (e.Name.Space != svgSpace || !slices.Contains(drawing, e.Name.Local)) {
		return diag.Say("notebook.svg-element", "local", e.Name.Local)
	}
	for _, a := range e.Attr {
		name := strings.ToLower(a.Name.Local)
		value := strings.TrimSpace(a.Value)
		switch {
		case strings.HasPrefix(name, "on"):
			return diag.Say("notebook.svg-attribute", "local", a.Name.Local)
		case a.Name.Space == "http://www.w3.org/XML/1998/namespace" && name == "base":
			return diag.Say("notebook.svg-refers-outside") // # is then not this file
		case name == "href" || name == "src":
			if !strings.HasPrefix(value, "#") && !strings.HasPrefix(value, "data:image/png;base64,") &&
				!strings.HasPrefix(value, "data:image/jpeg;base64,") {
				return diag.Say("notebook.svg-refers-outside")
			}
		case a.Name.Space == "" && loads(value): // others are not attributes of SVG
			return diag.Say("notebook.svg-attribute-loads", "local", a.Name.Local)
		}
	}
	return nil
}

var (
	urlForm = lazyregexp.New(`(?i)url\s*\(\s*["']?\s*([^)]?)`)
	// urlTarget matches the part of the file that a style refers to.
	urlTarget = lazyregexp.New(`(?i)url\s*\(\s*["']?\s*#([^)"'\s]+)`)
	utf8Form  = lazyregexp.New(`(?i)\bencoding\s*=\s*["'](utf-8|us-ascii)["']`)
)

// loads reports whether a style refers to anything but a part of its own file, or may hide that
// with escapes: \75rl( and u\rl( are both url(.
func loads(style string) bool {
	for _, word := range []string{"@import", "image-set", "src(", `\`} {
		if strings.Contains(strings.ToLower(style), word) {
			return true
		}
	}
	for _, m := range urlForm.FindAllStringSubmatch(style, -1) {
		if m[1] != "#" {
			return true
		}
	}
	return false
}
