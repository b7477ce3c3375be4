package render

import (
	"bufio"
	"bytes"
	"fmt"
	"html/template"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/util"
	xhtml "golang.org/x/net/html"

	"github.com/gpudocs/gpudocs/internal/content"
	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/rawhtml"
)

// renderer returns goldmark's renderer with the nodes of this page's writer in
// front. It is made for each page, because what a link or a block becomes
// depends on the page's address and language.
func (v *pageWriter) renderer() renderer.Renderer {
	nodes := []util.PrioritizedValue{
		util.Prioritized(v, 100),
		util.Prioritized(markdown.NewHTMLRenderer(), 200),
		util.Prioritized(extension.NewTableHTMLRenderer(), 500),
		util.Prioritized(extension.NewStrikethroughHTMLRenderer(), 500),
		util.Prioritized(extension.NewFootnoteHTMLRenderer(), 500),
		util.Prioritized(extension.NewDefinitionListHTMLRenderer(), 500),
		util.Prioritized(html.NewRenderer(), 1000),
	}
	if v.page.RawHTML {
		v.raw.frames(nodes)
	}
	return renderer.NewRenderer(renderer.WithNodeRenderers(nodes...))
}

// RegisterFuncs implements goldmark's NodeRenderer.
func (v *pageWriter) RegisterFuncs(reg renderer.NodeRendererFuncRegisterer) {
	reg.Register(content.KindFence, v.fence)
	reg.Register(content.KindNoteBack, v.noteBack)
	reg.Register(markdown.KindTabs, v.tabGroup)
	reg.Register(markdown.KindContainer, v.container)
	reg.Register(markdown.KindCallout, v.callout)
	reg.Register(markdown.KindElement, v.element)
	reg.Register(markdown.KindLive, v.liveValue)
	reg.Register(markdown.KindEmbed, v.embed)
	reg.Register(markdown.KindWikiLink, v.wikiLink)
	reg.Register(ast.KindParagraph, v.paragraph)
	reg.Register(markdown.KindMath, v.mathInline)
	reg.Register(markdown.KindMathBlock, v.mathBlock)
	reg.Register(markdown.KindReference, v.reference)
	reg.Register(markdown.KindFigure, v.figure)
	reg.Register(markdown.KindCaption, v.caption)
	reg.Register(markdown.KindContents, v.contentsList)
	reg.Register(markdown.KindCitation, v.citation)
	reg.Register(markdown.KindDirective, v.directive)
	reg.Register(ast.KindCodeBlock, v.indentedCode)
	reg.Register(ast.KindCodeSpan, v.codeSpan)
	reg.Register(ast.KindLink, v.link)
	reg.Register(ast.KindAutoLink, v.autoLink)
	reg.Register(ast.KindImage, v.image)
	reg.Register(ast.KindHTMLBlock, v.htmlBlock)
	reg.Register(ast.KindRawHTML, v.rawInline)
	reg.Register(extast.KindTable, v.table)
	reg.Register(extast.KindTableCell, v.tableCell)
	reg.Register(extast.KindTaskCheckBox, v.task)
}

// part writes a template of the theme.
func (v *pageWriter) part(w util.BufWriter, name string, data any) (ast.WalkStatus, error) {
	if b, ok := w.(*buffer); ok {
		return ast.WalkSkipChildren, v.r.executeTo(b, name, data)
	}
	out, err := v.r.execute(name, data)
	if err == nil {
		_, err = w.Write(out)
	}
	return ast.WalkSkipChildren, err
}

