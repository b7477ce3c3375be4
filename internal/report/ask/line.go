package ask

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// A Line is a line of a gpu block: a comparison of a fact or of a reading of the GPUs, or a measurement.
type Line struct {
	compares *comparison
	demands  bool // "runs cu124 == yes"
	measure  *Measure
	source   string
}

// String returns the line in a normal form that does not depend on blanks and the order of options. It is part of the check's ID.
func (l Line) String() string { return l.source }

// Name returns a short name, as a part of the check's: "driver", "cu124", "cmake", "nvlink-up", or the name of the measured value.
func (l Line) Name() string {
	switch {
	case l.measure != nil:
		return l.measure.Name
	case l.compares == nil:
		return ""
	case l.compares.fact == Runs:
		return l.compares.value.text
	}
	name := string(l.compares.fact)
	if _, argument := l.compares.fact.Call(); argument != "" {
		name = argument
	}
	return strings.NewReplacer("/", "-", " ", "-").Replace(name)
}

// Asks reports whether the line demands nothing: "runs cu124", "torch".
func (l Line) Asks() bool { return l.compares != nil && l.compares.op == "" && !l.demands }

// Measures returns what the line has verify measure, or nil.
func (l Line) Measures() *Measure { return l.measure }

// Reads reports whether the line compares a reading of the GPUs, which changes all the time.
func (l Line) Reads() bool { return l.Fact().Entry().Source == FromSensors }

// Fact returns the fact that the line compares, or "" for a measurement.
func (l Line) Fact() Fact {
	if l.compares == nil {
		return ""
	}
	return l.compares.fact
}

// Condition returns the comparison as a requirement would have it, without "== yes". It is zero for a reading and a measurement.
func (l Line) Condition() Expr {
	if l.compares == nil || l.Reads() {
		return Expr{}
	}
	return Expr{l.compares, l.compares.source}
}

// Judge evaluates the line on a machine. Unlike that of an expression, its verdict has always what was found. A measurement is never
// met.
func (l Line) Judge(m Machine) Verdict {
	switch {
	case l.compares == nil:
		return Verdict{Answer: Unknown, Need: l.source}
	case l.Reads():
		return l.compares.judgeReadings(m[l.compares.fact].devices)
	}
	v := l.Condition().Judge(m)
	v.Need, v.Fact = l.source, l.compares.fact
	if v.Answer == Yes {
		v.Found = l.compares.shown(m)
	}
	return v
}

// ParseLine parses a line of a gpu block. The error is a [Fault] with its place in the line.
func ParseLine(source string) (Line, error) {
	p := scan(source)
	first, second := p.ahead(0).text, p.ahead(1).text
	begins := func(s Source) []string {
		return namesOf(func(e *Entry) bool {
			word, _, _ := strings.Cut(string(e.Fact), " ")
			return e.Source == s && word == first
		})
	}
	var l Line
	var err error
	measured := begins(FromMeasuring)
	switch {
	case begins(FromSensors) != nil:
		l, err = p.reading()
	case measured != nil && (!Fact(first).Entry().inExpressions() || second != "" && !isOperator(second)):
		l, err = p.measurement(measured)
	default:
		l, err = p.condition()
	}
	if err == nil && !p.done() {
		err = p.fail(diag.Say("diag.unexpected", "quote", strconv.Quote(p.peek().text)).WithHint(diag.Say("blocks.gpu-block-line-hint")))
	}
	if err != nil {
		return Line{}, err
	}
	return l, nil
}

func isOperator(token string) bool { return token != "" && strings.IndexByte("<>=!", token[0]) >= 0 }

const yes = "yes"

// condition parses a comparison of a fact. After one without an operator, which asks, "== yes" demands the answer.
func (p *parser) condition() (Line, error) {
	p.line = true
	n, err := p.comparison()
	if e, ok := err.(*Fault); ok && e.Message.Key() == "blocks.fact-unknown" && e.Message.Hint().Key() != "diag.did-you-mean-hint" {
		more := namesOf(func(e *Entry) bool { return e.Source == FromSensors || e.Source == FromMeasuring })
		hint := diag.Say("blocks.gpu-line-unknown-hint", "hint", e.Message.Hint(), "more", strings.Join(more, ", "))
		e.Message = e.Message.WithHint(diag.Suggest(p.peek().text, more, hint))
	}
	if err != nil {
		return Line{}, err
	}
	c := n.(*comparison)
	l := Line{compares: c, source: c.source}
	if c.op == "" && p.peek().text == "==" && p.ahead(1).text == yes {
		p.at += 2
		l.demands, l.source = true, c.source+" == "+yes
	}
	return l, nil
}

