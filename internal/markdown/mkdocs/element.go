package mkdocs

import (
	"bytes"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
	"golang.org/x/net/html"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/container"
)

// An openElement is an element while it is parsed.
type openElement struct {
	markdown.Element
	span    bool // its text is not in paragraphs
	depth   int  // of open elements of the same name, including this one
	ended   bool // by a tag after text
	closing text.Segment
}

// elementParser parses elements that contain Markdown.
type elementParser struct{ markdown.BlockParser }

var elementTag = lazyregexp.New(`(?i)^<(address|article|aside|blockquote|center|dd|details|div|dl|dt|fieldset|figcaption|figure|footer|form|header|li|main|menu|nav|ol|p|section|summary|td|th|ul)\s(?:[^<>"']|"[^"]*"|'[^']*')*>`)

// enablesMarkdown reports whether an opening tag enables Markdown in its element, and whether only
// inline text, without paragraphs.
func enablesMarkdown(tag []byte) (span, ok bool) {
	z := html.NewTokenizer(bytes.NewReader(tag))
	z.Next()
	t := z.Token()
	for _, a := range t.Attr {
		if a.Key == "markdown" {
			ok = slices.Contains([]string{"", "1", "block", "span"}, a.Val)
			return a.Val == "span" || a.Val != "block" && holdsText(t.Data), ok
		}
	}
	return false, false
}

func (elementParser) Trigger() []byte { return []byte{'<'} }

func (elementParser) Open(_ ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, from := markdown.RestOfLine(reader, pc)
	m := elementTag.FindSubmatchIndex(line)
	if m == nil {
		return nil, parser.NoChildren
	}
	span, ok := enablesMarkdown(line[:m[1]])
	if !ok || !container.Nest(pc, +1) {
		return nil, parser.NoChildren
	}
	n := &openElement{Element: markdown.Element{Name: strings.ToLower(string(line[m[2]:m[3]]))}, span: span, depth: 1}
	opening := ast.NewHTMLBlock(ast.HTMLBlockType6)
	opening.Lines().Append(text.NewSegment(from, from+m[1]))
	opening.SetPos(from)
	n.AppendChild(n, opening)
	n.countTags(line[m[1]:], from+m[1])
	if n.ended && len(bytes.TrimSpace(line[m[1]:])) == n.closing.Len() {
		reader.AdvanceToEOL() // nothing between the tags
	} else {
		reader.Advance(pc.BlockOffset() + m[1])
	}
	return n, parser.HasChildren
}

// countTags counts the tags of a line from an offset on.
func (n *openElement) countTags(line []byte, at int) {
	for i := bytes.IndexByte(line, '<'); i >= 0; {
		closes, size := tagOf(line[i:], n.Name)
		switch {
		case size > 0 && !closes:
			n.depth++
		case size > 0:
			if n.depth--; n.depth == 0 && util.IsBlank(line[i+size:]) {
				n.ended = true
				n.closing = text.NewSegment(at+i, at+i+size)
			}
			n.depth = max(n.depth, 1)
		}
		i += max(size, 1)
		next := bytes.IndexByte(line[i:], '<')
		if next < 0 {
			return
		}
		i += next
	}
}

// tagOf returns the length of the tag of that name at the beginning of a text, or 0.
func tagOf(s []byte, name string) (closes bool, size int) {
	from := 1
	if len(s) > 1 && s[1] == '/' {
		closes, from = true, 2
	}
	to := from + len(name)
	if to >= len(s) || !strings.EqualFold(string(s[from:to]), name) || !bytes.ContainsAny(s[to:to+1], " \t/>") {
		return false, 0
	}
	end := bytes.IndexByte(s[to:], '>')
	if end < 0 {
		return false, 0
	}
	return closes, to + end + 1
}

func (elementParser) Continue(node ast.Node, reader text.Reader, pc parser.Context) parser.State {
	n := node.(*openElement)
	line, segment := reader.PeekLine()
	if n.ended {
		endParagraph(reader, pc)
		return parser.Close
	}
	if last := pc.LastOpenedBlock().Node; last == nil || last.Kind() != ast.KindFencedCodeBlock {
		n.countTags(line, segment.Start-segment.Padding)
	}
	if n.ended && len(bytes.TrimSpace(line)) == n.closing.Len() {
		reader.AdvanceToEOL()
		return parser.Close
	}
	return parser.Continue | parser.HasChildren
}

// Close implements parser.BlockParser.
func (elementParser) Close(node ast.Node, reader text.Reader, pc parser.Context) {
	n := node.(*openElement)
	container.Nest(pc, -1)
	if n.span {
		unwrapParagraphs(n)
	}
	if n.ended {
		n.end(reader.Source())
	}
	markdown.Replace(n, &markdown.Element{Name: n.Name})
}

// end appends the closing tag, and removes it from the text before it.
func (n *openElement) end(source []byte) {
	for c := n.LastChild(); c != nil; c = c.LastChild() {
		lines := c.Lines()
		if lines.Len() == 0 || c.Type() != ast.TypeBlock {
			continue
		}
		last := lines.At(lines.Len() - 1)
		if last.Start <= n.closing.Start && n.closing.Start < last.Stop {
			last.Stop = n.closing.Start
			lines.Set(lines.Len()-1, last.TrimRightSpace(source))
		}
	}
	closing := ast.NewHTMLBlock(ast.HTMLBlockType6)
	closing.Lines().Append(n.closing)
	closing.SetPos(n.closing.Start)
	n.AppendChild(n, closing)
}

// elementLine parses HTML on one line within an element, <summary>text</summary>, so that the
// Markdown after it needs no blank line before it.
type elementLine struct{ parser.BlockParser }

func (p elementLine) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, from := markdown.RestOfLine(reader, pc)
	e, in := parent.(*openElement)
	if !in {
		return nil, parser.NoChildren
	}
	m := oneLine.FindSubmatch(line)
	if m == nil || !bytes.EqualFold(m[1], m[2]) || strings.EqualFold(e.Name, string(m[1])) {
		return nil, parser.NoChildren
	}
	n := ast.NewHTMLBlock(ast.HTMLBlockType6)
	n.Lines().Append(text.NewSegment(from, from+len(line)))
	reader.AdvanceToEOL()
	return n, parser.NoChildren
}

var oneLine = lazyregexp.New(`(?i)^<(summary|figcaption|dt|li|legend|h[1-6])(?:\s(?:[^<>"']|"[^"]*"|'[^']*')*)?>.*</([a-z0-9]+)>$`)

func (elementLine) Continue(ast.Node, text.Reader, parser.Context) parser.State { return parser.Close }

// blockTags are the elements that contain blocks. Others contain text, as in md_in_html:
// https://python-markdown.github.io/extensions/md_in_html/.
var blockTags = []string{"article", "aside", "blockquote", "body", "center", "details", "div", "dl", "fieldset", "figcaption",
	"figure", "footer",
	"form", "header", "hgroup", "main", "menu", "nav", "ol", "section", "table", "tbody", "tfoot", "thead", "tr", "ul"}

func holdsText(element string) bool { return !HoldsBlocks(element) }

// HoldsBlocks reports whether an element, named in lower case, contains blocks and not only text.
func HoldsBlocks(element string) bool { return slices.Contains(blockTags, element) }

// unwrapParagraphs replaces the paragraphs in a block by their text.
func unwrapParagraphs(block ast.Node) {
	for n := block.FirstChild(); n != nil; n = n.NextSibling() {
		if p, ok := n.(*ast.Paragraph); ok {
			text := markdown.TextBlock(p)
			block.ReplaceChild(block, p, text)
			n = text
		}
	}
}
