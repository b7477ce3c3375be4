package verify

import (
	"regexp"
	"slices"
	"strings"

	"github.com/gpudocs/gpudocs/internal/report"
)

// An expectation is compared line by line with the output:
//
//   - a line means itself; blanks at its end do not count;
//   - "..." within a line stands for any text of that line;
//   - a line "[...]" stands for any number of lines;
//   - empty lines at the end do not count.
//
// A line that really reads "..." therefore matches itself too.

// compare returns whether got is what is expected, and the difference.
func compare(want, got string) (diff []report.DiffLine, same bool) {
	return compareLines(lines(want), lines(got))
}

const anyLines = "[...]"

// lines splits a text, without blanks at line ends and empty lines at the end.
func lines(s string) []string {
	all := strings.Split(strings.ReplaceAll(s, "\r\n", "\n"), "\n")
	for i, l := range all {
		all[i] = strings.TrimRight(l, " \t")
	}
	for len(all) > 0 && all[len(all)-1] == "" {
		all = all[:len(all)-1]
	}
	return all
}

// A pattern is an expected line, split at its "...".
type pattern struct{ pieces []string }

func newPattern(want string) pattern { return pattern{strings.Split(want, "...")} }

func (p pattern) isGap() bool { return len(p.pieces) == 2 && p.pieces[0] == "[" && p.pieces[1] == "]" }

func (p pattern) text() string { return strings.Join(p.pieces, "...") }

// matches tells whether a line fits. Each "..." takes as little as the pieces
// behind it allow, which finds a match if there is one.
func (p pattern) matches(got string) bool {
	first, last := p.pieces[0], p.pieces[len(p.pieces)-1]
	if len(p.pieces) == 1 {
		return first == got
	}
	if len(got) < len(first)+len(last) || !strings.HasPrefix(got, first) || !strings.HasSuffix(got, last) {
		return false
	}
	rest := got[len(first) : len(got)-len(last)]
	for _, piece := range p.pieces[1 : len(p.pieces)-1] {
		i := strings.Index(rest, piece)
		if i < 0 {
			return false
		}
		rest = rest[i+len(piece):]
	}
	return true
}

// compareLines tells whether the lines fit, and if not, where they differ.
func compareLines(want, got []string) (diff []report.DiffLine, same bool) {
	patterns := make([]pattern, len(want))
	for i, w := range want {
		patterns[i] = newPattern(w)
	}
	switch {
	case fits(patterns, got):
		for _, g := range got {
			diff = append(diff, report.DiffLine{Op: " ", Text: g})
		}
		return diff, true
	case (len(want)+1)*(len(got)+1) > maxCells:
		return firstDifference(patterns, got), false
	default:
		return difference(patterns, got), false
	}
}

// fits compares without a difference: the runs of lines between gaps are found
// one after the other, each as early as it can stand, the last at the end.
func fits(want []pattern, got []string) bool {
	gap := slices.IndexFunc(want, pattern.isGap)
	if gap < 0 {
		return len(want) == len(got) && fitsAt(want, got)
	}
	if len(got) < gap || !fitsAt(want[:gap], got[:gap]) {
		return false
	}
	want, got = want[gap+1:], got[gap:]
	for {
		next := slices.IndexFunc(want, pattern.isGap)
		if next < 0 {
			return len(want) <= len(got) && fitsAt(want, got[len(got)-len(want):])
		}
		at := 0
		for at+next <= len(got) && !fitsAt(want[:next], got[at:at+next]) {
			at++
		}
		if at+next > len(got) {
			return false
		}
		want, got = want[next+1:], got[at+next:]
	}
}

func fitsAt(want []pattern, got []string) bool {
	for i, w := range want {
		if !w.matches(got[i]) {
			return false
		}
	}
	return true
}

// maxCells bounds the table of the alignment: a million cells, 5 MB, align two
// texts of a thousand lines.
const maxCells = 1 << 20

// difference aligns two lists of lines so that as many as possible match.
func difference(want []pattern, got []string) (diff []report.DiffLine) {
	a := newAlignment(want, got)
	for i, j := 0, 0; i < len(want) || j < len(got); {
		switch a.step(i, j) {
		case takeBoth:
			diff = append(diff, report.DiffLine{Op: " ", Text: got[j]})
			i, j = i+1, j+1
		case takeGap: // a line that [...] takes
			diff = append(diff, report.DiffLine{Op: " ", Text: got[j]})
			j++
		case endGap:
			i++
		case missing:
			diff = append(diff, report.DiffLine{Op: "-", Text: want[i].text()})
			i++
		case extra:
			diff = append(diff, report.DiffLine{Op: "+", Text: got[j]})
			j++
		}
	}
	return diff
}

