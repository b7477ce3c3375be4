package diag

import (
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestAt(t *testing.T) {
	type place struct{ Line, Column, Width int }
	tests := []struct {
		name       string
		data       string
		start, end int
		want       place
		source     string
	}{
		{"first byte", "abc\ndef\n", 0, 1, place{1, 1, 1}, "abc"},
		{"second line", "abc\ndef\n", 5, 7, place{2, 2, 2}, "def"},
		{"characters, not bytes", "título: ção\n", 9, 14, place{1, 9, 3}, "título: ção"},
		{"wide and combining characters count one each", "日本\u0301x", 8, 9, place{1, 4, 1}, "日本\u0301x"},
		{"Windows line ends", "ab\r\ncd\r\n", 5, 6, place{2, 2, 1}, "cd"},
		{"on the carriage return", "ab\r\ncd", 2, 3, place{1, 3, 0}, "ab"},
		{"on the line's end", "ab\ncd", 2, 3, place{1, 3, 0}, "ab"},
		{"more than a line is cut at its end", "abc\ndef", 1, 6, place{1, 2, 2}, "abc"},
		{"last line without an end", "ab\ncd", 4, 5, place{2, 2, 1}, "cd"},
		{"end of the file", "ab\ncd", 5, 6, place{2, 3, 0}, "cd"},
		{"behind a last line's end", "ab\n", 3, 4, place{2, 1, 0}, ""},
		{"empty file", "", 0, 1, place{1, 1, 0}, ""},
		{"before the file", "ab", -5, 1, place{1, 1, 1}, "ab"},
		{"behind the file", "ab\ncd", 99, 100, place{2, 3, 0}, "cd"},
		{"end before start", "abcd", 2, 1, place{1, 3, 0}, "abcd"},
		{"a byte that is not UTF-8", "a\xffb", 2, 3, place{1, 3, 1}, "a\xffb"},
		{"within a character", "00ã0", 3, 5, place{1, 4, 1}, "00ã0"},
		{"up to within a character", "a😀b", 0, 3, place{1, 1, 2}, "a😀b"},
		{"only line ends", "\n\n\n", 1, 2, place{2, 1, 0}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := NewFile("x.md", []byte(tt.data)).Error(tt.start, tt.end, Plain("m"), Plain("h"))
			want := Diagnostic{Error, "x.md", 0, tt.want.Line, tt.want.Column, tt.want.Width, Plain("m"), Plain("h"), tt.source, "", 0}
			if diff := cmp.Diff(want, d); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestOffset(t *testing.T) {
	f := NewFile("x", []byte("ação\r\nb\n"))
	tests := []struct{ line, column, want int }{
		{1, 1, 0}, {1, 2, 1}, {1, 3, 3}, {1, 4, 5}, {1, 5, 6}, {1, 99, 6},
		{2, 1, 8}, {2, 2, 9}, {2, 99, 9}, {3, 1, 10}, {3, 5, 10}, {99, 1, 10},
		{0, 1, 0}, {-1, -1, 0}, {2, 0, 8},
	}
	for _, tt := range tests {
		if got := f.Offset(tt.line, tt.column); got != tt.want {
			t.Errorf("Offset(%d, %d) = %d, want %d", tt.line, tt.column, got, tt.want)
		}
	}
	for line, want := range map[int]string{-1: "", 0: "", 1: "ação", 2: "b", 3: "", 4: ""} {
		if got := f.Text(line); got != want {
			t.Errorf("Text(%d) = %q, want %q", line, got, want)
		}
	}
}

func TestFileIsShared(t *testing.T) {
	f := NewFile("x", []byte(strings.Repeat("línea\n", 100)))
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for i := range f.Data {
				if f.Line(i) != i/7+1 {
					t.Errorf("Line(%d) = %d", i, f.Line(i))
				}
			}
		})
	}
	wg.Wait()
}

// FuzzFile checks that no offset panics, that every place is within the file, and that the place of a
// character converts back to its offset.
func FuzzFile(f *testing.F) {
	f.Add([]byte("ação\r\nb\n"), 3, 5)
	f.Add([]byte(""), 0, 0)
	f.Add([]byte("\xff\n\r\r\n"), -1, 9)
	f.Fuzz(func(t *testing.T, data []byte, start, end int) {
		file := NewFile("x", data)
		lines := strings.Count(string(data), "\n") + 1
		d := file.Warning(start, end, Plain("m"), Text{})
		if d.Line < 1 || d.Line > lines {
			t.Fatalf("line %d of %d", d.Line, lines)
		}
		if n := utf8.RuneCountInString(file.Text(d.Line)); d.Column < 1 || d.Width < 0 || d.Column-1+d.Width > n {
			t.Fatalf("columns %d+%d of %d", d.Column, d.Width, n)
		}
		var out strings.Builder
		Print(&out, List{d}, Style{})
		for at := 0; at < len(data); {
			_, n := utf8.DecodeRune(data[at:])
			d := file.Error(at, at+n, Plain("m"), Text{})
			// A line's end is not part of its text: all of it has one place.
			if c := data[at]; c != '\r' && c != '\n' {
				if got := file.Offset(d.Line, d.Column); got != at {
					t.Fatalf("offset %d is %d:%d, which is offset %d", at, d.Line, d.Column, got)
				}
				if d.Width != 1 {
					t.Fatalf("a character at %d of width %d", at, d.Width)
				}
			}
			at += n
		}
	})
}

func TestSorted(t *testing.T) {
	l := List{
		{File: "b", Line: 1, Column: 1, Message: Plain("z")},
		{File: "a", Line: 10, Column: 1, Message: Plain("y")},
		{File: "a", Line: 9, Column: 2, Message: Plain("x")},
		{File: "a", Line: 9, Column: 1, Message: Plain("w"), Severity: Warning},
		{File: "b", Line: 1, Column: 1, Message: Plain("z")},
		{File: "a", Line: 9, Column: 1, Message: Plain("w")},
		{File: "a", Message: Plain("whole file")},
		{File: "b", Line: 1, Column: 1, Message: Plain("a")},
	}
	before := append(List(nil), l...)
	var got []string
	for _, d := range l.Sorted() {
		got = append(got, d.Error())
	}
	want := []string{
		"a: error: whole file", "a:9:1: error: w", "a:9:1: warning: w", "a:9:2: error: x", "a:10:1: error: y",
		"b:1:1: error: a", "b:1:1: error: z",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if diff := cmp.Diff(before, l); diff != "" {
		t.Errorf("Sorted changed its list\n%s", diff)
	}
	if len(List(nil).Sorted()) != 0 {
		t.Error("an empty list is not empty")
	}
}

func TestListCounts(t *testing.T) {
	var l List
	if l.HasErrors() {
		t.Error("an empty list has errors")
	}
	l.Add(Diagnostic{Severity: Warning}, Diagnostic{Severity: Warning})
	if l.HasErrors() || l.Count(Warning) != 2 {
		t.Errorf("%d warnings, errors %v", l.Count(Warning), l.HasErrors())
	}
	l.Add(Diagnostic{Severity: Error})
	if !l.HasErrors() || l.Count(Error) != 1 {
		t.Errorf("%d errors", l.Count(Error))
	}
}

func TestDiagnosticAsJSON(t *testing.T) {
	got, err := json.Marshal(List{
		{Severity: Warning, File: "a.md", Line: 1, Column: 2, Width: 3, Message: Plain("m"), Hint: Plain("h"), Source: "s"},
		{File: "b", Message: Plain("n")},
	})
	want := `[{"severity":"warning","file":"a.md","line":1,"column":2,"width":3,"message":"m","hint":"h","source":"s"},` +
		`{"severity":"error","file":"b","message":"n"}]`
	if err != nil || string(got) != want {
		t.Errorf("%s, %v\nwant %s", got, err, want)
	}
}

func TestDiagnosticAsError(t *testing.T) {
	var d Diagnostic
	err := error(NewFile("a.md", []byte("x\ny")).Error(2, 3, Plain("broken"), Plain("mend it")))
	if !errors.As(err, &d) || err.Error() != "a.md:2:1: error: broken" {
		t.Errorf("%v", err)
	}
}

func TestCells(t *testing.T) {
	f := NewCells("x.ipynb", []byte("---\n\x00\none\ntwo\n\x00\nfence\nthree\n"), []Cell{{2, 2}, {5, 6}})
	for _, tt := range []struct {
		text string
		want string
	}{
		{"---", "x.ipynb: error: m\n"},
		{"two", "x.ipynb, cell 1, line 2, column 1: error: m\n    2 | two\n      | ^~~\n"},
		{"fence", "x.ipynb, cell 2: error: m\n      | fence\n      | ^~~~~\n"},
		{"three", "x.ipynb, cell 2, line 1, column 1: error: m\n    1 | three\n      | ^~~~~\n"},
	} {
		at := strings.Index(string(f.Data), tt.text)
		var b strings.Builder
		Print(&b, List{f.With(f.Data).Error(at, at+len(tt.text), Plain("m"), Text{})}, Style{})
		if b.String() != tt.want {
			t.Errorf("%s:\n%swant\n%s", tt.text, b.String(), tt.want)
		}
	}
}
