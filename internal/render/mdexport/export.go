// Package mdexport makes the Markdown export of a page: the page's own source, with its includes, in
// which only those parts are edited that would not work in a plain file.
//
//   - Links lead to their targets from where the export is published.
//   - Wiki links, references, citations and {live} values become links and text.
//   - Code in another file is inserted into its block.
//   - Results of machines and stored outputs of notebooks stand beneath their block.
//   - An embedded note becomes a quotation of what it shows.
//   - Comments are left out.
//
// Everything else, including attributes and directives, stays as its author wrote it.
package mdexport

import (
	"bytes"
	"cmp"
	"html"
	"path"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/d2l"
	"github.com/gpudocs/gpudocs/internal/markdown/native"
	"github.com/gpudocs/gpudocs/internal/markdown/notebook"
	"github.com/gpudocs/gpudocs/internal/markdown/obsidian"
	"github.com/gpudocs/gpudocs/internal/markdown/rawhtml"
	"github.com/gpudocs/gpudocs/internal/site"
)

// A Site provides what is not known from the page alone.
type Site interface {
	// Links returns where the links of a page lead.
	Links(page *site.Page) *site.Links
	// Address returns the address of a target, as seen from the export, or "" if there is none.
	Address(t site.Target) string
	// Text returns the Markdown that stands for a node of the page: the number of a
	// reference, a citation, a {live} value, a list. It reports false if the node stays
	// as it is written.
	Text(page *site.Page, n ast.Node) (text string, ok bool)
	// Results returns what machines found for the block whose results belong beneath the
	// fence, or nil if there is no such block.
	Results(f *site.Fence) *Results
}

// cells replaces the marks between the cells of a notebook by blank lines.
var cells = strings.NewReplacer("\n\n"+string(notebook.Mark)+"\n", "\n\n", string(notebook.Mark)+"\n", "\n")

// Labels are the headings of what is added below a block, in the reader's language.
type Labels struct{ Results, Stored string }

// Page returns the Markdown export of a page.
func Page(p *site.Page, labels Labels, facts Site) string {
	e := &exporter{page: p, links: facts.Links(p), source: p.Source.Data, labels: labels, site: facts, in: site.NewEmbedding()}
	e.rawAddress = e.inHTML
	e.walk(p.Doc())
	text := e.apply(0, len(e.source))
	if p.Notebook != nil {
		text = cells.Replace(text)
	}
	text = strings.TrimRight(strings.ReplaceAll(text, "\r\n", "\n"), " \t\n")
	for line, rest, ok := strings.Cut(text, "\n"); ok && strings.TrimSpace(line) == ""; line, rest, ok = strings.Cut(text, "\n") {
		text = rest // blank front matter
	}
	return text
}

// An exporter collects the edits of one page, or of the part of it that another embeds.
type exporter struct {
	page   *site.Page
	links  *site.Links
	source []byte
	labels Labels
	site   Site
	edits  []edit
	// in is where the page is embedded in that of the export.
	in site.Embedding
	// rawAddress returns the address for one in raw HTML.
	rawAddress func(written string) string
}

// An edit replaces a part of the source.
type edit struct {
	markdown.Span
	text string
}

func (e *exporter) replace(from, to int, text string) {
	if 0 <= from && from <= to && to <= len(e.source) {
		e.edits = append(e.edits, edit{markdown.Span{Start: from, Stop: to}, text})
	}
}

// apply returns a part of the source with its edits. If edits overlap, the first counts: the outer
// one, or one of two equal ones.
func (e *exporter) apply(from, to int) string {
	slices.SortStableFunc(e.edits, func(a, b edit) int { return cmp.Compare(a.Start, b.Start) })
	var b strings.Builder
	for _, edit := range e.edits {
		if edit.Start >= from && edit.Stop <= to {
			b.Write(e.source[from:edit.Start])
			b.WriteString(edit.text)
			from = edit.Stop
		}
	}
	b.Write(e.source[from:to])
	return b.String()
}

func (e *exporter) walk(n ast.Node) {
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			e.node(n)
		}
		return ast.WalkContinue, nil
	})
}