func (v *pageWriter) fence(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	f := n.(*content.Fence)
	if f.Diagram != nil {
		return v.diagram(w, f)
	}
	view := CodeView{Language: f.Language, Title: f.Title, T: v.t, Missing: f.Missing}
	v.fenceCode(&view, f)
	if f.Expect != nil {
		view.Expected, view.When, view.Attributes = true, f.Expect.When.String(), f.Expect.Attributes()
		view.Mine, view.Meant = v.meant(v.owner(f.Expect), f.Expect)
	}
	if b := f.Block; b != nil {
		view.Runnable, view.Anchor, view.Needs = true, b.Anchor(), b.Needs.String()
		environment := b.Env
		if b.Session != nil {
			environment = b.Session.Env
		}
		view.Mine, view.Requirements = v.requirement(b.Needs, environment)
		if b.Exit != 0 {
			view.Attributes = append(view.Attributes, fmt.Sprintf("exit=%d", b.Exit))
		}
		if !strings.HasPrefix(b.Name, "#") {
			view.Name = b.Name
		}
	}
	if f.Cell != nil {
		v.cell(&view, f)
	}
	// The results stand below what is expected: code, expectation, reality.
	if b := measured(f); b != nil {
		view.Panel = v.panel(b)
	}
	if quiet(f, view) {
		_, err := fmt.Fprintf(w, "<span id=%q></span>\n", view.Anchor)
		return ast.WalkSkipChildren, err
	}
	return v.part(w, "code", view)
}

// measured returns the block whose results stand below a fence: its own, or
// that of the block whose last expectation the fence is. Expectations count
// where they follow without text between.
func measured(f *content.Fence) *content.Block {
	if next, ok := f.NextSibling().(*content.Fence); ok && next.Expect != nil {
		return nil
	}
	for f != nil && f.Expect != nil {
		f, _ = f.PreviousSibling().(*content.Fence)
	}
	if f == nil {
		return nil
	}
	return f.Block
}

func (v *pageWriter) indentedCode(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	var b bytes.Buffer
	for i := range n.Lines().Len() {
		line := n.Lines().At(i)
		b.Write(line.Value(source))
	}
	return v.part(w, "code", CodeView{T: v.t, Code: v.r.colours.html("", b.String())})
}

func (v *pageWriter) liveValue(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	return v.part(w, "live", v.live(n.(*markdown.Live)))
}

func (v *pageWriter) link(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	link := n.(*ast.Link)
	address := v.address(v.page.Target(n))
	switch {
	case address == "" && entering:
		_, _ = w.WriteString(`<span class="missing-link" title="` + attribute(string(link.Destination)) + `">`)
	case address == "":
		_, _ = w.WriteString(`</span>`)
	case !entering:
		_, _ = w.WriteString(`</a>`)
	default:
		_, _ = w.WriteString(`<a href="` + attribute(address) + `"`)
		if len(link.Title) > 0 {
			_, _ = w.WriteString(` title="` + attribute(plain(link.Title)) + `"`)
		}
		_ = w.WriteByte('>')
	}
	return ast.WalkContinue, nil
}

// autoLink is an address that is its own text, and no more than that where it would run
// something.
func (v *pageWriter) autoLink(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	link := n.(*ast.AutoLink)
	address := string(link.URL(source))
	switch {
	case !entering:
	case rawhtml.Dangerous(address):
		_, _ = w.WriteString(attribute(string(link.Label(source))))
	default:
		if link.AutoLinkType == ast.AutoLinkEmail && !strings.HasPrefix(strings.ToLower(address), "mailto:") {
			address = "mailto:" + address
		}
		_, _ = w.WriteString(`<a href="`)
		_, _ = w.Write(util.EscapeHTML(util.URLEscape([]byte(address), false)))
		_, _ = w.WriteString(`">`)
		_, _ = w.Write(util.EscapeHTML(link.Label(source)))
		_, _ = w.WriteString(`</a>`)
	}
	return ast.WalkContinue, nil
}

func (v *pageWriter) image(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	image := n.(*ast.Image)
	t := v.page.Target(n)
	alt := altText(n, source)
	address := v.address(t)
	if t.External != "" && !rawhtml.DangerousImage(t.External) {
		address = t.External // it may be a picture in itself
	}
	if address == "" {
		v.missingImage(w, alt, string(image.Destination))
		return ast.WalkSkipChildren, nil
	}
	_, _ = w.WriteString(`<img src="` + attribute(address) + `" alt="` + attribute(alt) + `"` + v.imageAttributes(imageStyleOf(n), t))
	if len(image.Title) > 0 {
		_, _ = w.WriteString(` title="` + attribute(plain(image.Title)) + `"`)
	}
	_, _ = w.WriteString(`>`)
	return ast.WalkSkipChildren, nil
}

