package book

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	_ "embed"
	"fmt"
	"image/png"
	"path"
	"slices"
	"strings"
	"time"

	"golang.org/x/image/webp"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// mediaTypes are those of the files of a document. EPUB takes images of those that begin with "image/", but for WebP and AVIF.
var mediaTypes = map[string]string{
	".html": "text/html; charset=utf-8", ".css": "text/css", ".svg": "image/svg+xml", ".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg",
	".gif": "image/gif", ".webp": "image/webp", ".avif": "image/avif", ".woff2": "font/woff2",
}

//go:embed epub.css
var epubStyle string

// A container is an EPUB that is being made.
type container struct {
	*document
	o Options
	// manifest are the entries of the files, spine those to read, in order.
	manifest, spine []string
	files           map[string][]byte
	// chapters are the names of the files by their elements, images by the names of the site's files.
	chapters map[*html.Node]string
	images   map[string]string
	// undescribed is set if an image has no alternative text, formulas if there are some.
	undescribed, formulas bool
}

// epub returns the EPUB of a book.
func epub(d *document, o Options) ([]byte, error) {
	c := &container{document: d, o: o, files: map[string][]byte{}, chapters: map[*html.Node]string{}, images: map[string]string{}}
	style, cover, contents := "", (*html.Node)(nil), (*html.Node)(nil)
	for n := range d.root.Descendants() {
		switch {
		case hasClass(n, "book-cover"):
			cover, c.chapters[n] = n, "title.xhtml"
		case hasClass(n, "book-contents"):
			contents, c.chapters[n] = n, "nav.xhtml"
		case hasClass(n, "printed"):
			c.chapters[n] = fmt.Sprintf("page%d.xhtml", len(c.chapters)+1)
		case n.DataAtom == atom.Link && strings.HasSuffix(attribute(n, "href"), "/chroma.css"):
			name, _ := d.resolve(attribute(n, "href"))
			data, _ := o.Lookup(name)
			style = string(data)
		}
	}
	if cover == nil || contents == nil {
		return nil, diag.Say("book.theme")
	}
	for n := range d.root.Descendants() {
		if n == contents {
			c.contents(n)
		} else if c.chapters[n] != "" {
			c.chapter(n, c.chapters[n], "")
		}
	}
	c.add("style.css", "text/css", "", []byte(style+epubStyle))
	return c.zip()
}

// add adds a file.
func (c *container) add(name, mediaType, properties string, data []byte) {
	c.files[name] = data
	id := strings.NewReplacer(".", "-", " ", "-").Replace(name)
	if properties != "" {
		properties = ` properties="` + properties + `"`
	}
	c.manifest = append(c.manifest, fmt.Sprintf(`<item id="%s" href="%s" media-type="%s"%s/>`, id, name, mediaType, properties))
	if mediaType == "application/xhtml+xml" {
		c.spine = append(c.spine, `<itemref idref="`+id+`"/>`)
	}
}

// chapter adds an element of the document as a file.
func (c *container) chapter(n *html.Node, name, properties string) {
	title, list := "", []string{properties}
	for m := range n.Descendants() {
		switch {
		case m.DataAtom == atom.H1 && title == "":
			title = text(m)
		case m.Namespace == "math" && m.Data == "math":
			c.formulas, list = true, append(list, "mathml")
		case m.Namespace == "svg" && m.Data == "svg" && !hasClass(m, "icon"):
			list = append(list, "svg")
		}
	}
	slices.Sort(list)
	w := &xhtml{rewrite: c.rewrite}
	fmt.Fprintf(w, `<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" lang="%[1]s" xml:lang="%[1]s">
<head><title>%[2]s</title><link rel="stylesheet" type="text/css" href="style.css"/></head>
<body>
`, escape(c.book.Language), escape(cmp.Or(title, c.book.Title)))
	w.node(n, "")
	w.WriteString("\n</body>\n</html>\n")
	c.add(name, "application/xhtml+xml", strings.TrimSpace(strings.Join(slices.Compact(list), " ")), w.Bytes())
}

// contents adds the contents, which programs read too.
func (c *container) contents(n *html.Node) {
	n.Attr = append(n.Attr, html.Attribute{Key: "epub:type", Val: "toc"})
	c.chapter(n, "nav.xhtml", "nav")
}

