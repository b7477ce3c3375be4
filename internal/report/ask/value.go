package ask

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// A Value is what a fact is compared with: a count, a number of bytes, a dotted version, or a text. The zero Value is that of a fact
// that a machine is known not to have.
type Value struct {
	parts []uint64
	text  string
	runs  func(string) (Answer, string) // of the fact Runs only
	names [][]string                    // of texts only: the names of each thing, in lower case
	// The bounds of a version that is not known, of which one may be nil.
	least, most []uint64
	devices     []report.Device // of readings only
}

func (v Value) bounded() bool { return v.least != nil || v.most != nil }

// absent reports whether the machine is known not to have the fact.
func (v Value) absent() bool { return v.text == "" && v.runs == nil }

// String returns the value as it was written.
func (v Value) String() string { return v.text }

func (v Value) compare(w Value) int {
	for i := range max(len(v.parts), len(w.parts)) {
		if c := cmp.Compare(part(v.parts, i), part(w.parts, i)); c != 0 {
			return c
		}
	}
	return 0
}

// part returns a part of a version. A missing part is 0.
func part(p []uint64, i int) uint64 {
	if i < len(p) {
		return p[i]
	}
	return 0
}

// answer compares with a value. If only bounds are known, all versions between them must give the same answer.
func (v Value) answer(op string, w Value) Answer {
	first, last := -1, 1
	if v.least != nil {
		first = Value{parts: v.least}.compare(w)
	}
	if v.most != nil {
		last = Value{parts: v.most}.compare(w)
	}
	if !v.bounded() {
		first = v.compare(w)
		last = first
	}
	for n := first; n < last; n++ {
		if holds(op, n) != holds(op, last) {
			return Unknown
		}
	}
	return answerOf(holds(op, last))
}

// holds reports whether a comparison with an operator is met, given the result of [cmp.Compare].
func holds(op string, compared int) bool {
	switch compared {
	case 0:
		return op != "!=" && op[len(op)-1] == '='
	case 1:
		return op[0] == '>' || op == "!="
	}
	return op[0] == '<' || op == "!="
}

// Less reports whether v comes before w.
func (v Value) Less(w Value) bool { return v.compare(w) < 0 }

// Uint64 returns a count, or an amount of memory in bytes.
func (v Value) Uint64() uint64 { return part(v.parts, 0) }

// Count returns the value for a count.
func Count(n int) Value {
	return Value{parts: []uint64{uint64(max(n, 0))}, text: strconv.Itoa(n)}
}

// Bytes returns the value for an amount of memory, which is shown in GiB as by vendors and
// nvidia-smi.
func Bytes(n uint64) Value {
	return Value{parts: []uint64{n}, text: strconv.FormatFloat(float64(n)/(1<<30), 'f', 1, 64) + " GiB"}
}

// Version returns the value for a dotted version such as "550.54.14".
func Version(s string) (Value, error) {
	if s == "" {
		return Value{}, diag.Say("blocks.version-empty")
	}
	v := Value{text: s}
	for p := range strings.SplitSeq(s, ".") {
		n, err := strconv.ParseUint(p, 10, 32)
		if err != nil {
			return Value{}, diag.Say("blocks.version-invalid", "name", s)
		}
		v.parts = append(v.parts, n)
	}
	return v, nil
}

// Between returns the value of a version of which only bounds are known. One of them may be empty.
func Between(least, most, shown string) Value {
	low, _ := Version(least)
	high, _ := Version(most)
	return Value{text: shown, least: low.parts, most: high.parts}
}

// Release returns the value for installed software with a version. Only the leading numbers
// count: 1.13.0a0+cu118 is 1.13.0. If there are none, the software is installed but no
// comparison is met.
func Release(version string) Value {
	v := Value{text: version}
	for rest := version; ; {
		digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
		n, err := strconv.ParseUint(rest[:digits], 10, 32)
		if err != nil {
			break
		}
		v.parts = append(v.parts, n)
		if rest = rest[digits:]; !strings.HasPrefix(rest, ".") {
			break
		}
		rest = rest[1:]
	}
	if v.parts == nil {
		v.text = "?"
	}
	return v
}

// Found is the value of a question whose answer is yes.
func Found() Value { return Value{text: "✓"} }

// Software returns the value for the fact [Runs]. ask is called with the name of a toolkit
// or framework, and returns the answer and the value of the machine that decides.
func Software(ask func(name string) (Answer, string)) Value { return Value{runs: ask} }

// Names returns the value of a text: of one or several things, each with the names by which an
// author may call it. The first name is shown.
func Names(things ...[]string) Value {
	v := Value{}
	var shown []string
	for _, names := range things {
		if !slices.Contains(shown, names[0]) {
			shown = append(shown, names[0])
		}
		var lower []string
		for _, n := range names {
			lower = append(lower, asPath(n))
		}
		v.names = append(v.names, lower)
	}
	v.text = strings.Join(shown, ", ")
	return v
}

// Is reports whether it is known, and all things match a pattern.
func (v Value) Is(pattern string) bool { return len(v.names) > 0 && v.matches("==", pattern) }

// matches reports whether all things match a pattern (==), or none does (!=).
func (v Value) matches(op, pattern string) bool {
	pattern = asPath(pattern)
	for _, names := range v.names {
		one := slices.ContainsFunc(names, func(n string) bool { is, _ := path.Match(pattern, n); return is })
		if one != (op == "==") {
			return false
		}
	}
	return true
}

// asPath returns a text or pattern for [path.Match], whose * does not match a slash.
func asPath(s string) string { return strings.ReplaceAll(strings.ToLower(s), "/", "\x00") }
