package spelling

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// A list is a file of words that the dictionaries lack, one a line.
type list struct {
	file string
	// words are all words of the list, and whether each was seen.
	words map[string]bool
}

// readList reads a list, and returns an error if its format is wrong.
func readList(file string) (*list, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	l := &list{file, map[string]bool{}}
	lines := strings.Fields(string(data))
	for _, w := range lines {
		l.words[w] = false
	}
	if sorted := slices.Compact(slices.Sorted(slices.Values(lines))); string(data) != text(sorted) {
		return l, fmt.Errorf("%s: one word a line, each once, sorted by their bytes (LC_ALL=C sort -u)", file)
	}
	return l, nil
}

// has reports whether the list has a word, and records that it was seen. A word in lower case matches
// other cases too; one with capitals is a name, and matches only itself.
func (l *list) has(word string) (has bool) {
	for _, w := range []string{word, strings.ToLower(word)} {
		if _, is := l.words[w]; is {
			l.words[w], has = true, true
		}
	}
	return has
}

// orphans returns the words that were not seen.
func (l *list) orphans() (words []string) {
	for w, seen := range l.words {
		if !seen {
			words = append(words, w)
		}
	}
	slices.Sort(words)
	return words
}

// write writes the words that were seen, and more.
func (l *list) write(more []string) error {
	words := slices.Clone(more)
	for w, seen := range l.words {
		if seen {
			words = append(words, w)
		}
	}
	slices.Sort(words)
	return os.WriteFile(l.file, []byte(text(slices.Compact(words))), 0o644)
}

// text returns the text of a list.
func text(words []string) string {
	var b strings.Builder
	for _, w := range words {
		b.WriteString(w + "\n")
	}
	return b.String()
}
