package diag

import "testing"

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

func TestDidYouMean(t *testing.T) {
	if got := DidYouMean("tiemout", []string{"timeout"}, "else"); got != `did you mean "timeout"?` {
		t.Error(got)
	}
	if got := DidYouMean("x", []string{"timeout"}, "known is timeout"); got != "known is timeout" {
		t.Error(got)
	}
}

func TestDistance(t *testing.T) {
	tests := []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"abc", "abc", 0},
		{"kitten", "sitting", 3}, {"ab", "ba", 1}, {"abcd", "acbd", 1}, {"ção", "cao", 2}, {"ca", "abc", 3},
	}
	for _, tt := range tests {
		if got := distance([]rune(tt.a), []rune(tt.b), 99, new([3][]int)); got != tt.want {
			t.Errorf("distance(%q, %q) = %d, want %d", tt.a, tt.b, got, tt.want)
		}
	}
}
