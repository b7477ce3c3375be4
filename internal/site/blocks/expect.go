package blocks

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/gpudocs/gpudocs/internal/report/match"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/attribute"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

func (r *Reader) readExpect(n *ast.FencedCodeBlock, f *Fence, a fenceAttributes) {
	a.allowOnly(diag.Say("blocks.where-expectation"), "expect", "when", "stream", "rtol", "atol", "number", "exit", "tab", "title",
		"hl_lines", "numbers", "hide")
	expect := a.by["expect"]
	var b *site.Block
	if k := len(r.Page.Blocks); k > 0 {
		b = r.Page.Blocks[k-1]
	}
	switch {
	case b == nil:
		a.fault(expect, diag.Say("blocks.expectation-without-block"))
		return
	case b.Kind == site.GPU:
		a.fault(expect, diag.Say("blocks.gpu-block-expectation"))
		return
	case b.Kind == site.Pycon:
		a.fault(expect, diag.Say("blocks.pycon-expectation"))
		return
	}
	e := &site.Expect{Text: f.Code}
	of, _ := r.File.Origin(r.File.Line(n.Pos()))
	e.File = of.Name
	e.Cell, e.Line = r.File.Cell(r.File.Line(n.Pos()) + 1)
	if when, ok := a.by["when"]; ok {
		e.When = a.expression(when)
	}
	if exit, ok := a.by["exit"]; ok {
		code := a.exitCode(exit)
		e.Exit = &code
	}
	e.Stderr = a.stream()
	e.Tolerance = match.Tolerance{RTol: a.tolerance("rtol"), ATol: a.tolerance("atol"),
		Number: a.flag("number", diag.Say("blocks.number-value"))}
	x, faults := match.Parse(e.Text, e.Tolerance)
	r.matchFaults(f, faults)
	e.Parsed = x
	r.checkExpectations(a, b, e, x.Names())
	f.Expect = e
	for _, of := range r.blocksAt[b.Pos] {
		of.Captures = append(of.Captures, x.Names()...)
		of.Expects = append(of.Expects, e)
	}
}

// expectations are those of a block so far, so that each is compared with all others at once.
type expectations struct {
	block *site.Block
	// whens has the first one for each stream and condition, names the first one for each stream and captured value.
	whens, names map[ofStream]*site.Expect
}

type ofStream struct {
	stderr bool
	text   string
}

// checkExpectations reports conflicts between an expectation and the earlier ones of its block.
func (r *Reader) checkExpectations(a fenceAttributes, b *site.Block, e *site.Expect, names []string) {
	if r.expected.block != b {
		r.expected = expectations{b, map[ofStream]*site.Expect{}, map[ofStream]*site.Expect{}}
	}
	for _, name := range names {
		if other, ok := r.expected.names[ofStream{!e.Stderr, name}]; ok {
			a.fault(a.by["expect"], diag.Say("blocks.capture-taken-by-expectation", "name", name, "line", other.Line-1).
				WithHint(diag.Say("blocks.name-duplicate-hint")))
		}
		addFirst(r.expected.names, ofStream{e.Stderr, name}, e)
	}
	at, written := a.by["when"]
	if written && e.When.IsZero() {
		return // it cannot be read
	}
	same := ofStream{e.Stderr, e.When.String()}
	switch other, ok := r.expected.whens[same]; {
	case !ok:
		r.expected.whens[same] = e
	case e.When.IsZero():
		a.fault(a.by["expect"], diag.Say("blocks.expectations-overlap", "line", other.Line-1))
	default:
		a.fault(at, diag.Say("blocks.expectations-overlap", "line", other.Line-1).
			WithHint(diag.Say("blocks.expectations-overlap-join-hint")))
	}
}

func addFirst(m map[ofStream]*site.Expect, key ofStream, e *site.Expect) {
	if m[key] == nil {
		m[key] = e
	}
}

// matchFaults reports faults in the text of a block at their places.
func (r *Reader) matchFaults(code *Fence, faults []match.Fault) {
	for _, f := range faults {
		file, start, stop, ok := code.Place(r.File, f.Line, f.From, f.To)
		if !ok {
			continue
		}
		d := file.Error(start, stop, f.Message)
		if f.Warning {
			d.Severity = diag.Warning
		}
		r.Diags.Add(d)
	}
}

// readExamples reports syntax errors in a Python session, and collects the values that it captures.
func (r *Reader) readExamples(f *Fence, b *site.Block) {
	examples, faults := match.Examples(b.Code)
	r.matchFaults(f, faults)
	b.Examples = examples
	for i := range examples {
		for _, c := range examples[i].Captures() {
			b.Captures = append(b.Captures, c.Name)
		}
	}
}

func (r *Reader) blockExit(a fenceAttributes, kind site.Kind) int {
	exit, ok := a.by["exit"]
	switch {
	case !ok:
		return 0
	case kind == site.Pycon:
		a.fault(exit, diag.Say("blocks.pycon-exit-code"))
		return 0
	}
	return a.exitCode(exit)
}

func (a *fenceAttributes) exitCode(at attribute.Attribute) int {
	code, err := strconv.Atoi(at.Value)
	if err != nil || code < 0 || code > 255 {
		a.fault(at, diag.Say("blocks.exit-code-invalid", "value", at.Value))
		return 0
	}
	return code
}

func (a *fenceAttributes) stream() (stderr bool) {
	at, ok := a.by["stream"]
	if ok && at.Value != "stdout" && at.Value != "stderr" {
		a.fault(at, diag.Say("blocks.stream-unknown", "value", at.Value).
			WithHint(diag.Suggest(at.Value, []string{"stdout", "stderr"}, diag.Say("blocks.stream-hint"))))
	}
	return at.Value == "stderr"
}

func (a *fenceAttributes) tolerance(name string) float64 {
	at, ok := a.by[name]
	if !ok {
		return 0
	}
	v, err := strconv.ParseFloat(at.Value, 64)
	if err != nil || !(v >= 0) || math.IsInf(v, 0) {
		a.fault(at, diag.Say("blocks.tolerance-invalid", "value", at.Value, "name", name))
		return 0
	}
	return v
}

// expectationPairs returns the expectations as they are part of the check's id: pairs of a when=
// with the other attributes, and a text.
func expectationPairs(b *site.Block) (pairs [][2]string) {
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
