package diag

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gpudocs/gpudocs/internal/complexitytest"
)

// TestLongLine checks that a diagnostic has the part of a long line around its place, and that its
// column is counted from the beginning of the line.
func TestLongLine(t *testing.T) {
	line := strings.Repeat("añb ", 10_000)
	f := NewFile("x.md", []byte("a\n"+line+"\nb\n"))
	for _, n := range []int{0, 1, 100, 1000, 1001, 5000, 9998, 9999} {
		start := 2 + n*len("añb ")
		d := f.Warning(start, start+len("añ"), Plain("m"), Plain("h"))
		if d.Line != 2 || d.Column != 4*n+1 || d.Width != 2 {
			t.Errorf("%d: %d:%d, %d wide", n, d.Line, d.Column, d.Width)
		}
		if len(d.Source) > maxSource+utf8.UTFMax || !utf8.ValidString(d.Source) {
			t.Errorf("%d: a source of %d bytes", n, len(d.Source))
		}
		at := []rune(d.Source)[d.Column-max(d.SourceColumn, 1):]
		if string(at[:2]) != "añ" {
			t.Errorf("%d: at %d of the source from %d stands %q", n, d.Column, d.SourceColumn, string(at[:2]))
		}
		if text, mark, ok := d.excerpt(0); !ok || []rune(text)[strings.Index(mark, "^")] != 'a' || !strings.HasSuffix(mark, " ^~") && n > 0 {
			t.Errorf("%d: %q %q", n, text, mark)
		}
	}
	short := NewFile("x.md", []byte(strings.Repeat("a", maxSource))).Warning(500, 501, Plain("m"), Plain("h"))
	if len(short.Source) != maxSource || short.SourceColumn != 0 {
		t.Errorf("%d bytes from %d", len(short.Source), short.SourceColumn)
	}
}

// TestManyOnOneLine checks that diagnostics for each word of a line take time proportional to its length.
func TestManyOnOneLine(t *testing.T) {
	complexitytest.Check(t, "ã ", 1<<17, func(n int) {
		f := NewFile("x.md", []byte(strings.Repeat("ã ", n/3)))
		var l List
		for i := 0; i < n; i += 12 {
			l.Add(f.Warning(i, i+2, Plain("m"), Plain("h")))
		}
		Print(new(strings.Builder), l, Style{})
	})
}

// TestSuggester checks that suggestions are searched for a limited number of names only, and that the
// work for one name is bounded.
func TestSuggester(t *testing.T) {
	var s Suggester
	asked := 0
	known := func() []string {
		asked++
		return []string{"timeout"}
	}
	for range 3 * maxSuggestions {
		s.Suggest("tiemout", known, Plain("other"))
	}
	if asked != maxSuggestions {
		t.Errorf("looked for %d names, want %d", asked, maxSuggestions)
	}
	if hint := s.Suggest("tiemout", known, Plain("other")).String(); hint != "other" {
		t.Errorf("%q", hint)
	}
	if hint := new(Suggester).Suggest("tiemout", known, Plain("other")).String(); hint != `did you mean "timeout"?` {
		t.Errorf("%q", hint)
	}
	for _, length := range []int{10, 100} {
		word := strings.Repeat("a", length)
		var names []string
		for i := range maxSteps {
			names = append(names, fmt.Sprintf("%0*d", length, i))
		}
		names = append(names, word)
		if i := NearestIndex(word, names); i >= 0 {
			t.Errorf("%d characters: looked at all of %d names", length, len(names))
		}
		if i := NearestIndex(word, names[len(names)-1000:]); i != 999 {
			t.Errorf("%d characters: got %d of 1000 names", length, i)
		}
	}
}
