package book

import (
	"archive/zip"
	"bytes"
	"cmp"
	"crypto/sha256"
	_ "embed"
	"fmt"
	"hash/crc32"
	"image/png"
	"maps"
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
	// dir is the direction of the text, or empty for that from left to right.
	dir string
	// undescribed is set if an image has no alternative text, formulas if there are some.
	undescribed, formulas bool
}

// epub returns the EPUB of a book.
func epub(d *document, o Options) ([]byte, error) {
	c := &container{document: d, o: o, files: map[string][]byte{}, chapters: map[*html.Node]string{}, images: map[string]string{}}
	style, cover, contents := "", (*html.Node)(nil), (*html.Node)(nil)
	for n := range d.root.Descendants() {
		switch {
		case n.DataAtom == atom.Html:
			c.dir = attribute(n, "dir")
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
	for _, n := range slices.Collect(d.root.Descendants()) {
		if chapter(n) != nil {
			c.rewrite(n)
		}
	}
	contents.Attr = append(contents.Attr, html.Attribute{Key: "epub:type", Val: "toc"})
	for n := range d.root.Descendants() {
		if n == contents {
			c.chapter(n, c.chapters[n], "nav")
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
	title, list := c.book.Title, []string{properties}
	for m := range n.Descendants() {
		switch {
		case hasClass(m, "printed-title"):
			title = strings.Join(strings.Fields(text(m)), " ")
		case m.Namespace == "math" && m.Data == "math":
			c.formulas, list = true, append(list, "mathml")
		case m.Namespace == "svg" && m.Data == "svg":
			list = append(list, "svg")
		}
	}
	slices.Sort(list)
	var b bytes.Buffer
	fmt.Fprintf(&b, `<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" lang="%[1]s" xml:lang="%[1]s" dir="%[3]s">
<head><title>%[2]s</title><link rel="stylesheet" type="text/css" href="style.css"/></head>
<body>
`, escape(c.book.Language), escape(title), cmp.Or(c.dir, "ltr"))
	_ = html.Render(&b, n) // a buffer takes everything
	b.WriteString("\n</body>\n</html>\n")
	c.add(name, "application/xhtml+xml", strings.TrimSpace(strings.Join(slices.Compact(list), " ")), b.Bytes())
}

// dropped are elements that an EPUB does not need, or whose text is no XML.
var dropped = []atom.Atom{atom.Style, atom.Noframes, atom.Noembed, atom.Xmp, atom.Plaintext}

// renamed are elements that are no longer part of HTML, obsolete are attributes that are not. tabular are elements whose size attributes are dropped.
var renamed = map[string]string{"center": "div", "font": "span", "big": "span", "tt": "code", "strike": "del", "acronym": "abbr", "nobr": "span"}

var obsolete = []string{"align", "valign", "bgcolor", "border", "cellpadding", "cellspacing", "nowrap", "color", "face", "size", "frame", "rules", "summary", "clear", "hspace", "vspace", "noshade", "compact"}

var tabular = []atom.Atom{atom.Table, atom.Td, atom.Th, atom.Tr, atom.Col, atom.Colgroup, atom.Thead, atom.Tbody, atom.Hr}

var namespaces = map[string]string{"": "http://www.w3.org/1999/xhtml", "svg": "http://www.w3.org/2000/svg", "math": "http://www.w3.org/1998/Math/MathML"}

// rewrite makes XHTML of a node: then its HTML is XML.
func (c *container) rewrite(n *html.Node) {
	if n.Type == html.TextNode {
		n.Data = visible(n.Data)
	}
	if n.Type != html.ElementNode {
		return
	}
	if slices.Contains(dropped, n.DataAtom) || n.DataAtom == atom.Svg && hasClass(n, "icon") {
		n.Parent.RemoveChild(n)
		return
	}
	if !simple.MatchString(n.Data) {
		n.Data = "span"
	} else if now := renamed[n.Data]; now != "" && n.Namespace == "" {
		n.Data = now
	}
	if align := attribute(n, "align"); n.Namespace == "" && slices.Contains([]string{"left", "right", "center"}, align) {
		set(n, "style", "text-align: "+align+"; "+attribute(n, "style"))
	}
	if n.Data == "mpadded" && slices.Contains([]string{"mi", "mo", "mn", "mtext"}, n.Parent.Data) { // only text may stand there
		n.Type, n.Data = html.TextNode, visible(text(n))
		n.FirstChild, n.LastChild = nil, nil
		return
	}
	switch n.DataAtom {
	case atom.Details:
		n.Data = "div"
		unset(n, "open")
	case atom.Summary:
		n.Data = "p"
	case atom.A:
		if id, inside := strings.CutPrefix(attribute(n, "href"), "#"); inside {
			set(n, "href", c.chapters[chapter(c.ids[id])]+"#"+id)
		} else if strings.ContainsAny(attribute(n, "href"), " <>\"{}|\\^`") {
			unset(n, "href")
		}
	case atom.Img:
		src := attribute(n, "src")
		if !strings.HasPrefix(src, "data:") {
			src = c.image(file(n))
		}
		alt := attribute(n, "alt")
		c.undescribed = c.undescribed || alt == ""
		set(n, "src", src)
		if set(n, "alt", alt); src == "" {
			n.Data, n.DataAtom, n.Attr = "span", atom.Span, nil
			n.AppendChild(&html.Node{Type: html.TextNode, Data: visible(alt)})
		}
	}
	n.Attr = slices.DeleteFunc(n.Attr, func(a html.Attribute) bool {
		return !simple.MatchString(a.Key) || a.Key == "xmlns" || a.Namespace == "xmlns" || a.Key == "mathcolor" && a.Val == "undefined" ||
			n.Namespace == "" && (slices.Contains(obsolete, a.Key) || slices.Contains(tabular, n.DataAtom) && (a.Key == "width" || a.Key == "height"))
	})
	for i, a := range n.Attr {
		n.Attr[i] = html.Attribute{Key: a.Key, Val: visible(a.Val)}
	}
	if lang := attribute(n, "lang"); lang != "" {
		n.Attr = append(n.Attr, html.Attribute{Key: "xml:lang", Val: lang})
	}
	if n.Namespace != n.Parent.Namespace {
		n.Attr = append(n.Attr, html.Attribute{Key: "xmlns", Val: namespaces[n.Namespace]})
	}
}

// visible returns a text without the characters that XML cannot have.
func visible(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && !strings.ContainsRune("\t\n", r) || r >= 0x7f && r < 0xa0 || r == 0xfffe || r == 0xffff {
			return -1
		}
		return r
	}, s)
}

func escape(s string) string { return html.EscapeString(visible(s)) }

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
`, sum[:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16], escape(b.Title), escape(b.Language), changed.UTC().Format(time.RFC3339))
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
<spine page-progression-direction="%s">
%s
</spine>
</package>
`, escape(b.Language), meta, strings.Join(c.manifest, "\n"), cmp.Or(c.dir, "ltr"), strings.Join(c.spine, "\n"))
	c.files["META-INF/container.xml"] = []byte(`<?xml version="1.0" encoding="utf-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="EPUB/package.opf" media-type="application/oebps-package+xml"/></rootfiles></container>
`)
	return pack(c.files)
}

// pack returns a ZIP file of an EPUB: the media type comes first, uncompressed, then the files by their names, and
// nothing depends on the time.
func pack(files map[string][]byte) ([]byte, error) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	first := []byte("application/epub+zip")
	w, err := z.CreateRaw(&zip.FileHeader{Name: "mimetype", CRC32: crc32.ChecksumIEEE(first), CompressedSize64: uint64(len(first)), UncompressedSize64: uint64(len(first))})
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(first); err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		full := name
		if !strings.HasPrefix(name, "META-INF/") {
			full = "EPUB/" + name
		}
		w, err := z.CreateHeader(&zip.FileHeader{Name: full, Method: zip.Deflate, Modified: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)})
		if err != nil {
			return nil, err
		}
		if _, err := w.Write(files[name]); err != nil {
			return nil, err
		}
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
