package match

import (
	"slices"
	"strings"
)

// Update returns an expectation that the output matches: the output itself, except that
// matchers of want that still match are kept. A line of the output that would be parsed as a
// matcher is written as a regular expression that matches only this line.
func Update(want, got string, o Tolerance) string {
	e, _ := Parse(want, o)
	out := outputLines(got)
	steps, v := e.fit(out)
	if v != fits {
		steps, _ = e.align(out)
	}
	u := updater{e: e, o: o, written: map[*line]bool{}}
	for _, s := range steps {
		u.skipTo(s.node)
		switch s.op {
		case take:
			u.take(e.nodes[s.node].line, trimBlanks(out[s.line]))
		case missing:
			u.next = s.node + 1
		case extra:
			u.writeOutput(trimBlanks(out[s.line]))
		}
	}
	u.skipTo(len(e.nodes))
	return u.out.String()
}

// An updater writes an updated expectation.
type updater struct {
	e *Expectation
	o Tolerance
	// next is the first node that is neither written nor dropped.
	next int
	// written are the expected lines that were written, last is the latest of them if no
	// other line was written since.
	written map[*line]bool
	last    *line
	out     strings.Builder
}

// write writes an expected line.
func (u *updater) write(l *line) {
	u.out.WriteString(l.raw + "\n")
	u.last, u.written[l] = l, true
}

// writeOutput writes a line of the output.
func (u *updater) writeOutput(got string) {
	u.out.WriteString(escape(got, u.o) + "\n")
	u.last = nil
}

// skipTo writes the optional lines before a node, which matched nothing.
func (u *updater) skipTo(node int) {
	for ; u.next < node; u.next++ {
		if l := u.e.nodes[u.next].line; l.optional && !u.written[l] {
			u.write(l)
		}
	}
}

// take writes a line that matched. A matcher is written once for consecutive lines that it
// matched.
func (u *updater) take(l *line, got string) {
	switch {
	case u.last == l:
	case l.special() && !u.written[l]:
		u.write(l)
	default:
		u.writeOutput(got)
	}
}

// special reports whether a line matches anything else than its own text.
func (l *line) special() bool {
	text, isText := l.m.(literal)
	return l.optional || l.repeated || !isText || string(text) != l.raw
}

// escape returns an expected line that matches the line of the output and, apart from "..." and
// numbers with a tolerance, nothing else.
func escape(got string, o Tolerance) string {
	p := newParser(o)
	l := p.line(got)
	faulty := slices.ContainsFunc(p.faults, func(f Fault) bool { return !f.Warning })
	_, isRegexp := l.m.(regexpLine)
	if !faulty && !isRegexp && !l.optional && !l.repeated && len(p.captured) == 0 && !strings.HasSuffix(got, " (glob)") {
		return got
	}
	return quote(got) + " (re)"
}
