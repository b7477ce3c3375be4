package myst

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"

	"github.com/gpudocs/gpudocs/internal/markdown"
)

// glossaryDirectives are lists of terms, which {term} refers to.
var glossaryDirectives = map[string]directive{"glossary": {node: glossary}}

// glossary returns nothing: the definition lists in it stay in its place, and their terms get ids. A
// paragraph whose lines after the first are indented is a term with its meaning, as in Sphinx.
func glossary(d *Directive) ast.Node {
	for c := d.FirstChild(); c != nil; c = c.NextSibling() {
		if list := definition(c, d.source); list != nil {
			d.ReplaceChild(d, c, list)
			c = list
		}
		for t := c.FirstChild(); t != nil && c.Kind() == extast.KindDefinitionList; t = t.NextSibling() {
			if term, ok := t.(*extast.DefinitionTerm); ok {
				d.afterInlines(func() {
					name := markdown.Text(term, d.source, markdown.TextOptions{})
					term.SetAttributeString("id", []byte(markdown.TermID(name)))
				})
			}
		}
	}
	return nil
}

// definition returns the definition list of a paragraph in Sphinx's form, or nil.
func definition(p ast.Node, source []byte) ast.Node {
	lines := p.Lines()
	if p.Kind() != ast.KindParagraph || lines.Len() < 2 || !indented(lines.At(1), source) {
		return nil
	}
	term := extast.NewDefinitionTerm()
	term.SetPos(p.Pos())
	term.SetLines(text.NewSegments())
	first := lines.At(0)
	term.Lines().Append(first.TrimRightSpace(source))
	meaning := ast.NewTextBlock()
	meaning.SetPos(lines.At(1).Start)
	meaning.Lines().AppendAll(lines.Sliced(1, lines.Len()))
	description := extast.NewDefinitionDescription()
	description.SetPos(meaning.Pos())
	description.IsTight = true
	description.AppendChild(description, meaning)
	list := extast.NewDefinitionList(0, nil)
	list.SetPos(p.Pos())
	list.AppendChild(list, term)
	list.AppendChild(list, description)
	return list
}

// indented reports whether blanks stand before a line of a paragraph, which does not have them.
func indented(s text.Segment, source []byte) bool {
	before := source[max(0, s.Start-2):s.Start]
	return len(before) == 2 && strings.Trim(string(before), " \t") == ""
}