// firstDifference shows three lines of each side where lists that are too long
// to align begin to differ.
func firstDifference(want []pattern, got []string) (diff []report.DiffLine) {
	i := 0
	for i < len(want) && i < len(got) && want[i].matches(got[i]) {
		i++
	}
	for k := i; k < min(i+3, len(want)); k++ {
		diff = append(diff, report.DiffLine{Op: "-", Text: want[k].text()})
	}
	for k := i; k < min(i+3, len(got)); k++ {
		diff = append(diff, report.DiffLine{Op: "+", Text: got[k]})
	}
	return diff
}

// maxDiff bounds a difference in a report, in lines; nearDiff is how many lines
// around a change a longer one keeps.
const maxDiff, nearDiff = 1000, 3

// shorten cuts a difference that is too long for a report: first the lines that
// are the same, but those near a change, then its end.
func shorten(diff []report.DiffLine) []report.DiffLine {
	if len(diff) <= maxDiff {
		return diff
	}
	left := report.DiffLine{Op: " ", Text: anyLines}
	var out []report.DiffLine
	for i, d := range diff {
		near := diff[max(0, i-nearDiff):min(len(diff), i+nearDiff+1)]
		changed := func(d report.DiffLine) bool { return d.Op != " " }
		switch {
		case len(out) == maxDiff:
			return append(out, left)
		case slices.ContainsFunc(near, changed):
			out = append(out, d)
		case len(out) == 0 || out[len(out)-1].Text != anyLines:
			out = append(out, left)
		}
	}
	return out
}

type move uint8

const (
	takeBoth move = iota
	takeGap
	endGap
	missing
	extra
)

// An alignment holds, for each pair of rests of the two lists, the fewest
// lines left over and the move that begins it.
type alignment struct {
	width int
	cost  []uint32
	moves []move
}

func newAlignment(want []pattern, got []string) *alignment {
	a := &alignment{width: len(got) + 1}
	a.cost = make([]uint32, (len(want)+1)*a.width)
	a.moves = make([]move, len(a.cost))
	for i := len(want); i >= 0; i-- {
		for j := len(got); j >= 0; j-- {
			if i == len(want) && j == len(got) {
				continue
			}
			best := ^uint32(0)
			try := func(m move, i2, j2 int, cost uint32) {
				if c := a.cost[i2*a.width+j2] + cost; c < best {
					best, a.moves[i*a.width+j] = c, m
				}
			}
			gap := i < len(want) && want[i].isGap()
			if i < len(want) && j < len(got) && !gap && want[i].matches(got[j]) {
				try(takeBoth, i+1, j+1, 0)
			}
			if gap {
				try(endGap, i+1, j, 0)
				if j < len(got) {
					try(takeGap, i, j+1, 0)
				}
			}
			if i < len(want) && !gap {
				try(missing, i+1, j, 1)
			}
			if j < len(got) {
				try(extra, i, j+1, 1)
			}
			a.cost[i*a.width+j] = best
		}
	}
	return a
}

func (a *alignment) step(i, j int) move { return a.moves[i*a.width+j] }

// escapes are what colours and moves the cursor of a terminal: CSI and OSC
// sequences, and the two-character ones.
var escapes = regexp.MustCompile("\x1b\\[[0-?]*[ -/]*[@-~]|\x1b\\][^\x07\x1b]*(?:\x07|\x1b\\\\)?|\x1b[PX^_][^\x1b]*(?:\x1b\\\\)?|\x1b[ -/]*[0-~]")

// plain returns what a terminal would have left standing: no escape sequences,
// and of a line that a progress bar rewrote its last state.
func plain(s string) string {
	if strings.ContainsRune(s, '\x1b') {
		s = escapes.ReplaceAllString(s, "")
	}
	if strings.ContainsRune(s, '\r') {
		s = rewritten(s)
	}
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r == 0x7f {
			return '\ufffd' // of no use on a page, and six bytes each in JSON
		}
		return r
	}, s)
}

// rewritten keeps of each line what was written over it last.
func rewritten(s string) string {
	all := strings.Split(s, "\n")
	for i, l := range all {
		l = strings.TrimRight(l, "\r")
		if k := strings.LastIndexByte(l, '\r'); k >= 0 {
			l = l[k+1:]
		}
		all[i] = l
	}
	return strings.Join(all, "\n")
}