// reading parses the name of a reading, a comparison, and a number with or without its unit, or a word.
func (p *parser) reading() (Line, error) {
	var words []string
	start := p.at
	for !p.done() && !isOperator(p.peek().text) {
		words = append(words, p.next())
	}
	name := strings.Join(words, " ")
	e := Fact(name).Entry()
	if e.Source != FromSensors {
		known := namesOf(func(e *Entry) bool { return e.Source == FromSensors })
		return Line{}, p.failAt(start, p.at, diag.Say("blocks.reading-unknown", "name", name).WithHint(diag.Known(name, known)))
	}
	op := p.peek().text
	if !p.accept(operators...) {
		return Line{}, p.fail(diag.Say("blocks.operator-missing", "word", name, "op", op))
	}
	bound, units := p.peek().text, []string{e.Unit, strings.TrimPrefix(e.Unit, "°")}
	for _, unit := range units {
		if number := strings.TrimSuffix(bound, unit); unit != "" && number != "" {
			bound = number
		}
	}
	switch _, number := e.sensor.number(bound); {
	case bound == "" || !number && bound != e.sensor.mostWord:
		return Line{}, p.fail(diag.Say("blocks.reading-value", "name", name, "value", bound, "forms", strings.Join(e.sensor.forms(e.Unit), ", ")))
	case slices.Contains(e.sensor.words, bound) && op != "==" && op != "!=":
		p.at--
		return Line{}, p.fail(diag.Say("blocks.reading-word-operator", "value", bound, "op", op))
	}
	p.at++
	if e.Unit != "" {
		p.accept(units...)
		if !p.done() {
			return Line{}, p.unexpected(diag.Say("blocks.reading-unit-hint", "name", name, "unit", e.Unit))
		}
	} else if !p.done() {
		return Line{}, p.unexpected(diag.Say("blocks.gpu-block-line-hint"))
	}
	c := &comparison{e.Fact, op, Value{text: bound}, name + " " + op + " " + bound}
	return Line{compares: c, source: c.source}, nil
}

// What can be measured.
const (
	Matmul       = "matmul"
	Bandwidth    = "bandwidth"
	HostToDevice = "host-to-device"
	DeviceToHost = "device-to-host"
	Peer         = "peer"
)

// The types of a matrix's elements. TF32 are float32 in memory that the tensor
// cores round to 10 bits of mantissa.
const (
	FP32 = "fp32"
	TF32 = "tf32"
	FP16 = "fp16"
	BF16 = "bf16"
)

// DTypes lists the types of elements.
func DTypes() []string { return []string{FP32, TF32, FP16, BF16} }

// Limits and defaults of a measurement.
const (
	DefaultN = 4096
	MaxN     = 65536
	MinIters = 20
	MaxIters = 100_000
)

// A Measure is what to measure.
type Measure struct {
	// What is one of the constants above. N, DType and Iters are for a matmul. If Iters
	// is 0, the measurement chooses it.
	What  string
	N     int
	DType string
	Iters int
	// Name is the name of the value.
	Name string
	// Bound is what a line requires of the rates. It is zero if that is nothing.
	Bound Bound
}

func (s Measure) entry() *Entry {
	i := slices.IndexFunc(table, func(e Entry) bool { return e.Source == FromMeasuring && strings.HasSuffix(string(e.Fact), s.What) })
	return &table[i]
}

// Unit returns the unit of the rates.
func (s Measure) Unit() string { return s.entry().Unit }

// String returns the line in its normal form.
func (s Measure) String() string {
	text := string(s.entry().Fact)
	if s.What == Matmul {
		text = fmt.Sprintf("matmul n=%d dtype=%s", s.N, s.DType)
		if s.Iters > 0 {
			text += fmt.Sprintf(" iters=%d", s.Iters)
		}
	}
	if s.Name != s.What {
		text += " name=" + s.Name
	}
	return strings.TrimSpace(text + " " + s.Bound.String())
}

// Holds reports whether a rate, in the unit of the measurement, meets a comparison with one.
func (s Measure) Holds(rate float64) bool {
	return s.Bound.IsZero() || s.Bound.Relative || s.Bound.Holds(rate, 0)
}

