// Package match compares what a program printed with what an author expects.
//
// # Expectations
//
// An expectation is a text that is compared line by line with the output. Blanks at the
// end of a line and empty lines at the end of the text are ignored. The output is what a
// terminal would show; see [Plain].
//
// A line that equals the output's line always matches it. In addition
//
//	loss = ...            "..." is any text within the line, or none
//	[...]                 any number of lines, or none
//	Epoch \d+ (re)        the whole line matches a regular expression
//	*.so.? (glob)         the whole line; * is any text, ? a character
//	warning (?)           this line, or none
//	step ... (*)          any number of such lines, or none
//	step ... (+)          one such line or more
//	step \d+ (re+)        a quantifier in (re) and (glob)
//	t = <time:number ms>  a number with that unit, whose value goes to the report
//	t = <t:number ms < 5> the same with what is required of it; see package ask
//
// In a (glob) line \*, \? and \\ mean *, ? and a backslash, as in cram. Any other
// backslash means itself: C:\temp\x*.log matches C:\temp\x1.log.
//
// The kinds of a capture are number, int, word (up to a blank) and text (any, at least a
// character). A number or int is as long as possible, a word as long as what follows it
// allows, a text and "..." as short as possible. Blanks may separate a number from its unit.
// The unit must not continue: <x:number GB> does not match 5 GB/s. A name can be used once
// in an expectation; in a repeated line its last value counts, and each is held against
// its bound. Captures work in (re) and
// (glob) lines too, "..." in (glob) lines.
//
// Regular expressions are Go's (RE2), so matching a line takes linear time.
//
// # Numbers
//
// With [Tolerance].RTol or ATol the numbers of a line may differ: g matches the expected w if
// |w-g| <= ATol + RTol·|w|. nan matches nan, and inf matches inf of the same sign. With
// Number a number is compared to the precision with which it is written, as with pytest's
// NUMBER: 3.14 matches numbers within 0.01, 1e3 within 1000, and a number without a point
// and exponent only itself. Digits after a letter, as in fp32, are text. (re) lines have no
// tolerances.
//
// # Alignment
//
// The output matches if there is any way to align it with the expectation. If there are
// several, each [...] takes as few lines as possible and each quantifier as many, from the
// first to the last. This takes time in proportion to the number of lines times the number
// of expected lines at worst, and in proportion to their sum if few lines are alike. If the
// output does not match, the difference has as few unmatched lines as possible.
//
// # Python sessions
//
// [Examples] splits a Python session and [Example.Judge] judges an example, both as Python's
// own doctest does.
package match

