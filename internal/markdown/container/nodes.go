package container

import (
	"slices"
	"strings"

	"github.com/yuin/goldmark/parser"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// Plain returns the container as a node without a specific meaning.
func (b *Block) Plain() *markdown.Container {
	return &markdown.Container{Name: b.Name, Title: b.Title, Opening: b.Opening, Closing: b.Closing}
}

// Callout returns the container as a callout. One with an unknown name becomes a note with the line
// as its title.
func (b *Block) Callout(pc parser.Context) *markdown.Callout {
	n := &markdown.Callout{Name: b.Name, Opening: b.Opening, Closing: b.Closing}
	kind := markdown.CalloutKind(b.Name)
	known := slices.Contains(calloutNames, b.Name)
	switch {
	case known, b.Form.Aliases && kind != b.Name:
		n.Name = kind
		n.SetTitle(b.Title)
	default:
		hint := diag.Known(b.Name, containerNames)
		if kind != b.Name {
			hint = diag.Say("markdown.container-kind-hint", "kind", kind)
		}
		markdown.Warn(pc, b.NameAt, diag.Say("markdown.container-unknown", "name", b.Name), hint)
		n.Name = "note"
		n.SetTitle(markdown.Span{Start: b.NameAt.Start, Stop: max(b.NameAt.Stop, b.Title.Stop)})
	}
	if n.Name == "details" {
		n.Fold = markdown.Folded
	}
	b.describe(n, pc)
	return n
}

// Statement returns the container as an exercise or a solution. The attribute for names the exercise.
func (b *Block) Statement(pc parser.Context) *markdown.Callout {
	n := markdown.NewStatement(b.Name, b.Opening, b.Closing)
	n.SetTitle(b.Title)
	if n.Name != markdown.Solution {
		b.describe(n, pc)
		return n
	}
	if exercise, has := b.attribute("for"); has && exercise.Value != "" {
		n.Solves = &markdown.Reference{Destination: exercise.Value, Span: exercise.Span}
		if !strings.Contains(exercise.Value, "#") {
			n.Solves.Destination = ":" + exercise.Value
		}
	}
	b.describe(n, pc, "for")
	return n
}

// describe reads the attributes of a callout: fold, an id, classes, and others, whose names are given.
func (b *Block) describe(n *markdown.Callout, pc parser.Context, others ...string) {
	fold, has := b.attribute("fold")
	switch {
	case has && fold.Value == "":
		n.Fold = markdown.Folded
	case has && fold.Value == "open":
		n.Fold = markdown.Unfolded
	case has:
		markdown.Warn(pc, fold.Span,
			diag.Say("markdown.fold-invalid", "value", fold.Value), diag.Say("markdown.fold-invalid-hint"))
	}
	b.CheckAttributes(pc, append(others, "fold")...)
	markdown.Identify(n, b.Given.ID, b.Given.Classes)
}

var (
	calloutNames = markdown.CalloutNames()
	// containerNames are the names that authors may write after :::.
	containerNames = append([]string{"exercise", "figure", "include", "machines", "my-gpu", "solution", "tab", "tabs"}, calloutNames...)
)

// Tab returns the container as a tab.
func (b *Block) Tab(source []byte, pc parser.Context) *markdown.Tab {
	n := &markdown.Tab{Opening: b.Opening, Closing: b.Closing}
	if b.Title.Start >= b.Title.Stop {
		b.Title = b.NameAt
		markdown.Warn(pc, b.Opening, diag.Say("markdown.tab-without-title"), diag.Say("markdown.tab-without-title-hint"))
	}
	n.SetTitle(b.Title, source)
	_, n.Selected = b.attribute("selected")
	_, n.Apart = b.attribute("apart")
	b.CheckAttributes(pc, "selected", "apart")
	markdown.Identify(n, b.Given.ID, b.Given.Classes)
	return n
}

// CheckAttributes reports attributes with other names than these. Ids and classes are always allowed.
func (b *Block) CheckAttributes(pc parser.Context, names ...string) {
	for _, a := range b.Given.Items {
		if !slices.Contains(names, a.Name) {
			markdown.Warn(pc, a.Span,
				diag.Say("markdown.include-attribute-unknown", "name", a.Name),
				diag.Suggest(a.Name, names, diag.Say("markdown.attribute-misplaced")))
		}
	}
}

// attribute returns the attribute of a name.
func (b *Block) attribute(name string) (a markdown.Attribute, has bool) {
	i := slices.IndexFunc(b.Given.Items, func(a markdown.Attribute) bool { return a.Name == name })
	if i < 0 {
		return a, false
	}
	return b.Given.Items[i], true
}
