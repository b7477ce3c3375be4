package mkdocs

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/container"
)

// slashes parses the blocks of pymdownx, with options in YAML below their first line:
//
//	/// note | Title
//	any Markdown
//	///
//
// https://facelessuser.github.io/pymdown-extensions/extensions/blocks/
var slashes = &container.Form{Mark: '/', Header: slashHeader, NewNode: slashNode, Options: true, Aliases: true}

// slashHeader reads a title after a bar.
func slashHeader(b *container.Block, rest []byte, at int) bool {
	if len(rest) > 0 && !bytes.ContainsAny(rest[:1], " \t|{") {
		return false
	}
	bar := bytes.TrimLeft(rest, " \t")
	if len(bar) > 0 && bar[0] != '|' {
		return false
	}
	if len(bar) > 0 {
		b.Title = markdown.Extent(string(bar[1:]), at+len(rest)-len(bar)+1)
	}
	return true
}

// slashNode returns the node for a container of that name.
func slashNode(b *container.Block, source []byte, pc parser.Context) ast.Node {
	o := readOptions(b, source, pc)
	switch b.Name {
	case "caption", "figure-caption", "table-caption":
		return captionedFigure(b, source, pc)
	case "tab":
		return b.Tab(source, pc)
	}
	n := b.Callout(pc)
	if o.kind != "" {
		n.Name = markdown.CalloutKind(o.kind)
	}
	return n
}
