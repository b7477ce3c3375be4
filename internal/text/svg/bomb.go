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
	refs    [][]string // by element, in the order of the file: the ids that it refers to
	ends    []int      // the element after the last one within it
	open    []int
	byID    map[string]int
	counted map[int]int
}

func (d *drawn) start(e xml.StartElement) {
	var refs []string
	for _, a := range e.Attr {
		switch value := strings.TrimSpace(a.Value); {
		case a.Name.Local == "id":
			d.byID[value] = len(d.refs)
		case a.Name.Local == "href" && strings.HasPrefix(value, "#"):
			refs = append(refs, value[1:])
		case strings.Contains(value, "#"):
			for _, m := range urlTarget.FindAllStringSubmatch(value, -1) {
				refs = append(refs, m[1])
			}
		}
	}
	d.open = append(d.open, len(d.refs))
	d.refs, d.ends = append(d.refs, refs), append(d.ends, 0)
}

func (d *drawn) end() {
	last := len(d.open) - 1
	d.ends[d.open[last]], d.open = len(d.refs), d.open[:last]
}

// count returns how many elements the nth draws, at most about maxDrawn. A browser draws no element
// that refers to itself.
func (d *drawn) count(n int) (total int) {
	if known, ok := d.counted[n]; ok {
		return known
	}
	d.counted[n] = 0
	for i := n; i < d.ends[n] && total <= maxDrawn; i++ {
		total++
		for _, id := range d.refs[i] {
			if to, ok := d.byID[id]; ok {
				total = min(total+d.count(to), maxDrawn+1)
			}
		}
	}
	d.counted[n] = total
	return total
}
