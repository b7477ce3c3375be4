package markdown

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"

	"github.com/gpudocs/gpudocs/internal/diag"
	"github.com/gpudocs/gpudocs/internal/lazyregexp"
)

// captionBlocks are those of pymdownx.blocks.caption, by what the thing counts as that
// they stand behind; the first leaves that to the thing:
//
//	/// table-caption
//	Memory of each *card*
//	///
//
// https://facelessuser.github.io/pymdown-extensions/extensions/blocks/plugins/caption/
var captionBlocks = map[string]Numbered{"caption": "", "figure-caption": Image, "table-caption": Table}

// captionPlace is what may stand behind the bar and means nothing here: the theme
// says on which side captions are.
var captionPlace = lazyregexp.New(`^[<>]?$`)

// maxCaptions is how many captions one block has at most, each around the one before:
// what is deep takes long.
const maxCaptions = 8

// captioned is the figure that a caption makes of the block before it, which moves
// into it. A caption that is for nothing, or says nothing, stays a container.
func (c *Container) captioned(source []byte, pc parser.Context) ast.Node {
	first, last := c.PreviousSibling(), c.PreviousSibling()
	inner, captions := first.(*Figure)
	switch {
	case first == nil:
		report(pc, Fault{Span: c.Opening, Message: diag.Say("nothing stands before this caption"), Hint: diag.Say("write it directly behind the block that it is for")})
		return c
	case !c.HasChildren():
		report(pc, Fault{Span: c.Opening, Message: diag.Say("a caption without a text"), Hint: diag.Say("write the text between its lines")})
		return c
	case captions && inner.captions == maxCaptions:
		report(pc, Fault{Span: c.Opening, Message: diag.Say("too many captions of one block"), Hint: diag.Say("write one")})
		return c
	}
	if argument := strings.TrimSpace(string(source[c.Title.Start:c.Title.Stop])); !captionPlace.MatchString(argument) {
		report(pc, Fault{Span: c.Title, Message: diag.Say("a number or depth of a caption is not read"), Hint: diag.Say("figures and tables are counted on each page; remove it")})
	}
	for t, ok := last.(*Tab); ok && !t.Apart; { // all of a group
		before, more := t.PreviousSibling().(*Tab)
		if !more {
			break
		}
		first, t = before, before
	}
	f := &Figure{Of: captionBlocks[c.Name], ID: c.Given.ID, Behind: c.Opening, captions: 1}
	if captions {
		f.captions += inner.captions
	}
	if c.Given.Classes != nil {
		f.SetAttributeString("class", []byte(strings.Join(c.Given.Classes, " ")))
	}
	for n := first; n != ast.Node(c); {
		next := n.NextSibling()
		f.AppendChild(f, n)
		n = next
	}
	if f.Of == "" {
		f.Of = counted(f, source)
	}
	f.AppendChild(f, c.caption(source))
	return f
}

// caption is what stands in a container as a caption: text, or several blocks.
func (c *Container) caption(source []byte) *Caption {
	caption := &Caption{}
	caption.SetPos(c.FirstChild().Pos())
	if p, ok := c.FirstChild().(*ast.Paragraph); ok && c.ChildCount() == 1 {
		caption.SetLines(trimmed(p.Lines(), source))
		c.RemoveChild(c, p)
		return caption
	}
	if p, ok := c.FirstChild().(*ast.Paragraph); ok { // goes on behind the number
		caption.AppendChild(caption, asTextBlock(p))
		c.RemoveChild(c, p)
	}
	for n := c.FirstChild(); n != nil; n = c.FirstChild() {
		caption.AppendChild(caption, n)
	}
	return caption
}
