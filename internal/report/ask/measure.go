// Package measure parses lines of gpu blocks that ask for a measurement.
//
//	matmul n=4096 dtype=fp32 iters=50 >= 5 TFLOP/s
//	memory bandwidth >= 700 GB/s
//	copy host-to-device >= 20 GB/s name=upload
//	copy device-to-host
//	copy peer >= 40 GB/s
//
// matmul multiplies two matrices of n x n elements. dtype is tf32, fp16, bf16 or, by
// default, fp32; n is by default 4096; iters is the number of timed runs, at least 20, and
// by default as many as are needed for a steady median. memory bandwidth is a copy within
// the GPU's memory, copy is one over the bus from or to page-locked memory of the host, or to each
// other GPU.
//
// A comparison (>= <= > <) with a rate is optional: without one the line passes if the
// result is correct. It may also be with shares of the site's reference for the machine, as in
// "memory bandwidth [-5%, +20%]" or ">= -5%". On a machine with several GPUs it must be met on each of them. name=
// is the name of the value for {live}. By default it is matmul, bandwidth, host-to-device,
// device-to-host or peer.
package ask

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

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

// Limits and defaults of a line.
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
	// Op is the comparison, or empty. Limit is the rate to compare with, in Unit, and
	// Bound is the author's text for it.
	Op    string
	Limit float64
	Bound string
	// Share is a bound relative to the site's reference, "[-5%, +20%]", instead of Op; see package ask.
	Share string
	// Name is the name of the value.
	Name string
}

// Unit is the unit of the rates.
func (s Measure) Unit() string {
	if s.What == Matmul {
		return "TFLOP/s"
	}
	return "GB/s"
}

// String returns the line in a normal form that does not depend on blanks and the order of
// options. It is part of the check's ID.
func (s Measure) String() string {
	var b strings.Builder
	switch s.What {
	case Matmul:
		fmt.Fprintf(&b, "matmul n=%d dtype=%s", s.N, s.DType)
		if s.Iters > 0 {
			fmt.Fprintf(&b, " iters=%d", s.Iters)
		}
	case Bandwidth:
		b.WriteString("memory bandwidth")
	default:
		b.WriteString("copy " + s.What)
	}
	if s.Name != s.What {
		b.WriteString(" name=" + s.Name)
	}
	if s.Op != "" {
		b.WriteString(" " + s.Op + " " + s.Bound)
	}
	if s.Share != "" {
		b.WriteString(" " + s.Share)
	}
	return b.String()
}

// Holds reports whether a rate, in the Measure's unit, meets the comparison.
func (s Measure) Holds(rate float64) bool {
	return s.Op == "" || Holds(s.Op, cmp.Compare(rate, s.Limit))
}

var measureStart = lazyregexp.New(`^\s*(matmul|copy|memory\s+[a-z])`)

// Is reports whether a line asks for a measurement: "memory >= 8 GiB" does not.
func IsMeasure(line string) bool { return measureStart.MatchString(line) }

var measureWord = lazyregexp.New(`[<>=!]=?|[^\s<>=!]+(=[^\s<>=!]+)?`)

// Parse parses a line. The error is a [Error] with its place in the line.
func ParseMeasure(line string) (Measure, error) {
	p := &measureParser{line: line, at: measureWord.FindAllStringIndex(line, -1)}
	s, err := p.what()
	for err == nil && strings.Contains(p.word(), "=") && !isOp(p.word()) {
		err = p.option(&s)
	}
	switch {
	case err != nil:
	case strings.HasPrefix(p.word(), "["):
		err = p.share(&s, "]")
	case isOp(p.word()) && len(p.at) > 1 && strings.HasSuffix(p.line[p.at[1][0]:p.at[1][1]], "%"):
		err = p.share(&s, "%")
	case isOp(p.word()):
		err = p.bound(&s)
	}
	for err == nil && strings.Contains(p.word(), "=") {
		err = p.option(&s)
	}
	if err == nil && p.word() != "" {
		err = p.fail(diag.Say("blocks.measurement-word-unexpected", "word", p.word()), diag.Say("blocks.measurement-word-unexpected-hint"))
	}
	if err != nil {
		return Measure{}, err
	}
	if s.Name == "" {
		s.Name = s.What
	}
	return s, nil
}

// MeasureHint returns the hint of an error of Parse, or an empty text.
func MeasureHint(err error) diag.Text {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Hint
	}
	return diag.Text{}
}

type measureParser struct {
	line string
	at   [][]int
	seen []string
}

// word returns the next word, or "" at the end.
func (p *measureParser) word() string {
	if len(p.at) == 0 {
		return ""
	}
	return p.line[p.at[0][0]:p.at[0][1]]
}

func (p *measureParser) next() { p.at = p.at[min(1, len(p.at)):] }

func (p *measureParser) fail(message, hint diag.Text) error {
	e := &Error{Offset: len(p.line), Width: 1, Message: message, Hint: hint}
	if len(p.at) > 0 {
		e.Offset, e.Width = p.at[0][0], p.at[0][1]-p.at[0][0]
	}
	return e
}

func isOp(word string) bool { return word != "" && strings.IndexByte("<>=!", word[0]) >= 0 }

