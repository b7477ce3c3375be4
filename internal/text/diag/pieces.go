package diag

import "sort"

// A Piece is a run of lines of a composed text, and where they come from.
type Piece struct {
	// First is the first line of the piece in the composed text. The piece goes up to
	// the next one.
	First int
	// Line of File is the line that First comes from. File may itself be composed.
	File *File
	Line int
	// Shift is the number of bytes before each line that File does not have, because
	// it is included in a list or a quote.
	Shift int
	// Stands is set if all lines of the piece come from the one Line.
	Stands bool
}

// Compose indexes a text that was put together from the lines of several files.
// The pieces are in order and begin with line 1. Offsets are those of the text.
// Diagnostics name the file and the line that they come from.
func Compose(name string, data []byte, pieces []Piece) *File {
	f := NewFile(name, data)
	f.pieces = pieces
	return f
}

// origin returns the file and the line that a line comes from, how many bytes are inserted
// before it, and whether it only replaces that line.
func (f *File) origin(line int) (of *File, from, shift int, stands bool) {
	for f.pieces != nil {
		i := sort.Search(len(f.pieces), func(i int) bool { return f.pieces[i].First > line })
		p := &f.pieces[max(0, i-1)]
		from := p.Line
		if !p.Stands {
			from += line - p.First
		}
		f, line = p.File, min(from, len(p.File.starts))
		shift, stands = shift+p.Shift, stands || p.Stands
	}
	return f, line, shift, stands
}

// Where returns the place of an offset for a diagnostic at the offset from: "line 5", with the cell
// and the file if they are others.
func (f *File) Where(offset, from int) Text {
	line, fromLine := f.Line(offset), f.Line(from)
	of, _ := f.Origin(line)
	fromFile, _ := f.Origin(fromLine)
	cell, in := f.Cell(line)
	if fromCell, _ := f.Cell(fromLine); cell == fromCell {
		cell = 0
	}
	file := of.Name
	if file == fromFile.Name {
		file = ""
	}
	return placeText(file, cell, in)
}

// placeText returns a line, with its cell and its file unless they are 0 and "".
func placeText(file string, cell, line int) Text {
	switch {
	case cell > 0 && file != "":
		return Say("diag.at-line-of-cell-of-file", "line", line, "cell", cell, "file", file)
	case cell > 0:
		return Say("diag.at-line-of-cell", "line", line, "cell", cell)
	case file != "":
		return Say("diag.at-line-of-file", "line", line, "file", file)
	}
	return Say("diag.at-line", "line", line)
}

// Origin returns the file and the line that a line comes from: itself if the text is not composed.
func (f *File) Origin(line int) (*File, int) {
	of, from, _, _ := f.origin(line)
	return of, from
}

// NameLine returns a line for a message about this file. It names only other files that the line comes
// from.
func (f *File) NameLine(line int) Text {
	of, from := f.Origin(line)
	if cell, in := f.Cell(line); cell > 0 {
		return placeText("", cell, in)
	}
	if of.Name != f.Name {
		return placeText(of.Name, 0, from)
	}
	return placeText("", 0, from)
}
