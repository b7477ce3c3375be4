package page

import (
	"html/template"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/util"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/d2l"
	"github.com/gpudocs/gpudocs/internal/markdown/native"
	"github.com/gpudocs/gpudocs/internal/markdown/obsidian"
	"github.com/gpudocs/gpudocs/internal/markdown/rawhtml"
	"github.com/gpudocs/gpudocs/internal/markdown/syntax"
)

// renderer returns goldmark's renderer with the nodes of this page's writer first. There is one for
// each page, because what a link or a block becomes depends on the page's address and language.
func (v *writer) renderer() renderer.Renderer {
	nodes := []util.PrioritizedValue{
		util.Prioritized(v, 100),
		util.Prioritized(&codeWriter{writer: v}, 100),
		util.Prioritized(&boxWriter{writer: v}, 100),
		util.Prioritized(&embedWriter{writer: v}, 100),
		util.Prioritized(&figureWriter{v}, 100),
		util.Prioritized(&mathWriter{v}, 100),
		util.Prioritized(v.citations, 100),
		util.Prioritized(syntax.NewHTMLRenderer(), 200),
		util.Prioritized(extension.NewTableHTMLRenderer(), 500),
		util.Prioritized(extension.NewStrikethroughHTMLRenderer(), 500),
		util.Prioritized(extension.NewFootnoteHTMLRenderer(), 500),
		util.Prioritized(extension.NewDefinitionListHTMLRenderer(), 500),
		util.Prioritized(html.NewRenderer(), 1000),
	}
	if v.Page.RawHTML {
		v.raw.frames(nodes)
	}
	return renderer.NewRenderer(renderer.WithNodeRenderers(nodes...))
}

// RegisterFuncs implements goldmark's NodeRenderer.
func (v *writer) RegisterFuncs(reg renderer.NodeRendererFuncRegisterer) {
	reg.Register(native.KindLive, v.liveValue)
	reg.Register(obsidian.KindWikiLink, v.wikiLink)
	reg.Register(markdown.KindReference, v.reference)
	reg.Register(d2l.KindContents, v.contentsList)
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

// part executes a template of the theme.
func (v *writer) part(w util.BufWriter, name string, data any) (ast.WalkStatus, error) {
	if b, ok := w.(*buffer); ok {
		return ast.WalkSkipChildren, v.Theme.ExecuteTo(&b.Buffer, name, data)
	}
	b := newBuffer()
	defer release(b)
	err := v.Theme.ExecuteTo(&b.Buffer, name, data)
	if err == nil {
		_, err = w.Write(b.Bytes())
	}
	return ast.WalkSkipChildren, err
}

func (v *writer) liveValue(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	return v.part(w, "live", v.Results.Live(n.(*native.Live)))
}

func (v *writer) link(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	link := n.(*ast.Link)
	address := v.address(v.links.Target(n))
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
			_, _ = w.WriteString(` title="` + attribute(markdown.Unescape(link.Title)) + `"`)
		}
		_ = w.WriteByte('>')
	}
	return ast.WalkContinue, nil
}

// wikiLink writes [[page|text]]. Within another link it is text.
func (v *writer) wikiLink(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	for up := n.Parent(); up != nil && up.Type() == ast.TypeInline; up = up.Parent() {
		if up.Kind() == ast.KindLink {
			return ast.WalkContinue, nil
		}
	}
	address := v.address(v.links.Target(n))
	switch {
	case address == "" && entering:
		_, _ = w.WriteString(`<span class="missing-link" title="` + attribute(n.(*obsidian.WikiLink).NotePath.String()) + `">`)
	case address == "":
		_, _ = w.WriteString(`</span>`)
	case entering:
		_, _ = w.WriteString(`<a href="` + attribute(address) + `">`)
	default:
		_, _ = w.WriteString(`</a>`)
	}
	return ast.WalkContinue, nil
}

// autoLink writes an address as a link to it, or as text if it would run something.
func (v *writer) autoLink(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
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

func (v *writer) htmlBlock(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	return v.writeRaw(w, n, source, markdown.RawHTML(n, source))
}

func (v *writer) rawInline(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	raw := markdown.RawHTML(n, source)
	if _, lacks := v.ends.Lacks(n.(*ast.RawHTML), raw, source); lacks {
		raw = nil
	}
	return v.writeRaw(w, n, source, raw)
}

func (v *writer) writeRaw(w util.BufWriter, n ast.Node, source, raw []byte) (ast.WalkStatus, error) {
	v.raw.write(w, raw)
	v.raw.rest(w, n, source)
	return ast.WalkSkipChildren, nil
}

// attribute escapes a text for HTML, in quotes or outside of them.
func attribute(s string) string { return template.HTMLEscapeString(s) }
