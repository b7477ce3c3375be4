package book

import (
	"archive/zip"
	"bytes"
	"cmp"
	"crypto/sha256"
	_ "embed"
	"errors"
	"fmt"
	"image/png"
	"maps"
	"path"
	"slices"
	"strings"
	"text/template"
	"time"

	"golang.org/x/image/webp"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/gpudocs/gpudocs/internal/render"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// mediaTypes are those of the files of a document. EPUB takes images of those that begin with "image/", but for WebP and AVIF.
var mediaTypes = map[string]string{
	".html": "text/html; charset=utf-8", ".css": "text/css", ".svg": "image/svg+xml", ".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg",
	".gif": "image/gif", ".webp": "image/webp", ".avif": "image/avif", ".woff2": "font/woff2",
}

//go:embed epub.css
var epubStyle string

//go:embed epub.opf
var epubPackage string

// A container is an EPUB that is being made. The template epub.opf describes it.
type container struct {
	*render.Book
	*document
	Items []item
	files map[string][]byte
	// chapters are the names of the files by their elements, images by the names of the site's files.
	chapters map[*html.Node]string
	images   map[string]string
	lookup   func(name string) ([]byte, bool)
	// Dir is the direction of the text.
	Dir string
	// Described is set if all images have an alternative text, Formulas if there are some.
	Described, Formulas bool
	UUID, Modified      string
}

// An item is a file of an EPUB.
type item struct{ ID, Name, Type, Properties string }

// epub returns the EPUB of a book.
func epub(d *document, o Options) ([]byte, error) {
	c := &container{Book: d.book, document: d, lookup: o.Lookup, files: map[string][]byte{}, chapters: map[*html.Node]string{}, images: map[string]string{}, Dir: "ltr", Described: true}
	style, nodes, chapters := "", slices.Collect(d.root.Descendants()), []*html.Node(nil)
	for _, n := range nodes {
		switch {
		case n.DataAtom == atom.Html:
			c.Dir = cmp.Or(attribute(n, "dir"), c.Dir)
		case n.DataAtom == atom.Link && strings.HasSuffix(attribute(n, "href"), "/chroma.css"):
			name, _ := d.resolve(attribute(n, "href"))
			data, _ := o.Lookup(name)
			style = string(data)
		case chapter(n) == n:
			chapters = append(chapters, n)
			if c.chapters[n] = fmt.Sprintf("page%d.xhtml", len(chapters)); hasClass(n, "book-contents") {
				c.chapters[n] = "nav.xhtml"
			}
		}
	}
	if len(chapters) < 2 {
		return nil, diag.Say("book.theme")
	}
	for _, n := range nodes {
		if chapter(n) != nil {
			c.rewrite(n)
		}
	}
	for _, n := range chapters {
		c.chapter(n)
	}
	c.add("style.css", "text/css", "", []byte(style+epubStyle))
	return c.zip()
}

// add adds a file.
func (c *container) add(name, mediaType, properties string, data []byte) {
	c.files["EPUB/"+name] = data
	c.Items = append(c.Items, item{strings.ReplaceAll(name, ".", "-"), name, mediaType, properties})
}

// chapter adds an element of the document as a file.
func (c *container) chapter(n *html.Node) {
	title, name, properties := c.Title, c.chapters[n], map[string]bool{}
	if name == "nav.xhtml" {
		n.Attr = append(n.Attr, html.Attribute{Key: "epub:type", Val: "toc"})
		properties["nav"] = true
	}
	for m := range n.Descendants() {
		switch {
		case hasClass(m, "printed-title"):
			title = strings.Join(strings.Fields(text(m)), " ")
		case m.Namespace == "math":
			c.Formulas, properties["mathml"] = true, true
		case m.Namespace == "svg":
			properties["svg"] = true
		}
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, `<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" lang="%[1]s" xml:lang="%[1]s" dir="%[3]s">
<head><title>%[2]s</title><link rel="stylesheet" type="text/css" href="style.css"/></head>
<body>
`, c.Language, html.EscapeString(title), c.Dir)
	_ = html.Render(&b, n) // a buffer takes everything
	b.WriteString("\n</body>\n</html>\n")
	c.add(name, "application/xhtml+xml", strings.Join(slices.Sorted(maps.Keys(properties)), " "), b.Bytes())
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
		c.Described = c.Described && alt != ""
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

// image adds an image of the site, and returns its name in the EPUB. It returns "" if readers' programs cannot show it.
func (c *container) image(name string) string {
	if known, ok := c.images[name]; ok {
		return known
	}
	c.images[name] = ""
	data, ok := c.lookup(name)
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

// zip returns the file: the media type comes first, uncompressed, then the files by their names, and nothing depends on
// the time.
func (c *container) zip() ([]byte, error) {
	sum := sha256.Sum256([]byte(c.BaseURL + "\n" + c.Path))
	sum[6], sum[8] = sum[6]&0x0f|0x80, sum[8]&0x3f|0x80 // a UUID of version 8
	c.UUID = fmt.Sprintf("%x-%x-%x-%x-%x", sum[:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16])
	first := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
	if c.Modified = first.Format(time.RFC3339); !c.Changed.IsZero() {
		c.Modified = c.Changed.UTC().Format(time.RFC3339)
	}
	var about, b bytes.Buffer
	err := template.Must(template.New("").Parse(epubPackage)).Execute(&about, c)
	c.files["EPUB/package.opf"] = about.Bytes()
	c.files["META-INF/container.xml"] = []byte(`<?xml version="1.0" encoding="utf-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="EPUB/package.opf" media-type="application/oebps-package+xml"/></rootfiles></container>
`)
	z := zip.NewWriter(&b)
	write := func(h zip.FileHeader, data []byte) {
		w, fault := z.CreateHeader(&h)
		if fault == nil {
			_, fault = w.Write(data)
		}
		err = errors.Join(err, fault)
	}
	write(zip.FileHeader{Name: "mimetype"}, []byte("application/epub+zip"))
	for _, name := range slices.Sorted(maps.Keys(c.files)) {
		write(zip.FileHeader{Name: name, Method: zip.Deflate, Modified: first}, c.files[name])
	}
	err = errors.Join(err, z.Close())
	return b.Bytes(), err
}
