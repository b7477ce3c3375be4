package book

import (
	"bytes"
	"cmp"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/render"
)

// A document is the HTML of a book: everything unfolded, without what needs a script, a choice or a network.
type document struct {
	book *render.Book
	root *html.Node
	// ids are the elements that links can lead to, images those that show a file of the site.
	ids    map[string]*html.Node
	images []*html.Node
}

// parse reads the HTML of a book.
func parse(b *render.Book) (*document, error) {
	data, err := b.HTML()
	if err != nil {
		return nil, err
	}
	d := &document{book: b, ids: map[string]*html.Node{}}
	if d.root, err = html.Parse(bytes.NewReader(data)); err != nil {
		return nil, err
	}
	for n := range d.root.Descendants() {
		if id := attribute(n, "id"); id != "" && d.ids[id] == nil {
			d.ids[id] = n
		}
	}
	d.clean(d.root)
	d.rename()
	return d, nil
}

// simple matches the ids that XML takes, and Chromium writes into a PDF as they are.
var simple = lazyregexp.New(`^[A-Za-z_][A-Za-z0-9_.-]*$`)

// rename makes all ids simple and single.
func (d *document) rename() {
	names, nodes := map[string]string{}, d.ids
	d.ids = map[string]*html.Node{}
	for n := range d.root.Descendants() {
		if id := attribute(n, "id"); nodes[id] != n {
			unset(n, "id") // another has it, or it is empty
		} else if id != "" {
			if names[id] = id; !simple.MatchString(id) {
				names[id] = fmt.Sprintf("_d%d", len(names))
			}
			set(n, "id", names[id])
			d.ids[names[id]] = n
		}
	}
	for n := range d.root.Descendants() {
		if id, inside := strings.CutPrefix(attribute(n, "href"), "#"); inside {
			set(n, "href", "#"+cmp.Or(names[id], id))
		}
	}
}

// chapter returns the part of the document that a node is in: the cover, the contents or a page.
func chapter(n *html.Node) *html.Node {
	return within(n, func(n *html.Node) bool {
		return hasClass(n, "book-cover") || hasClass(n, "book-contents") || hasClass(n, "printed")
	})
}

// gone are elements of no use in a document.
var gone = []atom.Atom{atom.Script, atom.Noscript, atom.Template, atom.Button, atom.Dialog, atom.Source, atom.Track, atom.Base,
	atom.Select, atom.Textarea}

// clean rewrites the elements below a node.
func (d *document) clean(parent *html.Node) {
	for n := parent.FirstChild; n != nil; {
		next := n.NextSibling
		switch {
		case n.DataAtom == atom.Input && attribute(n, "type") == "checkbox": // of a list of tasks
			mark := "☐"
			if has(n, "checked") {
				mark = "☑"
			}
			parent.InsertBefore(&html.Node{Type: html.TextNode, Data: mark}, n)
			parent.RemoveChild(n)
		case n.Type == html.CommentNode, n.DataAtom == atom.Input, slices.Contains(gone, n.DataAtom), has(n, "hidden"):
			parent.RemoveChild(n)
		case n.Type == html.ElementNode:
			d.element(n)
			d.clean(n)
		}
		n = next
	}
}

// useless are attributes that only a browser needs, and those that name elements by their ids.
var useless = strings.Fields(`tabindex loading decoding srcset sizes contenteditable autofocus headers
	aria-labelledby aria-describedby aria-controls aria-details aria-owns`)

