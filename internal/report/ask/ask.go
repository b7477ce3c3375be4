// Package ask is the language in which a page asks something of a machine: the requirements of needs= and when=, the lines of gpu
// blocks, and bounds of captured values. A source is read once, by one scanner, and kept as an [Expr], a [Line] or a [Bound].
//
// # Facts
//
// What can be asked about is the table in table.go. An [Entry] is all that is known of a fact: its name, what it is compared with,
// where a report has it, its words, an example for the manual. A new fact is an entry, its words in three languages and a row in
// docs/content/en/reference.md; the tests named TestTable... say what is missing.
//
//	gpus, driver, cuda, memory, compute, gpu      GPUs and driver: memory of the smallest, compute of the oldest
//	machine, os, arch, ram, cores                 any machine
//	python, torch, ..., slurm, nvcc               installed software, in the environment of the block
//	has("cmake"), module("cuda/12"), env("torch"), python("numpy")
//	runs cu124, runs torch                        what runs on the GPUs, by the rules of package compat
//	temperature, nvlink up, ...                   readings of each GPU
//	matmul, memory bandwidth, copy ...            measurements
//
// # Expressions
//
// An expression is comparisons joined by and, or, not, commas (and) and parentheses. and binds tighter than or.
//
//	gpus >= 1
//	memory >= 8 GiB, not compute < 7.0
//	gpus == 0 or (compute >= 8.0 and memory >= 16 GB)
//	has("cmake") and python("numpy") >= 1.26
//	runs torch and os == "Debian*"
//
// A comparison is a fact, an operator (>= <= > < == !=) and a value of the fact's [Kind]: a version, compared part by part; a whole
// number; an amount of memory in B, kB, MB, GB, TB, KiB, MiB, GiB or TiB; a pattern of a text, in which * is any text, ? a character
// and [ab] one of several, without regard to case, and with == or != only. Software without an operator asks whether it is
// installed, and the functions has, module and env have no other form. An expression with readings or measurements is an error.
//
// # Lines
//
// A line of a gpu block is one comparison. Without an operator it only asks, and "== yes" after it demands the answer. A reading is
// compared with a number in its unit (°C, W, MHz) or a word (max, all, none, on, off), on each GPU that has it. A measurement has
// options and may have a bound, in a unit of the rate or in shares of the site's reference:
//
//	runs cu124 == yes
//	nvlink up == all
//	matmul n=8192 dtype=bf16 iters=50 name=half >= 0.4 PFLOP/s
//	memory bandwidth [-5%, +20%]
//
// # Answers
//
// An [Answer] is yes, no or unknown. Unknown is never no: neither a comparison with an unknown fact is met nor its negation. The
// same holds for a fact that a machine is known not to have (no GPU, so no memory; software that is not installed), but then the
// answer of the whole is no. If only bounds of a version are known ([Between]), a comparison is answered if the answer is the same
// for all versions between them.
//
// # Errors
//
// A [Fault] has its place in the source, in bytes, a message and a hint, which are texts of internal/text.
package ask

import (
	"cmp"
	"slices"
	"strings"
)

// A Verdict is whether a requirement is met on a machine.
type Verdict struct {
	// Answer is No if the machine does not have what is required, and Unknown if that is not known of it.
	Answer Answer
	// Need is the comparison that decided, as the author wrote it, Fact what it compares, and Found
	// the machine's value for it. Found is empty if the machine has none, or if
	// only bounds are known that do not answer the comparison.
	// They are empty if the answer is Yes.
	Need, Found string
	Fact        Fact
	// Software is the software of Need if that is like "runs cu124".
	Software string
	// Why is why a reading is unknown: one of the Why codes of package report.
	Why string
}

// Met reports whether the answer is Yes.
func (v Verdict) Met() bool { return v.Answer == Yes }

// An Expr is a parsed expression. The zero Expr holds on every machine.
type Expr struct {
	root   node
	source string
}

// String returns the expression with single blanks, as it counts for a check's ID.
func (e Expr) String() string { return e.source }

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

