package search

import (
	_ "embed"
	"strings"
	"sync"

	"github.com/pelletier/go-toml/v2"
)

// Synonyms has, by language, groups of words or phrases that mean the same.
type Synonyms map[string][][]string

//go:embed synonyms.toml
var synonymsFile []byte

// builtin are the synonyms that every site has. A test parses the file.
var builtin = sync.OnceValue(func() (s Synonyms) {
	_ = toml.Unmarshal(synonymsFile, &s)
	return s
})

// A group has the phrases that a section has, which are searched for, and others of the same meaning.
type group [2][]string

// synonyms returns the groups of a language and of its site that have a phrase of the pages. The others could find nothing.
func (x *inverted) synonyms(language string, ofSite [][]string) (list []group) {
	code, _, _ := strings.Cut(language, "-")
	for _, phrases := range append(ofSite[:len(ofSite):len(ofSite)], builtin()[code]...) {
		var g group
		for _, p := range phrases {
			other := 1
			if x.inOneChunk(p) {
				other = 0
			}
			g[other] = append(g[other], p)
		}
		if len(g[0]) > 0 {
			list = append(list, g)
		}
	}
	return list
}

// inOneChunk reports whether a chunk has all words of a phrase.
func (x *inverted) inOneChunk(phrase string) bool {
	terms := map[string]bool{}
	x.stemmer.terms(phrase, func(term string) { terms[term] = true })
	found := map[int32]int{}
	for term := range terms {
		number, ok := x.numbers[term]
		if !ok {
			return false
		}
		for _, p := range x.of(int(number)) {
			if found[p.chunk]++; found[p.chunk] == len(terms) {
				return true
			}
		}
	}
	return false
}
