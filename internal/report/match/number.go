package match

import (
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A tolerance accepts the numbers within a distance of the wanted one.
type tolerance struct{ want, within float64 }

func (o Tolerance) tolerates() bool { return o.RTol != 0 || o.ATol != 0 || o.Number }

// slack compensates for the rounding of decimal fractions, so that 1.1 is within 0.1 of 1.
const slack = 1 + 1e-9

// tolerance returns the tolerance of an expected number. ok is false if there is none.
func (o Tolerance) tolerance(text string) (t tolerance, ok bool) {
	want, err := strconv.ParseFloat(text, 64)
	if err != nil && !math.IsInf(want, 0) {
		return t, false
	}
	within := (o.ATol + o.RTol*math.Abs(want)) * slack
	if o.Number {
		within = max(within, precision(text)*slack)
	}
	return tolerance{want, within}, o.RTol != 0 || o.ATol != 0 || within > 0
}

// precision returns the place value of the last digit, as pytest's NUMBER does. It is 0 for a
// number without a point and exponent.
func precision(text string) float64 {
	mantissa, exponent, hasExponent := strings.Cut(strings.ToLower(text), "e")
	_, fraction, hasPoint := strings.Cut(mantissa, ".")
	if !hasPoint && !hasExponent {
		return 0
	}
	e, _ := strconv.Atoi(exponent)
	return math.Pow10(e - len(fraction))
}

func (t tolerance) accepts(text string) bool {
	got, err := strconv.ParseFloat(text, 64)
	switch {
	case err != nil && !math.IsInf(got, 0):
		return false
	case math.IsNaN(t.want) || math.IsInf(t.want, 0) || math.IsInf(got, 0):
		return got == t.want || math.IsNaN(t.want) && math.IsNaN(got)
	}
	return math.Abs(t.want-got) <= t.within
}

// numbers returns the offsets of the numbers in a text.
func numbers(s string) (found [][2]int) {
	for at := 0; at < len(s); {
		n := 0
		if numberBegins(s, at) {
			n = scanNumber(s, at)
		}
		if n == 0 {
			at++
			continue
		}
		if pointAt(s, at, n) {
			n++
		}
		found = append(found, [2]int{at, at + n})
		at += n
	}
	return found
}

// numberBegins reports whether a number may begin at an offset: not within a word, a version
// or another number. A sign directly after a word or a parenthesis is a dash.
func numberBegins(s string, at int) bool {
	before, _ := utf8.DecodeLastRuneInString(s[:at])
	switch {
	case at == 0:
		return true
	case unicode.IsLetter(before) || unicode.IsDigit(before) || before == '_' || before == '.':
		return false
	case at < len(s) && (s[at] == '-' || s[at] == '+'):
		return before != ')' && before != ']'
	}
	return true
}

// scanNumber returns the length of the number at an offset, without a point at its end, or 0
// if there is none.
func scanNumber(s string, at int) int {
	rest := s[at:]
	i := sign(rest)
	if n := notFinite(rest[i:]); n > 0 {
		return i + n
	}
	whole := digits(rest[i:])
	i += whole
	if strings.HasPrefix(rest[i:], ".") {
		if fraction := digits(rest[i+1:]); fraction > 0 {
			i += 1 + fraction
			whole += fraction
		} else if whole > 0 && exponent(rest[i+1:]) > 0 { // 1.e5
			i++
		}
	}
	if whole == 0 {
		return 0
	}
	return i + exponent(rest[i:])
}

// scanInteger returns the length of the integer at the beginning of a text, or 0.
func scanInteger(s string) int {
	i := sign(s)
	if n := digits(s[i:]); n > 0 {
		return i + n
	}
	return 0
}

// pointAt reports whether the number of n bytes at an offset is an integer that a point
// follows: "5." as NumPy prints it.
func pointAt(s string, at, n int) bool {
	return strings.HasPrefix(s[at+n:], ".") && scanInteger(s[at:]) == n
}

func sign(s string) int {
	if s != "" && (s[0] == '-' || s[0] == '+') {
		return 1
	}
	return 0
}

func digits(s string) (n int) {
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}

func exponent(s string) int {
	if s == "" || s[0] != 'e' && s[0] != 'E' {
		return 0
	}
	i := 1 + sign(s[1:])
	if n := digits(s[i:]); n > 0 {
		return i + n
	}
	return 0
}

// notFinite returns the length of nan or inf at the beginning of a text if it is a whole word,
// or 0.
func notFinite(s string) int {
	if s == "" || s[0]|0x20 != 'n' && s[0]|0x20 != 'i' {
		return 0
	}
	for _, name := range []string{"nan", "infinity", "inf"} {
		if len(s) < len(name) || !strings.EqualFold(s[:len(name)], name) {
			continue
		}
		r, _ := utf8.DecodeRuneInString(s[len(name):])
		if len(s) == len(name) || !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' {
			return len(name)
		}
	}
	return 0
}
