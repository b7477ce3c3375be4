package page

import (
	"fmt"
	"html/template"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/util"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/dialects"
	"github.com/gpudocs/gpudocs/internal/markdown/native"
	"github.com/gpudocs/gpudocs/internal/markdown/obsidian"
	"github.com/gpudocs/gpudocs/internal/markdown/rawhtml"
	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/site"
)

// renderer returns goldmark's renderer with the nodes of this page's writer first. There is one for
// each page, because what a link or a block becomes depends on the page's address and language.
func (v *writer) renderer() renderer.Renderer {
	nodes := []util.PrioritizedValue{
		util.Prioritized(v, 100),
		util.Prioritized(dialects.NewHTMLRenderer(), 200),
		util.Prioritized(extension.NewTableHTMLRenderer(), 500),
		util.Prioritized(extension.NewStrikethroughHTMLRenderer(), 500),
		util.Prioritized(extension.NewFootnoteHTMLRenderer(), 500),
		util.Prioritized(extension.NewDefinitionListHTMLRenderer(), 500),
		util.Prioritized(html.NewRenderer(), 1000),
	}
	if v.Page.RawHTML {
		v.raw.wrapNodes(nodes)
	}
	return renderer.NewRenderer(renderer.WithNodeRenderers(nodes...))
}

// RegisterFuncs implements goldmark's NodeRenderer.
func (v *writer) RegisterFuncs(reg renderer.NodeRendererFuncRegisterer) {
	code, boxes, embeds := newCodeWriter(v), &boxWriter{writer: v}, &embedWriter{writer: v}
	figures, formulas := &figureWriter{v}, &mathWriter{v}
	reg.Register(native.KindLive, whole(v.liveValue))
	reg.Register(obsidian.KindWikiLink, v.wikiLink)
	reg.Register(obsidian.KindTag, v.tag)
	reg.Register(markdown.KindReference, whole(v.reference))
	reg.Register(markdown.KindContents, whole(v.contentsList))
	reg.Register(ast.KindCodeSpan, whole(v.codeSpan))
	reg.Register(ast.KindLink, v.link)
	reg.Register(ast.KindAutoLink, whole(v.autoLink))
	reg.Register(ast.KindImage, whole(v.image))
	reg.Register(ast.KindHTMLBlock, whole(v.htmlBlock))
	reg.Register(ast.KindRawHTML, whole(v.rawInline))
	reg.Register(extast.KindTable, v.table)
	reg.Register(extast.KindTableCell, v.tableCell)
	reg.Register(extast.KindTaskCheckBox, whole(v.task))
	reg.Register(site.KindFence, whole(code.fence))
	reg.Register(site.KindAnnotationBacklink, whole(code.noteBack))
	reg.Register(ast.KindCodeBlock, whole(code.indentedCode))
	reg.Register(markdown.KindTabs, whole(boxes.tabGroup))
	reg.Register(markdown.KindContainer, whole(boxes.container))
	reg.Register(markdown.KindCallout, whole(boxes.callout))
	reg.Register(markdown.KindElement, whole(boxes.element))
	reg.Register(markdown.KindGrid, whole(boxes.grid))
	reg.Register(markdown.KindCard, whole(boxes.card))
	reg.Register(markdown.KindCardPart, whole(boxes.cardPart))
	reg.Register(markdown.KindEmbed, whole(embeds.embed))
	reg.Register(ast.KindParagraph, embeds.paragraph)
	reg.Register(markdown.KindFigure, figures.figure)
	reg.Register(markdown.KindCaption, figures.caption)
	reg.Register(markdown.KindMath, whole(formulas.mathInline))
	reg.Register(markdown.KindMathBlock, whole(formulas.mathBlock))
	reg.Register(markdown.KindCitation, whole(v.citations.citation))
	reg.Register(markdown.KindBibliography, whole(v.citations.place))
	reg.Register(markdown.KindAnchor, whole(writeAnchor))
}

// whole returns goldmark's function for nodes that are written at once, with their children.
func whole(write func(w util.BufWriter, source []byte, n ast.Node) error) renderer.NodeRendererFunc {
	return func(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		return ast.WalkSkipChildren, write(w, source, n)
	}
}