// size writes width and height of an image, so that the text below does not jump
// when it arrives. They are the author's, or 0; of one alone the other follows.
func (v *pageWriter) size(t content.Target, width, height int) string {
	size := v.naturalSize(t)
	known := size.Width > 0 && size.Height > 0
	switch {
	case known && width == 0 && height == 0:
		width, height = size.Width, size.Height
	case known && height == 0:
		height = max(1, (size.Height*width+size.Width/2)/size.Width)
	case known && width == 0:
		width = max(1, (size.Width*height+size.Height/2)/size.Height)
	}
	var b strings.Builder
	if width > 0 {
		fmt.Fprintf(&b, ` width="%d"`, width)
	}
	if height > 0 {
		fmt.Fprintf(&b, ` height="%d"`, height)
	}
	return b.String()
}

// naturalSize is what an image has by itself, zero where that is not known.
func (v *pageWriter) naturalSize(t content.Target) (size content.ImageSize) {
	switch {
	case t.Picture != nil:
		size = content.ImageSize{Width: t.Picture.Width, Height: t.Picture.Height}
	case t.Asset != "":
		size, _ = v.r.content.ImageSize(t.Asset)
	}
	return size
}

// missingImage keeps the text of an image that is not there.
func (v *pageWriter) missingImage(w util.BufWriter, alt, name string) {
	text := v.t.Get("image_missing", "name", name)
	if alt != "" {
		text = alt + " (" + text + ")"
	}
	_, _ = w.WriteString(`<span class="missing-image">` + attribute(text) + `</span>`)
}

// plain is a text without markup, its escapes and entities read.
func plain(text []byte) string {
	var b bytes.Buffer
	w := bufio.NewWriter(&b)
	html.DefaultWriter.Write(w, text)
	_ = w.Flush() // into memory
	return xhtml.UnescapeString(b.String())
}

// altText is the text of an image's description without markup.
func altText(n ast.Node, source []byte) string {
	var b strings.Builder
	_ = ast.Walk(n, func(c ast.Node, entering bool) (ast.WalkStatus, error) {
		switch c := c.(type) {
		case *ast.Text:
			if entering {
				b.WriteString(plain(c.Segment.Value(source)))
				if c.SoftLineBreak() {
					b.WriteByte(' ')
				}
			}
		case *ast.String:
			if entering {
				b.Write(c.Value)
			}
		case *markdown.Math:
			if entering {
				b.WriteString(c.Plain())
			}
		case *markdown.Emoji:
			if entering {
				b.WriteString(c.Characters)
			}
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

func (v *pageWriter) htmlBlock(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	return v.writeRaw(w, n, source, rawBlock(n.(*ast.HTMLBlock), source))
}

func rawBlock(block *ast.HTMLBlock, source []byte) []byte {
	var raw bytes.Buffer
	for i := range block.Lines().Len() {
		line := block.Lines().At(i)
		raw.Write(line.Value(source))
	}
	if block.HasClosure() {
		raw.Write(block.ClosureLine.Value(source))
	}
	return raw.Bytes()
}

func (v *pageWriter) rawInline(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	var raw bytes.Buffer
	inline := n.(*ast.RawHTML)
	for i := range inline.Segments.Len() {
		s := inline.Segments.At(i)
		raw.Write(s.Value(source))
	}
	if _, lacks := v.ends.Lacks(inline, raw.Bytes(), source); lacks {
		raw.Reset()
	}
	return v.writeRaw(w, n, source, raw.Bytes())
}

func (v *pageWriter) writeRaw(w util.BufWriter, n ast.Node, source, raw []byte) (ast.WalkStatus, error) {
	v.raw.write(w, raw)
	v.raw.rest(w, n, source)
	return ast.WalkSkipChildren, nil
}

// attribute escapes a text for use in HTML, in quotes or outside of them.
func attribute(s string) string { return template.HTMLEscapeString(s) }