func (e *exporter) node(n ast.Node) {
	switch n := n.(type) {
	case *site.Fence:
		e.fence(n)
	case *ast.Link:
		e.destination(n.Destination, e.links.Target(n))
	case *ast.Image:
		e.destination(n.Destination, e.links.Target(n))
	case *obsidian.WikiLink:
		e.wikiLink(n)
	case *markdown.Embed:
		e.embed(n)
	case *ast.RawHTML:
		if last := n.Segments.Len() - 1; last >= 0 {
			e.html(n.Segments.At(0).Start, n.Segments.At(last).Stop, "")
		}
	case *ast.HTMLBlock:
		e.htmlBlock(n)
	case *obsidian.Comment:
		e.replace(n.Start, n.Stop, "")
	case *obsidian.InlineComment:
		e.replace(n.Start, n.Stop, "")
	case *d2l.SlideMark:
		e.replace(n.Start, n.Stop, "")
	case *native.Live:
		e.text(n, markdown.Span{Start: n.Start, Stop: n.Stop})
	case *markdown.Reference:
		if !n.NamesExercise() {
			e.text(n, n.Span)
		}
	case *markdown.Callout:
		if n.Withheld {
			e.text(n, n.Opening)
		}
	case *markdown.Citation:
		e.text(n, n.Span)
	case *markdown.Bibliography:
		e.text(n, n.Span)
	case *markdown.Container:
		e.text(n, markdown.Span{Start: n.Opening.Start, Stop: max(n.Opening.Stop, n.Closing.Stop)})
	}
}

// text replaces a node by the site's text for it.
func (e *exporter) text(n ast.Node, at markdown.Span) {
	text, ok := e.site.Text(e.page, n)
	if strings.Contains(text, "\n") {
		text = prefixed(text, "", e.prefix(at.Start))
	}
	if ok {
		e.replace(at.Start, at.Stop, text)
	}
}

// inSite reports whether a target's address depends on where the link is.
func inSite(t site.Target) bool { return t.External == "" && !t.Missing }

// destination edits the address of a link. The parser has cut it out of the source, where it is part
// of the link or its definition; an address that is a copy is left as it is.
func (e *exporter) destination(written []byte, t site.Target) {
	at := cap(e.source) - cap(written)
	if !inSite(t) || len(written) == 0 || at < 0 || at+len(written) > len(e.source) || &e.source[at] != &written[0] {
		return
	}
	address := e.site.Address(t)
	if address == "" {
		return
	}
	if at > 0 && e.source[at-1] == '<' {
		address = unpointed.Replace(address)
	} else {
		address = Destination(address)
	}
	e.replace(at, at+len(written), address)
}

func (e *exporter) wikiLink(n *obsidian.WikiLink) {
	for up := n.Parent(); up != nil; up = up.Parent() {
		if up.Kind() == ast.KindLink {
			return
		}
	}
	address := e.site.Address(e.links.Target(n))
	if address == "" {
		return
	}
	var shown strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Text:
			shown.Write(c.Segment.Value(e.source))
		case *ast.String:
			shown.Write(c.Value)
		}
	}
	e.replace(n.Start, n.Stop, "["+shown.String()+"]("+Destination(address)+")")
}

// embed replaces an embed by a quotation of the page if it is alone in its paragraph, else, and if it
// is a file, by a link or an image.
func (e *exporter) embed(n *markdown.Embed) {
	t := e.links.Target(n)
	address := e.site.Address(t)
	if address == "" {
		return
	}
	part, ok := e.links.Part(n)
	link := "[" + Escape(cmp.Or(n.Alt, part.Title, path.Base(n.File))) + "](" + Destination(address) + ")"
	alone := n.Apart() && n.PreviousSibling() == nil && n.NextSibling() == nil
	switch {
	case ok && alone && e.in.Shows(n):
		if prefix := e.prefix(n.Start); len(prefix) <= maxPrefix {
			link = prefixed(prefixed("**"+link+"**\n\n"+e.part(part, n), "> ", "> "), "", prefix)
		}
	case markdown.MediumOf(t.Asset) == markdown.ImageMedium:
		link = "!" + link
	}
	e.replace(n.Start, n.Stop, link)
}

