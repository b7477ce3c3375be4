// Package diag has the diagnostics of gpudocs: what is wrong in a file, where, and how to fix it.
//
// Diagnostics are data. Packages that read files return a [List], and the command prints all of
// them at once, so that one run reports every fault. Inside gpudocs a place in a file is a byte
// offset. [File] turns it into a line and a column when a diagnostic is made.
//
// A printed diagnostic looks like this:
//
//	content/pt/gpu.md:12:14: error: unknown attribute "tiemout"
//	   12 | ```bash {run tiemout=30s}
//	      |              ^~~~~~~
//	  hint: did you mean "timeout"?
//
// Message and hint are [Text] values: keys of texts with arguments, which package text
// turns into the language of the reader. As strings they are English.
//
// diag.go has the diagnostics and the files that they are about, pieces.go files that are composed
// of others, print.go writes diagnostics to a terminal, and nearest.go suggests known names.
package diag

import (
	"bytes"
	"cmp"
	"slices"
	"sort"
	"sync"
	"unicode/utf8"

	"github.com/gpudocs/gpudocs/internal/text"
)

// A Severity is how bad a diagnostic is.
type Severity int

const (
	// Error: the input is broken, and the command ends with exit code 2.
	Error Severity = iota
	// Warning: the input is doubtful. The work goes on; with --strict the exit code is 1.
	Warning
	// Notice: not a fault, but worth knowing. It never changes an exit code.
	Notice
)

func (s Severity) String() string {
	return [...]string{"error", "warning", "notice"}[s]
}

// MarshalText writes the severity as its name.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// A Diagnostic is one finding about one place.
type Diagnostic struct {
	Severity Severity `json:"severity"`
	// File is the slash-separated path below the site's folder.
	File string `json:"file"`
	// Cell is the cell of a notebook in which Line counts, from 1; 0 in any other
	// file. If Line is 0, the diagnostic is about the whole cell.
	Cell int `json:"cell,omitempty"`
	// Line and Column count from 1; 0 means the whole file. Column counts characters,
	// not bytes.
	Line   int `json:"line,omitempty"`
	Column int `json:"column,omitempty"`
	// Width is the number of characters that the finding covers on its line.
	Width   int  `json:"width,omitempty"`
	Message Text `json:"message"`
	// Hint says how to fix it, or is empty.
	Hint Text `json:"hint,omitzero"`
	// Source is the text of the line without its end, or the part of a long line around
	// the place.
	Source string `json:"source,omitempty"`
	// Rule is a name for programs of what was checked ("link", "anchor"), listed in
	// docs/content/en/check.md. Most diagnostics have none.
	Rule string `json:"rule,omitempty"`
	// SourceColumn is the column at which Source begins, if that is not the first.
	SourceColumn int `json:"source_column,omitempty"`
}

// Error returns the first line of the printed form.
func (d Diagnostic) Error() string { return d.heading(text.Catalog{}) }

// WithRule returns the diagnostic with a rule.
func (d Diagnostic) WithRule(rule string) Diagnostic {
	d.Rule = rule
	return d
}

// A List collects diagnostics in any order.
type List []Diagnostic

// Add appends diagnostics.
func (l *List) Add(d ...Diagnostic) { *l = append(*l, d...) }

// Count returns how many diagnostics have the severity.
func (l List) Count(s Severity) int {
	n := 0
	for _, d := range l {
		if d.Severity == s {
			n++
		}
	}
	return n
}

// HasErrors reports whether any diagnostic is an error.
func (l List) HasErrors() bool { return l.Count(Error) > 0 }

// Sorted returns the diagnostics by file and place, without duplicates.
func (l List) Sorted() List {
	s := slices.Clone(l)
	slices.SortStableFunc(s, func(a, b Diagnostic) int {
		if n := cmp.Or(
			cmp.Compare(a.File, b.File),
			cmp.Compare(a.Cell, b.Cell),
			cmp.Compare(a.Line, b.Line),
			cmp.Compare(a.Column, b.Column),
			cmp.Compare(a.Severity, b.Severity),
		); n != 0 {
			return n
		}
		return cmp.Compare(a.Message.String(), b.Message.String())
	})
	return slices.CompactFunc(s, Diagnostic.Equal)
}

