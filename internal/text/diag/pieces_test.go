package diag

import "testing"

// TestCompose checks that diagnostics about a composed text name the file and line it comes from.
func TestCompose(t *testing.T) {
	page := NewFile("page.md", []byte("um\n  :::include part.md\nfim\n"))
	inner := NewFile("inner.md", []byte("ação\nx\n"))
	part := Compose("part.md", []byte("a\nação\nb\n"), []Piece{
		{First: 1, File: NewFile("part.md", []byte("a\n:::include inner.md\nb\n")), Line: 1},
		{First: 2, File: inner, Line: 1},
		{First: 3, File: NewFile("part.md", []byte("a\n:::include inner.md\nb\n")), Line: 3},
	})
	text := "um\n\n  a\n  ação\n  b\nfim\n"
	f := Compose("page.md", []byte(text), []Piece{
		{First: 1, File: page, Line: 1},
		{First: 2, File: page, Line: 2, Stands: true},
		{First: 3, File: part, Line: 1, Shift: 2},
		{First: 6, File: page, Line: 3},
	})
	tests := []struct {
		line, from, to int // bytes of the composed line
		want           string
		column, width  int
		source         string
	}{
		{1, 0, 2, "page.md:1", 1, 2, "um"},
		{2, 0, 0, "page.md:2", 1, 20, "  :::include part.md"},
		{3, 2, 3, "part.md:1", 1, 1, "a"},
		{4, 3, 5, "inner.md:1", 2, 1, "ação"},
		{4, 0, 99, "inner.md:1", 1, 4, "ação"}, // its indentation is the page's
		{5, 2, 3, "part.md:3", 1, 1, "b"},
		{6, 1, 3, "page.md:3", 2, 2, "fim"},
	}
	for _, tt := range tests {
		at := f.Offset(tt.line, 1)
		d := f.Warning(at+tt.from, at+tt.to, Plain("m"), Text{})
		if got := d.heading(Style{}.Catalog); got[:len(tt.want)] != tt.want || d.Column != tt.column || d.Width != tt.width || d.Source != tt.source {
			t.Errorf("line %d: %s, column %d, width %d, %q; want %+v", tt.line, got, d.Column, d.Width, d.Source, tt)
		}
	}
}

// TestWhere checks how a place is named in a message about another place.
func TestWhere(t *testing.T) {
	page, part := NewFile("p.md", []byte("a\n:::include part.md\nb\n")), NewFile("part.md", []byte("x\ny\n"))
	f := Compose("p.md", []byte("a\n\nx\ny\nb\n"), []Piece{{First: 1, File: page, Line: 1}, {First: 2, File: page, Line: 2, Stands: true}, {First: 3, File: part, Line: 1}, {First: 5, File: page, Line: 3}})
	cells := NewCells("n.ipynb", []byte("\x1e\na\n\x1e\nb\nc\n"), []Cell{{1, 1}, {3, 3}})
	for _, tt := range []struct {
		f            *File
		line, reader int
		want         string
	}{
		{page, 3, 1, "line 3"}, {f, 5, 1, "line 3"}, {f, 4, 3, "line 2"}, {f, 4, 5, "line 2 of part.md"}, {f, 5, 4, "line 3 of p.md"},
		{cells, 5, 4, "line 2"}, {cells, 5, 2, "line 2 of cell 2"},
	} {
		if got := tt.f.Where(tt.f.Offset(tt.line, 1), tt.f.Offset(tt.reader, 1)); got.String() != tt.want {
			t.Errorf("line %d, read at %d: got %s, want %s", tt.line, tt.reader, got, tt.want)
		}
	}
}

func TestComposeOfCells(t *testing.T) {
	cells := NewCells("n.ipynb", []byte("\x1e\na\n\x1e\nb\nc\n"), []Cell{{1, 1}, {3, 3}})
	f := Compose("n.ipynb", []byte("\x1e\na\n\x1e\nincluded\nc\n"), []Piece{
		{First: 1, File: cells, Line: 1},
		{First: 4, File: NewFile("p.md", []byte("included\n")), Line: 1},
		{First: 5, File: cells, Line: 5},
	})
	if of, _ := f.Origin(1); of.cells == nil {
		t.Error("the file has no cells")
	}
	for line, want := range map[int][2]int{2: {1, 1}, 4: {0, 1}, 5: {2, 2}} {
		if cell, in := f.Cell(line); cell != want[0] || in != want[1] {
			t.Errorf("line %d is cell %d line %d, want %v", line, cell, in, want)
		}
	}
}
