// Package ask parses and judges the requirements of a snippet on a machine.
//
// The same language is used in three places: needs= of a runnable block and when= of an
// expected output are expressions, and a line of a gpu block is one comparison.
//
//	gpus >= 1
//	driver >= 550.54.14 and cuda >= 12.4
//	memory >= 8 GiB, not compute < 7.0
//	gpus == 0 or (compute >= 8.0 and memory >= 16 GB)
//
// A comparison is a fact, an operator (>= <= > < == !=) and a value. The facts:
//
//	gpus     number of GPUs that this process can see            gpus >= 2
//	driver   version of the NVIDIA driver                        driver >= 550.54.14
//	cuda     newest CUDA version that the driver supports        cuda >= 12.4
//	memory   memory of the smallest GPU (B kB MB GB KiB MiB GiB) memory >= 8 GiB
//	compute  compute capability of the oldest GPU                compute >= 8.0
//
// Facts of any machine. Texts are compared by == and != with a pattern, in which * stands for
// any text, ? for one character and [ab] for one of several. Case does not matter:
//
//	machine  label of the machine                                machine != deepten
//	gpu      model of the GPUs                                   gpu == "A100*"
//	os       operating system                                    os == "Debian*"
//	arch     architecture of the CPU                             arch == arm64
//	ram      memory of the machine                               ram >= 16 GiB
//	cores    CPUs that a program may use                         cores >= 8
//
// Facts of software are versions too: of Python, nvcc and each framework in the environment of
// the block, even without a GPU, and of the machine's Slurm. The name alone asks whether it
// is installed:
//
//	python >= 3.9 and torch >= 1.12
//	numba or cupy
//	slurm >= 21.08
//
// Functions ask for programs, modules, environments of the site and Python packages. They are
// facts too, and packages have versions:
//
//	has("cmake") and module("cuda/12")
//	env("torch") and python("numpy") >= 1.26
//
// "runs cu124" asks whether software built with the CUDA 12.4 toolkit can run here, "runs
// torch" whether the framework that is installed in the environment of the block can. It is
// used like a comparison, without an operator:
//
//	runs cu124
//	runs torch and memory >= 8 GiB
//	gpus == 0 or not runs cu124
//
// In a gpu block a line without an operator only asks. "runs cu124 == yes" demands that it does.
//
// This package only knows the names. Package compat determines whether it runs, through
// [Software].
//
// Versions are compared part by part, and a missing part is 0. If a machine lacks a fact
// (no driver, so no driver version), no comparison with it is met, and no negation of one
// either, because an unknown requirement is never met. "not torch" is met if torch is
// known not to be installed. If only bounds of a version are known ([Between]), a
// comparison is answered if the answer is the same for all versions between them. and binds tighter than or; a comma means and.
package ask

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/gpudocs/gpudocs/internal/memo"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// A Fact is something a machine has a value for.
type Fact string

// The facts that an expression may name.
const (
	GPUs    Fact = "gpus"
	Driver  Fact = "driver"
	CUDA    Fact = "cuda"
	Memory  Fact = "memory"
	Compute Fact = "compute"
)

// Facts lists the facts of GPUs and their driver, in the order in which help texts name
// them; [Programs] are the others.
func Facts() []string {
	return []string{string(GPUs), string(Driver), string(CUDA), string(Memory), string(Compute)}
}

// A Machine holds the values of the known facts of a machine.
type Machine map[Fact]Value

// A Verdict is whether an expression is met on a machine.
type Verdict struct {
	Met bool
	// Need is the comparison that decided, as the author wrote it, and Found
	// the machine's value for it. Found is empty if the machine has none, or if
	// only bounds are known that do not answer the comparison.
	// Both are empty when Met.
	Need, Found string
	// Software is the software of Need if that is like "runs cu124".
	Software string
	// Program is the software, "torch", if Need compares its version.
	Program Fact
}

// An Expr is a parsed expression. The zero Expr holds on every machine.
type Expr struct {
	root   node
	source string
}

// String returns the expression with single blanks, as it counts for a check's ID.
func (e Expr) String() string { return e.source }

// HashTo implements [memo.Hasher].
func (e Expr) HashTo(h *memo.Hash) { h.Add(e.source) }

// IsZero reports whether the expression is empty.
func (e Expr) IsZero() bool { return e.root == nil }

// And returns an expression that is met where both are.
func And(a, b Expr) Expr {
	switch {
	case a.IsZero(), a.source == b.source, strings.HasPrefix(b.source, a.source+" and "):
		return b
	case b.IsZero():
		return a
	}
	return Expr{pair{left: a.root, right: b.root}, a.grouped() + " and " + b.grouped()}
}

// grouped returns the source as a part of a conjunction.
func (e Expr) grouped() string {
	if p, ok := e.root.(pair); ok && p.or {
		return "(" + e.source + ")"
	}
	return e.source
}

// Judge evaluates the expression on a machine.
func (e Expr) Judge(m Machine) Verdict {
	if e.root == nil {
		return Verdict{Met: true}
	}
	t, decided := e.root.eval(m)
	if t == Yes {
		return Verdict{Met: true}
	}
	if have := m[Runs]; decided.fact == Runs && have.runs != nil {
		_, found := have.runs(decided.value.text)
		return Verdict{Need: decided.source, Found: found, Software: decided.value.text}
	}
	v := Verdict{Need: decided.source}
	if have := m[decided.fact]; t == No || !have.bounded() {
		v.Found = have.String()
	}
	if decided.fact.isProgram() {
		v.Program = decided.fact
	}
	return v
}

