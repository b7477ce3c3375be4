package diag

import "unicode/utf8"

// A pattern is a word of up to 64 characters that many others are compared with.
type pattern struct {
	// ascii and others have for each character the places in the word at which it
	// stands, a bit each.
	ascii  [utf8.RuneSelf]uint64
	others map[rune]uint64
	length int
}

func newPattern(word []rune) pattern {
	p := pattern{length: len(word)}
	for i, r := range word {
		if r >= 0 && r < utf8.RuneSelf {
			p.ascii[r] |= 1 << i
			continue
		}
		if p.others == nil {
			p.others = map[rune]uint64{}
		}
		p.others[r] |= 1 << i
	}
	return p
}

// distance is that of [comparison.distance] to a word of n characters. The bits of a number are a
// column of the table: whether a cell is by one more or less than that above it. See
// H. Hyyrö, A Bit-Vector Algorithm for Computing Levenshtein and Damerau Edit Distances,
// Nordic Journal of Computing 10 (2003), figure 6.
func (p *pattern) distance(word string, n, limit int) int {
	more, less := ^uint64(0), uint64(0) // than the cell above
	var same, before uint64             // as the cell up and to the left; where the character before stands
	d, last := p.length, uint64(1)<<(p.length-1)
	for _, r := range word {
		var at uint64
		if r < utf8.RuneSelf {
			at = p.ascii[r]
		} else {
			at = p.others[r]
		}
		swapped := ((^same & at) << 1) & before
		same = ((at&more + more) ^ more) | at | less | swapped
		right, left := less|^(same|more), same&more // more, or less, than the cell to the left
		if right&last != 0 {
			d++
		}
		if left&last != 0 {
			d--
		}
		right, left = right<<1|1, left<<1
		more, less = left|^(same|right), right&same
		before = at
		if n--; d-n >= limit { // what is left can lessen it by one a character
			return limit
		}
	}
	return min(d, limit)
}
