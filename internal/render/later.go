package render

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"golang.org/x/net/html"

	"github.com/gpudocs/gpudocs/internal/content"
	"github.com/gpudocs/gpudocs/internal/markdown"
)

// What a page says of the machines that it has no room for is in files beside it, one for
// each machine: pt/gpu/_on/deepten.js. They are scripts, for a page that was opened
// from a disk may load scripts and no data. A file hands over, for each element of the
// page with the attribute data-place, in their order, what goes into it.

// laterFile is where a page has what it says of a machine.
func laterFile(url, machine string) string { return url + "_on/" + machine + ".js" }

// planLater names those files.
func (s *Site) planLater(at placed) {
	for _, i := range s.later(at) {
		s.files[laterFile(at.url(), s.results.machines[i].Name)] = func() ([]byte, error) { return s.renderLater(at, i) }
	}
}

// later are the machines that a page has no room for.
func (s *Site) later(at placed) []int {
	if len(s.results.machines) <= maxHere || !speaks(at.page) {
		return nil
	}
	here := s.results.here(at.page)
	return slices.DeleteFunc(s.results.distinct(), func(i int) bool { return slices.Contains(here, i) })
}

// renderLater writes the page as it would be for one machine, and takes out what is its own.
func (s *Site) renderLater(at placed, machine int) ([]byte, error) {
	view, err := s.viewFor(at, []int{machine})
	if err != nil {
		return nil, err
	}
	view.Nav, view.TOC = nil, nil // they have no places, and are long
	page, err := s.execute("page.html", view)
	if err != nil {
		return nil, err
	}
	name := s.results.machines[machine].Name
	pieces, err := piecesOf(page, name)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	data, err := json.Marshal(pieces) // it escapes <, > and &
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(&b, "gpudocsDeliver(%q, %s);\n", name, data)
	return b.Bytes(), nil
}

// speaks tells whether a page says anything of machines, itself or in what it embeds.
func speaks(p *content.Page) bool {
	found := len(p.Blocks)+len(p.LiveValues) > 0
	if found {
		return true
	}
	_ = ast.Walk(p.Doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if e, ok := n.(*markdown.Embed); ok && entering {
			_, part := p.Part(e)
			found = found || part
		}
		return ast.WalkContinue, nil
	})
	return found
}

// piecesOf returns what a machine has in each place of a page.
func piecesOf(page []byte, machine string) ([]string, error) {
	doc, err := html.Parse(bytes.NewReader(page))
	if err != nil {
		return nil, err
	}
	pieces := []string{}
	var failed error
	for n := range doc.Descendants() {
		if n.Type != html.ElementNode || !hasAttribute(n, "data-place") {
			continue
		}
		var b strings.Builder
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			if attributeOf(c, "data-for") == machine || attributeOf(c, "data-of") == machine {
				if err := html.Render(&b, c); err != nil {
					failed = err
				}
			}
		}
		pieces = append(pieces, b.String())
	}
	return pieces, failed
}

func hasAttribute(n *html.Node, key string) bool {
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == key })
}

func attributeOf(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}
