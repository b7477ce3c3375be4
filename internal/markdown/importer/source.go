package importer

import (
	"bytes"
	"slices"
)

// A source is a text that is edited, and knows where in the file each of its bytes comes from.
type source struct {
	data []byte
	// from are the offsets in the file of the bytes, and of the end. Inserted bytes have the offset
	// at which they were inserted.
	from []int
}

func newSource(data []byte) *source {
	s := &source{data: data, from: make([]int, len(data)+1)}
	for i := range s.from {
		s.from[i] = i
	}
	return s
}

// line returns a line without its line end.
func (s *source) line(l line) string { return string(s.data[l.start:l.stop]) }

// An edit replaces source[start:stop] by a text.
type edit struct {
	start, stop int
	text        string
}

// apply makes the edits, which may be in any order. Of two that overlap, only the first in the text
// is made.
func (s *source) apply(edits []edit) {
	if len(edits) == 0 {
		return
	}
	slices.SortStableFunc(edits, func(a, b edit) int {
		if a.start != b.start {
			return a.start - b.start
		}
		return (a.stop - a.start) - (b.stop - b.start) // insertions come before replacements
	})
	var data []byte
	var from []int
	at := 0
	for _, e := range edits {
		if e.start < at {
			continue
		}
		data, from = append(data, s.data[at:e.start]...), append(from, s.from[at:e.start]...)
		data, from = append(data, e.text...), append(from, slices.Repeat(s.from[e.start:e.start+1], len(e.text))...)
		at = e.stop
	}
	s.data, s.from = append(data, s.data[at:]...), append(from, s.from[at:]...)
}

// A line is text[start:stop], without its line end. The next line begins at next.
type line struct{ start, stop, next int }

func linesOf(data []byte) (lines []line) {
	for at := 0; at < len(data); {
		l := line{start: at, stop: len(data), next: len(data)}
		if n := bytes.IndexByte(data[at:], '\n'); n >= 0 {
			l.stop, l.next = at+n, at+n+1
		}
		if l.stop > at && data[l.stop-1] == '\r' {
			l.stop--
		}
		lines = append(lines, l)
		at = l.next
	}
	return lines
}

// eol returns the line end of a text.
func eol(data []byte) string {
	if i := bytes.IndexByte(data, '\n'); i > 0 && data[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}
