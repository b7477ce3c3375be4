package report

import "bytes"

// minMarker is the length of Git's conflict markers. They are longer with the attribute
// conflict-marker-size.
const minMarker = 7

// isMarker reports whether a line is a conflict marker. No line of JSON can look like one.
func isMarker(line []byte) bool {
	if len(line) == 0 || bytes.IndexByte([]byte("<|=>"), line[0]) < 0 {
		return false
	}
	size := len(line) - len(bytes.TrimLeft(line, string(line[:1])))
	return size >= minMarker && (size == len(line) || line[size] == ' ')
}

// conflict returns the offsets of the first conflict marker and of the end of its line.
func conflict(data []byte) (start, end int, found bool) {
	for line := range bytes.Lines(data) {
		if text := bytes.TrimRight(line, "\r\n"); isMarker(text) {
			return start, start + len(text), true
		}
		start += len(line)
	}
	return 0, 0, false
}
