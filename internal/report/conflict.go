package report

import (
	"bytes"

	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// minMarker is the length of Git's conflict markers. They are longer with the attribute
// conflict-marker-size, and within a merge base that has conflicts itself.
const minMarker = 7

// marker returns the character of a conflict marker and its length, or
// 0 if the line is not a marker. No line of JSON can look like one.
func marker(line []byte) (kind byte, size int) {
	line = bytes.TrimRight(line, "\r\n")
	if len(line) == 0 || !bytes.ContainsRune([]byte("<|=>"), rune(line[0])) {
		return 0, 0
	}
	size = len(line) - len(bytes.TrimLeft(line, string(line[:1])))
	if size < minMarker || size < len(line) && line[size] != ' ' {
		return 0, 0
	}
	return line[0], size
}

// conflict returns the offsets of the first conflict marker and of the end of its line.
func conflict(data []byte) (start, end int, found bool) {
	for line := range bytes.Lines(data) {
		if kind, _ := marker(line); kind != 0 {
			return start, start + len(bytes.TrimRight(line, "\r\n")), true
		}
		start += len(line)
	}
	return 0, 0, false
}

// Sides are the versions of a file that Git could not merge.
type Sides struct {
	Ours, Theirs []byte
	// Base is the version from which both derive. It is nil if there are no markers for it,
	// which is Git's default; merge.conflictStyle diff3 and zdiff3 write them.
	Base []byte
}

// SplitConflict reconstructs the versions of a file from its conflict markers. found is
// false if there are none. If the markers are not complete, the error is a
// [diag.Diagnostic].
func SplitConflict(name string, data []byte) (s Sides, found bool, err error) {
	if _, _, found = conflict(data); !found {
		return Sides{}, false, nil
	}
	// next are the markers that may follow each one. 0 is outside of a conflict.
	next := map[byte]string{0: "<", '<': "|=", '|': "=", '=': ">"}
	// sides are the versions to which a line after each marker belongs.
	sides := map[byte][]*[]byte{0: {&s.Ours, &s.Base, &s.Theirs}, '<': {&s.Ours}, '|': {&s.Base}, '=': {&s.Theirs}}
	var state byte
	open, openSize, based := 0, 0, true
	start := 0
	fault := func(at int) error {
		file := diag.NewFile(name, data)
		line := file.Bytes(file.Line(at))
		return file.Error(at, at+len(line), diag.Say("report.conflict-incomplete"),
			diag.Say("report.conflict-incomplete-hint", "name", name))
	}
	for line := range bytes.Lines(data) {
		kind, size := marker(line)
		switch {
		case kind == 0, state != 0 && size != openSize: // a longer marker belongs to a conflict within the base
			for _, side := range sides[state] {
				*side = append(*side, line...)
			}
		case state == '=' && kind == '>':
			state = 0
		case bytes.IndexByte([]byte(next[state]), kind) < 0:
			return Sides{}, true, fault(start)
		default:
			if state == 0 {
				open, openSize = start, size
			}
			based = based && (state != '<' || kind == '|')
			state = kind
		}
		start += len(line)
	}
	if state != 0 {
		return Sides{}, true, fault(open)
	}
	if !based {
		s.Base = nil
	}
	return s, true, nil
}
