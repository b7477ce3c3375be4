package diag

// Nearest returns the candidate closest to word by edit distance, or "" when
// none is near enough to be worth a "did you mean".
func Nearest(word string, candidates []string) string {
	w := []rune(word)
	best, least := "", len(w)/2+1
	for _, c := range candidates {
		// The lengths' difference is a bound that costs nothing: most candidates
		// of a large site end here.
		if r := []rune(c); max(len(r)-len(w), len(w)-len(r)) < least {
			if d := distance(w, r); d < least {
				best, least = c, d
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
// substitutions, and swaps of neighbours each cost one.
func distance(a, b []rune) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
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
		before, last, row = last, row, before
	}
	return last[len(b)]
}
