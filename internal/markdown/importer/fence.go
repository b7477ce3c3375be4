package importer

import "strings"

// A fenceState follows the fences of a text line by line, without its AST.
type fenceState struct{ mark string }

// inside reports whether a line is code or the line of a fence.
func (f *fenceState) inside(text string) bool {
	t := strings.TrimLeft(text, " \t>")
	if f.mark != "" {
		run := len(t) - len(strings.TrimLeft(t, f.mark[:1]))
		if run >= len(f.mark) && strings.TrimSpace(t[run:]) == "" {
			f.mark = ""
		}
		return true
	}
	t = strings.TrimLeft(strings.TrimLeft(t, "-*+0123456789.)"), " \t")
	for _, c := range []string{"`", "~"} {
		run := len(t) - len(strings.TrimLeft(t, c))
		if run >= 3 && (c == "~" || !strings.Contains(t[run:], "`")) {
			f.mark = t[:run]
			return true
		}
	}
	return false
}
