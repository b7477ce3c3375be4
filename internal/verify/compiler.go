package verify

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
)

// severity finds what a line of a compiler says of the fault.
var severity = lazyregexp.New(`(?i)\b(?:(error|fatal|panicked|exception)|(warning|note|remark))\b`)

// The severities of a line.
const (
	noSeverity = iota
	isWarning
	isError
)

func severityOf(line string) int {
	m := severity.FindStringSubmatch(line)
	switch {
	case m == nil:
		return noSeverity
	case m[1] != "":
		return isError
	}
	return isWarning
}

// nearby is how many lines after a place gfortran says what is wrong there.
const nearby = 6

// lineNamed returns the line of a file that the output of a compiler or of a program names: that
// of the first error, or else of the first message that is no warning. It returns 0 if none does.
//
//	saxpy.cu:3:5: error: ...         gcc, clang, gfortran, javac, go, node, julia, rustc
//	saxpy.cu(3): error: ...          nvcc, ifx
//	(saxpy.f90: 3)                   nvfortran
//	At line 3 of file saxpy.f90      libgfortran, Octave
//	error: saxpy at line 3           Octave
func lineNamed(output, file string) int {
	name, _, _ := strings.Cut(file, ".")
	place, err := regexp.Compile(`(?:^|[^\w.-])` + regexp.QuoteMeta(file) + `(?::[ ]?|\()(\d{1,7})\b|\bline (\d{1,7}) of file \S*` + regexp.QuoteMeta(file) +
		`(?:\W|$)|^\s*(?:error: )?` + regexp.QuoteMeta(name) + ` at line (\d{1,7})\b`)
	if err != nil {
		return 0
	}
	lines := strings.Split(output, "\n")
	other := 0
	for i, line := range lines {
		m := place.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		number, _ := strconv.Atoi(m[1] + m[2] + m[3])
		switch severityAt(lines, i, strings.Replace(line, file, "", 1), place) {
		case isError:
			return number
		case noSeverity:
			if other == 0 {
				other = number
			}
		}
	}
	return other
}

// severityAt returns the severity of the message with a place in line i, whose text without the
// file's name is text: that of the line, of the line before an arrow (rustc), or of one that follows
// (gfortran).
func severityAt(lines []string, i int, text string, place *regexp.Regexp) int {
	if s := severityOf(text); s != noSeverity {
		return s
	}
	if i > 0 && strings.Contains(text, "-->") {
		return severityOf(lines[i-1])
	}
	if !strings.HasSuffix(strings.TrimSpace(text), ":") {
		return noSeverity
	}
	for _, next := range lines[i+1 : min(len(lines), i+1+nearby)] {
		if place.MatchString(next) {
			break
		}
		if s := severityOf(next); s != noSeverity && !strings.HasPrefix(next, " ") {
			return s
		}
	}
	return noSeverity
}
