// Package bound parses and judges what a page requires of a value that it captures:
//
//	>= 700          at least 700, in the unit of the value; so <=, > and <
//	[700, 900]      from 700 to 900
//	[-5%, +20%]     from 95 % to 120 % of a reference; one side may be empty
//	>= -5%          at least 95 % of a reference
//
// Percentages have a sign.
//
// It also knows which units fit together, and whether more of one is better (unit.go).
package ask

import (
	"math"
	"strconv"
	"strings"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
)

// A Bound is what is required of a value.
type Bound struct {
	low, high float64
	// above and below exclude low and high themselves.
	above, below bool
	// Relative means that the limits are shares of a reference: -0.05 is 95 % of it.
	Relative bool
}

// BoundOperator matches the beginning of a bound within other text: a comparison, or the part of a range up
// to its comma.
const BoundOperator = `[<>]=?|\[[^<>\],]*,`

var (
	boundComparison = lazyregexp.New(`^([<>]=?)\s*(\S+)$`)
	boundLimits     = lazyregexp.New(`^\[\s*([^,\s]*)\s*,\s*([^,\s]*)\s*\]$`)
)

// ParseBound parses a bound. ok reports whether the text is a bound.
func ParseBound(text string) (b Bound, ok bool) {
	b = Bound{low: math.Inf(-1), high: math.Inf(1)}
	if m := boundComparison.FindStringSubmatch(text); m != nil {
		x, relative, ok := limit(m[2])
		b.Relative = relative
		if m[1][0] == '>' {
			b.low, b.above = x, m[1] == ">"
		} else {
			b.high, b.below = x, m[1] == "<"
		}
		return b, ok
	}
	m := boundLimits.FindStringSubmatch(text)
	if m == nil || m[1] == "" && m[2] == "" {
		return b, false
	}
	ok = true
	relative := []bool{}
	for i, to := range []*float64{&b.low, &b.high} {
		if m[i+1] == "" {
			continue
		}
		x, percent, fine := limit(m[i+1])
		*to, ok, relative = x, ok && fine, append(relative, percent)
	}
	b.Relative = relative[0]
	return b, ok && relative[len(relative)-1] == b.Relative && b.low <= b.high
}

// limit parses a number, or one in percent. That has a sign: "<= 105%" would else be 205 % of the reference.
func limit(text string) (x float64, percent, ok bool) {
	text, percent = strings.CutSuffix(text, "%")
	x, err := strconv.ParseFloat(text, 64)
	ok = err == nil && x-x == 0
	if percent {
		x /= 100
		ok = ok && (text[0] == '-' || text[0] == '+')
	}
	return x, percent, ok
}

// Holds reports whether a value is within the bound. reference is not zero if the bound is relative. nan
// and inf are no measurements, and never within.
func (b Bound) Holds(value, reference float64) bool {
	low, high := b.low, b.high
	if b.Relative {
		low, high = round(reference+low*math.Abs(reference)), round(reference+high*math.Abs(reference))
	}
	return value-value == 0 && (value > low || value == low && !b.above) && (value < high || value == high && !b.below)
}

// round undoes what arithmetic adds to decimal numbers: 0.99 is 90 % of 1.1.
func round(x float64) float64 {
	x, _ = strconv.ParseFloat(strconv.FormatFloat(x, 'g', 12, 64), 64)
	return x
}

// Better is 1 if more is better by the bound, -1 if less is, and 0 if it does not tell.
func (b Bound) Better() int {
	switch {
	case math.IsInf(b.high, 1):
		return 1
	case math.IsInf(b.low, -1):
		return -1
	}
	return 0
}
