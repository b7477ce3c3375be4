package match

import (
	"cmp"
	"slices"
)

// A line is an expected line.
type line struct {
	// raw is the text of the author.
	raw string
	// gap means [...].
	gap bool
	// optional and repeated are the quantifier: (?) optional, (+) repeated, (*) both.
	optional, repeated bool
	m                  matcher
}

// gapLine returns a line that any number of lines match.
func gapLine(raw string) *line { return &line{raw: raw, gap: true, optional: true, repeated: true} }

func (l *line) matches(got string) bool {
	_, ok := l.seen(got)
	return ok
}

// seen returns a line of the output without the blanks at its end, or with them if it matches
// only so, as "loss = " matches "loss = ...".
func (l *line) seen(got string) (seen string, ok bool) {
	seen = trimBlanks(got)
	switch {
	case l.gap || seen == l.raw || l.m.match(seen):
		return seen, true
	case len(seen) < len(got) && l.m.match(got):
		return got, true
	}
	return seen, false
}

// A node takes one line of the output. It may be skipped (skippable) and may take more lines
// (loops). A line with (+) has two nodes.
type node struct {
	*line
	skippable, loops bool
}

func (e *Expectation) add(l *line) {
	if last := len(e.nodes) - 1; l.gap && last >= 0 && e.nodes[last].gap {
		return // two are the same as one
	}
	if l.repeated && !l.optional {
		e.nodes = append(e.nodes, node{line: l})
	}
	e.nodes = append(e.nodes, node{line: l, skippable: l.optional || l.repeated, loops: l.repeated})
}

// A step aligns an expected line with a line of the output, or leaves one unmatched.
type step struct {
	op         op
	node, line int
}

type op uint8

const (
	take op = iota
	missing
	extra
)

type verdict uint8

const (
	fits verdict = iota
	differs
	tooLong
)

// maxStates limits the memory of a comparison to 32 MB.
const maxStates = 1 << 23

// fit reports whether the output matches, and how. From the last line to the first it collects
// the nodes from which the rest of the expectation matches the rest of the output. Then it
// follows them from the first line to the last.
func (e *Expectation) fit(got []string) ([]step, verdict) {
	f := &fitting{nodes: e.nodes, begins: make([]int, len(got)+1), ends: make([]int, len(got)+1),
		seen: slices.Repeat([]int{-1}, len(e.nodes)+1)}
	for j := len(got); j >= 0; j-- {
		if !f.row(got, j) {
			return nil, differs
		}
		if len(f.states) > maxStates {
			return nil, tooLong
		}
	}
	if !f.isReachable(0, 0) {
		return nil, differs
	}
	var steps []step
	for i, j := 0, 0; i < len(e.nodes) || j < len(got); {
		n := e.nodes[i]
		next := i + 1
		if n.loops {
			next = i
		}
		skip := n.gap && f.isReachable(i+1, j) // a gap takes as little as it can, a quantifier as much
		if skip || n.skippable && !(j < len(got) && f.isReachable(next, j+1) && n.matches(got[j])) {
			i++
			continue
		}
		steps = append(steps, step{take, i, j})
		i, j = next, j+1
	}
	return steps, fits
}

// A fitting has, for each line j, the nodes from which the output from j on can be matched.
type fitting struct {
	nodes  []node
	states []int32 // the nodes of all lines, those of the last line first
	begins []int   // by line: where its nodes begin in states
	ends   []int   // by line: where they end
	seen   []int   // by node: the line to which it was added last
}

// row collects the nodes of line j from those of the next line. It returns false if there are
// none.
func (f *fitting) row(got []string, j int) bool {
	f.begins[j] = len(f.states)
	if j == len(got) {
		f.set(len(f.nodes), j)
	} else {
		for at := f.begins[j+1]; at < f.ends[j+1]; at++ {
			k := int(f.states[at])
			if k < len(f.nodes) && f.nodes[k].loops && f.seen[k] != j && f.nodes[k].matches(got[j]) {
				f.set(k, j)
			}
			if k > 0 && !f.nodes[k-1].loops && f.seen[k-1] != j && f.nodes[k-1].matches(got[j]) {
				f.set(k-1, j)
			}
		}
	}
	f.ends[j] = len(f.states)
	return f.ends[j] > f.begins[j]
}

// set adds a node to those of line j, and the nodes before it that can be skipped.
func (f *fitting) set(i, j int) {
	for ; i >= 0 && f.seen[i] != j; i-- {
		f.seen[i] = j
		f.states = append(f.states, int32(i))
		if i == 0 || !f.nodes[i-1].skippable {
			return
		}
	}
}

func (f *fitting) isReachable(i, j int) bool {
	return slices.Contains(f.states[f.begins[j]:f.ends[j]], int32(i))
}

// maxCells limits the table of an alignment to a million cells, or 5 MB, which is enough for two
// texts of a thousand lines.
const maxCells = 1 << 20

