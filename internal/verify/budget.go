package verify

import (
	"cmp"
	"slices"

	"github.com/gpudocs/gpudocs/internal/report"
)

// A report has a bound, report.MaxSize. Past the budget the checks that take the
// most are cut first, so that a long run is never lost for its size and small
// outputs stay whole. What is kept in memory during a run is bounded by it too.
const budget = report.MaxSize - 12<<20

// crumb is how many bytes stay of each end of an output that is cut, crumbLine
// those of a line, and crumbLines the lines of a difference.
const (
	crumb      = 1 << 10
	crumbLine  = 100
	crumbLines = 20
)

// shrink cuts checks until all of them are within the limit: first their figures,
// then to crumbs, and then, if there are very many, to their outcome. A check that is cut is a new
// one: the old may be in use. It returns what they take.
func shrink(checks []*report.Check, limit int) int {
	sizes := make([]int, len(checks))
	order := make([]int, len(checks))
	total := 0
	for i, c := range checks {
		sizes[i], order[i] = cost(c), i
		total += sizes[i]
	}
	for _, cut := range []func(*report.Check) *report.Check{withoutFigures, crumbs, bare} {
		if total <= limit {
			break
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(sizes[b], sizes[a]) })
		for _, i := range order {
			if total <= limit {
				break
			}
			checks[i] = cut(checks[i])
			now := cost(checks[i])
			total += now - sizes[i]
			sizes[i] = now
		}
	}
	return total
}

func withoutFigures(c *report.Check) *report.Check {
	out := *c
	out.Figures = nil
	return &out
}

// crumbs is a check with the ends of its outputs and without its figures.
func crumbs(c *report.Check) *report.Check {
	out := *c
	out.Stdout, out.Stderr, out.Figures = crumbOf(c.Stdout), crumbOf(c.Stderr), nil
	out.Diff = nil
	for _, d := range c.Diff[:min(len(c.Diff), crumbLines)] {
		if len(d.Text) > 3*crumbLine {
			d = report.DiffLine{Op: d.Op, Text: headAndTail(d.Text, crumbLine, crumbLine).Text}
		}
		out.Diff = append(out.Diff, d)
	}
	return &out
}

func crumbOf(s *report.Stream) *report.Stream {
	if s == nil || len(s.Text) <= 3*crumb {
		return s
	}
	ends := headAndTail(s.Text, crumb, crumb)
	if s.Cut > 0 { // size and hash are those of the whole
		ends.Cut, ends.Bytes, ends.SHA256 = s.Cut+ends.Cut, s.Bytes, s.SHA256
	}
	return ends
}

// bare is a check with its outcome, and nothing of what it printed; without its
// packages it runs again the next time.
func bare(c *report.Check) *report.Check {
	out := *c
	out.Stdout, out.Stderr, out.Figures, out.Diff, out.Captures, out.History, out.Packages = nil, nil, nil, nil, nil, nil, nil
	if c.Reason != nil && len(c.Reason.Detail) > 3*crumbLine {
		reason := *c.Reason
		reason.Detail = headAndTail(reason.Detail, crumbLine, crumbLine).Text
		out.Reason = &reason
	}
	return &out
}

func capturesCost(list []report.Capture) (n int) {
	const line = 40
	for _, v := range list {
		n += 3*line + quoted(v.Name) + quoted(v.Value) + quoted(v.Unit)
	}
	return n
}

// cost is at least what a check takes in the report's file.
func cost(c *report.Check) int {
	const line = 40 // indentation, braces, names
	n := 20*line + quoted(c.Page) + quoted(c.Name) + quoted(c.Want) + quoted(c.Found) + quoted(c.Interpreter)
	for _, p := range c.Places {
		n += 2*line + quoted(p.File)
	}
	if r := c.Reason; r != nil {
		n += 6*line + quoted(r.Need) + quoted(r.Found) + quoted(r.Detail)
		if r.Place != nil {
			n += 2*line + quoted(r.Place.File)
		}
	}
	for _, s := range []*report.Stream{c.Stdout, c.Stderr} {
		if s != nil {
			n += 5*line + quoted(s.Text) + quoted(s.SHA256)
		}
	}
	for _, d := range c.Diff {
		n += 2*line + quoted(d.Text) + 2*line*len(d.Taken)
	}
	n += capturesCost(c.Captures)
	for _, f := range c.Figures {
		n += 2*line + len(f.PNG)/3*4 + 4
	}
	for _, p := range c.Packages {
		n += 3*line + quoted(p.Name) + quoted(p.Version)
	}
	for _, p := range c.History {
		n += 5*line + capturesCost(p.Captures)
	}
	return n + measurementCost(c.Measurement)
}

// measurementCost is what a measurement takes; it is never cut, for a report holds
// a few numbers of each GPU only.
func measurementCost(m *report.Measurement) int {
	if m == nil {
		return 0
	}
	const line = 40
	n := 16 * line
	for _, g := range m.GPUs {
		n += 20*line + quoted(g.Detail) + quoted(g.Backend) + len(g.Throttle)*2*line
	}
	if m.CPU != nil {
		n += quoted(m.CPU.Detail) + quoted(m.CPU.Library)
	}
	return n
}

// quoted is at least the length of a text in JSON: control characters take six
// bytes, and so do the line separators that JavaScript minds.
func quoted(s string) int {
	n := len(s)
	for i := range len(s) {
		switch b := s[i]; {
		case b == '"' || b == '\\' || b == '\n' || b == '\r' || b == '\t':
			n++
		case b < ' ':
			n += 5
		case b == 0xe2 || b == 0x7f:
			n += 3
		}
	}
	return n
}