func (d *document) element(n *html.Node) {
	n.Attr = slices.DeleteFunc(n.Attr, func(a html.Attribute) bool {
		return slices.Contains(useless, a.Key) || strings.HasPrefix(a.Key, "on")
	})
	switch n.DataAtom {
	case atom.Details:
		set(n, "open", "")
	case atom.Label: // of a tab
		n.Data, n.DataAtom = "p", atom.P
		unset(n, "for")
		set(n, "class", strings.TrimSpace("tab-title "+attribute(n, "class")))
	case atom.A:
		d.link(n)
	case atom.Img:
		if u, ok := d.resolve(attribute(n, "src")); ok {
			set(n, "src", "/"+u)
			d.images = append(d.images, n)
		} else if !strings.HasPrefix(u, "data:image/") {
			d.replaceByLink(n, u, attribute(n, "alt"))
		}
	case atom.Iframe, atom.Video, atom.Audio, atom.Object, atom.Embed:
		u := cmp.Or(attribute(n, "src"), attribute(n, "data"))
		for c := n.FirstChild; u == "" && c != nil; c = c.NextSibling {
			u = attribute(c, "src")
		}
		u, _ = d.resolve(u)
		d.replaceByLink(n, u, attribute(n, "title"))
	}
}

// replaceByLink replaces an element that a book cannot show by a link.
func (d *document) replaceByLink(n *html.Node, to, text string) {
	for n.FirstChild != nil {
		n.RemoveChild(n.FirstChild)
	}
	n.Data, n.DataAtom, n.Attr = "a", atom.A, []html.Attribute{{Key: "href", Val: to}}
	if within(n.Parent, func(n *html.Node) bool { return n.DataAtom == atom.A }) != nil {
		n.Data, n.DataAtom, n.Attr = "span", atom.Span, nil
	} else {
		d.link(n)
	}
	n.AppendChild(&html.Node{Type: html.TextNode, Data: cmp.Or(text, to)})
}

// link rewrites where a link leads: to a place in the document, or to an absolute address. Any other leads nowhere.
func (d *document) link(n *html.Node) {
	to := attribute(n, "href")
	if id, inside := strings.CutPrefix(to, "#"); inside {
		if plain, err := url.PathUnescape(id); err == nil && d.ids[id] == nil {
			id = plain
		}
		if set(n, "href", "#"+id); d.ids[id] == nil {
			unset(n, "href")
		}
		return
	}
	name, ok := d.resolve(to)
	if u, err := url.Parse(name); ok && d.book.BaseURL != "" {
		set(n, "href", d.book.BaseURL+name)
	} else if !ok && err == nil && slices.Contains([]string{"http", "https", "mailto"}, u.Scheme) {
		set(n, "href", name)
	} else {
		unset(n, "href")
	}
}

// resolve returns the path of an address in the site. ok is false for an address elsewhere, which it returns unchanged.
func (d *document) resolve(to string) (name string, ok bool) {
	u, err := url.Parse(to)
	if err != nil || u.Scheme != "" || u.Host != "" || to == "" {
		return to, false
	}
	rest := strings.TrimPrefix(to, u.EscapedPath())
	name = path.Join("/", d.book.URL, u.EscapedPath())[1:]
	if strings.HasSuffix(u.Path, "/") && name != "" {
		name += "/"
	}
	return name + rest, true
}

// file returns the name of the file of the site that an image shows.
func file(img *html.Node) string {
	u, err := url.Parse(attribute(img, "src"))
	if err != nil {
		return ""
	}
	return strings.TrimPrefix(u.Path, "/")
}

func attribute(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key && a.Namespace == "" {
			return a.Val
		}
	}
	return ""
}

func has(n *html.Node, key string) bool {
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == key })
}

func unset(n *html.Node, key string) {
	n.Attr = slices.DeleteFunc(n.Attr, func(a html.Attribute) bool { return a.Key == key && a.Namespace == "" })
}

func set(n *html.Node, key, value string) {
	unset(n, key)
	n.Attr = append(n.Attr, html.Attribute{Key: key, Val: value})
}

func hasClass(n *html.Node, class string) bool {
	return slices.Contains(strings.Fields(attribute(n, "class")), class)
}

// within returns the innermost element around a node, or it, that is wanted, or nil.
func within(n *html.Node, wanted func(n *html.Node) bool) *html.Node {
	for n != nil && !wanted(n) {
		n = n.Parent
	}
	return n
}
