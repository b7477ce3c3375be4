package page

import (
	"fmt"
	"path"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/util"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/rawhtml"
	"github.com/gpudocs/gpudocs/internal/render/nav"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/picture"
)

func (v *writer) image(w util.BufWriter, source []byte, n ast.Node) error {
	image := n.(*ast.Image)
	t := v.links.Target(n)
	alt := markdown.Text(n, source, markdown.TextOptions{})
	address := v.address(t)
	if t.External != "" && !rawhtml.DangerousImage(t.External) {
		address = t.External // it may be a data: address
	}
	if address == "" {
		v.missingImage(w, alt, string(image.Destination))
		return nil
	}
	_, _ = w.WriteString(`<img src="` + attribute(address) + `" alt="` + attribute(alt) + `"` + v.imageAttributes(n, t))
	if len(image.Title) > 0 {
		_, _ = w.WriteString(` title="` + attribute(markdown.Unescape(image.Title)) + `"`)
	}
	_, _ = w.WriteString(`>`)
	return nil
}

// size writes width and height of an image, so that the text below does not move when it loads. They
// are the author's, or 0; if only one is given, the other follows from it.
func (v *writer) size(t site.Target, width, height int) string {
	size := v.naturalSize(t)
	known := size.Width > 0 && size.Height > 0
	switch {
	case known && width == 0 && height == 0:
		width, height = size.Width, size.Height
	case known && height == 0:
		height = max(1, (size.Height*width+size.Width/2)/size.Width)
	case known && width == 0:
		width = max(1, (size.Width*height+size.Height/2)/size.Height)
	}
	var b strings.Builder
	if width > 0 {
		fmt.Fprintf(&b, ` width="%d"`, width)
	}
	if height > 0 {
		fmt.Fprintf(&b, ` height="%d"`, height)
	}
	return b.String()
}

// naturalSize returns the size of the file, or zeros if it is not known.
func (v *writer) naturalSize(t site.Target) (size picture.Size) {
	switch {
	case t.Picture != nil:
		size = picture.Size{Width: t.Picture.Width, Height: t.Picture.Height}
	case t.Asset != "":
		size, _ = v.Nav.Content.ImageSize(t.Asset)
	}
	return size
}

// ImageDir is the folder of smaller versions of images.
const ImageDir = "_images"

// SmallerFile returns the file of a smaller version of an image.
func SmallerFile(asset string, width int) string {
	ext := path.Ext(asset)
	return ImageDir + "/" + strings.TrimSuffix(asset, ext) + "-" + strconv.Itoa(width) + ext
}

// smaller returns what the browser chooses a version of an image by: their addresses with their widths, and the width that the
// image has on the page, in CSS pixels if the author gave it. Newer browsers use the width that it really has there.
func (v *writer) smaller(t site.Target, width int) (srcset, sizes string) {
	if !v.Smaller || v.ForPrint || t.Asset == "" {
		return "", ""
	}
	size, err := v.Nav.Content.ImageSize(t.Asset)
	widths := picture.Widths(t.Asset, size)
	if err != nil || len(widths) == 0 {
		return "", ""
	}
	from := v.At.URL()
	candidate := func(file string, width int) string {
		return strings.ReplaceAll(nav.Href(from, file), ",", "%2C") + " " + strconv.Itoa(width) + "w"
	}
	for _, w := range widths {
		srcset += candidate(SmallerFile(t.Asset, w), w) + ", "
	}
	sizes = "auto, (max-width: 50rem) 100vw, 45rem"
	if width > 0 {
		sizes = strconv.Itoa(width) + "px"
	}
	return srcset + candidate(t.Asset, size.Width), sizes
}

// missingImage writes the text of an image that does not exist.
func (v *writer) missingImage(w util.BufWriter, alt, name string) {
	text := v.t.Get("image_missing", "name", name)
	if alt != "" {
		text = alt + " (" + text + ")"
	}
	_, _ = w.WriteString(`<span class="missing-image">` + attribute(text) + `</span>`)
}

// imageAttributes returns the attributes that the author gave an image, or else its figure. A share of the text's width
// is a class, because the content security policy forbids style attributes, and width="60%" would lose the proportions.
func (v *writer) imageAttributes(n ast.Node, t site.Target) string {
	width, height := markdown.ImageSize(n)
	classes := strings.Fields(markdown.TextAttribute(n, "class"))
	if share, ok := strings.CutSuffix(width, "%"); ok {
		classes = append(classes, "w-"+share)
	}
	if align := markdown.TextAttribute(n, "align"); align != "" {
		classes = append(classes, "align-"+align)
	}
	var b strings.Builder
	if id := markdown.TextAttribute(n, "id"); id != "" {
		b.WriteString(` id="` + attribute(id) + `"`)
	}
	if len(classes) > 0 {
		b.WriteString(` class="` + attribute(strings.Join(classes, " ")) + `"`)
	}
	b.WriteString(v.size(t, pixels(width), pixels(height)))
	if srcset, sizes := v.smaller(t, pixels(width)); srcset != "" {
		b.WriteString(` srcset="` + attribute(srcset) + `" sizes="` + sizes + `"`)
	}
	if markdown.TextAttribute(n, "loading") != "eager" {
		b.WriteString(` loading="lazy"`)
	}
	b.WriteString(` decoding="async"`)
	return b.String()
}

// pixels parses a length of an author, "400px" or "400", or returns 0.
func pixels(s string) int {
	n, _ := strconv.Atoi(strings.TrimSuffix(s, "px"))
	return n
}
