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
	"strings"

	"github.com/gpudocs/gpudocs/internal/memo"
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

// Software returns the software of an expression that is one comparison: "cu124" of "runs
// cu124", and "" of any other.
func (e Expr) Software() string {
	if c, ok := e.root.(*comparison); ok && c.fact == Runs {
		return c.value.text
	}
	return ""
}

// Package returns the Python package that an expression of one comparison asks for, by the name for importing it, and the
// versions in the form of pip: "numpy" and ">=1.26". The name is empty for any other.
func (e Expr) Package() (name, version string) {
	c, ok := e.root.(*comparison)
	if !ok {
		return "", ""
	}
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
