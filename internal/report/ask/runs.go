package ask

import (
	"slices"
	"strings"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// Runs is the fact of "runs cu124" and "runs torch". It has no operator and is followed by
// the name of a CUDA toolkit, in the style of PyTorch's wheels, or of a framework. If too
// little is known about a machine, neither it nor its negation is met.
const Runs Fact = "runs"

// Software returns the value for the fact [Runs]. ask is called with the name of a toolkit
// or framework, and returns the answer and the value of the machine that decides.
func Software(ask func(name string) (Answer, string)) Value { return Value{runs: ask} }

// Frameworks lists the frameworks that may follow runs, by the names for importing them.
func Frameworks() []string {
	return []string{"torch", "tensorflow", "jax", "cupy", "mxnet", "numba", "paddle", "onnxruntime"}
}

// toolkit matches a CUDA toolkit in the style of PyTorch's wheels: cu118 is 11.8.
var toolkit = lazyregexp.New(`^cu[1-9][0-9][0-9]$`)

// spelled matches other spellings of a toolkit: "12.4", "cuda12.4", "CU124".
var spelled = lazyregexp.New(`^(?i:cu|cuda)?-?([1-9][0-9])[.]?([0-9])$`)

// numbered matches anything else that begins like a toolkit.
var numbered = lazyregexp.New(`^(?i:cu|cuda)?-?[0-9]`)

// runs parses what follows the word runs.
func (p *parser) runs() (node, error) {
	name := p.peek().text
	if !toolkit.MatchString(name) && !slices.Contains(Frameworks(), name) {
		return nil, p.fail(diag.Say("blocks.framework-unknown", "name", name), hint(name))
	}
	p.at++
	return &comparison{fact: Runs, value: Value{text: name}, source: "runs " + name}, nil
}

func hint(name string) diag.Text {
	if t := spelled.FindStringSubmatch(name); t != nil {
		return diag.Say("blocks.framework-cuda-hint", "name", t[1], "other", t[2])
	}
	if numbered.MatchString(name) {
		return diag.Say("blocks.framework-wheel-hint")
	}
	return diag.Suggest(name, Frameworks(), diag.Say("blocks.framework-toolkit-hint", "name", strings.Join(Frameworks(), ", ")))
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
	case function == string(Python):
		return argument, version
	case slices.Contains(Frameworks(), string(c.fact)):
		return string(c.fact), version
	case c.fact == Runs && slices.Contains(Frameworks(), c.value.text):
		return c.value.text, ""
	}
	return "", ""
}
