package diag

import (
	"slices"
	"unicode/utf8"
)

// Nearest returns the candidate closest to word by edit distance, or "" when
// none is near enough to be worth a "did you mean".
func Nearest(word string, candidates []string) string {
	if i := NearestIndex(word, candidates); i >= 0 {
		return candidates[i]
	}
	return ""
}

// maxEdits bounds what a candidate may differ by from a long word, and maxWord the
// words that are looked at at all, in characters: a page can hold a link of a megabyte.
const maxEdits, maxWord = 24, 1000

// maxSteps bounds the work for one word, in characters of candidates: ten thousand
// names of usual length are compared, and the rest of a larger site is not.
const maxSteps = 200_000

// maxSuggestions is for how many unknown names of a page or a file a known one is
// looked for.
const maxSuggestions = 1000

// A Suggester words hints as [Suggest] does, for the unknown names of one page or file.
// It looks at the first thousand of them, and has the other hint for the rest.
type Suggester struct{ used int }

// Suggest is [Suggest] for one more name.
func (s *Suggester) Suggest(word string, candidates func() []string, otherwise Text) Text {
	if !s.More() {
		return otherwise
	}
	return Suggest(word, candidates(), otherwise)
}

// More counts one more name, and reports whether a known one is to be looked for.
func (s *Suggester) More() bool {
	s.used++
	return s.used <= maxSuggestions
}

// NearestIndex is the index of what [Nearest] returns, or -1.
//
// A page may have a thousand links that are broken and a site a thousand pages of
// similar names, which is a million comparisons: most cost the count of their letters,
// and those of a word that fits into the bits of a number two dozen steps a letter.
func NearestIndex(word string, candidates []string) int {
	w := []rune(word)
	if len(w) > maxWord {
		return -1
	}
	best, least := -1, min(len(w)/2, maxEdits)+1
	var c comparison
	fits := len(w) > 0 && len(w) <= 64
	var p pattern
	if fits {
		p = newPattern(w)
	}
	steps := 0
	for i, name := range candidates {
		if steps > maxSteps {
			break
		}
		steps++
		if len(name) > utf8.UTFMax*(len(w)+least) {
			continue
		}
		n := utf8.RuneCountInString(name)
		if max(n-len(w), len(w)-n) >= least {
			continue
		}
		steps += n
		if fits {
			if d := p.distance(name, n, least); d < least {
				best, least = i, d
			}
			continue
		}
		c.name = c.name[:0]
		for _, r := range name {
			c.name = append(c.name, r)
		}
		if d := c.distance(w, c.name, least); d < least {
			best, least = i, d
		}
	}
	return best
}

// Suggest words the hint for an unknown name: the nearest known one, else the text given.
func Suggest(word string, candidates []string, otherwise Text) Text {
	if n := Nearest(word, candidates); n != "" {
		return Say("diag.did-you-mean-hint", "name", n)
	}
	return otherwise
}

// A comparison is room to work in, for many of them.
type comparison struct {
	name []rune
	rows [3][]int
}

// distance is the optimal string alignment distance: insertions, deletions,
// substitutions, and swaps of neighbours each cost one. It is the limit where it does
// not come below it: what would cost as much stands outside of a band along the
// diagonal of the table, and is not computed.
func (c *comparison) distance(a, b []rune, limit int) int {
	a, b = differing(a, b)
	if max(len(a)-len(b), len(b)-len(a)) >= limit {
		return limit
	}
	for i := range c.rows {
		c.rows[i] = slices.Grow(c.rows[i][:0], len(b)+1)[:len(b)+1]
	}
	before, last, row := c.rows[0], c.rows[1], c.rows[2]
	for j := range last {
		last[j] = j
	}
	leastBefore := 0
	for i := 1; i <= len(a); i++ {
		from, to := max(1, i-limit+1), min(len(b), i+limit-1)
		row[from-1] = limit
		if from == 1 {
			row[0] = i
		}
		least := row[from-1]
		for j := from; j <= to; j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
			least = min(least, row[j])
		}
		if to < len(b) {
			row[to+1] = limit // the next row looks there
		}
		// A swap looks two rows back, and costs one.
		if least >= limit && leastBefore+1 >= limit {
			return limit
		}
		before, last, row, leastBefore = last, row, before, least
	}
	return min(last[len(b)], limit)
}

// differing returns two words without the beginning and the end that they share: no
// edit of those brings them nearer.
func differing(a, b []rune) (x, y []rune) {
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return a, b
}