import (
	"slices"
	"strings"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// Tolerance are how an expectation is compared.
type Tolerance struct {
	// RTol and ATol are the relative and the absolute tolerance for numbers.
	RTol, ATol float64
	// Number compares numbers to the precision with which they are written.
	Number bool

	// literalDots makes "..." three dots, as in doctest without ELLIPSIS.
	literalDots bool
}

// A Fault is an error in an expectation.
type Fault struct {
	// Line is counted from 0. From and To are offsets in the line, in bytes.
	Line, From, To int
	Message        diag.Text
	// Warning means that the line may be intended as text.
	Warning bool
}

// An Expectation is a parsed expectation.
type Expectation struct {
	nodes    []node
	captures []Captured
}

// A Captured is a capture of an expectation, without a value, and its line, counted from 0. Text means
// that its values are no numbers, whatever they look like.
type Captured struct {
	report.Capture
	Line int
	Text bool
}

// Parse parses an expectation. A line with a fault matches only its own text.
func Parse(text string, o Tolerance) (*Expectation, []Fault) {
	p := newParser(o)
	e := &Expectation{}
	for i, raw := range expectedLines(text) {
		p.number = i
		e.add(p.line(raw))
	}
	e.captures = p.captured
	return e, p.faults
}

// Captures returns the captures, in order.
func (e *Expectation) Captures() []Captured { return e.captures }

// Names returns the names of the captures, in order.
func (e *Expectation) Names() (names []string) {
	for _, c := range e.captures {
		names = append(names, c.Name)
	}
	return names
}

// A Result is how an output compares with an expectation.
type Result struct {
	Same bool
	// TooLong means that the texts are too long to be compared. Same is false then.
	TooLong bool
	// Diff are the lines of the output, with the parts that matchers took. If the output
	// does not match, the missing lines are among them.
	Diff []report.DiffLine
	// Captures are the captured values if the output matches.
	Captures []report.Capture
}

// Compare compares an output with the expectation.
func (e *Expectation) Compare(got string) Result {
	out := outputLines(got)
	steps, verdict := e.fit(out)
	if verdict == fits {
		r := Result{Same: true}
		for _, s := range steps {
			d, captures := e.nodes[s.node].diffLine(out[s.line])
			r.Diff = append(r.Diff, d)
			r.Captures = addCaptures(r.Captures, captures)
		}
		return r
	}
	steps, aligned := e.align(out)
	missingFirst(steps)
	if !aligned {
		steps = clipRuns(steps)
	}
	r := Result{TooLong: verdict == tooLong}
	for _, s := range steps {
		switch s.op {
		case take:
			d, _ := e.nodes[s.node].diffLine(out[s.line])
			r.Diff = append(r.Diff, d)
		case missing:
			r.Diff = append(r.Diff, report.DiffLine{Op: "-", Text: e.nodes[s.node].raw})
		case extra:
			r.Diff = append(r.Diff, report.DiffLine{Op: "+", Text: trimBlanks(out[s.line])})
		}
	}
	return r
}

// diffLine returns a line of the output that the expected line matches, with the parts that
// its matcher took, and the captured values.
func (l *line) diffLine(got string) (report.DiffLine, []report.Capture) {
	got, _ = l.seen(got)
	d := report.DiffLine{Op: " ", Text: got}
	var captures []report.Capture
	switch {
	case l.gap:
		d.Taken = addSpan(nil, 0, len(got))
	case got != l.raw:
		d.Taken, captures = l.m.explain(got)
	}
	return d, captures
}

// addSpan adds a part of a line, unless it is empty, to those that matchers took.
func addSpan(taken [][2]int, from, to int) [][2]int {
	if from >= to {
		return taken
	}
	return append(taken, [2]int{from, to})
}

// maxValue limits a captured text, in bytes, because a report has no longer ones.
const maxValue = 1 << 10

// addCaptures adds values to a list. They replace earlier ones of the same name.
func addCaptures(list, more []report.Capture) []report.Capture {
	for _, c := range more {
		c.Value = diag.Clip(c.Value, maxValue)
		if i := slices.IndexFunc(list, func(other report.Capture) bool { return other.Name == c.Name }); i >= 0 {
			if c.Bound != "" {
				c.Earlier = list[i].Earlier + " " + list[i].Value
			}
			list[i] = c
		} else {
			list = append(list, c)
		}
	}
	return list
}

const anyLines = "[...]"

// expectedLines splits a text into lines without blanks at their ends, and without empty
// lines at the end.
func expectedLines(s string) []string {
	all := outputLines(s)
	for i, l := range all {
		all[i] = trimBlanks(l)
	}
	return all
}

// outputLines splits an output into lines, without empty lines at the end. Blanks at the end
// of a line remain, because a matcher may need them.
func outputLines(s string) []string {
	all := strings.Split(strings.ReplaceAll(s, "\r\n", "\n"), "\n")
	for len(all) > 0 && trimBlanks(all[len(all)-1]) == "" {
		all = all[:len(all)-1]
	}
	return all
}

// trimBlanks removes blanks at the end of a line. It is called for each pair of lines, and
// strings.TrimRight is slower.
func trimBlanks(line string) string {
	end := len(line)
	for end > 0 && (line[end-1] == ' ' || line[end-1] == '\t') {
		end--
	}
	return line[:end]
}
