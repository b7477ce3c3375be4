package myst

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// statements are theorems, exercises and so on, of sphinx-proof (prf:theorem), MyST (proof:theorem) and
// sphinx-exercise. What is between exercise-start and exercise-end, such as code cells, belongs to the
// exercise.
var statements = func() map[string]directive {
	table := map[string]directive{
		"exercise-start": {node: openGate}, "exercise-end": {node: closeGate},
		"solution-start": {node: openGate}, "solution-end": {node: closeGate},
		"prf:criteria": {node: statement}, "proof:criteria": {node: statement},
	}
	for _, name := range markdown.Statements() {
		for _, prefix := range []string{"", "prf:", "proof:"} {
			table[prefix+name] = directive{node: statement}
		}
	}
	return table
}()

// statement returns a theorem, an exercise, a proof, or a solution, which is folded.
func statement(d *Directive) ast.Node { return newStatement(d) }

func newStatement(d *Directive) *markdown.Callout {
	name := strings.TrimSuffix(d.Name[strings.IndexByte(d.Name, ':')+1:], "-start")
	if name == "criteria" {
		name = "criterion"
	}
	n := markdown.NewStatement(name, d.Opening, d.Closing)
	var classes []string
	for _, c := range d.classes() {
		if c == "dropdown" {
			n.Fold = markdown.Folded
		} else {
			classes = append(classes, c)
		}
	}
	d.describe(n, classes)
	if name != markdown.Solution {
		n.Counted = n.Counted && !d.flag("nonumber") && !strings.EqualFold(d.option("enumerated"), "false")
		n.SetTitle(d.Argument)
	} else if exercise := d.argument(); exercise != "" {
		n.Solves = &markdown.Reference{Destination: ":" + exercise, Span: d.Argument}
	}
	return n
}

// A gate is an exercise-start or a solution-start whose end has not come. The openings are in the order of the
// page.
type gate struct {
	*markdown.Callout
	name string
}

var gatesKey = parser.NewContextKey()

// maxGates bounds how deep exercises and solutions with a start and an end are nested.
const maxGates = 8

// openGate returns a statement that closeGate fills.
func openGate(d *Directive) ast.Node {
	n := newStatement(d)
	gates, _ := d.pc.Get(gatesKey).([]gate)
	g := gate{n, strings.TrimSuffix(d.Name, "-start")}
	d.pc.Set(gatesKey, append(gates, g))
	d.lastly(func() {
		if n.Closing == d.Closing {
			d.warn(d.NameAt, diag.Say("markdown.myst-start-without-end", "name", d.Name, "end", g.name+"-end"), diag.Say("markdown.myst-start-without-end-hint", "end", g.name+"-end"))
		}
	})
	return n
}

// closeGate moves what is before it, up to its start, into that statement.
func closeGate(d *Directive) ast.Node {
	gates, _ := d.pc.Get(gatesKey).([]gate)
	last := len(gates) - 1
	if last < 0 || last >= maxGates || gates[last].name+"-end" != d.Name || gates[last].Parent() != d.Parent() {
		d.warn(d.NameAt, diag.Say("markdown.myst-end-without-start", "name", d.Name), diag.Say("markdown.myst-end-without-start-hint", "start", strings.TrimSuffix(d.Name, "end")+"start"))
		return nil
	}
	n := gates[last].Callout
	d.pc.Set(gatesKey, gates[:last])
	for c := n.NextSibling(); c != ast.Node(d); c = n.NextSibling() {
		n.AppendChild(n, c)
	}
	n.Closing = d.Opening
	if d.Closing != (markdown.Span{}) {
		n.Closing.Stop = d.Closing.Stop
	}
	return nil
}