// part returns the export of the blocks that an embed shows.
func (e *exporter) part(part site.Part, n *markdown.Embed) string {
	at, _ := e.in.Enter(n)
	blocks := part.Blocks()
	if len(blocks) == 0 {
		return ""
	}
	in := &exporter{page: part.Page, links: e.site.Links(part.Page), source: part.Page.Source.Data, labels: e.labels, site: e.site, in: at}
	in.rawAddress = in.inHTML
	for _, b := range blocks {
		in.walk(b)
	}
	if part.Notes != nil {
		in.walk(part.Notes)
	}
	from, to := start(blocks[0]), len(in.source)
	if blocks[0].Parent().Kind() == ast.KindDocument {
		from = in.lineAt(from)
	}
	if next := following(blocks[len(blocks)-1]); next != nil && start(next) > from {
		to = in.lineAt(start(next))
	}
	return strings.TrimSpace(strings.ReplaceAll(in.apply(from, to), "\r\n", "\n"))
}

// start returns the offset of a block, or that of its contents.
func start(n ast.Node) int {
	for n.Pos() < 0 && n.FirstChild() != nil {
		n = n.FirstChild()
	}
	return max(n.Pos(), 0)
}

// following returns the first block after a block and its contents, or nil. Footnotes are last in the
// tree, wherever they are in the source.
func following(n ast.Node) ast.Node {
	for ; n != nil; n = n.Parent() {
		if next := n.NextSibling(); next != nil {
			if next.Kind() == extast.KindFootnoteList {
				return nil
			}
			return next
		}
	}
	return nil
}

var (
	comment   = lazyregexp.New(`(?s)<!--.*?(?:-->|$)`)
	attribute = lazyregexp.New(`(?i)\s(href|src|poster|srcset)\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+)`)
)

func (e *exporter) htmlBlock(n *ast.HTMLBlock) {
	if n.Lines().Len() == 0 {
		return
	}
	to := n.Lines().At(n.Lines().Len() - 1).Stop
	if n.HasClosure() {
		to = n.ClosureLine.Stop
	}
	instead := "<!-- -->" // an empty line would end the block
	if before := n.PreviousSibling(); n.HTMLBlockType == ast.HTMLBlockType2 && (before == nil || before.Kind() != ast.KindList) {
		instead = "" // nothing follows it; after a list it separates that from the next
	}
	e.html(n.Lines().At(0).Start, to, instead)
}

// html edits the addresses in raw HTML, and empties its comments.
func (e *exporter) html(from, to int, instead string) {
	raw := e.source[from:to]
	for _, m := range comment.FindAllIndex(raw, -1) {
		e.replace(from+m[0], from+m[1], instead)
	}
	for _, m := range attribute.FindAllSubmatchIndex(raw, -1) {
		value := html.UnescapeString(strings.Trim(string(raw[m[4]:m[5]]), `"'`))
		to := e.rawAddress(value)
		if strings.EqualFold(string(raw[m[2]:m[3]]), "srcset") {
			var list []string
			for _, c := range rawhtml.Candidates(value) {
				list = append(list, strings.TrimSpace(e.rawAddress(c.Address)+" "+c.Descriptor))
			}
			to = strings.Join(list, ", ")
		}
		if to != value {
			e.replace(from+m[4], from+m[5], `"`+html.EscapeString(to)+`"`)
		}
	}
}

// HTML returns raw HTML with other addresses, and with instead for each of its comments.
func HTML(raw []byte, instead string, address func(written string) string) string {
	e := &exporter{source: raw, rawAddress: address}
	e.html(0, len(raw), instead)
	return e.apply(0, len(raw))
}

func (e *exporter) inHTML(written string) string {
	if t, ok := e.links.RawTarget(written); ok && inSite(t) {
		return cmp.Or(e.site.Address(t), written)
	}
	return written
}

// lineAt returns the offset of the beginning of a line.
func (e *exporter) lineAt(at int) int { return bytes.LastIndexByte(e.source[:at], '\n') + 1 }

// maxPrefix limits the length of the marks of quotes and lists that are added to each line of an
// inserted text. If they are longer, an embed is a link, and code of a file is not inserted.
const maxPrefix = 64

// prefix returns what a line needs before it to be in the same quotes and lists as an offset.
func (e *exporter) prefix(at int) string {
	return strings.Map(func(r rune) rune {
		if r == '>' || r == '\t' {
			return r
		}
		return ' '
	}, string(e.source[e.lineAt(at):at]))
}