// align aligns an output that does not match, so that as few lines as possible are unmatched
// and [...] takes few. Lines that match at the beginning and the end are aligned first. If the
// rest is too long, none of it is aligned and ok is false.
func (e *Expectation) align(got []string) (steps []step, ok bool) {
	head := 0
	for head < min(len(e.nodes), len(got)) && e.nodes[head].plain(got[head]) {
		head++
	}
	wantEnd, gotEnd := len(e.nodes), len(got)
	for wantEnd > head && gotEnd > head && e.nodes[wantEnd-1].plain(got[gotEnd-1]) {
		wantEnd, gotEnd = wantEnd-1, gotEnd-1
	}
	for i := range head {
		steps = append(steps, step{take, i, i})
	}
	if ok = (wantEnd-head+1)*(gotEnd-head+1) <= maxCells; ok {
		for _, s := range newAlignment(e.nodes[head:wantEnd], got[head:gotEnd]).steps() {
			steps = append(steps, step{s.op, s.node + head, s.line + head})
		}
	} else {
		for i := head; i < wantEnd; i++ {
			if !e.nodes[i].skippable {
				steps = append(steps, step{missing, i, 0})
			}
		}
		for j := head; j < gotEnd; j++ {
			steps = append(steps, step{extra, 0, j})
		}
	}
	for i := wantEnd; i < len(e.nodes); i++ {
		steps = append(steps, step{take, i, gotEnd + i - wantEnd})
	}
	return steps, ok
}

// plain reports whether a node takes the line and no other.
func (n node) plain(got string) bool { return !n.skippable && n.matches(got) }

// missingFirst sorts unmatched lines between two matched ones: the missing before the extra.
func missingFirst(steps []step) {
	begin := 0
	for i := range len(steps) + 1 {
		if i == len(steps) || steps[i].op == take {
			slices.SortStableFunc(steps[begin:i], func(a, b step) int { return cmp.Compare(a.op, b.op) })
			begin = i + 1
		}
	}
}

// maxRun is how many lines are shown of a run that could not be aligned.
const maxRun = 3

// clipRuns shortens each run of unmatched lines to its beginning.
func clipRuns(steps []step) (out []step) {
	run := 0
	for i, s := range steps {
		if i > 0 && steps[i-1].op == s.op {
			run++
		} else {
			run = 0
		}
		if s.op == take || run < maxRun {
			out = append(out, s)
		}
	}
	return out
}

type move uint8

const (
	takeNext  move = iota // the node takes the line, the next node follows
	takeStay              // the node takes the line and may take more
	skipNode              // the node takes no more lines
	exchange              // the line is there instead of the expected one
	missNode              // the expected line is missing
	leaveLine             // the line is extra
)

// The costs of moves: a line that [...] takes is cheaper than an exchanged one, and that is
// cheaper than a missing one if [...] takes the other.
const gapCost, leftCost, exchangeCost = 2, 8, 9

// An alignment has, for each node and line, the least cost of aligning the rest from there on,
// and the first move of it.
type alignment struct {
	nodes []node
	width int
	cost  []uint32
	moves []move
}

func newAlignment(nodes []node, got []string) *alignment {
	a := &alignment{nodes: nodes, width: len(got) + 1}
	a.cost = make([]uint32, (len(nodes)+1)*a.width)
	a.moves = make([]move, len(a.cost))
	for i := len(nodes); i >= 0; i-- {
		for j := len(got); j >= 0; j-- {
			if i < len(nodes) || j < len(got) {
				a.choose(got, i, j)
			}
		}
	}
	return a
}

// choose fills in a cell. Of several moves with the same cost the first is taken.
func (a *alignment) choose(got []string, i, j int) {
	best := ^uint32(0)
	try := func(m move, i2, j2 int, cost uint32) {
		if c := a.cost[i2*a.width+j2] + cost; c < best {
			best, a.moves[i*a.width+j] = c, m
		}
	}
	if i < len(a.nodes) {
		n := &a.nodes[i]
		if n.gap {
			try(skipNode, i+1, j, 0)
		}
		if j < len(got) && n.matches(got[j]) {
			switch {
			case n.gap:
				try(takeStay, i, j+1, gapCost)
			case n.loops:
				try(takeStay, i, j+1, 0)
			default:
				try(takeNext, i+1, j+1, 0)
			}
		}
		switch {
		case n.skippable:
			try(skipNode, i+1, j, 0)
		case j < len(got):
			try(exchange, i+1, j+1, exchangeCost)
			fallthrough
		default:
			try(missNode, i+1, j, leftCost)
		}
	}
	if j < len(got) {
		try(leaveLine, i, j+1, leftCost)
	}
	a.cost[i*a.width+j] = best
}

func (a *alignment) steps() (steps []step) {
	for i, j := 0, 0; i < len(a.nodes) || j < a.width-1; {
		switch a.moves[i*a.width+j] {
		case takeNext:
			steps = append(steps, step{take, i, j})
			i, j = i+1, j+1
		case takeStay:
			steps = append(steps, step{take, i, j})
			j++
		case skipNode:
			i++
		case exchange:
			steps = append(steps, step{missing, i, j}, step{extra, i + 1, j})
			i, j = i+1, j+1
		case missNode:
			steps = append(steps, step{missing, i, j})
			i++
		case leaveLine:
			steps = append(steps, step{extra, i, j})
			j++
		}
	}
	return steps
}
