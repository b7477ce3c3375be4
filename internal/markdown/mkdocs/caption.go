package mkdocs

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/container"
	"github.com/gpudocs/gpudocs/internal/markdown/figure"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// captionBlocks are the blocks of pymdownx.blocks.caption and the series of the thing before them.
// The first leaves the series to the thing:
//
//	/// table-caption
//	Memory of each *card*
//	///
//
// https://facelessuser.github.io/pymdown-extensions/extensions/blocks/plugins/caption/
var captionBlocks = map[string]markdown.Numbered{"caption": "", "figure-caption": markdown.Image, "table-caption": markdown.Table}

// captionPlace matches what may follow the bar and is ignored: the theme decides on which side
// captions are.
var captionPlace = lazyregexp.New(`^[<>]?$`)

// maxCaptions bounds the captions of one block, which are nested.
const maxCaptions = 8

// captionedFigure returns a figure with the block before the caption. A caption that is empty or follows
// nothing stays a container.
func captionedFigure(c *container.Block, source []byte, pc parser.Context) ast.Node {
	first, last := c.PreviousSibling(), c.PreviousSibling()
	inner, _ := first.(*markdown.Figure)
	switch {
	case first == nil:
		markdown.Warn(pc, c.Opening, diag.Say("markdown.caption-alone"), diag.Say("markdown.caption-alone-hint"))
		return c.Plain()
	case !c.HasChildren():
		markdown.Warn(pc, c.Opening, diag.Say("markdown.caption-empty"), diag.Say("markdown.caption-empty-hint"))
		return c.Plain()
	case captions(inner) == maxCaptions:
		markdown.Warn(pc, c.Opening, diag.Say("markdown.too-many-captions"), diag.Say("markdown.too-many-captions-hint"))
		return c.Plain()
	}
	if argument := strings.TrimSpace(string(source[c.Title.Start:c.Title.Stop])); !captionPlace.MatchString(argument) {
		markdown.Warn(pc, c.Title, diag.Say("markdown.caption-number-ignored"), diag.Say("markdown.caption-number-ignored-hint"))
	}
	for t, ok := last.(*markdown.Tab); ok && !t.Apart; { // the whole group
		before, more := t.PreviousSibling().(*markdown.Tab)
		if !more {
			break
		}
		first, t = before, before
	}
	f := &markdown.Figure{Of: captionBlocks[c.Name], ID: c.Given.ID, CaptionOpening: c.Opening}
	markdown.Identify(f, "", c.Given.Classes)
	for n := first; n != ast.Node(c); {
		next := n.NextSibling()
		f.AppendChild(f, n)
		n = next
	}
	if f.Of == "" {
		f.Of = figure.Counted(f, source)
	}
	f.AppendChild(f, captionOf(c, source))
	return f
}

// captions counts the caption blocks of a figure, and of the figures in it.
func captions(f *markdown.Figure) (n int) {
	for ; f != nil && f.CaptionOpening != (markdown.Span{}); f, _ = f.FirstChild().(*markdown.Figure) {
		n++
	}
	return n
}

// captionOf returns the content of a container as a caption: text, or several blocks.
func captionOf(c *container.Block, source []byte) *markdown.Caption {
	caption := &markdown.Caption{}
	caption.SetPos(c.FirstChild().Pos())
	if p, ok := c.FirstChild().(*ast.Paragraph); ok && c.ChildCount() == 1 {
		caption.SetLines(markdown.TrimmedLines(p.Lines(), source))
		c.RemoveChild(c, p)
		return caption
	}
	if p, ok := c.FirstChild().(*ast.Paragraph); ok { // continues after the number
		caption.AppendChild(caption, markdown.TextBlock(p))
		c.RemoveChild(c, p)
	}
	markdown.MoveChildren(c, caption)
	return caption
}
