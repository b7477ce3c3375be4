package svg

import (
	"encoding/xml"
	"strings"
)

// maxDrawn limits how many elements a browser draws. Elements that use others, which use others again,
// make a small file draw billions.
const maxDrawn = 1 << 20

// A drawn counts the elements that an SVG draws, with those that it refers to.
type drawn struct {
	elements []element
	open     []int
	byID     map[string]int
}

type element struct {
	inner []int    // the elements in it
	refs  []string // the ids of those that it refers to
	count int      // of it and all of these; 0 while it is being counted
	seen  bool
}

func (d *drawn) start(e xml.StartElement) {
	n := len(d.elements)
	d.elements = append(d.elements, element{})
	if last := len(d.open) - 1; last >= 0 {
		outer := &d.elements[d.open[last]]
		outer.inner = append(outer.inner, n)
	}
	d.open = append(d.open, n)
	for _, a := range e.Attr {
		value := strings.TrimSpace(a.Value)
		switch {
		case a.Name.Local == "id":
			if d.byID == nil {
				d.byID = map[string]int{}
			}
			d.byID[value] = n
		case a.Name.Local == "href" && strings.HasPrefix(value, "#"):
			d.refs(n, value[1:])
		case strings.Contains(value, "#"):
			for _, m := range urlTarget.FindAllStringSubmatch(value, -1) {
				d.refs(n, m[1])
			}
		}
	}
}

func (d *drawn) refs(n int, id string) { d.elements[n].refs = append(d.elements[n].refs, id) }

func (d *drawn) end() { d.open = d.open[:len(d.open)-1] }

// count returns how many elements the nth draws, at most about maxDrawn. A browser draws no element
// that refers to itself.
func (d *drawn) count(n int) int {
	e := &d.elements[n]
	if e.seen {
		return e.count
	}
	e.seen = true
	total := 1
	for _, i := range e.inner {
		total = min(maxDrawn+1, total+d.count(i))
	}
	for _, id := range e.refs {
		if to, ok := d.byID[id]; ok {
			total = min(maxDrawn+1, total+d.count(to))
		}
	}
	e.count = total
	return total
}