// Equal reports whether two diagnostics are the same, with the same texts in English.
func (d Diagnostic) Equal(e Diagnostic) bool {
	same := d.Message.Equal(e.Message) && d.Hint.Equal(e.Hint)
	d.Message, d.Hint = e.Message, e.Hint
	return same && d == e
}

// A File is a source text with its name, which finds the place of an offset.
// It is safe for use by several goroutines.
type File struct {
	Name string
	Data []byte
	// starts has the offset of each line, in 32 bits because a site has many lines
	// and no file of gigabytes.
	starts []uint32
	// cells are the cells of a notebook, in order; nil for any other file.
	cells []Cell
	// pieces are the parts of a composed text; nil for any other.
	pieces []Piece
	// columns caches the columns of long lines, by line.
	columns sync.Map
}

// A Cell is a cell of a notebook in the text generated from the notebook. It begins at line First.
// Base is the line before the first one that the author wrote.
type Cell struct{ First, Base int }

// NewCells indexes a text that was generated from a notebook's cells. Its places are a cell and a
// line in the cell.
func NewCells(name string, data []byte, cells []Cell) *File {
	f := NewFile(name, data)
	f.cells = append([]Cell{}, cells...)
	return f
}

// With returns the file with other bytes of the same length, whose lines begin at the same offsets.
func (f *File) With(data []byte) *File {
	return &File{Name: f.Name, Data: data, starts: f.starts, cells: f.cells, pieces: f.pieces}
}

// Cell returns the cell of a line, counted from 1, and the line in the cell. In a file without
// cells they are 0 and the line itself. The line is 0 before the first cell, and for lines that the
// author did not write. In a composed text both are those of the file that the line comes from.
func (f *File) Cell(line int) (cell, in int) {
	f, line = f.Origin(line)
	if f.cells == nil {
		return 0, line
	}
	cell = sort.Search(len(f.cells), func(i int) bool { return f.cells[i].First > line })
	if cell == 0 {
		return 0, 0
	}
	return cell, max(0, line-f.cells[cell-1].Base)
}

// NewFile indexes the lines of data, which must not change afterwards.
func NewFile(name string, data []byte) *File {
	f := &File{Name: name, Data: data, starts: make([]uint32, 1, bytes.Count(data, newline)+1)}
	for i := 0; ; {
		n := bytes.IndexByte(data[i:], '\n')
		if n < 0 {
			return f
		}
		i += n + 1
		f.starts = append(f.starts, uint32(i))
	}
}

var newline = []byte("\n")

// Lines returns the number of lines, with the empty one after the last newline.
func (f *File) Lines() int { return len(f.starts) }

// start returns the offset of a line, counted from 1.
func (f *File) start(line int) int { return int(f.starts[line-1]) }

// Line returns the line of an offset, counted from 1.
func (f *File) Line(offset int) int {
	return sort.Search(len(f.starts), func(i int) bool { return int(f.starts[i]) > offset })
}

// Text returns the given line without its end.
func (f *File) Text(line int) string { return string(f.Bytes(line)) }

// Bytes is [File.Text] as a part of Data.
func (f *File) Bytes(line int) []byte {
	if line < 1 || line > len(f.starts) {
		return nil
	}
	end := len(f.Data)
	if line < len(f.starts) {
		end = f.start(line+1) - 1
	}
	return bytes.TrimRight(f.Data[f.start(line):end], "\r")
}

// Offset returns the offset of a line and a column counted in characters.
// A place outside of the file becomes the nearest end of the file.
func (f *File) Offset(line, column int) int {
	line = min(max(line, 1), len(f.starts))
	at := f.start(line)
	if column <= 1 {
		return at
	}
	for text := f.Bytes(line); column > 1 && len(text) > 0; column-- {
		_, n := utf8.DecodeRune(text)
		text, at = text[n:], at+n
	}
	return at
}

