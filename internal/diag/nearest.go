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

// NearestIndex is the index of what [Nearest] returns, or -1.
func NearestIndex(word string, candidates []string) int {
	w := []rune(word)
	best, least := -1, len(w)/2+1
	var rows [3][]int
	for i, c := range candidates {
		// The lengths' difference is a bound that costs nothing: most candidates
		// of a large site end here.
		if n := utf8.RuneCountInString(c); max(n-len(w), len(w)-n) < least {
			if d := distance(w, []rune(c), least, &rows); d < least {
				best, least = i, d
			}
		}
	}
	return best
}

// DidYouMean words the hint for an unknown name: the nearest known one, else
// the sentence given.
func DidYouMean(word string, candidates []string, otherwise string) string {
	if n := Nearest(word, candidates); n != "" {
		return "did you mean \"" + n + "\"?"
	}
	return otherwise
}

// distance is the optimal string alignment distance: insertions, deletions,
// substitutions, and swaps of neighbours each cost one. It stops where it cannot
// come below the limit. The rows are room to work in, for the next call as well.
func distance(a, b []rune, limit int, rows *[3][]int) int {
	for i := range rows {
		rows[i] = slices.Grow(rows[i][:0], len(b)+1)[:len(b)+1]
	}
	before, last, row := rows[0], rows[1], rows[2]
	for j := range row {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		// A swap looks two rows back, and costs one.
		if slices.Min(row) >= limit && slices.Min(last)+1 >= limit {
			return limit
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
