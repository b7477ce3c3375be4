package diag

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestNearest(t *testing.T) {
	names := []string{"run", "name", "session", "env", "timeout", "needs", "expect", "título"}
	tests := []struct{ word, want string }{
		{"timeout", "timeout"},
		{"tiemout", "timeout"}, // a swap
		{"timeot", "timeout"},  // a letter less
		{"ttimeout", "timeout"},
		{"titulo", "título"}, // one character, two bytes
		{"nmae", "name"},
		{"xpect", "expect"},
		{"ne", ""},   // half of a word is no longer it
		{"r", ""},    // one letter says too little
		{"zzzz", ""}, // nothing like it
		{"", ""},
	}
	for _, tt := range tests {
		if got := Nearest(tt.word, names); got != tt.want {
			t.Errorf("Nearest(%q) = %q, want %q", tt.word, got, tt.want)
		}
	}
	if got := Nearest("abcd", []string{"abxd", "abcx"}); got != "abxd" {
		t.Errorf("of two that are as near the first wins, not %q", got)
	}
	if got := Nearest("x", nil); got != "" {
		t.Errorf("Nearest without candidates = %q", got)
	}
}

func TestSuggest(t *testing.T) {
	if got := Suggest("tiemout", []string{"timeout"}, Plain("else")); got.String() != `did you mean "timeout"?` {
		t.Error(got)
	}
	if got := Suggest("x", []string{"timeout"}, Plain("known is timeout")); got.String() != "known is timeout" {
		t.Error(got)
	}
}

func TestDistance(t *testing.T) {
	tests := []struct {
		a, b string
		want int
	}{
		{"abc", "", 3}, {"abc", "abc", 0},
		{"kitten", "sitting", 3}, {"ab", "ba", 1}, {"abcd", "acbd", 1}, {"ção", "cao", 2}, {"ca", "abc", 3},
	}
	for _, tt := range tests {
		if got := newPattern([]rune(tt.a)).distance(tt.b, utf8.RuneCountInString(tt.b), 99); got != tt.want {
			t.Errorf("distance(%q, %q) = %d, want %d", tt.a, tt.b, got, tt.want)
		}
	}
}

// plainDistance is the textbook algorithm with the full table.
func plainDistance(a, b []rune) int {
	t := make([][]int, len(a)+1)
	for i := range t {
		t[i] = make([]int, len(b)+1)
		for j := range t[i] {
			switch {
			case i == 0 || j == 0:
				t[i][j] = i + j
				continue
			case a[i-1] == b[j-1]:
				t[i][j] = t[i-1][j-1]
			default:
				t[i][j] = t[i-1][j-1] + 1
			}
			t[i][j] = min(t[i][j], t[i-1][j]+1, t[i][j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				t[i][j] = min(t[i][j], t[i-2][j-2]+1)
			}
		}
	}
	return t[len(a)][len(b)]
}

// TestDistanceIsPlain compares the bit-parallel distances with those of the table, also for words that
// take up to four machine words.
func TestDistanceIsPlain(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	word := func(most int) []rune {
		w := make([]rune, r.IntN(most))
		for i := range w {
			w[i] = []rune("abçé")[r.IntN(4)]
		}
		return w
	}
	for i := range 100_000 {
		most, limit := 12, 1+r.IntN(14)
		if i%50 == 0 {
			most, limit = 200, 1+r.IntN(200)
		}
		a, b := append(word(most), 'x'), word(most+10)
		if i%100 == 0 { // a few edits of a long word
			b = slices.Clone(a)
			for range r.IntN(8) {
				at := r.IntN(len(b))
				switch b[at] = 'a'; r.IntN(3) {
				case 0:
					b = slices.Insert(b, at, 'b')
				case 1:
					b = append(slices.Delete(b, at, at+1), 'ç')
				}
			}
		}
		if got, want := newPattern(a).distance(string(b), len(b), limit), min(plainDistance(a, b), limit); got != want {
			t.Fatalf("distance(%q, %q, %d) = %d, want %d", string(a), string(b), limit, got, want)
		}
	}
}

// similar are the names of many pages of a site, and the misspelled names in its links.
func similar(n int) (names, wrong []string) {
	for i := range n {
		names = append(names, fmt.Sprintf("content/pt/gpu/aula-%04d-introducao.md", i))
		wrong = append(wrong, fmt.Sprintf("content/pt/gpu/aulas-%04d-introdução.md", i))
	}
	return names, wrong
}

func TestNearestOfMany(t *testing.T) {
	names, wrong := similar(100)
	for i, w := range wrong {
		if got := NearestIndex(w, names); got != i {
			t.Errorf("%s: %d", w, got)
		}
	}
	long := strings.Repeat("a", 1<<20)
	if got := Nearest(long, slices.Repeat([]string{long + "b"}, 1000)); got != "" {
		t.Error("a word of a megabyte has a neighbour")
	}
}

func BenchmarkNearest(b *testing.B) {
	names, wrong := similar(1500)
	for b.Loop() {
		for _, w := range wrong {
			NearestIndex(w, names)
		}
	}
}
