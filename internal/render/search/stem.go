package search

import (
	"cmp"
	"embed"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The rules of a language are data, one file each, which the build and the browser share: both apply
// them, and a test compares the results. Snowball's algorithms are not used, because they need the
// accents that readers omit, and separate "medición" from "medir" and "matrices" from "matriz".
//
//	stop de que ...              words that are not searched for
//	alt ue o                     letters that stand for one another in a query's stems
//	step coes>cao:1 s ...        endings; at most one of a step is replaced
//
// An ending is written ENDING>REPLACEMENT:LEFT. Without a replacement it is removed; at least LEFT
// letters, by default 3, must remain before it. ^ is the beginning of a word. In each step, in order,
// the longest ending that fits is replaced.
//
//go:embed stems/*.txt
var stems embed.FS

// A rule replaces an ending.
type rule struct {
	ending, by string
	left       int
}

// A stemmer has the rules of a language, or none if there are none for it.
type stemmer struct {
	steps []step
	stop  map[string]bool
	words []string // the words of stop, in order
	alts  [][]string
	known map[string]string // the stems of words
}

// A step has rules, of which at most one is applied to a word.
type step struct {
	byEnding map[string]rule
	longest  int    // the length of the longest ending, in bytes
	form     string // the rules for the browser, the longest ending first
}

// newStemmer reads the rules of a language; for "pt-br" those of "pt".
func newStemmer(code string) *stemmer {
	s := &stemmer{stop: map[string]bool{}, known: map[string]string{}}
	code, _, _ = strings.Cut(code, "-")
	text, err := stems.ReadFile("stems/" + code + ".txt")
	if err != nil {
		return s // without rules, only whole words are found
	}
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		switch words[0] {
		case "stop":
			s.words = words[1:]
		case "alt":
			s.alts = append(s.alts, words[1:])
		case "step":
			s.steps = append(s.steps, newStep(words[1:]))
		}
	}
	for _, w := range s.words {
		s.stop[w] = true
	}
	return s
}

func newStep(words []string) step {
	s := step{byEnding: map[string]rule{}}
	for _, w := range words {
		r := rule{ending: endingOf(w), left: 3}
		w, left, ok := strings.Cut(w, ":")
		if ok {
			r.left, _ = strconv.Atoi(left) // a test parses all files
		}
		_, r.by, _ = strings.Cut(w, ">")
		if r.ending[0] == '^' {
			r.left = -1
		}
		s.byEnding[r.ending] = r
		s.longest = max(s.longest, len(r.ending))
	}
	slices.SortStableFunc(words, func(a, b string) int { return cmp.Compare(len(endingOf(b)), len(endingOf(a))) })
	s.form = strings.Join(words, " ")
	return s
}

// endingOf returns the ending that a rule replaces.
func endingOf(rule string) string {
	ending, _, _ := strings.Cut(rule, ":")
	ending, _, _ = strings.Cut(ending, ">")
	return ending
}

// stem returns what all forms of a word have in common, by the rules. A word with a digit is a name
// and is not changed.
func (s *stemmer) stem(word string) string {
	if len(s.steps) == 0 || strings.ContainsAny(word, "0123456789") {
		return word
	}
	if known, ok := s.known[word]; ok {
		return known
	}
	w := "^" + word
	for _, step := range s.steps {
		for n := min(step.longest, len(w)); n > 0; n-- {
			r, ok := step.byEnding[w[len(w)-n:]]
			if !ok || utf8.RuneCountInString(w[:len(w)-n])-1 < r.left {
				continue
			}
			w = w[:len(w)-n] + r.by
			if r.ending[0] == '^' {
				w = "^" + w
			}
			break
		}
	}
	s.known[word] = w[1:]
	return w[1:]
}

// form returns the rules for the browser: steps separated by ";", rules by a space.
func (s *stemmer) form() string {
	var steps []string
	for _, step := range s.steps {
		steps = append(steps, step.form)
	}
	return strings.Join(steps, ";")
}
