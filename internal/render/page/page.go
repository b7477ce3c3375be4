package page

import (
	"bytes"
	"context"
	"html/template"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/renderer"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/rawhtml"
	"github.com/gpudocs/gpudocs/internal/render/diagram"
	"github.com/gpudocs/gpudocs/internal/render/highlight"
	"github.com/gpudocs/gpudocs/internal/render/nav"
	"github.com/gpudocs/gpudocs/internal/render/results"
	"github.com/gpudocs/gpudocs/internal/render/tex"
	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text"
)

// An Input is all that the text of a page is made of.
type Input struct {
	// Page is rendered at an address, which may be that of another page.
	Page *site.Page
	At   nav.Placed
	// Text has the interface texts in the language of the address.
	Text text.Catalog
	// Nav has the site, in which its links and references lead.
	Nav *nav.Map
	// Results are what the page shows of machines.
	Results *results.Presenter
	// Theme makes HTML of views.
	Theme Templates
	// Highlighter, Math and Diagrams remember what they have made: the same input gives the same HTML.
	Highlighter *highlight.Highlighter
	Math        *tex.Converter
	Diagrams    *diagram.Drawer
	// UnsafeHTML keeps raw HTML as it is.
	UnsafeHTML bool
	// OpenFailed opens the results of blocks that failed.
	OpenFailed bool
	// Tags are links to the pages of the tags in its text.
	Tags []theme.Link
	// ForPrint leaves out what is useful only on a screen.
	ForPrint bool
	// Smaller is set if the site has smaller versions of images.
	Smaller bool
	// Anchors are the ids of the pages that stand on the same page, by their addresses.
	Anchors map[string]string
}

// Templates are those of a theme.
type Templates interface {
	// ExecuteTo appends what a template makes of data.
	ExecuteTo(b *bytes.Buffer, name string, data any) error
}

// A Body is the text of a page. Heading is its title with markup and, if its author gave one, an id.
type Body struct {
	Heading   template.HTML
	HeadingID string
	HTML      template.HTML
}

// Render returns the text of a page as HTML. After the end of ctx it returns an error.
func Render(ctx context.Context, in Input) (Body, error) {
	return render(ctx, in, func(body []byte) template.HTML { return template.HTML(body) })
}

// RenderWithin returns the text of a page to stand in another: its ids begin with a prefix, its headings are below a
// level, and what refers to an id that is not in it leads to the page's own address.
func RenderWithin(ctx context.Context, in Input, prefix, address string, level int) (Body, error) {
	return render(ctx, in, func(body []byte) template.HTML { return rewrite(body, prefix, address, level) })
}

func render(ctx context.Context, in Input, finish func(body []byte) template.HTML) (Body, error) {
	v := newWriter(ctx, in, site.NewEmbedding())
	b := newBuffer()
	defer release(b)
	body, err := v.split(b)
	if err == nil {
		err = ctx.Err() // else the page would show what was not drawn in time as source
	}
	if err != nil {
		return Body{}, err
	}
	body.HTML = finish(b.Bytes())
	return body, nil
}

// A writer renders one page at one address. Each of the writers that it embeds or holds is goldmark's renderer for
// some kinds of nodes.
type writer struct {
	Input
	Labels
	ctx context.Context //nolint:containedctx // a writer lives as long as the call that makes it
	t   text.Catalog
	// links are those of the page whose nodes are written.
	links     *site.Links
	html      renderer.Renderer
	raw       rawHTML
	ends      markdown.InlineEnds
	citations *citationWriter
	// in is where the page is embedded.
	in site.Embedding
}

// newWriter returns a writer for a page that is written at a place.
func newWriter(ctx context.Context, in Input, at site.Embedding) *writer {
	v := &writer{
		Input: in, Labels: Labels{in.Nav, in.At.Language, in.Text}, ctx: ctx, t: in.Text,
		links: in.Nav.Content.Links(in.Page), in: at,
	}
	v.raw = rawHTML{resolve: v.rawAddress, size: v.rawSize, smaller: v.rawSmaller, unsafe: in.UnsafeHTML}
	v.citations = &citationWriter{writer: v, Bibliography: NewBibliography(in.Page, in.Nav.Content, in.Text)}
	v.html = v.renderer()
	return v
}

