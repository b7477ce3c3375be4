package book

import (
	"archive/zip"
	"bytes"
	"fmt"
	"hash/crc32"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
)

// An xhtml writes elements as XML. rewrite may change an element before, and reports whether it is written at all.
type xhtml struct {
	bytes.Buffer
	rewrite func(n *html.Node) bool
}

var namespaces = map[string]string{"": "http://www.w3.org/1999/xhtml", "svg": "http://www.w3.org/2000/svg", "math": "http://www.w3.org/1998/Math/MathML"}

// void are the elements without content.
var void = []atom.Atom{atom.Area, atom.Br, atom.Col, atom.Hr, atom.Img, atom.Link, atom.Meta, atom.Wbr}

var attributeName = lazyregexp.New(`^[A-Za-z_][A-Za-z0-9_.-]*$`)

// node writes a node, which stands in an element of a namespace.
func (w *xhtml) node(n *html.Node, namespace string) {
	switch n.Type {
	case html.TextNode:
		w.WriteString(escape(n.Data))
		return
	case html.ElementNode:
	default:
		return
	}
	if !attributeName.MatchString(n.Data) || !w.rewrite(n) {
		return
	}
	w.WriteString("<" + n.Data)
	if n.Namespace != namespace {
		fmt.Fprintf(w, ` xmlns="%s"`, namespaces[n.Namespace])
	}
	seen := map[string]bool{}
	for _, a := range n.Attr {
		name := a.Key
		switch {
		case seen[name], a.Key == "xmlns", strings.HasPrefix(a.Key, "xmlns:"), a.Namespace == "xmlns":
			continue
		case a.Key == "href" && a.Namespace == "xlink":
		case !attributeName.MatchString(name) && name != "epub:type":
			continue
		case name == "lang" && !seen["xml:lang"]:
			fmt.Fprintf(w, ` xml:lang="%s"`, escape(a.Val))
		}
		seen[name] = true
		fmt.Fprintf(w, ` %s="%s"`, name, escape(a.Val))
	}
	if slices.Contains(void, n.DataAtom) && n.Namespace == "" {
		w.WriteString("/>")
		return
	}
	w.WriteString(">")
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		w.node(c, n.Namespace)
	}
	w.WriteString("</" + n.Data + ">")
}

// escape returns a text for XML, without the characters that XML cannot have.
func escape(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' && !strings.ContainsRune("\t\n", r) || r >= 0x7f && r < 0xa0 || r == 0xfffe || r == 0xffff {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\ufffd"))
	return html.EscapeString(s)
}

// ncName returns an id that XML takes, one for each.
func ncName(id string) string {
	var b strings.Builder
	for i, r := range id {
		letter := unicode.IsLetter(r) && r < 0x3000
		if letter || r == '_' && i == 0 || i > 0 && (r == '-' || r == '.' || r >= '0' && r <= '9') {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, "_%x", r)
		}
	}
	return b.String()
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
