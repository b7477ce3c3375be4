package ask

import (
	"math"
	"strconv"
	"strings"
)

// A Bound is what is required of a value:
//
//	>= 700          at least 700, in the unit of the value; so <=, > and <
//	[700, 900]      from 700 to 900
//	[-5%, +20%]     from 95 % to 120 % of a reference; one side may be empty
//	>= -5%          at least 95 % of a reference
//
// Percentages have a sign.
type Bound struct {
	low, high float64
	// above and below exclude low and high themselves.
	above, below bool
	// Relative means that the limits are shares of a reference: -0.05 is 95 % of it.
	Relative bool
	text     string
}

// BoundOperator matches the beginning of a bound within other text: a comparison, or the part of a range up
// to its comma.
const BoundOperator = `[<>]=?|\[[^<>\],]*,`

// ParseBound parses a bound. ok reports whether the text is a bound.
func ParseBound(text string) (b Bound, ok bool) {
	p := scan(text)
	b, ok = p.bound()
	return b, ok && p.done()
}

// String returns the bound as it was written, with single blanks.
func (b Bound) String() string { return b.text }

// IsZero reports whether it requires nothing.
func (b Bound) IsZero() bool { return b.text == "" }

// bound parses a bound. If there is none, where the parser stops has no meaning.
func (p *parser) bound() (b Bound, ok bool) {
	start := p.at
	op := p.next()
	switch op {
	case ">=", "<=", ">", "<":
		x, relative, ok := limit(p.next())
		b = comparedWith(op, x, relative)
		b.text = normal(p.tokens[start:p.at])
		return b, ok
	}
	low, is := strings.CutPrefix(op, "[")
	if low == "" && p.peek().text != "," {
		low = p.next()
	}
	comma, high := p.accept(","), p.next()
	high, closed := strings.CutSuffix(high, "]")
	if !is || !comma || low+high == "" || !closed && !p.accept("]") {
		return b, false
	}
	b = Bound{low: math.Inf(-1), high: math.Inf(1), text: p.written(start)}
	var shares []bool
	ok = true
	for i, to := range []*float64{&b.low, &b.high} {
		text := [...]string{low, high}[i]
		if text == "" {
			continue
		}
		x, relative, fine := limit(text)
		*to, ok, shares = x, ok && fine, append(shares, relative)
	}
	b.Relative = shares[0]
	return b, ok && shares[len(shares)-1] == b.Relative && b.low <= b.high
}

// comparedWith returns the bound of a comparison.
func comparedWith(op string, x float64, relative bool) Bound {
	b := Bound{low: math.Inf(-1), high: math.Inf(1), Relative: relative}
	if op[0] == '>' {
		b.low, b.above = x, op == ">"
	} else {
		b.high, b.below = x, op == "<"
	}
	return b
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
