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

var (
	gatesKey = parser.NewContextKey()
	// endlessKey is set once a start without an end has what follows it.
	endlessKey = parser.NewContextKey()
)

// maxGates bounds how deep exercises and solutions with a start and an end are nested.
const maxGates = 8

// openGate returns a statement that closeGate fills. Without an end it gets all that follows, and its extent is
// that to the end of the page: a solution that is withheld must not be published for a mistake.
func openGate(d *Directive) ast.Node {
	n := newStatement(d)
	n.Closing = markdown.Span{}
	gates, _ := d.pc.Get(gatesKey).([]gate)
	g := gate{n, strings.TrimSuffix(d.Name, "-start")}
	d.pc.Set(gatesKey, append(gates, g))
	d.afterInlines(func() {
		if n.Closing == (markdown.Span{}) {
			n.Closing = markdown.Span{Start: len(d.source), Stop: len(d.source)}
			if d.pc.Get(endlessKey) == nil {
				d.pc.Set(endlessKey, true)
				take(n, nil)
			}
			d.warn(d.NameAt, diag.Say("markdown.myst-start-without-end", "name", d.Name, "end", g.name+"-end"),
				diag.Say("markdown.myst-start-without-end-hint", "end", g.name+"-end"))
		}
	})
	return n
}

// closeGate moves what is before it, up to its start, into that statement.
func closeGate(d *Directive) ast.Node {
	gates, _ := d.pc.Get(gatesKey).([]gate)
	last := len(gates) - 1
	if last < 0 || last >= maxGates || gates[last].name+"-end" != d.Name ||
		gates[last].Parent() != d.Parent() && !(inCell(d) && inCell(gates[last])) {
		d.warn(d.NameAt, diag.Say("markdown.myst-end-without-start", "name", d.Name),
			diag.Say("markdown.myst-end-without-start-hint", "start", strings.TrimSuffix(d.Name, "end")+"start"))
		return nil
	}
	n := gates[last].Callout
	d.pc.Set(gatesKey, gates[:last])
	take(n, d)
	n.Closing = d.Opening
	if d.Closing != (markdown.Span{}) {
		n.Closing.Stop = d.Closing.Stop
	}
	return nil
}

// inCell reports whether a node is a block of a notebook's cell, in no other block.
func inCell(n ast.Node) bool { return n.Parent() != nil && n.Parent().Kind() == markdown.KindCell }

// take moves what follows a statement into it, up to end, or else to the end of what they are in. In a notebook it
// may be that of several cells.
func take(n *markdown.Callout, end ast.Node) {
	move := func(from, to ast.Node) {
		for c := from; c != nil && c != to; {
			next := c.NextSibling()
			n.AppendChild(n, c)
			c = next
		}
	}
	parent := n.Parent()
	if !inCell(n) || end != nil && end.Parent() == parent {
		move(n.NextSibling(), end)
		return
	}
	var last ast.Node
	if end != nil {
		last = end.Parent()
	}
	move(n.NextSibling(), nil)
	move(parent.NextSibling(), last)
	if last != nil {
		move(last.FirstChild(), end)
	}
}