// About makes a diagnostic about a whole file, with the hint of its message.
func About(s Severity, file string, message Text) Diagnostic {
	return Diagnostic{Severity: s, File: file, Message: message, Hint: message.Hint()}
}

// At makes a diagnostic about the bytes from start to end. Without a hint it has that of the message; see [text.Message.Hint].
func (f *File) At(s Severity, start, end int, message Text, hint ...Text) Diagnostic {
	if hint == nil {
		hint = []Text{message.Hint()}
	}
	start = min(max(start, 0), len(f.Data))
	line := f.Line(start)
	if of, from, shift, stands := f.origin(line); of != f {
		text := of.Text(from)
		begin, stop := start-f.start(line)-shift, end-f.start(line)-shift
		if stands {
			begin, stop = 0, len(text)
		}
		at := of.start(from)
		return of.At(s, at+min(max(begin, 0), len(text)), at+min(max(stop, 0), len(text)), message, hint...)
	}
	text := f.Bytes(line)
	begin := min(start-f.start(line), len(text))
	stop := min(max(end-f.start(line), begin), len(text))
	column := f.characters(line, begin) + 1
	source, from := text, 0
	if len(text) > maxSource {
		from = boundary(text, begin-maxSource/4)
		source = text[from:boundary(text, from+maxSource)]
	}
	d := Diagnostic{Severity: s, File: f.Name, Message: message, Hint: hint[0], Source: string(source)}
	if from > 0 {
		d.SourceColumn = f.characters(line, from) + 1
	}
	cell, in := f.Cell(line)
	if in == 0 && cell == 0 {
		return d
	}
	d.Cell, d.Line, d.Column, d.Width = cell, in, column, f.characters(line, stop)+1-column
	return d
}

// maxSource bounds the part of a line that a diagnostic keeps, in bytes. A line may have a
// megabyte, and a diagnostic for each word.
const maxSource = 1000

// boundary returns the offset of the first character that begins at an offset or after it.
func boundary(text []byte, offset int) int {
	if offset <= 0 {
		return 0
	}
	for offset < len(text) && !utf8.RuneStart(text[offset]) {
		offset++
	}
	return min(offset, len(text))
}

// columnStep is the distance between the places of columns, in bytes.
const columnStep = 4 << 10

// columns are offsets of characters in a line, columnStep or a little more apart, each with the number
// of characters before it.
type columns []struct{ offset, characters int }

func newColumns(text []byte) (c columns) {
	for at, n := 0, 0; at < len(text); {
		end := boundary(text, at+columnStep)
		n += utf8.RuneCount(text[at:end])
		at = end
		c = append(c, struct{ offset, characters int }{at, n})
	}
	return c
}

// characters returns how many characters of the line begin before the offset, which may be within a
// character.
func (f *File) characters(line, offset int) (n int) {
	text, at := f.Bytes(line), 0
	if offset > 2*columnStep {
		known, ok := f.columns.Load(line)
		if !ok {
			known, _ = f.columns.LoadOrStore(line, newColumns(text))
		}
		c := known.(columns)
		if i := sort.Search(len(c), func(i int) bool { return c[i].offset > offset }); i > 0 {
			at, n = c[i-1].offset, c[i-1].characters
		}
	}
	for at < offset && at < len(text) {
		_, size := utf8.DecodeRune(text[at:])
		at += size
		n++
	}
	return n
}

// Error makes an error about the bytes from start to end.
func (f *File) Error(start, end int, message Text, hint ...Text) Diagnostic {
	return f.At(Error, start, end, message, hint...)
}

// Warning makes a warning about the bytes from start to end.
func (f *File) Warning(start, end int, message Text, hint ...Text) Diagnostic {
	return f.At(Warning, start, end, message, hint...)
}