// part executes a template of the theme.
func (v *writer) part(w util.BufWriter, name string, data any) error {
	return v.Theme.ExecuteTo(&w.(*buffer).Buffer, name, data)
}

func (v *writer) liveValue(w util.BufWriter, _ []byte, n ast.Node) error {
	return v.part(w, "live", v.Results.Live(v.Page, n.(*native.Live)))
}

func (v *writer) link(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	link := n.(*ast.Link)
	title := ""
	if len(link.Title) > 0 {
		title = ` title="` + attribute(markdown.Unescape(link.Title)) + `"`
	}
	for _, name := range []string{"id", "class"} {
		if value := stringAttribute(n, name); value != "" {
			title += ` ` + name + `="` + attribute(value) + `"`
		}
	}
	return v.anchor(w, v.address(v.links.Target(n)), title, string(link.Destination), entering)
}

// tag writes a tag in the text. In an embedded note it is no link.
func (v *writer) tag(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	name := n.(*obsidian.Tag).Name
	open, end := `<span class="tag">`, `</span>`
	if i := slices.IndexFunc(v.Tags, func(l theme.Link) bool { return l.Title == name }); !v.in.Embedded() && i >= 0 && v.Tags[i].URL != "" {
		open, end = `<a class="tag" href="`+attribute(v.Tags[i].URL)+`">`, `</a>`
	}
	if !entering {
		open = end
	}
	_, _ = w.WriteString(open)
	return ast.WalkContinue, nil
}

// anchor writes the tag at the beginning or the end of a link. If there is no address, it shows what is missing.
func (v *writer) anchor(w util.BufWriter, address, attributes, missing string, entering bool) (ast.WalkStatus, error) {
	tag := `</a>`
	switch {
	case address == "" && entering:
		tag = `<span class="missing-link" title="` + attribute(missing) + `">`
	case address == "":
		tag = `</span>`
	case entering:
		tag = `<a href="` + attribute(address) + `"` + attributes + `>`
	}
	_, err := w.WriteString(tag)
	return ast.WalkContinue, err
}

// wikiLink writes [[page|text]]. Within another link it is text.
func (v *writer) wikiLink(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	for up := n.Parent(); up != nil && up.Type() == ast.TypeInline; up = up.Parent() {
		if up.Kind() == ast.KindLink {
			return ast.WalkContinue, nil
		}
	}
	return v.anchor(w, v.address(v.links.Target(n)), "", n.(*obsidian.WikiLink).NotePath.String(), entering)
}

// autoLink writes an address as a link to it, or as text if it would run something.
func (v *writer) autoLink(w util.BufWriter, source []byte, n ast.Node) error {
	link := n.(*ast.AutoLink)
	address := string(link.URL(source))
	if rawhtml.Dangerous(address) {
		_, err := w.WriteString(attribute(string(link.Label(source))))
		return err
	}
	if link.AutoLinkType == ast.AutoLinkEmail && !strings.HasPrefix(strings.ToLower(address), "mailto:") {
		address = "mailto:" + address
	}
	href := util.EscapeHTML(util.URLEscape([]byte(address), false))
	_, err := fmt.Fprintf(w, `<a href="%s">%s</a>`, href, util.EscapeHTML(link.Label(source)))
	return err
}

func (v *writer) htmlBlock(w util.BufWriter, source []byte, n ast.Node) error {
	v.writeRaw(w, n, source, markdown.RawHTML(n, source))
	return nil
}

func (v *writer) rawInline(w util.BufWriter, source []byte, n ast.Node) error {
	raw := markdown.RawHTML(n, source)
	if _, lacks := v.ends.Lacks(n.(*ast.RawHTML), raw, source); lacks {
		raw = nil
	}
	v.writeRaw(w, n, source, raw)
	return nil
}

// writeRaw writes raw HTML. After a piece that Markdown cannot be in, it closes what is open.
func (v *writer) writeRaw(w util.BufWriter, n ast.Node, source, raw []byte) {
	v.raw.write(w, raw)
	if !v.raw.unsafe {
		v.raw.Rest(w, markdown.HTMLGoesOn(n, source))
	}
}

// attribute escapes a text for HTML, in quotes or outside of them.
func attribute(s string) string { return template.HTMLEscapeString(s) }