// An Answer is whether a condition is met. It has three values, so that not (driver >= 550) is
// not met on a machine without a driver.
type Answer int

// The answers.
const (
	No Answer = iota
	Unknown
	Yes
)

func answerOf(met bool) Answer {
	if met {
		return Yes
	}
	return No
}

// A node evaluates itself and returns the comparison that decides.
type node interface {
	eval(Machine) (Answer, *comparison)
}

type comparison struct {
	fact   Fact
	op     string // empty if the name of software stands alone
	value  Value
	source string
}

func (c *comparison) eval(m Machine) (Answer, *comparison) {
	have, ok := m[c.fact]
	switch {
	case !ok:
		return Unknown, c
	case c.fact.isText():
		return answerOf(have.matches(c.op, c.value.text)), c
	case c.fact == Runs:
		answer, _ := have.runs(c.value.text)
		return answer, c
	case c.op == "":
		return answerOf(have.text != ""), c // is it installed?
	case have.parts == nil && !have.bounded(): // not installed, or of an unknown version
		return Unknown, c
	}
	return have.answer(c.op, c.value), c
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
		if Holds(op, n) != Holds(op, last) {
			return Unknown
		}
	}
	return answerOf(Holds(op, last))
}

// Holds reports whether a comparison with an operator is met, given the result of [cmp.Compare].
func Holds(op string, compared int) bool {
	switch op {
	case ">=":
		return compared >= 0
	case "<=":
		return compared <= 0
	case ">":
		return compared > 0
	case "<":
		return compared < 0
	case "!=":
		return compared != 0
	default:
		return compared == 0
	}
}

type not struct{ of node }

func (n not) eval(m Machine) (Answer, *comparison) {
	t, c := n.of.eval(m)
	negated := *c
	negated.source = "not " + c.source
	return Yes - t, &negated
}

// A pair joins two nodes by "and" or "or". If both have the same answer the left one decides.
type pair struct {
	or          bool
	left, right node
}

func (p pair) eval(m Machine) (Answer, *comparison) {
	l, lc := p.left.eval(m)
	r, rc := p.right.eval(m)
	if l == r || (l > r) == p.or {
		return l, lc
	}
	return r, rc
}

// A Value is what a fact is compared with: a count, a number of bytes, or a
// dotted version. The zero Value stands for "none".
type Value struct {
	parts []uint64
	text  string
	runs  func(string) (Answer, string) // of the fact Runs only
	names [][]string                    // of texts only: the names of each thing, in lower case
	// The bounds of a version that is not known, of which one may be nil.
	least, most []uint64
}

func (v Value) bounded() bool { return v.least != nil || v.most != nil }

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

// Less reports whether v comes before w.
func (v Value) Less(w Value) bool { return v.compare(w) < 0 }

// Values returns the machine's values of the facts that an expression compares, each once,
// in their order: "gpus 2", or "driver –" if it has none.
func (e Expr) Values(m Machine) []string {
	var list []string
	e.each(func(c *comparison) {
		if s := c.found(m); s != "" && !slices.Contains(list, s) {
			list = append(list, s)
		}
	})
	return list
}

// each visits the comparisons in their order.
func (e Expr) each(f func(*comparison)) {
	var visit func(n node)
	visit = func(n node) {
		switch n := n.(type) {
		case *comparison:
			f(n)
		case not:
			visit(n.of)
		case pair:
			visit(n.left)
			visit(n.right)
		}
	}
	visit(e.root)
}

// Comparisons returns the comparisons of the expression, in their order.
func (e Expr) Comparisons() (list []Expr) {
	e.each(func(c *comparison) { list = append(list, Expr{c, c.source}) })
	return list
}

// found returns the machine's value of the fact that is compared.
func (c *comparison) found(m Machine) string {
	have, ok := m[c.fact]
	switch {
	case c.fact == Runs && have.runs != nil:
		_, found := have.runs(c.value.text)
		return found
	case c.fact == Runs:
		return ""
	case !ok, have.text == "":
		return string(c.fact) + " –"
	}
	return string(c.fact) + " " + have.String()
}

// Condition returns a comparison of a gpu block as a requirement has it, without "== yes".
func (e Expr) Condition() Expr {
	if c, ok := e.root.(*comparison); ok {
		return Expr{c, c.source}
	}
	return e
}

// IsQuestion reports whether a text is a comparison without an operator: "runs cu124", "torch".
func IsQuestion(text string) bool {
	e, err := ParseComparison(text)
	op, _ := e.Compared()
	return err == nil && op == "" && !strings.HasSuffix(e.source, yes)
}

// Compared returns the operator and the value of an expression that is one comparison.
func (e Expr) Compared() (op, value string) {
	if c, ok := e.root.(*comparison); ok {
		return c.op, c.value.text
	}
	return "", ""
}

// Fact returns the fact of an expression that is one comparison.
func (e Expr) Fact() Fact {
	if c, ok := e.root.(*comparison); ok {
		return c.fact
	}
	return ""
}
