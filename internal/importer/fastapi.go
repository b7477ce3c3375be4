package importer

import (
	"slices"
	"strconv"
	"strings"
)

// linesShown writes the lines of a file that are shown, and which of them are marked.
// FastAPI counts both in the file, hl_lines counts in what is shown.
func linesShown(shown, marked string) (attributes string) {
	ranges := numberRanges(shown)
	slices.SortFunc(ranges, func(a, b [2]int) int { return a[0] - b[0] })
	if len(ranges) > 0 {
		attributes = ` lines="` + formatRanges(ranges) + `"`
	}
	var marks [][2]int
	for _, m := range numberRanges(marked) {
		if len(ranges) == 0 {
			marks = append(marks, m)
		}
		before := 0 // lines that are shown above the range
		for _, r := range ranges {
			if from, to := max(m[0], r[0]), min(m[1], r[1]); from <= to {
				marks = append(marks, [2]int{before + from - r[0] + 1, before + to - r[0] + 1})
			}
			before += r[1] - r[0] + 1
		}
	}
	if len(marks) > 0 {
		attributes += ` hl_lines="` + formatRanges(marks) + `"`
	}
	return attributes
}

// numberRanges reads "1:5,10"; what is no range is left out.
func numberRanges(s string) (out [][2]int) {
	for _, w := range strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == ' ' }) {
		from, to, isRange := strings.Cut(w, ":")
		if !isRange {
			to = from
		}
		m, err1 := strconv.Atoi(from)
		n, err2 := strconv.Atoi(to)
		if err1 == nil && err2 == nil && 0 < m && m <= n {
			out = append(out, [2]int{m, n})
		}
	}
	return out
}

// formatRanges writes "1-5 10".
func formatRanges(ranges [][2]int) string {
	var out []string
	for _, r := range ranges {
		w := strconv.Itoa(r[0])
		if r[1] > r[0] {
			w += "-" + strconv.Itoa(r[1])
		}
		out = append(out, w)
	}
	return strings.Join(out, " ")
}
