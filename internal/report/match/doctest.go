package match

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/report"
)

// Flags are the options of doctest that affect a comparison, and pytest's NUMBER.
type Flags uint16

// The flags, by doctest's names.
const (
	Ellipsis Flags = 1 << iota
	NormalizeWhitespace
	DontAcceptBlankline
	DontAcceptTrueFor1
	IgnoreExceptionDetail
	Skip
	Number
)

// DefaultFlags are the flags of a Python session, in which "..." is any text as in other
// expectations.
const DefaultFlags = Ellipsis

// flagNames are the options that a directive may name. Those that only affect doctest's own
// report are 0.
var flagNames = map[string]Flags{
	"ELLIPSIS": Ellipsis, "NORMALIZE_WHITESPACE": NormalizeWhitespace, "DONT_ACCEPT_BLANKLINE": DontAcceptBlankline,
	"DONT_ACCEPT_TRUE_FOR_1": DontAcceptTrueFor1, "IGNORE_EXCEPTION_DETAIL": IgnoreExceptionDetail, "SKIP": Skip, "NUMBER": Number,
	"REPORT_UDIFF": 0, "REPORT_CDIFF": 0, "REPORT_NDIFF": 0, "REPORT_ONLY_FIRST_FAILURE": 0, "FAIL_FAST": 0,
}

// Doctest reports whether Python's doctest.OutputChecker.check_output accepts got for want.
// With [Number] numbers are compared as pytest does.
func Doctest(want, got string, flags Flags) bool {
	if checkOutput(want, got, flags) {
		return true
	}
	return flags&Number != 0 && checkOutput(want, withPrecision(want, got), flags)
}

func checkOutput(want, got string, flags Flags) bool {
	want, got = ascii(want), ascii(got)
	if got == want {
		return true
	}
	if flags&DontAcceptTrueFor1 == 0 && (got == "True\n" && want == "1\n" || got == "False\n" && want == "0\n") {
		return true
	}
	if flags&DontAcceptBlankline == 0 {
		want, got = blankLines(want, "<BLANKLINE>"), blankLines(got, "")
		if got == want {
			return true
		}
	}
	if flags&NormalizeWhitespace != 0 {
		want, got = normalized(want), normalized(got)
		if got == want {
			return true
		}
	}
	return flags&Ellipsis != 0 && ellipsis(want, got)
}

// ascii replaces other characters by escapes, so that an expected "\xe9" equals é.
func ascii(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case r < utf8.RuneSelf:
			b.WriteRune(r)
		case r < 0x100:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
	}
	return b.String()
}

// blankLines empties the lines that have only the mark and blanks after it.
func blankLines(s, mark string) string {
	all := strings.Split(s, "\n")
	for i, l := range all {
		if rest, ok := strings.CutPrefix(l, mark); ok && strings.TrimFunc(rest, isSpace) == "" {
			all[i] = ""
		}
	}
	return strings.Join(all, "\n")
}

// isSpace reports whether an ASCII character is white space to Python.
func isSpace(r rune) bool { return r == ' ' || r >= '\t' && r <= '\r' || r >= 0x1c && r <= 0x1f }

func normalized(s string) string { return strings.Join(strings.FieldsFunc(s, isSpace), " ") }

// ellipsis compares texts in which "..." is any text, including line breaks.
func ellipsis(want, got string) bool {
	p := pieces(strings.Split(want, "..."))
	if len(p) == 1 {
		return want == got
	}
	return p.match(got)
}

// decimal matches what pytest considers a number with a precision.
var decimal = lazyregexp.New(`(?:[+-]?[0-9]*\.(?P<fraction>[0-9]+)|[+-]?[0-9]+\.)(?:[Ee](?P<exponent1>[+-]?[0-9]+))?|[+-]?[0-9]+[Ee](?P<exponent2>[+-]?[0-9]+)`)

// withPrecision returns got with the numbers of want in place of those that are near enough.
func withPrecision(want, got string) string {
	wants, gots := decimal.FindAllStringSubmatchIndex(want, -1), decimal.FindAllStringIndex(got, -1)
	if len(wants) != len(gots) {
		return got
	}
	var b strings.Builder
	end := 0
	for i, w := range wants {
		precision := 0
		if w[2] >= 0 {
			precision = w[3] - w[2]
		}
		for _, e := range [][]int{w[4:6], w[6:8]} {
			if e[0] >= 0 {
				n, _ := strconv.Atoi(want[e[0]:e[1]])
				precision -= n
			}
		}
		expected, _ := strconv.ParseFloat(want[w[0]:w[1]], 64)
		found, _ := strconv.ParseFloat(got[gots[i][0]:gots[i][1]], 64)
		near := expected == found || !math.IsInf(found, 0) && math.Abs(found-expected) <= math.Pow10(-precision)
		if near {
			b.WriteString(got[end:gots[i][0]] + want[w[0]:w[1]])
		} else {
			b.WriteString(got[end:gots[i][1]])
		}
		end = gots[i][1]
	}
	return b.String() + got[end:]
}

// Judge compares the output of an example with the expected one; see [Example]. Blanks at line
// ends are ignored, and a missing newline at the end is added, as doctest does.
func (e *Example) Judge(got string) Result {
	got = withNewline(got)
	x, extended, _ := e.expectation()
	r := x.Compare(got)
	switch {
	case extended && r.Same:
		return r
	case doctest(e.Want, got, e.Flags):
		if !r.Same {
			r = Result{Diff: (&Expectation{}).Compare(got).Diff}
		}
		for i := range r.Diff {
			r.Diff[i].Op = " "
		}
		r.Same, r.Captures = true, nil
	case r.Same: // except for something that a comparison by lines ignores
		r = e.literalDiff(got)
	}
	return r
}

// Raised reports whether an exception, in the form of the last lines of a traceback, is the
// expected one.
func (e *Example) Raised(exception string) bool {
	exception = withNewline(exception)
	if e.Exception == "" {
		return false
	}
	if doctest(e.Exception, exception, e.Flags) {
		return true
	}
	if e.Flags&IgnoreExceptionDetail != 0 && doctest(withoutDetail(e.Exception), withoutDetail(exception), e.Flags) {
		return true
	}
	x, extended, _ := (&Example{Want: e.Exception, Flags: e.Flags}).expectation()
	return extended && x.Compare(exception).Same
}

// doctest is [Doctest] except that blanks at line ends are ignored.
func doctest(want, got string, flags Flags) bool {
	return Doctest(want, got, flags) || Doctest(withoutTrailing(want), withoutTrailing(got), flags)
}

func withoutTrailing(s string) string {
	all := strings.Split(s, "\n")
	for i, l := range all {
		all[i] = trimBlanks(l)
	}
	return strings.Join(all, "\n")
}

func withNewline(s string) string {
	if s == "" || strings.HasSuffix(s, "\n") {
		return s
	}
	return s + "\n"
}

// withoutDetail keeps the name of an exception, without its module.
func withoutDetail(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	s, _, _ = strings.Cut(s, ":")
	return s[strings.LastIndexByte(s, '.')+1:]
}

// literalDiff returns a difference of all lines, with <BLANKLINE> for empty ones.
func (e *Example) literalDiff(got string) (r Result) {
	add := func(op, s string) {
		for l := range strings.Lines(s) {
			text := cmp.Or(strings.TrimSuffix(l, "\n"), "<BLANKLINE>")
			r.Diff = append(r.Diff, report.DiffLine{Op: op, Text: text})
		}
	}
	add("-", e.Want)
	add("+", got)
	return r
}
