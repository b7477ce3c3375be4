package match

import (
	"slices"
	"strings"
)

// Update returns an expectation that the output meets: the output itself, but
// for the lines of want that still match and mean more than themselves. A line
// of the output that would be read as a matcher is written as a regular
// expression that means that line alone.
func Update(want, got string, o Options) string {
	e, _ := Parse(want, o)
	out := printed(got)
	steps, v := e.fit(out)
	if v != fits {
		steps, _ = e.align(out)
	}
	u := updating{e: e, o: o, kept: map[*line]bool{}}
	for _, s := range steps {
		u.upTo(s.node)
		switch s.op {
		case take:
			u.take(e.nodes[s.node].line, withoutBlanks(out[s.line]))
		case missing:
			u.done = s.node + 1
		case extra:
			u.put(plainly(withoutBlanks(out[s.line]), o), nil)
		}
	}
	u.upTo(len(e.nodes))
	return u.out.String()
}

type updating struct {
	e *Expectation
	o Options
	// done are the nodes before this one, which are kept or gone.
	done int
	kept map[*line]bool
	last *line // the matcher that was written last, nil after other lines
	out  strings.Builder
}

func (u *updating) put(text string, l *line) {
	u.out.WriteString(text + "\n")
	u.last, u.kept[l] = l, true
}

// upTo keeps the lines before a node that took nothing and need not.
func (u *updating) upTo(node int) {
	for ; u.done < node; u.done++ {
		if l := u.e.nodes[u.done].line; l.optional && !u.kept[l] {
			u.put(l.raw, l)
		}
	}
}

// take writes a line that matched. A matcher stands once, for all the lines
// that it took one after the other.
func (u *updating) take(l *line, got string) {
	switch {
	case !l.means():
		u.put(plainly(got, u.o), nil)
	case u.last == l:
	case u.kept[l]:
		u.put(plainly(got, u.o), nil)
	default:
		u.put(l.raw, l)
	}
}

// means reports whether a line means more than itself.
func (l *line) means() bool {
	text, isText := l.m.(literal)
	return l.gap || l.optional || l.repeated || !isText || string(text) != l.raw
}

// plainly writes a line of the output so that it matches itself and, but for
// "..." and numbers, nothing else.
func plainly(got string, o Options) string {
	p := parser{o: o, names: map[string]int{}}
	l := p.line(got)
	faulty := slices.ContainsFunc(p.faults, func(f Fault) bool { return !f.Warning })
	_, isRegexp := l.m.(regexpLine)
	if !faulty && !isRegexp && !l.gap && !l.optional && !l.repeated && len(p.names) == 0 && !strings.HasSuffix(got, " (glob)") {
		return got
	}
	return quote(got) + " (re)"
}
