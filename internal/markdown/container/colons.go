package container

import (
	"bytes"
	"slices"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown"
)

// Colons reads the containers of gpudocs' own syntax.
var Colons = &Form{Mark: ':', Header: colonHeader, NewNode: colonNode, MustEnd: true}

// attributeName matches the name of an attribute. Braces with other words in them belong to the
// title.
var attributeName = lazyregexp.New(`^[\p{L}_][\p{L}\p{N}_-]*$`)

// colonHeader reads a title and attributes in braces.
func colonHeader(b *Block, rest []byte, at int) bool {
	if len(rest) > 0 && !bytes.ContainsAny(rest[:1], " \t|{") {
		return false
	}
	if before, given := markdown.TrailingAttributes(rest); !slices.ContainsFunc(given.Items,
		func(a markdown.Attribute) bool { return !attributeName.MatchString(a.Name) }) {
		rest, b.Given = before, given
	}
	b.Given.Move(at)
	b.Title = markdown.Extent(string(rest), at)
	return true
}

// colonNode returns the node for a container of that name.
func colonNode(b *Block, source []byte, pc parser.Context) ast.Node {
	switch b.Name {
	case "machines", "my-gpu":
		b.CheckAttributes(pc)
		return b.Plain()
	case markdown.Exercise, markdown.Solution:
		return b.Statement(pc)
	case "tab":
		return b.Tab(source, pc)
	case "tabs":
		b.CheckAttributes(pc)
		n := &markdown.Tabs{}
		markdown.Identify(n, b.Given.ID, b.Given.Classes)
		return n
	}
	return b.Callout(pc)
}
