package ask

import (
	"slices"
	"strings"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// The functions, which ask what is not part of every report: verify asks it on the machine.
const (
	Has    = "has"    // a program in PATH
	Module = "module" // of Lmod or Environment Modules: it can be loaded
	Env    = "env"    // an environment of gpudocs.toml: it is there
	Pip    = "python" // a Python package, by the name of its distribution or for import
)

var functions = []string{Has, Module, Env, Pip}

// NVCC is the CUDA compiler in PATH.
const NVCC Fact = "nvcc"

// argument matches the arguments of functions. They are given to a shell, and published.
var argument = lazyregexp.New(`^[A-Za-z0-9_][A-Za-z0-9._+/-]{0,99}$`)

// Call returns function and argument of a fact such as has("cmake"), and "" for others.
func (f Fact) Call() (function, argument string) {
	function, rest, is := strings.Cut(string(f), `("`)
	if !is {
		return "", ""
	}
	return function, strings.TrimSuffix(rest, `")`)
}

// Call returns the fact that a function is with its argument: has("cmake").
func Call(function, argument string) Fact { return Fact(function + `("` + argument + `")`) }

// isAnswer reports whether verify asks the machine for the fact if a requirement names it.
func (f Fact) isAnswer() bool {
	function, _ := f.Call()
	return function != "" || f == NVCC
}

// OutsidePython reports whether the fact is about programs and modules, and not about a Python.
func (f Fact) OutsidePython() bool {
	function, _ := f.Call()
	return f.isAnswer() && function != Pip
}

// hasVersion reports whether the fact may be compared with a version.
func (f Fact) hasVersion() bool {
	function, _ := f.Call()
	return function == "" || function == Pip
}

// Found is the value of a function whose answer is yes, if it has no version.
func Found() Value { return Value{text: "✓"} }

// Asks returns the facts of the expression that verify must ask the machine for.
func (e Expr) Asks() (facts []Fact) {
	e.each(func(c *comparison) {
		if c.fact.isAnswer() {
			facts = append(facts, c.fact)
		}
	})
	return facts
}

// IsAnswer reports whether a text, of a report, is a fact that verify asks for.
func IsAnswer(ask string) bool {
	e, err := ParseComparison(ask)
	return err == nil && e.Fact().isAnswer() && string(e.Fact()) == ask
}

// Name returns a short name for an expression that is one comparison: "cu124", "cmake", "gpus".
func (e Expr) Name() string {
	if s := e.Software(); s != "" {
		return s
	}
	if _, arg := e.Fact().Call(); arg != "" {
		return strings.ReplaceAll(arg, "/", "-")
	}
	return string(e.Fact())
}

func functionHint(name string) diag.Text {
	example := map[string]string{Has: "cmake", Module: "cuda/12", Env: "torch", Pip: "numpy"}[name]
	return diag.Say("blocks.function-argument-hint", "example", Call(name, example))
}

// call parses a function with its argument.
func (p *parser) call() (Fact, error) {
	start, name := p.at, p.peek().text
	if !slices.Contains(functions, name) {
		return "", p.fail(diag.Say("blocks.function-unknown", "word", name),
			diag.Suggest(name, functions, diag.Say("diag.known-names-hint", "known", strings.Join(functions, ", "))))
	}
	p.at += 2
	t := p.peek()
	arg, err := p.text(functionHint(name))
	if err != nil {
		return "", err
	}
	if !argument.MatchString(arg) || name != Module && strings.Contains(arg, "/") {
		return "", &Error{t.offset, len(t.text), diag.Say("blocks.function-argument-invalid", "name", arg, "word", name), functionHint(name)}
	}
	if !p.accept(")") {
		return "", p.fail(diag.Say("blocks.parenthesis-not-closed"), functionHint(name))
	}
	f := Call(name, arg)
	p.tokens = slices.Replace(p.tokens, start, p.at, token{string(f), p.tokens[start].offset}) // one token, without blanks
	p.at = start + 1
	return f, nil
}
