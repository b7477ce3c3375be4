package content

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/gpudocs/gpudocs/internal/diag"
	"github.com/gpudocs/gpudocs/internal/match"
	"github.com/gpudocs/gpudocs/internal/require"
)

// An Expect is an expected output.
type Expect struct {
	// When picks the machines that it is for; the zero Expr those for which no
	// other of its stream is.
	When require.Expr
	Text string
	// File is where it stands, and Line the first line of the text, counted in Cell
	// where that is not 0.
	File       string
	Cell, Line int
	// Options say how it is compared.
	Options match.Options
	// Stderr tells that it is for standard error, not standard output.
	Stderr bool
	// Exit is the exit code to expect on these machines, or nil: that of the block.
	Exit *int

	// broken tells that its when= could not be read.
	broken bool
}

// Compared reads the expectation; its faults were reported when the page was read.
func (e *Expect) Compared() *match.Expectation {
	x, _ := match.Parse(e.Text, e.Options)
	return x
}

func (r *blockReader) expect(n *ast.FencedCodeBlock, f *Fence, a fenceAttributes) {
	a.only(diag.Say("on an expected output"), "expect", "when", "stream", "rtol", "atol", "number", "exit", "tab", "title", "hl_lines", "numbers", "hide")
	expect := a.by["expect"]
	var b *Block
	if k := len(r.page.Blocks); k > 0 {
		b = r.page.Blocks[k-1]
	}
	switch {
	case b == nil:
		a.fault(expect, diag.Say("expect without a runnable block before it"), diag.Say("put it behind the block whose output it is"))
		return
	case b.Kind == GPU:
		a.fault(expect, diag.Say("a gpu block has no output to expect"), diag.Say("its lines are the expectations"))
		return
	case b.Kind == Pycon:
		a.fault(expect, diag.Say("a pycon block holds its expected output itself"), diag.Say("write the output below its >>> line"))
		return
	}
	e := &Expect{Text: f.Code}
	of, _ := r.file.Origin(r.file.Line(n.Pos()))
	e.File = of.Name
	e.Cell, e.Line = r.file.Cell(r.file.Line(n.Pos()) + 1)
	if when, ok := a.by["when"]; ok {
		e.When = a.expression(when)
		e.broken = e.When.IsZero()
	}
	if exit, ok := a.by["exit"]; ok {
		code := a.exitCode(exit)
		e.Exit = &code
	}
	e.Stderr = a.stream()
	e.Options = match.Options{RTol: a.tolerance("rtol"), ATol: a.tolerance("atol"), Number: a.has("number")}
	if number := a.by["number"]; number.hasValue {
		a.fault(number, diag.Say("number takes no value"), diag.Say("write number, or rtol=0.01 for a tolerance"))
	}
	x, faults := match.Parse(e.Text, e.Options)
	r.matchFaults(f, faults)
	r.together(a, b, e, x.Names())
	f.Expect = e
	for _, of := range r.at[b.pos] {
		of.Captures = append(of.Captures, x.Names()...)
		of.Expects = append(of.Expects, e)
	}
}

// together reports what an expectation cannot have in common with another of its
// block.
func (r *blockReader) together(a fenceAttributes, b *Block, e *Expect, names []string) {
	for _, other := range b.Expects {
		switch {
		case other.Stderr != e.Stderr:
			for _, name := range other.Compared().Names() {
				if slices.Contains(names, name) {
					a.fault(a.by["expect"], diag.Say("the value %q is captured in the expectation of line %d too", name, other.Line-1), diag.Say("give one of them another name"))
				}
			}
		case e.broken || other.broken || other.When.String() != e.When.String():
		case e.When.IsZero():
			a.fault(a.by["expect"], diag.Say("the expectation in line %d is for the same machines", other.Line-1),
				diag.Say(`pick machines with when="...", or join the two`))
		default:
			a.fault(a.by["when"], diag.Say("the expectation in line %d is for the same machines", other.Line-1),
				diag.Say("exactly one expectation may fit a machine: join the two, or change a when="))
		}
	}
}

// matchFaults reports faults in the text of a block, where they stand.
func (r *blockReader) matchFaults(code *Fence, faults []match.Fault) {
	for _, f := range faults {
		file, start, stop, ok := code.place(r.file, f.Line, f.From, f.To)
		if !ok {
			continue
		}
		d := file.Error(start, stop, f.Message, f.Hint)
		if f.Warning {
			d.Severity = diag.Warning
		}
		r.diags.Add(d)
	}
}

// checkSession reports what no Python session can mean.
func (r *blockReader) checkSession(f *Fence, b *Block) {
	examples, faults := match.Examples(b.Code)
	r.matchFaults(f, faults)
	for i := range examples {
		b.Captures = append(b.Captures, examples[i].Names()...)
	}
}

func (r *blockReader) blockExit(a fenceAttributes, kind Kind) int {
	exit, ok := a.by["exit"]
	switch {
	case !ok:
		return 0
	case kind == Pycon:
		a.fault(exit, diag.Say("a pycon block has no exit code"), diag.Say("write the traceback that is expected below its >>> line"))
		return 0
	}
	return a.exitCode(exit)
}

func (a *fenceAttributes) exitCode(at attribute) int {
	code, err := strconv.Atoi(at.value)
	if err != nil || code < 0 || code > 255 {
		a.fault(at, diag.Say("%q is no exit code", at.value), diag.Say("write a number from 0 to 255: exit=1"))
		return 0
	}
	return code
}

func (a *fenceAttributes) stream() (stderr bool) {
	at, ok := a.by["stream"]
	if ok && at.value != "stdout" && at.value != "stderr" {
		a.fault(at, diag.Say("there is no stream %q", at.value),
			diag.Suggest(at.value, []string{"stdout", "stderr"}, diag.Say("write stream=stdout or stream=stderr; for both write two expectations")))
	}
	return at.value == "stderr"
}

func (a *fenceAttributes) tolerance(name string) float64 {
	at, ok := a.by[name]
	if !ok {
		return 0
	}
	v, err := strconv.ParseFloat(at.value, 64)
	if err != nil || !(v >= 0) || math.IsInf(v, 0) {
		a.fault(at, diag.Say("%q is no tolerance", at.value), diag.Say("write a number that is not negative: %s=0.05", name))
		return 0
	}
	return v
}

// expectations are what the check's ID knows of what the author expects: pairs
// of a when= with the other attributes, and a text.
func (b *Block) expectations() (pairs [][2]string) {
	if b.Exit != 0 {
		pairs = append(pairs, [2]string{fmt.Sprintf("{exit=%d}", b.Exit), ""})
	}
	for _, e := range b.Expects {
		options := ""
		if list := e.Attributes(); len(list) > 0 {
			options = "{" + strings.Join(list, " ") + "}"
		}
		pairs = append(pairs, [2]string{e.When.String() + options, e.Text})
	}
	return pairs
}

// Attributes are those that change how it is compared, in one form.
func (e *Expect) Attributes() (list []string) {
	number := func(name string, v float64) {
		if v != 0 {
			list = append(list, name+"="+strconv.FormatFloat(v, 'g', -1, 64))
		}
	}
	number("rtol", e.Options.RTol)
	number("atol", e.Options.ATol)
	if e.Options.Number {
		list = append(list, "number")
	}
	if e.Stderr {
		list = append(list, "stream=stderr")
	}
	if e.Exit != nil {
		list = append(list, "exit="+strconv.Itoa(*e.Exit))
	}
	return list
}
