package translate

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func sum(add func(d *Digest)) string {
	d := &Digest{}
	add(d)
	return d.Sum()
}

func prose(lines ...string) func(*Digest) {
	return func(d *Digest) {
		for _, l := range lines {
			text, continued := strings.CutPrefix(l, "+")
			d.Prose([]byte(text), continued)
		}
	}
}

func code(lines ...string) func(*Digest) {
	return func(d *Digest) {
		for _, l := range lines {
			d.Code([]byte(l))
		}
	}
}

func TestDigest(t *testing.T) {
	tests := []struct {
		name string
		a, b func(*Digest)
		same bool
	}{
		{"line ends and blanks", prose("um  dois \r\n", "\n", "\t três"), prose("um dois", "três"), true},
		{"wrapping", prose("um", "+dois"), prose("um dois"), true},
		{"a paragraph is no line", prose("um", "dois"), prose("um dois"), false},
		{"NFC", prose("ação"), prose("ac\u0327a\u0303o"), true},
		{"a word", prose("um"), prose("Um"), false},
		{"a mark", prose("um"), prose("um."), false},
		{"width of a table", prose("| a | b |", "|---|:--:|"), prose("| a  | b |", "| ----- | :-: |"), true},
		{"side of a table's column", prose("|---|:--:|"), prose("|---|:--|"), false},
		{"rule of a heading", prose("A", "==="), prose("A", "="), true},
		{"code: blanks at the end", code("a \r\n"), code("a"), true},
		{"code: indentation", code("  a"), code("a"), false},
		{"code: an empty line", code("a", "", "b"), code("a", "b"), false},
		{"code: lines", code("a", "b"), code("a b"), false},
		{"code: Unicode form", code("ação"), code("ac\u0327a\u0303o"), false},
		{"code is not prose", code("a"), prose("a"), false},
		{"nothing", prose(""), prose(), true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, b := sum(tt.a), sum(tt.b)
			if !IsHash(a) || !IsHash(b) {
				t.Errorf("%q %q are no hashes", a, b)
			}
			if (a == b) != tt.same {
				t.Errorf("same: %t", a == b)
			}
		})
	}
}

// TestContract checks the hash of a known text: a change of the rule would make all stamps outdated.
func TestContract(t *testing.T) {
	got := sum(func(d *Digest) {
		prose("## Título", "um", "+dois")(d)
		code("x = 1")(d)
		prose("fim")(d)
	})
	if want := "cvchlpfgko"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestCompare(t *testing.T) {
	was := []Section{{Anchor: Top, Hash: "a"}, {Anchor: "x", Hash: "b"}, {Anchor: "y", Hash: "c"}}
	stamp := NewStamp("pt", was)
	if c := Compare(stamp, was); c.Any() {
		t.Errorf("nothing has changed: %+v", c)
	}
	now := []Section{{Anchor: Top, Hash: "a"}, {Anchor: "new", Hash: "n"}, {Anchor: "y", Hash: "C"}}
	want := Changes{Changed: now[2:], Added: now[1:2], Removed: []string{"x"}}
	if diff := cmp.Diff(want, Compare(stamp, now)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	// A different order alone is no change.
	if c := Compare(stamp, []Section{was[2], was[0], was[1]}); c.Any() {
		t.Errorf("only the order has changed: %+v", c)
	}
}