var copies = []string{HostToDevice, DeviceToHost, Peer}

func (p *measureParser) what() (s Measure, err error) {
	first := p.word()
	if !slices.Contains([]string{"matmul", "memory", "copy"}, first) {
		return s, p.fail(diag.Say("blocks.measurement-unknown", "first", first), diag.Say("blocks.measurement-unknown-hint"))
	}
	p.next()
	second := p.word()
	switch {
	case first == "matmul":
		return Measure{What: Matmul, N: DefaultN, DType: FP32}, nil
	case first == "memory" && second == Bandwidth, first == "copy" && slices.Contains(copies, second):
		p.next()
		return Measure{What: second}, nil
	case first == "memory":
		return s, p.fail(diag.Say("blocks.memory-comparison-unknown", "second", second), diag.Say("blocks.memory-comparison-unknown-hint"))
	}
	return s, p.fail(diag.Say("blocks.copy-direction-unknown", "second", second),
		diag.Suggest(second, copies, diag.Say("blocks.copy-direction-hint")))
}

var measureName = lazyregexp.New(`^[A-Za-z_][A-Za-z0-9_-]{0,63}$`)

func (p *measureParser) option(s *Measure) error {
	key, value, _ := strings.Cut(p.word(), "=")
	known := []string{"name"}
	if s.What == Matmul {
		known = []string{"n", "dtype", "iters", "name"}
	}
	number := func(low, high int, to *int) error {
		n, err := strconv.Atoi(value)
		if err != nil || n < low || n > high {
			return p.fail(diag.Say("blocks.number-out-of-range", "key", key, "value", value, "low", low, "high", high), diag.Text{})
		}
		*to = n
		return nil
	}
	var err error
	switch {
	case !slices.Contains(known, key):
		err = p.fail(diag.Say("blocks.option-unknown", "key", key), diag.Suggest(key, known, diag.Say("diag.known-names-hint", "known", strings.Join(known, ", "))))
	case slices.Contains(p.seen, key):
		err = p.fail(diag.Say("blocks.option-duplicate", "key", key), diag.Say("diag.keep-one-hint"))
	case key == "n":
		err = number(1, MaxN, &s.N)
	case key == "iters":
		err = number(MinIters, MaxIters, &s.Iters)
	case key == "dtype":
		if s.DType = value; !slices.Contains(DTypes(), value) {
			err = p.fail(diag.Say("blocks.dtype-unknown", "value", value), diag.Suggest(value, DTypes(), diag.Say("diag.known-names-hint", "known", strings.Join(DTypes(), ", "))))
		}
	default:
		if s.Name = value; !measureName.MatchString(value) {
			err = p.fail(diag.Say("blocks.capture-name-invalid", "value", value), diag.Say("blocks.capture-name-invalid-hint"))
		}
	}
	p.seen = append(p.seen, key)
	p.next()
	return err
}

// share parses a bound in shares of a reference, up to the word that ends it.
func (p *measureParser) share(s *Measure, end string) error {
	n := 1 + slices.IndexFunc(p.at, func(at []int) bool { return strings.HasSuffix(p.line[at[0]:at[1]], end) })
	if n == 0 {
		n = len(p.at)
	}
	var words []string
	for _, at := range p.at[:n] {
		words = append(words, p.line[at[0]:at[1]])
	}
	s.Share = strings.Join(words, " ")
	if b, ok := ParseBound(s.Share); !ok || !b.Relative {
		p.at[0][1] = p.at[n-1][1]
		return p.fail(diag.Say("blocks.bound-invalid", "bound", s.Share), diag.Say("blocks.share-invalid-hint"))
	}
	p.at = p.at[n:]
	return nil
}

func (p *measureParser) bound(s *Measure) error {
	if !slices.Contains([]string{">=", "<=", ">", "<"}, p.word()) {
		return p.fail(diag.Say("blocks.rate-operator", "word", p.word()), diag.Say("blocks.rate-operator-hint"))
	}
	s.Op = p.word()
	p.next()
	number, err := strconv.ParseFloat(p.word(), 64)
	if err != nil || !(number > 0 && number < 1e12) {
		return p.fail(diag.Say("blocks.rate-invalid", "word", p.word()), diag.Say("blocks.rate-invalid-hint", "unit", s.Unit()))
	}
	text := p.word()
	p.next()
	factor, ok := UnitFactor(p.word(), s.Unit())
	if !ok {
		return p.fail(diag.Say("blocks.rate-unit-missing"), diag.Say("blocks.rate-unit-missing-hint", "unit_name", strings.Join(unitNames[s.Unit()], " "), "unit", s.Unit()))
	}
	s.Limit, s.Bound = number*factor, text+" "+p.word()
	p.next()
	return nil
}

var unitNames = map[string][]string{"TFLOP/s": {"GFLOP/s", "TFLOP/s", "PFLOP/s"}, "GB/s": {"MB/s", "GB/s", "TB/s"}}

// Decimals returns the number of decimals with which a rate has three significant digits,
// at most 6.
func Decimals(rate float64) (n int) {
	for limit := 100.0; rate > 0 && rate < limit && n < 6; limit /= 10 {
		n++
	}
	return n
}
