package importer

import (
	"slices"
	"sort"
)

// An edit puts a text in the place of source[start:stop].
type edit struct {
	start, stop int
	text        string
}

// A source is a text on its way, which knows of each offset where in the file it
// comes from.
type source struct {
	data []byte
	// from are pieces in the order of their offsets.
	from []piece
}

// A piece begins at an offset of the text. Its bytes are those of the file from
// old on, or, where added is set, were put in at old.
type piece struct {
	at, old int
	added   bool
}

func newSource(data []byte) *source { return &source{data: data, from: []piece{{}}} }

// origin is the offset in the file.
func (s *source) origin(at int) int {
	i := sort.Search(len(s.from), func(i int) bool { return s.from[i].at > at }) - 1
	if i < 0 {
		return 0
	}
	if p := s.from[i]; !p.added {
		return p.old + at - p.at
	}
	return s.from[i].old
}

// apply makes the changes, which may come in any order. Of two that overlap the
// first in the text counts.
func (s *source) apply(edits []edit) {
	if len(edits) == 0 {
		return
	}
	slices.SortStableFunc(edits, func(a, b edit) int {
		if a.start != b.start {
			return a.start - b.start
		}
		return (a.stop - a.start) - (b.stop - b.start) // what is put in stands before what is taken away
	})
	var data []byte
	var from []piece
	at, next := 0, 0 // the offset in the text, and the next of the old pieces
	keep := func(to int) {
		if to <= at {
			return
		}
		from = append(from, s.pieceAt(at, len(data)))
		for next < len(s.from) && s.from[next].at <= at {
			next++
		}
		for ; next < len(s.from) && s.from[next].at < to; next++ {
			p := s.from[next]
			from = append(from, piece{len(data) + p.at - at, p.old, p.added})
		}
		data = append(data, s.data[at:to]...)
		at = to
	}
	for _, e := range edits {
		if e.start < at {
			continue
		}
		keep(e.start)
		if e.text != "" {
			from = append(from, piece{len(data), s.origin(e.start), true})
			data = append(data, e.text...)
		}
		at = e.stop
	}
	keep(len(s.data))
	s.data, s.from = data, from
}

// pieceAt is the piece of the text at an offset, to begin at another.
func (s *source) pieceAt(at, now int) piece {
	i := sort.Search(len(s.from), func(i int) bool { return s.from[i].at > at }) - 1
	if i < 0 {
		return piece{at: now}
	}
	p := s.from[i]
	if p.added {
		return piece{now, p.old, true}
	}
	return piece{now, p.old + at - p.at, false}
}

// A line is one of a text: text[start:stop] without its end, next begins the next.
type line struct{ start, stop, next int }

func linesOf(data []byte) (lines []line) {
	for at := 0; at < len(data); {
		l := line{start: at}
		for l.stop = at; l.stop < len(data) && data[l.stop] != '\n'; l.stop++ {
		}
		l.next = min(l.stop+1, len(data))
		if l.stop > at && data[l.stop-1] == '\r' {
			l.stop--
		}
		lines = append(lines, l)
		at = l.next
	}
	return lines
}

// eol is how the text ends its lines.
func eol(data []byte) string {
	for i, c := range data {
		if c == '\n' {
			if i > 0 && data[i-1] == '\r' {
				return "\r\n"
			}
			break
		}
	}
	return "\n"
}
