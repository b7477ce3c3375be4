// Package commonmark is goldmark's CommonMark with GFM, footnotes and definition lists, in linear
// time.
package commonmark

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// goldmark takes quadratic time for emphasis that is never closed, links that never end, tables of
// many columns whose rows have few cells, and footnotes. This file bounds the first three, as
// cmark-gfm does, and looks footnotes up in a map.

// maxDelimiters bounds the runs of emphasis marks in a paragraph: for each closing mark, goldmark
// searches all marks before it.
const maxDelimiters = 4000

// boundedParser parses with a context that counts delimiters.
type boundedParser struct{ parser.Parser }

// New returns goldmark's Markdown with GFM, footnotes and definition lists.
func New() goldmark.Markdown {
	md := goldmark.New(
		goldmark.WithParser(newParser()),
		goldmark.WithExtensions(extension.GFM, footnotes{}, extension.DefinitionList),
		goldmark.WithParserOptions(parser.WithAttribute()),
	)
	md.Parser().AddOptions(parser.WithASTTransformers(util.Prioritized(lineBreaks{}, 50)))
	return md
}

// newParser returns a CommonMark parser that takes linear time.
func newParser() parser.Parser {
	inline := parser.DefaultInlineParsers()
	for i, p := range inline {
		if p.Value == parser.NewLinkParser() {
			inline[i].Value = linkParser{parser.NewLinkParser()}
		}
	}
	return boundedParser{parser.NewParser(
		parser.WithBlockParsers(parser.DefaultBlockParsers()...),
		parser.WithInlineParsers(inline...),
		// before tables (200)
		parser.WithParagraphTransformers(append(parser.DefaultParagraphTransformers(), util.Prioritized(wideTables{}, 199))...),
	)}
}

// Parse implements parser.Parser.
func (p boundedParser) Parse(reader text.Reader, options ...parser.ParseOption) ast.Node {
	var c parser.ParseConfig
	for _, o := range options {
		o(&c)
	}
	if c.Context == nil {
		c.Context = parser.NewContext()
	}
	return p.Parser.Parse(reader, parser.WithContext(&boundedContext{Context: c.Context, source: reader.Source()}))
}

// A boundedContext turns the delimiters of a paragraph beyond maxDelimiters into text.
type boundedContext struct {
	parser.Context
	delimiters int
	source     []byte
}

// PushDelimiter implements parser.Context.
func (c *boundedContext) PushDelimiter(d *parser.Delimiter) {
	c.delimiters++
	c.besideCJK(d)
	if c.delimiters > maxDelimiters {
		d.CanOpen, d.CanClose = false, false
	}
	if c.delimiters == maxDelimiters+1 {
		markdown.Warn(c, markdown.Span{Start: d.Segment.Start, Stop: d.Segment.Stop},
			diag.Say("markdown.emphasis-too-much", "most", maxDelimiters), diag.Say("markdown.emphasis-too-much-hint"))
	}
	c.Context.PushDelimiter(d)
}

// ClearDelimiters implements parser.Context.
func (c *boundedContext) ClearDelimiters(bottom ast.Node) {
	for d := c.LastDelimiter(); d != nil && ast.Node(d) != bottom; d = d.PreviousDelimiter {
		c.reportUnmatched(d)
	}
	c.Context.ClearDelimiters(bottom)
	if c.LastDelimiter() == nil {
		c.delimiters = 0
	}
}

// maxParentheses bounds the open parentheses in the address of a link, as in cmark. CommonMark
// requires at least three.
const maxParentheses = 32

// linkParser is goldmark's parser of links, except that it skips addresses that never end, which
// goldmark would read again at each bracket in them.
type linkParser struct{ parser.InlineParser }

// Parse implements parser.InlineParser.
func (p linkParser) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	if line, _ := block.PeekLine(); bytes.HasPrefix(line, []byte("](")) {
		l, at := block.Position()
		block.Advance(2)
		block.SkipSpaces()
		address, _ := block.PeekLine()
		endless := endlessAddress(address)
		block.SetPosition(l, at)
		if endless {
			block = noAddress{block}
		}
	}
	return p.InlineParser.Parse(parent, block, pc)
}

// CloseBlock implements parser.CloseBlocker.
func (p linkParser) CloseBlock(parent ast.Node, block text.Reader, pc parser.Context) {
	p.InlineParser.(parser.CloseBlocker).CloseBlock(parent, block, pc)
}

// noAddress hides the parenthesis after a bracket.
type noAddress struct{ text.Reader }

// Peek implements text.Reader.
func (noAddress) Peek() byte { return text.EOF }

// endlessAddress reports whether the text after a link's parenthesis is not an address: it opens
// more than maxParentheses parentheses, or has another < between < and >, which CommonMark forbids
// and goldmark accepts.
func endlessAddress(line []byte) bool {
	pointed := bytes.HasPrefix(line, []byte("<"))
	open := 0
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '\\' && i+1 < len(line) && util.IsPunct(line[i+1]):
			i++
		case pointed:
			if c == '>' {
				return false
			}
			if c == '<' && i > 0 {
				return true
			}
		case c == '(':
			if open++; open > maxParentheses {
				return true
			}
		case c == ')':
			if open--; open < 0 {
				return false
			}
		case util.IsSpace(c):
			return false
		}
	}
	return false
}

// maxEmptyCells bounds the missing cells of all rows of a table: each is created and written to the
// page.
const maxEmptyCells = 100_000

// wideTables ends a table before its rows lack more than maxEmptyCells. The rest is a paragraph.
type wideTables struct{}

