package diag

import "sort"

// A Piece is a run of lines of a composed text, and where they come from.
type Piece struct {
	// First is the first of its lines in the composed text. It goes up to the next
	// piece.
	First int
	// File is that of the lines, which may be composed itself, and Line the one in it
	// that First is.
	File *File
	Line int
	// Shift is how many bytes stand before each line that the file's line does not
	// have: the place in a list or a quote where it is included.
	Shift int
	// Stands: all lines of the piece stand for the one Line, where somebody asks
	// for them.
	Stands bool
}

// Compose indexes a text that was put together from the lines of several files.
// The pieces are in order and begin with line 1. Offsets are those of the text;
// whatever is said about them names the file and line that they come from.
func Compose(name string, data []byte, pieces []Piece) *File {
	f := NewFile(name, data)
	f.pieces = pieces
	return f
}

// origin returns the file and line that a line comes from, how many bytes of it are
// not that line's, and whether it only stands for that line.
func (f *File) origin(line int) (of *File, from, shift int, stands bool) {
	for f.pieces != nil {
		i := sort.Search(len(f.pieces), func(i int) bool { return f.pieces[i].First > line })
		p := &f.pieces[max(0, i-1)]
		from := p.Line
		if !p.Stands {
			from += line - p.First
		}
		f, line = p.File, min(from, len(p.File.starts)) // behind its end there is no more of it
		shift, stands = shift+p.Shift, stands || p.Stands
	}
	return f, line, shift, stands
}

// Where words the place of an offset for a diagnostic about another place: "line 5",
// and in which cell and file, if that is not the reader's.
func (f *File) Where(offset, reader int) Text {
	line, at := f.Line(offset), f.Line(reader)
	of, _ := f.Origin(line)
	here, _ := f.Origin(at)
	cell, in := f.Cell(line)
	pieceFiles, _ := f.Cell(at)
	switch cells, files := cell != pieceFiles && cell > 0, of.Name != here.Name; {
	case cells && files:
		return Say("diag.at-line-of-cell-of-file", "line", in, "cell", cell, "file", of.Name)
	case cells:
		return Say("diag.at-line-of-cell", "line", in, "cell", cell)
	case files:
		return Say("diag.at-line-of-file", "line", in, "file", of.Name)
	}
	return Say("diag.at-line", "line", in)
}

// Origin returns the file and the line that a line comes from: itself in a text
// that was not composed.
func (f *File) Origin(line int) (*File, int) {
	of, from, _, _ := f.origin(line)
	return of, from
}

// NameLine says in a message about the text which line is meant: its own file is not
// named, for the message is about that.
func (f *File) NameLine(line int) Text {
	of, from := f.Origin(line)
	switch cell, in := f.Cell(line); {
	case cell > 0:
		return Say("diag.at-line-of-cell", "line", in, "cell", cell)
	case of.Name != f.Name:
		return Say("diag.at-line-of-file", "line", from, "file", of.Name)
	}
	return Say("diag.at-line", "line", from)
}
