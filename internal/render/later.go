package render

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/yuin/goldmark/ast"
	"golang.org/x/net/html"

	"github.com/gpudocs/gpudocs/internal/content"
	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/rawhtml"
)

// What a page says of the machines that it has no room for is in files beside it, each with
// as many machines as the page itself: pt/gpu/_on/0.js. Few, for a page in one go costs
// little more for eight machines than for one; and bounded, for a reader needs one of
// them. The scripts find the file of a machine by its place among those that are not in
// the page. They are scripts themselves, for a page that was opened from a disk may load
// scripts and no data. A file hands over, for each of its machines and each element of the
// page with the attribute data-place, in their order, what goes into it (pack.go). The page of a
// whole section has no such files: its scripts load those of the pages that it shows.

// A lot is the machines of which a page is made to speak. later is set where nothing else of it
// is wanted.
type lot struct {
	machines []int
	later    bool
}

// laterFile is where a page has what it says of its n-th lot of machines.
func laterFile(url string, n int) string { return fmt.Sprintf("%s_on/%d.js", url, n) }

// planLater names those files of a page.
func (s *Site) planLater(at pageRef) {
	view := s.at(at)
	if len(s.results.machines) <= maxHere || !speaks(view.page) {
		return
	}
	here := s.here(view.page)
	rest := slices.DeleteFunc(s.allMachines(), func(i int) bool { return slices.Contains(here, i) })
	n := 0
	for machines := range slices.Chunk(rest, maxHere) {
		s.publish(laterFile(view.url(), n), func(s *Site) ([]byte, error) {
			page, err := s.renderFor(s.at(at), lot{machines, true})
			if err != nil {
				return nil, err
			}
			return s.deliver(page, machines)
		})
		n++
	}
}

// renderFor is a page as it would be for some machines, without what has no places and is long.
func (s *Site) renderFor(at placed, l lot) ([]byte, error) {
	view, err := s.viewFor(at, l)
	if err != nil {
		return nil, err
	}
	view.Nav, view.TOC = nil, nil
	return s.execute("page.html", view)
}

// deliver takes out of such a page what is the machines' own.
func (s *Site) deliver(page []byte, machines []int) ([]byte, error) {
	found := map[string]*pieces{}
	for _, i := range machines {
		found[s.results.machines[i].Name] = &pieces{}
	}
	cut(page, found)
	return pack(found)
}

// speaks tells whether a page says anything of machines, itself or in what it embeds.
func speaks(p *content.Page) bool {
	found := len(p.Blocks)+len(p.LiveValues) > 0
	if found || !p.Embeds() {
		return found
	}
	_ = ast.Walk(p.Doc(), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if e, ok := n.(*markdown.Embed); ok && entering {
			_, part := p.Part(e)
			found = found || part
		}
		return ast.WalkContinue, nil
	})
	return found
}

// cut adds to the pieces of each machine what it has in each place of a page. What
// templates write into a place is well-formed, so it is enough to look for the end of the
// elements directly in it.
func cut(page []byte, pieces map[string]*pieces) {
	z := html.NewTokenizer(bytes.NewReader(page))
	for kind := z.Next(); kind != html.ErrorToken; kind = z.Next() {
		name, place := startTag(z, kind, "data-place")
		if name == "" || place == nil {
			continue
		}
		found := map[string]string{}
		for kind := z.Next(); kind != html.ErrorToken && kind != html.EndTagToken; kind = z.Next() {
			raw := slices.Clone(z.Raw())
			child, machine := startTag(z, kind, "data-for", "data-of")
			if child == "" {
				continue // blanks
			}
			raw = element(z, child, raw)
			if machine != nil {
				found[*machine] += string(raw)
			}
		}
		for machine, p := range pieces {
			if *place == "page" {
				p.own = append(p.own, found[machine])
			} else {
				p.text = append(p.text, found[machine])
			}
		}
	}
}

// startTag returns the name of a start tag, and the value of the first of some attributes
// that it has.
func startTag(z *html.Tokenizer, kind html.TokenType, keys ...string) (name string, value *string) {
	if kind != html.StartTagToken {
		return "", nil
	}
	tag, more := z.TagName()
	name = string(tag)
	for more {
		var key, val []byte
		key, val, more = z.TagAttr()
		if value == nil && slices.Contains(keys, string(key)) {
			value = new(string(val))
		}
	}
	return name, value
}

// element appends to its start tag the rest of an element.
func element(z *html.Tokenizer, name string, raw []byte) []byte {
	for open := 1; open > 0 && !rawhtml.Void(name); {
		kind := z.Next()
		if kind == html.ErrorToken {
			break
		}
		raw = append(raw, z.Raw()...)
		if tag, _ := z.TagName(); string(tag) == name {
			switch kind {
			case html.StartTagToken:
				open++
			case html.EndTagToken:
				open--
			}
		}
	}
	return raw
}
