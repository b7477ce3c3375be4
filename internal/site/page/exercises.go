package page

import (
	"strconv"
	"strings"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// exercises are the exercises and solutions of a page.
type exercises struct {
	solutions []solution
	byID      map[string]*markdown.Callout
	last      *markdown.Callout
}

// A solution has the exercise that it follows or is in, or nil.
type solution struct {
	node, of *markdown.Callout
	inside   bool
}

// add adds the next exercise or solution of the page. One without an id gets a reserved one, which changes no
// other id of the page.
func (e *exercises) add(p *site.Page, n *markdown.Callout) {
	if !n.Statement || n.Name != markdown.Exercise && n.Name != markdown.Solution {
		return
	}
	if e.byID == nil {
		e.byID = map[string]*markdown.Callout{}
	}
	if markdown.ID(n) == "" {
		setID(n)("_" + n.Name + "." + strconv.Itoa(len(e.byID)+len(e.solutions)+1))
		p.Anchors[markdown.ID(n)] = true
	}
	if n.Name == markdown.Exercise {
		e.byID[markdown.ID(n)], e.last = n, n
		return
	}
	s := solution{node: n, of: e.last}
	for up := n.Parent(); up != nil && !s.inside; up = up.Parent() {
		if c, ok := up.(*markdown.Callout); ok && c.Name == markdown.Exercise {
			s.of, s.inside = c, true
		}
	}
	e.solutions = append(e.solutions, s)
}

// join begins the titles of solutions with their exercises, and gives the exercises the ids of their solutions. A
// solution in its exercise needs neither.
func (e *exercises) join(p *site.Page) (diags diag.List) {
	p.HasSolutions = len(e.solutions) > 0
	for _, s := range e.solutions {
		n, of, solves := s.node, s.of, s.node.Solves
		n.Solves = nil
		switch {
		case solves != nil: // it may be any statement, and on another page
			name := strings.TrimLeft(solves.Destination, ":#")
			of = e.byID[name]
			if l, ok := p.Labels[name]; ok && of == nil {
				of = e.byID[l.ID]
			}
		case s.inside:
			continue
		case n.Exercise() != nil: // in the author's own title
		case of == nil:
			diags.Add(p.Source.Warning(n.Opening.Start, n.Opening.Stop, diag.Say("page.solution-without-exercise")))
		default:
			solves = &markdown.Reference{Destination: "#" + markdown.ID(of), Span: markdown.Span{Start: n.Opening.Start, Stop: n.Opening.Start}}
		}
		if of != nil && (!n.Withheld || !p.SolutionsAfter.IsZero()) {
			of.Solutions = append(of.Solutions, markdown.ID(n))
		}
		if solves == nil {
			continue
		}
		title, ok := n.FirstChild().(*markdown.CalloutTitle)
		if !ok {
			title = &markdown.CalloutTitle{}
			title.SetPos(n.Opening.Start)
			n.InsertBefore(n, n.FirstChild(), title)
		}
		title.InsertBefore(title, title.FirstChild(), solves)
	}
	return diags
}
