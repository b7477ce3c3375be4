package sitefile

import (
	"slices"
	"testing"
)

func TestCompareNatural(t *testing.T) {
	want := []string{"", "1 - a", "2 - b", "10 - c", "A", "a", "a 1", "a01", "a1", "a1b", "a01c", "a2", "a10", "a10b2", "a10b10", "b", "é2", "é10"}
	got := slices.Clone(want)
	slices.Reverse(got)
	slices.SortFunc(got, CompareNatural)
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	for _, a := range want {
		for _, b := range want {
			if (CompareNatural(a, b) == 0) != (a == b) || CompareNatural(a, b) != -CompareNatural(b, a) {
				t.Errorf("%q, %q", a, b)
			}
		}
	}
}

// TestURLPath checks that only names with such marks get another address than before.
func TestURLPath(t *testing.T) {
	for name, want := range map[string]string{
		"a": "a", "a b": "a-b", "a--b": "a--b", "a-b": "a-b", "-a": "-a", "a,b": "a,b", "50%": "50%", "a/b c/": "a/b-c/", "a_b.c": "a_b.c", "é": "é", "e\u0301": "é", "": "",
		"1 - a": "1-a", "a -- b": "a-b", "a  b": "a-b", "[x] y (z)": "x-y-z", "a(b)": "a-b", "Week 1 - x/2 - [y]": "Week-1-x/2-y", "()": "()", "a -": "a",
	} {
		if got := URLPath(name); got != want {
			t.Errorf("URLPath(%q) = %q, want %q", name, got, want)
		}
	}
}