// split writes the body to b. If the page begins with a heading of level 1, it is returned apart: the theme places it.
func (v *writer) split(b *buffer) (Body, error) {
	body := Body{Heading: template.HTML(template.HTMLEscapeString(v.Page.Title))}
	h := Title(v.Page)
	if h != nil {
		if err := v.renderChildren(b, h); err != nil {
			return body, err
		}
		body.Heading, body.HeadingID = template.HTML(b.String()), markdown.ID(h)
		b.Reset()
	}
	for n := v.Page.Doc().FirstChild(); n != nil; n = n.NextSibling() {
		if h != nil && n == ast.Node(h) {
			continue
		}
		if err := v.html.Render(b, v.Page.Source.Data, n); err != nil {
			return body, err
		}
	}
	v.raw.Finish(&b.Buffer)
	v.citations.references(b)
	return body, nil
}

func (v *writer) renderChildren(b *buffer, n ast.Node) error {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if err := v.html.Render(b, v.Page.Source.Data, c); err != nil {
			return err
		}
	}
	return nil
}

// within renders the children of a node, except for its title, so that raw HTML in them nests: what is open at the end
// is closed, and an end tag closes nothing that was open before.
func (v *writer) within(source []byte, n ast.Node) (template.HTML, error) {
	b := newBuffer()
	defer release(b)
	_, through := n.(*markdown.Element)
	v.raw.Enter(through || n.Kind() == markdown.KindContainer)
	defer v.raw.Leave(b)
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if c.Kind() == markdown.KindCalloutTitle || c.Kind() == markdown.KindTabTitle {
			continue
		}
		if err := v.html.Render(b, source, c); err != nil {
			return "", err
		}
	}
	v.raw.End(&b.Buffer)
	return template.HTML(b.String()), nil
}

// address returns the link to where a link of the page leads.
func (v *writer) address(t site.Target) string {
	from := v.At.URL()
	switch {
	case t.External != "":
		if rawhtml.Dangerous(t.External) {
			return ""
		}
		return t.External
	case t.Picture != nil:
		return nav.Href(from, PictureFile(t.Picture))
	case t.Asset != "":
		return nav.Href(from, t.Asset) + t.Suffix
	case t.Generated != "":
		return nav.Href(from, t.Generated) + t.Suffix
	case t.Page == nil:
		return ""
	}
	to := nav.Placed{Page: t.Page, Language: v.At.Language}
	if t.OtherLanguage {
		to.Language = t.Page.Language
	} else if translation := v.Nav.Shown(t.Page.Key, v.At.Language.Code); translation != nil {
		to.Page = translation
	}
	if id, ok := v.Anchors[to.URL()]; ok {
		if fragment := t.Fragment(); fragment != "" {
			return "#" + id + "." + strings.TrimPrefix(t.Suffix[strings.Index(t.Suffix, "#"):], "#")
		}
		return "#" + id
	}
	// In an embedded note "#" refers to that note.
	if to.URL() == from && strings.HasPrefix(t.Suffix, "#") && !v.in.Embedded() {
		return t.Suffix
	}
	return nav.Href(from, to.URL()) + t.Suffix
}

func (v *writer) rawAddress(destination string) string {
	if t, ok := v.links.RawTarget(destination); ok && !t.Missing {
		return v.address(t)
	}
	return destination
}

func (v *writer) rawSmaller(source string, width int) (srcset, sizes string) {
	t, _ := v.links.RawTarget(source)
	return v.smaller(t, width)
}

func (v *writer) rawSize(source string) (width, height int) {
	t, _ := v.links.RawTarget(source)
	size := v.naturalSize(t)
	return size.Width, size.Height
}