// measurement parses what to measure, one of several with the same first word, its options, and a bound.
func (p *parser) measurement(known []string) (Line, error) {
	first, second, two := p.next(), "", strings.Contains(known[0], " ")
	if two {
		if second = p.peek().text; !slices.Contains(known, first+" "+second) {
			var seconds []string
			for _, name := range known {
				seconds = append(seconds, strings.TrimPrefix(name, first+" "))
			}
			message := diag.Say("blocks.measurement-unknown", "first", first, "second", second)
			all := diag.Say("diag.known-names-hint", "known", strings.Join(known, ", "))
			return Line{}, p.fail(message.WithHint(diag.Suggest(second, seconds, all)))
		}
		p.at++
	}
	s := Measure{What: cmp.Or(second, first)}
	e := s.entry()
	if s.What == Matmul {
		s.N, s.DType = DefaultN, FP32
	}
	seen := map[string]bool{}
	for !p.done() {
		var err error
		switch t := p.peek().text; {
		case p.ahead(1).text == "=":
			err = p.option(&s, seen)
		case s.Bound.IsZero() && (isOperator(t) || t[0] == '['):
			err = p.rate(&s, e)
		default:
			err = p.fail(diag.Say("diag.unexpected", "quote", strconv.Quote(t)).WithHint(e.hint()))
		}
		if err != nil {
			return Line{}, err
		}
	}
	s.Name = cmp.Or(s.Name, s.What)
	return Line{measure: &s, source: s.String()}, nil
}

var measureName = lazyregexp.New(`^[A-Za-z_][A-Za-z0-9_-]{0,63}$`)

// option parses an option: n=4096.
func (p *parser) option(s *Measure, seen map[string]bool) error {
	key, value := p.peek().text, p.ahead(2).text
	fail := func(message diag.Text) error { return p.failAt(p.at, p.at+3, message) }
	known := []string{"name"}
	if s.What == Matmul {
		known = []string{"n", "dtype", "iters", "name"}
	}
	number := func(low, high int, to *int) error {
		n, err := strconv.Atoi(value)
		if err != nil || n < low || n > high {
			return fail(diag.Say("blocks.number-out-of-range", "key", key, "value", value, "low", low, "high", high))
		}
		*to = n
		return nil
	}
	var err error
	switch {
	case !slices.Contains(known, key):
		err = fail(diag.Say("blocks.option-unknown", "key", key).WithHint(diag.Known(key, known)))
	case seen[key]:
		err = fail(diag.Say("blocks.option-duplicate", "key", key).WithHint(diag.Say("diag.keep-one-hint")))
	case key == "n":
		err = number(1, MaxN, &s.N)
	case key == "iters":
		err = number(MinIters, MaxIters, &s.Iters)
	case key == "dtype":
		if s.DType = value; !slices.Contains(DTypes(), value) {
			err = fail(diag.Say("blocks.dtype-unknown", "value", value).WithHint(diag.Known(value, DTypes())))
		}
	default:
		if s.Name = value; !measureName.MatchString(value) {
			err = fail(diag.Say("blocks.capture-name-invalid", "value", value))
		}
	}
	seen[key] = true
	p.at = min(p.at+3, len(p.tokens))
	return err
}

// rate parses a comparison with a rate, or a bound in shares of a reference.
func (p *parser) rate(s *Measure, e *Entry) error {
	op, text := p.peek().text, p.ahead(1).text
	if op[0] == '[' || strings.HasSuffix(text, "%") {
		start := p.at
		b, ok := p.bound()
		if ok && b.Relative {
			s.Bound = b
			return nil
		}
		for p.at = start + 1; !p.done() && !strings.HasSuffix(p.tokens[p.at-1].text, "]") && (op[0] == '[' || p.at < start+2); {
			p.at++
		}
		span := p.tokens[start:p.at]
		return p.failAt(start, p.at, diag.Say("blocks.bound-invalid", "bound", normal(span)).WithHint(diag.Say("blocks.share-invalid-hint")))
	}
	if !slices.Contains([]string{">=", "<=", ">", "<"}, op) {
		return p.fail(diag.Say("blocks.rate-operator", "word", op))
	}
	p.at++
	number, err := strconv.ParseFloat(text, 64)
	if err != nil || !(number > 0) || number >= 1e12 {
		return p.fail(diag.Say("blocks.rate-invalid", "word", text).WithHint(e.hint()))
	}
	p.at++
	unit := p.peek().text
	factor, ok := Factor(unit, e.Unit)
	if !ok {
		return p.fail(diag.Say("blocks.rate-unit-missing").WithHint(e.hint()))
	}
	p.at++
	s.Bound = comparedWith(op, number*factor, false)
	s.Bound.text = op + " " + text + " " + unit
	return nil
}

// Decimals returns the number of decimals with which a rate has three significant digits,
// at most 6.
func Decimals(rate float64) (n int) {
	for limit := 100.0; rate > 0 && rate < limit && n < 6; limit /= 10 {
		n++
	}
	return n
}
