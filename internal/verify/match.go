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
	return compareLines(lines(want), lines(got), lineMatches)
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

// lineMatches tells whether a line fits its expectation. Each "..." takes as
// little as the pieces behind it allow, which finds a match if there is one.
func lineMatches(want, got string) bool {
	pieces := strings.Split(want, "...")
	if len(pieces) == 1 {
		return want == got
	}
	first, last := pieces[0], pieces[len(pieces)-1]
	if len(got) < len(first)+len(last) || !strings.HasPrefix(got, first) || !strings.HasSuffix(got, last) {
		return false
	}
	rest := got[len(first) : len(got)-len(last)]
	for _, p := range pieces[1 : len(pieces)-1] {
		i := strings.Index(rest, p)
		if i < 0 {
			return false
		}
		rest = rest[i+len(p):]
	}
	return true
}

// maxCells bounds the table of the alignment: 4 million cells take a few
// milliseconds and 8 MB.
const maxCells = 4 << 20

// compareLines aligns two lists of lines so that as many as possible match.
// They are the same when nothing is left over on either side.
func compareLines(want, got []string, match func(want, got string) bool) (diff []report.DiffLine, same bool) {
	if (len(want)+1)*(len(got)+1) > maxCells {
		return tooLong(want, got, match)
	}
	a := newAlignment(want, got, match)
	same = true
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
			diff, same = append(diff, report.DiffLine{Op: "-", Text: want[i]}), false
			i++
		case extra:
			diff, same = append(diff, report.DiffLine{Op: "+", Text: got[j]}), false
			j++
		}
	}
	return diff, same
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
		case len(out) == 0 || out[len(out)-1] != left:
			out = append(out, left)
		}
	}
	return out
}

// tooLong compares lists that are too long to align: in step, up to the first
// difference.
func tooLong(want, got []string, match func(want, got string) bool) ([]report.DiffLine, bool) {
	i := 0
	for i < len(want) && i < len(got) && match(want[i], got[i]) {
		i++
	}
	if i == len(want) && i == len(got) {
		return nil, true
	}
	var diff []report.DiffLine
	for k := i; k < min(i+3, len(want)); k++ {
		diff = append(diff, report.DiffLine{Op: "-", Text: want[k]})
	}
	for k := i; k < min(i+3, len(got)); k++ {
		diff = append(diff, report.DiffLine{Op: "+", Text: got[k]})
	}
	return diff, false
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

func newAlignment(want, got []string, match func(want, got string) bool) *alignment {
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
			gap := i < len(want) && want[i] == anyLines
			if i < len(want) && j < len(got) && !gap && match(want[i], got[j]) {
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
	if !strings.ContainsRune(s, '\r') {
		return s
	}
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
