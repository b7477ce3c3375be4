package match

import (
	"regexp"
	"strings"

	"github.com/gpudocs/gpudocs/internal/report"
)

// A matcher decides which lines of an output match an expected line.
type matcher interface {
	match(got string) bool
	// explain returns the parts of a matching line that "...", captures and the like took,
	// and the captured values.
	explain(got string) (taken [][2]int, captures []report.Capture)
}

// A literal matches its own text.
type literal string

func (m literal) match(got string) bool { return got == string(m) }

func (m literal) explain(string) ([][2]int, []report.Capture) { return nil, nil }

// pieces match a line with "...", at which they are split.
type pieces []string

func newPieces(list []token) pieces {
	p := pieces{""}
	for _, k := range list {
		if k.kind == anyText {
			p = append(p, "")
		} else {
			p[len(p)-1] = k.text
		}
	}
	return p
}

func (m pieces) match(got string) bool {
	_, ok := m.find(got, false)
	return ok
}

func (m pieces) explain(got string) ([][2]int, []report.Capture) {
	taken, _ := m.find(got, true)
	return taken, nil
}

// find matches a line. Each "..." takes as little as the following pieces allow, which finds
// a match if there is one. taken is nil unless explain is set.
func (m pieces) find(got string, explain bool) (taken [][2]int, ok bool) {
	first, last := m[0], m[len(m)-1]
	end := len(got) - len(last)
	if end < len(first) || !strings.HasPrefix(got, first) || !strings.HasSuffix(got, last) {
		return nil, false
	}
	at := len(first)
	for _, piece := range m[1 : len(m)-1] {
		i := strings.Index(got[at:end], piece)
		if i < 0 {
			return nil, false
		}
		if explain {
			taken = addSpan(taken, at, at+i)
		}
		at += i + len(piece)
	}
	if explain {
		taken = addSpan(taken, at, end)
	}
	return taken, true
}

// A regexpLine matches a (re) line.
type regexpLine struct {
	re       *regexp.Regexp
	captures []capture
}

func (m regexpLine) match(got string) bool { return m.re.MatchString(got) }

func (m regexpLine) explain(got string) (taken [][2]int, captures []report.Capture) {
	at := m.re.FindStringSubmatchIndex(got)
	for k, c := range m.captures {
		// A capture within [...] or \Q...\E is no group, and one in an alternative that was not taken has no place.
		if i := m.re.SubexpIndex(groupName(k)); i >= 0 && at[2*i] >= 0 {
			captures = append(captures, c.of(got[at[2*i]:at[2*i+1]]))
		}
	}
	return addSpan(nil, 0, len(got)), captures
}

// tokens match a line with captures, tolerances for numbers, or a glob.
type tokens struct {
	list     []token
	captures []capture
}

// maxBits limits the table of a line to 16 MB. A longer line matches only itself.
const maxBits = 1 << 27

func (m tokens) match(got string) bool {
	first, last := m.list[0], m.list[len(m.list)-1]
	if first.kind == word && !strings.HasPrefix(got, first.text) || last.kind == word && !strings.HasSuffix(got, last.text) {
		return false
	}
	t := m.table(got)
	return t != nil && t.get(0, 0)
}

// explain follows the table from the beginning of the line.
func (m tokens) explain(got string) (taken [][2]int, captures []report.Capture) {
	t := m.table(got)
	if t == nil || !t.get(0, 0) {
		return nil, nil
	}
	capture, began := 0, -1 // the current capture, and where it began
	for i, at := 0, 0; i < len(m.list); {
		k := &m.list[i]
		from, matched := at, i
		k.ends(got, at, func(next, end int) bool {
			if !t.get(i+next, end) {
				return false
			}
			i, at = i+next, end
			return true
		})
		switch {
		case k.kind == opening:
			began = at
		case k.kind == closing:
			captures = append(captures, m.captures[capture].of(got[began:at]))
			taken = addSpan(taken, began, at)
			capture, began = capture+1, -1
		case began >= 0 || k.kind == word || k.kind == unit || k.kind == nearNumber && got[from:at] == k.text:
		case k.kind == anyText && len(taken) > 0 && matched == i && taken[len(taken)-1][1] == from:
			taken[len(taken)-1][1] = at
		default:
			taken = addSpan(taken, from, at)
		}
	}
	return taken, captures
}

// A table has a bit for each token and offset: whether the tokens from there on match the
// rest of the line.
type table struct {
	width int
	bits  []uint64
}

func (t *table) get(i, at int) bool {
	k := i*t.width + at
	return t.bits[k/64]&(1<<(k%64)) != 0
}

func (t *table) set(i, at int) {
	k := i*t.width + at
	t.bits[k/64] |= 1 << (k % 64)
}

func (m tokens) table(got string) *table {
	t := &table{width: len(got) + 1}
	cells := (len(m.list) + 1) * t.width
	if cells > maxBits {
		return nil
	}
	t.bits = make([]uint64, (cells+63)/64)
	t.set(len(m.list), len(got))
	i, at := 0, 0
	reaches := func(next, end int) bool {
		if !t.get(i+next, end) {
			return false
		}
		t.set(i, at)
		return true
	}
	for i = len(m.list) - 1; i >= 0; i-- {
		k := &m.list[i]
		for at = len(got); at >= 0; at-- {
			switch { // the two most frequent kinds, without the calls of ends
			case k.kind == word:
				if end := at + len(k.text); end <= len(got) && t.get(i+1, end) && got[at:end] == k.text {
					t.set(i, at)
				}
			case k.kind == anyText && t.get(i+1, at):
				t.set(i, at)
			default:
				k.ends(got, at, reaches)
			}
		}
	}
	return t
}
