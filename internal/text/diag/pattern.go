package diag

import (
	"math/bits"
	"unicode/utf8"
)

// A pattern is a word that many others are compared with. It holds 64 characters of the word in each
// of its numbers, a bit for each character.
type pattern struct {
	length int
	// ascii and others have the positions of each character in the word.
	ascii  [utf8.RuneSelf][]uint64
	others map[rune][]uint64
	none   []uint64 // the places of a character that the word does not have
	states []columnState
}

// A columnState is the part of a column of the table of distances that one number holds.
type columnState struct {
	more, less uint64 // whether a cell is by one more, or less, than that above it
	same       uint64 // whether a cell is the same as that up and to the left of it
	before     uint64 // the places of the character before
}

// newPattern returns the pattern of a word, which must not be empty.
func newPattern(word []rune) *pattern {
	n := (len(word) + 63) / 64
	p := &pattern{length: len(word), others: map[rune][]uint64{}, none: make([]uint64, n), states: make([]columnState, n)}
	for i, r := range word {
		places := p.places(r)
		if &places[0] == &p.none[0] {
			places = make([]uint64, n)
			if r < utf8.RuneSelf {
				p.ascii[r] = places
			} else {
				p.others[r] = places
			}
		}
		places[i/64] |= 1 << (i % 64)
	}
	return p
}

func (p *pattern) places(r rune) []uint64 {
	var places []uint64
	if r < utf8.RuneSelf {
		places = p.ascii[r]
	} else {
		places = p.others[r]
	}
	if places == nil {
		return p.none
	}
	return places
}

// distance returns the optimal string alignment distance to a word of n characters: insertions,
// deletions, substitutions, and swaps of neighbours each cost one. It returns the limit if the
// distance is not below it. See H. Hyyrö, A Bit-Vector Algorithm for Computing Levenshtein and
// Damerau Edit Distances, Nordic Journal of Computing 10 (2003), figure 6.
func (p *pattern) distance(word string, n, limit int) int {
	for i := range p.states {
		p.states[i] = columnState{more: ^uint64(0)}
	}
	d, last := p.length, uint64(1)<<((p.length-1)%64)
	for _, r := range word {
		// What each number hands on to the next: the carry of the addition, and the bits that are shifted out.
		var carry, swapOut, leftOut uint64
		rightOut := uint64(1)
		for i, at := range p.places(r) {
			s := &p.states[i]
			swap := ^s.same & at
			swapped := (swap<<1 | swapOut) & s.before
			sum, carryOut := bits.Add64(at&s.more, s.more, carry)
			same := (sum ^ s.more) | at | s.less | swapped
			right, left := s.less|^(same|s.more), same&s.more // more, or less, than the cell to the left
			if i == len(p.states)-1 {
				if right&last != 0 {
					d++
				}
				if left&last != 0 {
					d--
				}
			}
			shiftedRight, shiftedLeft := right<<1|rightOut, left<<1|leftOut
			*s = columnState{more: shiftedLeft | ^(same | shiftedRight), less: shiftedRight & same, same: same, before: at}
			carry, swapOut, rightOut, leftOut = carryOut, swap>>63, right>>63, left>>63
		}
		if n--; d-n >= limit { // each further character lessens it by one at most
			return limit
		}
	}
	return min(d, limit)
}
