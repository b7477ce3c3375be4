// Package match compares what a program printed with what an author expects.
//
// # Expectations
//
// An expectation is a text, compared line by line with the output, from its
// first line to its last. Blanks at line ends and empty lines at the end do not
// count. [Plain] has made the output what a terminal would show.
//
// A line that equals the output's line matches it, whatever else it could mean:
// literal first. Beyond that
//
//	loss = ...            "..." is any text of that line, also none
//	[...]                 any number of lines, also none
//	Epoch \d+ (re)        the whole line matches a regular expression
//	*.so.? (glob)         the whole line; * is any text, ? a character
//	warning (?)           this line, or none
//	step ... (*)          any number of such lines, also none
//	step ... (+)          one such line or more
//	step \d+ (re+)        quantifiers go into (re) and (glob)
//	t = <time:number ms>  a number with that unit; its value goes to the report
//
// In a (glob) line \*, \? and \\ stand for *, ? and a backslash, as in cram. Any
// other backslash is literal: C:\temp\x*.log matches C:\temp\x1.log.
//
// The kinds of a capture are number, int, word (up to a blank) and text (any,
// at least a character). A number or int is as long as it can be, a word too
// where what follows allows it, a text and "..." as short. A unit may stand
// behind blanks or none, and ends there: <x:number GB> does not take 5 GB/s. A
// name stands once in an expectation; in a line that is repeated its last value
// counts. Captures work in (re) and (glob) lines too, "..." in (glob) lines.
//
// Regular expressions are Go's (RE2), so the time for a line is linear.
//
// # Numbers
//
// With [Options].RTol or ATol the numbers of a line may differ a little: a
// number g fits the expected w where |w-g| <= ATol + RTol·|w|. nan fits nan,
// inf fits inf of the same sign. With Number a number counts to the precision
// it is written with, as with pytest's NUMBER: 3.14 fits what is not farther
// away than 0.01, 1e3 not farther than 1000; a number without a point or
// exponent counts exactly. Digits behind a letter, as in fp32, are text. None of
// this holds in (re) lines.
//
// # Which lines go together
//
// The lines fit if there is any way to lay them side by side. Of several ways
// each [...] takes as few lines as it can and each quantifier as many, from the
// first to the last. Deciding takes time in proportion to lines times expected
// lines at worst, and in proportion to their number where few lines are alike.
// If the lines do not fit, the difference is one that leaves as few lines over
// as can be.
//
// # Python sessions
//
// [Examples] parts a Python session and [Doctest] judges an example, both as
// Python's own doctest does; see [Example].
package match

import (
	"strings"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// Options say how an expectation is compared.
type Options struct {
	// RTol and ATol are how far a number may be off: relative to what is
	// expected, and in itself.
	RTol, ATol float64
	// Number lets a number count to the precision it is written with.
	Number bool

	// literalDots takes "..." for three dots, as doctest without ELLIPSIS.
	literalDots bool
}

// A Fault is something in an expectation that cannot be meant.
type Fault struct {
	// Line is counted from 0; From and To are offsets in it, in bytes.
	Line, From, To int
	Message, Hint  diag.Text
	// Warning marks what may be meant after all, as text.
	Warning bool
}

// An Expectation is what an author expects, ready to be compared.
type Expectation struct{ nodes []node }

// Parse reads an expectation. With faults it holds what could be read; a line
// with one means itself.
func Parse(text string, o Options) (*Expectation, []Fault) {
	p := parser{o: o, names: map[string]int{}}
	e := &Expectation{}
	for i, raw := range lines(text) {
		p.number = i
		e.add(p.line(raw))
	}
	return e, p.faults
}

// Names are the names of the captures, in order.
func (e *Expectation) Names() []string {
	var names []string
	for i, n := range e.nodes {
		if i > 0 && e.nodes[i-1].line == n.line {
			continue // the second part of a (+)
		}
		if m, ok := n.m.(capturer); ok {
			names = append(names, m.names()...)
		}
	}
	return names
}

// A Result is how an output compares with an expectation.
type Result struct {
	Same bool
	// TooLong tells that there is more than can be compared; Same is false then.
	TooLong bool
	// Diff are the lines of the output, with what matchers took, and if it is
	// not the same the lines that are missing.
	Diff []report.DiffLine
	// Captures are the values that were found, if it is the same.
	Captures []report.Capture
}

// Compare reports whether the output is what is expected.
func (e *Expectation) Compare(got string) Result {
	out := printed(got)
	steps, verdict := e.fit(out)
	if verdict == fits {
		r := Result{Same: true}
		found := values{}
		for _, s := range steps {
			if s.op == take {
				r.Diff = append(r.Diff, e.taken(s, out[s.line], &found))
			}
		}
		r.Captures = found.list
		return r
	}
	steps, aligned := e.align(out)
	missingFirst(steps)
	if !aligned {
		steps = clipRuns(steps)
	}
	r := Result{TooLong: verdict == tooMuch}
	for _, s := range steps {
		switch s.op {
		case take:
			r.Diff = append(r.Diff, e.taken(s, out[s.line], nil))
		case missing:
			r.Diff = append(r.Diff, report.DiffLine{Op: "-", Text: e.nodes[s.node].raw})
		case extra:
			r.Diff = append(r.Diff, report.DiffLine{Op: "+", Text: withoutBlanks(out[s.line])})
		}
	}
	return r
}

// taken is a line of the output with what its matcher took; values that it
// captured are added to found.
func (e *Expectation) taken(s step, got string, found *values) report.DiffLine {
	l := e.nodes[s.node].line
	got, _ = l.as(got)
	d := report.DiffLine{Op: " ", Text: got}
	switch {
	case got == l.raw && !l.gap:
	case l.gap:
		d.Taken = mark(nil, 0, len(got))
	default:
		var captured []report.Capture
		d.Taken, captured = l.m.explain(got)
		if found != nil {
			found.add(captured)
		}
	}
	return d
}

// mark adds a part of a line to those that matchers took.
func mark(taken [][2]int, from, to int) [][2]int {
	if from >= to {
		return taken
	}
	return append(taken, [2]int{from, to})
}

// values are captures by name; the last of a name counts.
type values struct{ list []report.Capture }

func (v *values) add(captured []report.Capture) {
next:
	for _, c := range captured {
		c.Value = diag.Clip(c.Value, maxValue)
		for i := range v.list {
			if v.list[i].Name == c.Name {
				v.list[i] = c
				continue next
			}
		}
		v.list = append(v.list, c)
	}
}

// maxValue bounds a captured text, in bytes: a report holds no longer ones.
const maxValue = 1 << 10

const anyLines = "[...]"

// lines splits a text, without blanks at line ends and empty lines at the end.
func lines(s string) []string {
	all := printed(s)
	for i, l := range all {
		all[i] = withoutBlanks(l)
	}
	return all
}

// printed splits an output into its lines, without empty lines at the end. They
// keep the blanks at their ends, which a matcher may want to see.
func printed(s string) []string {
	all := strings.Split(strings.ReplaceAll(s, "\r\n", "\n"), "\n")
	for len(all) > 0 && withoutBlanks(all[len(all)-1]) == "" {
		all = all[:len(all)-1]
	}
	return all
}

// withoutBlanks is called for each pair of lines: strings.TrimRight is not as fast.
func withoutBlanks(line string) string {
	end := len(line)
	for end > 0 && (line[end-1] == ' ' || line[end-1] == '\t') {
		end--
	}
	return line[:end]
}
