package diag

import "testing"

func TestClip(t *testing.T) {
	for _, c := range []struct {
		s    string
		n    int
		want string
	}{
		{"", 8, ""},
		{"12345678", 8, "12345678"},
		{"123456789", 8, "12345..."},
		{"abcdéfghij", 8, "abcd..."}, // é is two bytes, the fifth and the sixth
		{"abcéfghij", 8, "abcé..."},
		{"\x80\x80\x80\x80\x80\x80", 5, "..."},
	} {
		got := Clip(c.s, c.n)
		if got != c.want || len(got) > c.n {
			t.Errorf("%q in %d bytes: %q, want %q", c.s, c.n, got, c.want)
		}
	}
}
