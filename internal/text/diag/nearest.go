package diag

import (
	"strings"
	"unicode/utf8"
)

// Nearest returns the candidate that is nearest to word by edit distance, or "" if none is near
// enough for a suggestion.
func Nearest(word string, candidates []string) string {
	if i := NearestIndex(word, candidates); i >= 0 {
		return candidates[i]
	}
	return ""
}

// maxEdits bounds the distance of a candidate from a long word. maxWord bounds the words that are
// looked up, in characters, because a page can have a link of a megabyte.
const maxEdits, maxWord = 24, 1000

// maxSteps bounds the work for one word, in characters of candidates: about ten thousand names are
// compared, and the other names of a larger site are not.
const maxSteps = 200_000

// maxSuggestions bounds the unknown names of a page or a file that are looked up.
const maxSuggestions = 1000

// A Suggester returns hints as [Suggest] does, for the unknown names of one page or file.
// After maxSuggestions names it only returns the other hint.
type Suggester struct{ used int }

// Suggest is [Suggest] for one more name.
func (s *Suggester) Suggest(word string, candidates func() []string, otherwise Text) Text {
	if !s.More() {
		return otherwise
	}
	return Suggest(word, candidates(), otherwise)
}

// More counts one more name, and reports whether to look it up.
func (s *Suggester) More() bool {
	s.used++
	return s.used <= maxSuggestions
}

// NearestIndex returns the index of what [Nearest] returns, or -1.
//
// A page may have a thousand broken links, and a site a thousand pages with similar names. That is a
// million comparisons. Most only count characters, the others take two dozen steps a character.
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

// Known returns the hint for an unknown name: the nearest of those that are known, or all of them.
func Known(word string, known []string) Text {
	return Suggest(word, known, Say("diag.known-names-hint", "known", strings.Join(known, ", ")))
}

// Suggest returns the hint for an unknown name: the nearest candidate, or otherwise if none is near.
func Suggest(word string, candidates []string, otherwise Text) Text {
	if n := Nearest(word, candidates); n != "" {
		return Say("diag.did-you-mean-hint", "name", n)
	}
	return otherwise
}
