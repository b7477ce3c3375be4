package require

import (
	"regexp"
	"slices"
	"strings"

	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// Runs is the fact behind "runs cu124" and "runs torch". It has no operator: the
// name of a CUDA toolkit, as PyTorch's wheels write it, or of a framework
// follows. On a machine of which too little is known to tell, neither it nor its
// negation holds.
const Runs Fact = "runs"

// An Answer is whether software runs on a machine.
type Answer int

// The answers; the zero Answer is that nobody knows.
const (
	RunsUnknown Answer = iota
	RunsNot
	RunsFine
)

func (a Answer) truth() truth {
	switch a {
	case RunsFine:
		return yes
	case RunsNot:
		return no
	}
	return unknown
}

// Software makes the value of the fact [Runs]: ask is given the name of a
// toolkit or framework, and says also what of the machine decides.
func Software(ask func(name string) (Answer, string)) Value { return Value{runs: ask} }

// Frameworks lists the frameworks that may follow runs, by the names under which
// they are imported.
func Frameworks() []string {
	return []string{"torch", "tensorflow", "jax", "cupy", "mxnet", "numba", "paddle", "onnxruntime"}
}

// toolkit is a CUDA toolkit as PyTorch's wheels name it: cu118 is 11.8.
var toolkit = regexp.MustCompile(`^cu[1-9][0-9][0-9]$`)

// spelled is a toolkit as one might write it: "12.4", "cuda12.4", "CU124".
var spelled = regexp.MustCompile(`^(?i:cu|cuda)?-?([1-9][0-9])[.]?([0-9])$`)

// numbered is anything else that begins as one.
var numbered = regexp.MustCompile(`^(?i:cu|cuda)?-?[0-9]`)

// runs reads what follows the word runs.
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

// Software returns what an expression that is one comparison asks about: "cu124"
// of "runs cu124", and nothing of any other.
func (e Expr) Software() string {
	if c, ok := e.root.(*comparison); ok && c.fact == Runs {
		return c.value.text
	}
	return ""
}