// rewrite changes an element for an EPUB, and reports whether it is written.
func (c *container) rewrite(n *html.Node) bool {
	switch {
	case n.DataAtom == atom.Svg && hasClass(n, "icon"), hasClass(n, "folio"):
		return false
	case n.DataAtom == atom.Details:
		n.Data = "div"
		unset(n, "open")
	case n.DataAtom == atom.Summary:
		n.Data = "p"
	case n.DataAtom == atom.A:
		if id, inside := strings.CutPrefix(attribute(n, "href"), "#"); inside {
			to := c.chapterOf(c.ids[id])
			if to == nil {
				unset(n, "href")
			} else {
				set(n, "href", c.chapters[to]+"#"+ncName(id))
			}
		}
		if u := attribute(n, "href"); strings.ContainsAny(u, " <>\"{}|\\^`") {
			unset(n, "href")
		}
	case n.DataAtom == atom.Img:
		name := c.image(file(n))
		if strings.HasPrefix(attribute(n, "src"), "data:") {
			name = attribute(n, "src")
		}
		if name == "" {
			n.Data, n.DataAtom, n.FirstChild = "span", atom.Span, &html.Node{Type: html.TextNode, Data: attribute(n, "alt")}
			n.Attr = nil
			return true
		}
		if set(n, "src", name); !has(n, "alt") {
			set(n, "alt", "")
		}
		c.undescribed = c.undescribed || attribute(n, "alt") == ""
	}
	chapter := c.chapterOf(n)
	n.Attr = slices.DeleteFunc(n.Attr, func(a html.Attribute) bool {
		return slices.Contains(referring, a.Key) && slices.ContainsFunc(strings.Fields(a.Val), func(id string) bool { return c.ids[id] == nil || c.chapterOf(c.ids[id]) != chapter })
	})
	for i, a := range n.Attr {
		if a.Key == "id" || slices.Contains(referring, a.Key) {
			ids := strings.Fields(a.Val)
			for i := range ids {
				ids[i] = ncName(ids[i])
			}
			n.Attr[i].Val = strings.Join(ids, " ")
		}
	}
	return true
}

// referring are the attributes with ids of elements in the same file.
var referring = []string{"aria-labelledby", "aria-describedby", "aria-controls", "aria-details", "aria-owns", "headers"}

// chapterOf returns the element of the file that an element is in, or nil.
func (c *container) chapterOf(n *html.Node) *html.Node {
	return within(n, func(n *html.Node) bool { return c.chapters[n] != "" })
}

// image adds an image of the site, and returns its name in the EPUB. It returns "" if readers' programs cannot show it.
func (c *container) image(name string) string {
	if known, ok := c.images[name]; ok {
		return known
	}
	c.images[name] = ""
	data, ok := c.o.Lookup(name)
	ending := strings.ToLower(path.Ext(name))
	if ok && ending == ".webp" {
		img, err := webp.Decode(bytes.NewReader(data))
		var b bytes.Buffer
		if err == nil && png.Encode(&b, img) == nil {
			data, ending = b.Bytes(), ".png"
		}
	}
	mediaType := mediaTypes[ending]
	if !ok || !strings.HasPrefix(mediaType, "image/") || ending == ".webp" || ending == ".avif" {
		return ""
	}
	as := fmt.Sprintf("image%d%s", len(c.images), ending)
	c.images[name] = as
	c.add(as, mediaType, "", data)
	return as
}

// zip returns the file.
func (c *container) zip() ([]byte, error) {
	b := c.book
	sum := sha256.Sum256([]byte(b.BaseURL + "\n" + b.Path))
	sum[6], sum[8] = sum[6]&0x0f|0x80, sum[8]&0x3f|0x80 // a UUID of version 8
	changed := b.Changed
	if changed.IsZero() {
		changed = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	features := "tableOfContents readingOrder structuralNavigation"
	if !c.undescribed {
		features += " alternativeText"
	}
	if c.formulas {
		features += " MathML"
	}
	meta := fmt.Sprintf(`<dc:identifier id="id">urn:uuid:%x-%x-%x-%x-%x</dc:identifier>
<dc:title>%s</dc:title>
<dc:language>%s</dc:language>
<meta property="dcterms:modified">%s</meta>
`, sum[:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16], escape(c.title()), escape(b.Language), changed.UTC().Format(time.RFC3339))
	if b.Author != "" {
		meta += "<dc:creator>" + escape(b.Author) + "</dc:creator>\n"
	}
	if b.BaseURL != "" {
		meta += "<dc:source>" + escape(b.BaseURL) + "</dc:source>\n"
	}
	property := func(name string, values ...string) {
		for _, v := range values {
			meta += `<meta property="schema:` + name + `">` + escape(v) + "</meta>\n"
		}
	}
	property("accessMode", "textual", "visual")
	if !c.undescribed {
		property("accessModeSufficient", "textual")
	}
	property("accessModeSufficient", "textual,visual")
	property("accessibilityFeature", strings.Fields(features)...)
	property("accessibilityHazard", "none")
	property("accessibilitySummary", b.Access)
	c.files["package.opf"] = fmt.Appendf(nil, `<?xml version="1.0" encoding="utf-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id" xml:lang="%s">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
%s</metadata>
<manifest>
%s
</manifest>
<spine>
%s
</spine>
</package>
`, escape(b.Language), meta, strings.Join(c.manifest, "\n"), strings.Join(c.spine, "\n"))
	c.files["META-INF/container.xml"] = []byte(`<?xml version="1.0" encoding="utf-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="EPUB/package.opf" media-type="application/oebps-package+xml"/></rootfiles></container>
`)
	return pack(c.files)
}
