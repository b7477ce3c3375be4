package judge

import (
	"cmp"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// locate sets the place of a failure: the line of the block, or of a saved one, that the compiler
// or the program names. For a failed build it adds the compiler's message.
func locate(b *site.Block, c *report.Check, outputs ...*report.Stream) {
	if c.Reason == nil || c.Reason.Place != nil {
		return
	}
	files := []site.SavedFile{{Name: b.Recipe.Source(b.Program()), Block: b}}
	saved := b.SavedFiles()
	for _, name := range slices.Sorted(maps.Keys(saved)) {
		files = append(files, saved[name])
	}
	var found located
	for _, file := range files {
		for _, s := range outputs {
			f := faultIn(s.String(), path.Base(file.Name))
			if f.line > 0 && f.line <= len(site.CodeLines(file.Block.Code)) && (found.line == 0 || f.isError && !found.isError) {
				at := file.Place(f.line)
				found, c.Reason.Place = f, &at
			}
		}
	}
	if c.Reason.Code == report.ReasonBuild {
		message := found.message
		for _, s := range outputs {
			message = cmp.Or(message, firstError(s.String()))
		}
		c.Reason.Said = diag.Clip(strings.TrimSpace(message), maxMessage)
	}
}

// maxMessage limits the message of a compiler in a reason, in bytes.
const maxMessage = 300

// severity finds what a line of a compiler says of the fault.
var severity = lazyregexp.New(`(?i)\b(?:(error|fatal|panicked|exception|undefined reference)|(warning|note|remark))\b`)

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

// A located is a line of a file that a compiler or a program names, and what is wrong there. The line
// is 0 if none is known. isError is set if the message says that it is an error.
type located struct {
	line    int
	message string
	isError bool
}

// column matches what follows the line of a place.
var column = lazyregexp.New(`^[\d:,.\s()-]+`)

// faultIn returns the line of a file that the output of a compiler or of a program names: that of
// the first error, or else of the first message that is no warning.
//
//	saxpy.cu:3:5: error: ...         gcc, clang, gfortran, javac, go, node, julia, rustc
//	saxpy.cu(3): error: ...          nvcc, ifx
//	(saxpy.f90: 3)                   nvfortran
//	At line 3 of file saxpy.f90      libgfortran, Octave
//	error: saxpy at line 3           Octave
func faultIn(output, file string) (other located) {
	name, _, _ := strings.Cut(file, ".")
	place, err := regexp.Compile(`(?:^|[^\w.-])` + regexp.QuoteMeta(file) + `(?::[ ]?|\()(\d{1,7})\b|\bline (\d{1,7}) of file \S*` + regexp.QuoteMeta(file) +
		`(?:\W|$)|^\s*(?:error: )?` + regexp.QuoteMeta(name) + ` at line (\d{1,7})\b`)
	if err != nil {
		return other
	}
	lines := strings.Split(output, "\n")
	for i, line := range lines {
		m := place.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		number, _ := strconv.Atoi(m[1] + m[2] + m[3])
		before, after, _ := strings.Cut(line, m[0])
		message := column.ReplaceAllString(after, "")
		severity := severityOf(before + after)
		switch {
		case severity != noSeverity:
		case i > 0 && strings.Contains(before, "-->"): // rustc
			message = lines[i-1]
			severity = severityOf(message)
		case strings.HasSuffix(strings.TrimSpace(after), ":") && !strings.Contains(before, "from"): // gfortran; gcc names what includes a file
			message, severity = messageAfter(lines[i+1:], place)
		}
		switch {
		case severity == isError:
			return located{number, message, true}
		case severity == noSeverity && other.line == 0:
			other = located{number, message, false}
		}
	}
	return other
}

// firstError returns the first line of an output that says that something is an error, or else the
// first one.
func firstError(output string) string {
	first := ""
	for line := range strings.Lines(output) {
		if line = strings.TrimSpace(line); severityOf(line) == isError {
			return line
		}
		first = cmp.Or(first, line)
	}
	return first
}

// messageAfter returns the message that follows a place and the line of the code.
func messageAfter(lines []string, place *regexp.Regexp) (message string, severity int) {
	for _, line := range lines[:min(len(lines), nearby)] {
		if place.MatchString(line) {
			break
		}
		if s := severityOf(line); s != noSeverity && !strings.HasPrefix(line, " ") {
			return line, s
		}
	}
	return "", noSeverity
}
