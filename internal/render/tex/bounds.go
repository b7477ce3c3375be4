package tex

import (
	"fmt"
	"strings"
)

const (
	// maxLength limits the length of a formula, in bytes: the longest derivations have half of it.
	maxLength = 4 << 10
	// maxNesting limits the nesting of groups.
	maxNesting = 150
	// maxCells limits the cells of arrays: Temml fills all rows to the width of the widest, so that 4
	// KiB can require two million.
	maxCells = 1500
	// maxArguments limits the # of macros, each of which repeats an argument.
	maxArguments = 20
)

// bounds rejects formulas that would take Temml long, and characters that it cannot read here. It
// looks at the formula only, never at a clock, so it has the same result on all machines.
func bounds(tex string) error {
	if len(tex) > maxLength {
		return &Error{fmt.Sprintf("it is longer than %d KiB", maxLength>>10), 0}
	}
	depth, arguments := 0, 0
	for i, r := range tex {
		switch {
		case r == '{':
			if depth++; depth > maxNesting {
				return &Error{fmt.Sprintf("more than %d groups stand in one another", maxNesting), i}
			}
		case r == '}':
			depth--
		case r == '#':
			if arguments++; arguments > maxArguments {
				return &Error{fmt.Sprintf("it has # more than %d times", maxArguments), i}
			}
		}
	}
	if cells(tex) > maxCells {
		return &Error{fmt.Sprintf("its arrays have more than %d cells", maxCells), 0}
	}
	return nil
}

// cells returns the number of cells if all arrays of the formula were one.
func cells(tex string) int {
	rows := strings.Split(tex, `\\`)
	widest := 0
	for _, r := range rows {
		widest = max(widest, strings.Count(r, "&"))
	}
	for _, a := range strings.Split(tex, `\begin{array}`)[1:] {
		columns, _, _ := strings.Cut(a, "}")
		widest = max(widest, len(columns))
	}
	return len(rows) * (widest + 1)
}