// Not returns an expression that is met where e is not.
func Not(e Expr) Expr { return Expr{not{e.root}, "not " + e.grouped()} }

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
		return Verdict{Answer: Yes}
	}
	answer, decided := e.root.eval(m)
	if answer == Yes {
		return Verdict{Answer: Yes}
	}
	v := Verdict{Answer: answer, Need: decided.source, Fact: decided.fact}
	have, known := m[decided.fact]
	switch {
	case decided.fact == Runs:
		v.Software, v.Found = decided.value.text, decided.shown(m)
	case answer == Unknown && known && have.absent():
		v.Answer = No // neither the comparison nor its negation is met, because the machine does not have the fact
	case answer == No || !have.bounded():
		v.Found = have.String()
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
	have, known := m[c.fact]
	switch kind := c.fact.Entry().Kind; {
	case !known:
		return Unknown, c
	case c.fact == Runs:
		answer, _ := have.runs(c.value.text)
		return answer, c
	case c.op == "":
		return answerOf(!have.absent()), c // is it installed?
	case have.absent(), kind != OfWord && have.parts == nil && !have.bounded(): // or of an unknown version
		return Unknown, c
	case kind == OfWord:
		return answerOf(have.matches(c.op, c.value.text)), c
	}
	return have.answer(c.op, c.value), c
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
	value := c.shown(m)
	if c.fact == Runs {
		return value
	}
	return string(c.fact) + " " + cmp.Or(value, "–")
}

// shown returns the machine's value of the fact, or "" if it has none.
func (c *comparison) shown(m Machine) string {
	have := m[c.fact]
	if have.runs != nil {
		_, found := have.runs(c.value.text)
		return found
	}
	return have.String()
}

// only returns the comparison of an expression that is one, and otherwise one of nothing.
func (e Expr) only() *comparison {
	if c, ok := e.root.(*comparison); ok {
		return c
	}
	return &comparison{}
}

// Compared returns the operator and the value of an expression that is one comparison.
func (e Expr) Compared() (op, value string) { return e.only().op, e.only().value.text }

// Fact returns the fact of an expression that is one comparison.
func (e Expr) Fact() Fact { return e.only().fact }

// Software returns the software of an expression that is one comparison: "cu124" of "runs
// cu124", and "" of any other.
func (e Expr) Software() string {
	if c := e.only(); c.fact == Runs {
		return c.value.text
	}
	return ""
}

// Package returns the Python package that an expression of one comparison asks for, by the name for importing it, and the
// versions in the form of pip: "numpy" and ">=1.26". The name is empty for any other.
func (e Expr) Package() (name, version string) {
	c := e.only()
	if c.op != "" {
		version = c.op + c.value.text
	}
	function, argument := c.fact.Call()
	switch {
	case function == Pip:
		return argument, version
	case c.fact.Entry().framework():
		return string(c.fact), version
	case c.fact == Runs && Fact(c.value.text).Entry().framework():
		return c.value.text, ""
	}
	return "", ""
}

// Asks returns the facts of the expression that verify must ask the machine for.
func (e Expr) Asks() (facts []Fact) {
	e.each(func(c *comparison) {
		if c.fact.Entry().Source == FromAnswers {
			facts = append(facts, c.fact)
		}
	})
	return facts
}

// any reports whether is returns true for any comparison of the expression.
func (e Expr) any(is func(*comparison, *Entry) bool) bool {
	found := false
	e.each(func(c *comparison) { found = found || is(c, c.fact.Entry()) })
	return found
}

// OfGPU reports whether the expression asks about GPUs or their driver, or what runs
// on them, and not only about software.
func (e Expr) OfGPU() bool {
	return e.any(func(_ *comparison, e *Entry) bool { return e.Source == FromGPUs || e.Source == FromRules })
}

// OfEnvironment reports whether the expression asks what is installed in an
// environment: "torch >= 1.12", has("cmake"), and "runs torch" too.
func (e Expr) OfEnvironment() bool {
	return e.any(func(c *comparison, e *Entry) bool {
		return c.fact == Runs && Fact(c.value.text).Entry().framework() || e.Source == FromPython || e.Source == FromAnswers
	})
}

// OfSlurm reports whether the expression asks about Slurm.
func (e Expr) OfSlurm() bool {
	return e.any(func(_ *comparison, e *Entry) bool { return e.Source == FromSlurm })
}
