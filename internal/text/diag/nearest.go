package diag

import "unicode/utf8"

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
	if len(w) == 0 || len(w) > maxWord {
		return -1
	}
	best, least := -1, min(len(w)/2, maxEdits)+1
	p := newPattern(w)
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
		if d := p.distance(name, n, least); d < least {
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
