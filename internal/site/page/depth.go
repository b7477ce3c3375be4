package page

import (
	"strings"

	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// maxDepth bounds how many quotes and lists one line opens. Goldmark reads the line again for each
// of them, and walks over the tree go as deep: a megabyte of > would take hours.
const maxDepth = 1000

// checkDepth reports the first line that exceeds maxDepth.
func checkDepth(file *diag.File) (d diag.Diagnostic, deep bool) {
	for line := 1; line <= file.Lines(); line++ {
		text := file.Bytes(line)
		if len(text) > maxDepth && marksBefore(string(text)) > maxDepth {
			start := file.Offset(line, 1)
			return file.Error(start, start+1, diag.Say("page.nesting-too-deep", "most", maxDepth)), true
		}
	}
	return d, false
}

// marksBefore counts the marks of quotes and lists that a line begins with.
func marksBefore(line string) (n int) {
	for {
		line = strings.TrimLeft(line, " \t")
		rest := strings.TrimLeft(line, "0123456789")
		switch {
		case strings.HasPrefix(line, ">"):
			line = line[1:]
		case len(line) > 1 && strings.IndexByte("-*+", line[0]) >= 0 && (line[1] == ' ' || line[1] == '\t'):
			line = line[1:]
		case len(rest) > 1 && len(rest) < len(line) && (rest[0] == '.' || rest[0] == ')') && (rest[1] == ' ' || rest[1] == '\t'):
			line = rest[1:]
		default:
			return n
		}
		n++
	}
}