// Transform implements parser.ParagraphTransformer.
func (wideTables) Transform(node *ast.Paragraph, reader text.Reader, pc parser.Context) {
	lines, source := node.Lines(), reader.Source()
	columns, empty := 0, 0
	for i := 1; i < lines.Len(); i++ {
		line := lines.At(i)
		bars := bytes.Count(line.Value(source), []byte("|"))
		if columns == 0 {
			if len(bytes.Trim(line.Value(source), "-:| \t\r\n")) == 0 {
				columns = bars
			}
			continue
		}
		if empty += max(0, columns-bars); empty <= maxEmptyCells {
			continue
		}
		rest := ast.NewParagraph()
		rest.SetPos(line.Start)
		for ; i < lines.Len(); i++ {
			rest.Lines().Append(lines.At(i))
		}
		lines.SetSliced(0, lines.Len()-rest.Lines().Len())
		node.Parent().InsertAfter(node.Parent(), node, rest)
		markdown.Warn(pc, markdown.Span{Start: line.Start, Stop: line.Stop},
			diag.Say("markdown.table-cells-missing", "most", maxEmptyCells), diag.Say("markdown.table-cells-missing-hint"))
	}
}

// maxFootnote bounds the label of a footnote, as that of any link.
const maxFootnote = 999

// footnotes is goldmark's extension with parsers that take linear time.
type footnotes struct{}

// Extend implements goldmark.Extender.
func (footnotes) Extend(md goldmark.Markdown) {
	md.Parser().AddOptions(
		parser.WithBlockParsers(util.Prioritized(footnoteBlocks{extension.NewFootnoteBlockParser()}, 999)),
		parser.WithInlineParsers(util.Prioritized(footnoteLinks{extension.NewFootnoteParser()}, 101)),
		parser.WithASTTransformers(util.Prioritized(lastFootnotesFirst{}, 998), util.Prioritized(extension.NewFootnoteASTTransformer(), 999)),
	)
	md.Renderer().AddOptions(renderer.WithNodeRenderers(util.Prioritized(extension.NewFootnoteHTMLRenderer(), 500)))
}

// footnotesKey is the key of the definitions of footnotes by label.
var footnotesKey = parser.NewContextKey()

// footnoteBlocks is goldmark's parser of the definitions of footnotes. It also records the first
// definition of each label.
type footnoteBlocks struct{ parser.BlockParser }

// maxFootnotes bounds the definitions within each other. Goldmark reads the line again for each of them.
const maxFootnotes = 16

// Open implements parser.BlockParser.
func (p footnoteBlocks) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	open := 0
	for n := parent; n != nil; n = n.Parent() {
		if n.Kind() == extast.KindFootnote {
			open++
		}
	}
	if open >= maxFootnotes {
		return nil, parser.NoChildren
	}
	return p.BlockParser.Open(parent, reader, pc)
}

// Close implements parser.BlockParser.
func (p footnoteBlocks) Close(node ast.Node, reader text.Reader, pc parser.Context) {
	p.BlockParser.Close(node, reader, pc)
	notes, _ := pc.Get(footnotesKey).(map[string]*extast.Footnote)
	if notes == nil {
		notes = map[string]*extast.Footnote{}
		pc.Set(footnotesKey, notes)
	}
	if note := node.(*extast.Footnote); notes[string(note.Ref)] == nil {
		notes[string(note.Ref)] = note
	}
}

// footnoteLinks is goldmark's parser of references to footnotes, which searches all definitions for
// each of them. The definition is at the front of the list while it is searched, so that it is
// found at once.
type footnoteLinks struct{ parser.InlineParser }

// Parse implements parser.InlineParser.
func (p footnoteLinks) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	line, _ := block.PeekLine()
	label, ok := bytes.CutPrefix(bytes.TrimPrefix(line, []byte("!")), []byte("[^"))
	if !ok {
		return nil
	}
	//lint:ignore SA1019 goldmark finds the end of a footnote's label this way, too
	end := util.FindClosure(label[:min(len(label), maxFootnote)], '[', ']', false, false)
	if end < 0 {
		return nil
	}
	notes, _ := pc.Get(footnotesKey).(map[string]*extast.Footnote)
	note := notes[string(label[:end])]
	if note == nil {
		return nil
	}
	list, next := note.Parent(), note.NextSibling()
	if note == list.FirstChild() {
		return p.InlineParser.Parse(parent, block, pc)
	}
	// It must not stay there: the text of definitions is parsed in their order, and one that moved to
	// before the definition that refers to it would be left out.
	list.InsertBefore(list, list.FirstChild(), note)
	link := p.InlineParser.Parse(parent, block, pc)
	if next != nil {
		list.InsertBefore(list, next, note)
	} else {
		list.AppendChild(list, note)
	}
	return link
}

// lastFootnotesFirst reverses the order of the definitions: goldmark sorts the list by insertion, which is
// linear in that order.
type lastFootnotesFirst struct{}

// Transform implements parser.ASTTransformer.
func (lastFootnotesFirst) Transform(_ *ast.Document, _ text.Reader, pc parser.Context) {
	notes, _ := pc.Get(footnotesKey).(map[string]*extast.Footnote)
	var list ast.Node
	for _, note := range notes {
		list = note.Parent()
		break
	}
	if list == nil {
		return
	}
	var all []*extast.Footnote
	for n := list.FirstChild(); n != nil; n = n.NextSibling() {
		all = append(all, n.(*extast.Footnote))
	}
	slices.SortStableFunc(all, func(a, b *extast.Footnote) int { return cmp.Compare(b.Index, a.Index) })
	for _, n := range all {
		list.AppendChild(list, n)
	}
}
