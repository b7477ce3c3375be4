package page

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/util"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/render/nav"
	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/site"
)

// An embedded note is rendered, not copied: a writer of its own takes the nodes of that page, with its
// source and its targets, at this page's address. So links and images lead to the same targets as
// there, a block shows the same results as there and counts only on its own page, and no position of a
// diagnostic changes. What would conflict between the two pages, ids and levels of headings, is
// rewritten in the HTML, whatever feature wrote it.

// An embedWriter writes what a page embeds: other pages, parts of them, media.
type embedWriter struct {
	*writer
	// parted is set while a paragraph that contains blocks is written.
	parted bool
}

func (v *embedWriter) embed(w util.BufWriter, _ []byte, n ast.Node) error {
	e := n.(*markdown.Embed)
	t := v.links.Target(n)
	address := attribute(v.address(t))
	stem := strings.TrimSuffix(path.Base(e.File), path.Ext(e.File))
	medium := markdown.MediumOf(t.Asset)
	switch {
	case t.Page != nil:
		return v.notePart(w, e)
	case t.Missing && markdown.MediumOf(e.File) == markdown.ImageMedium:
		v.missingImage(w, e.Alt, e.File)
	case t.Missing:
		path := e.NotePath.String()
		_, _ = w.WriteString(`<span class="missing-link" title="` + attribute(path) + `">` + attribute(cmp.Or(e.Alt, path)) + `</span>`)
	case medium == markdown.AudioMedium:
		_, _ = fmt.Fprintf(w, `<audio controls preload="metadata" src="%s"><a href="%[1]s">%s</a></audio>`, address, attribute(path.Base(e.File)))
	case medium == markdown.VideoMedium:
		_, _ = fmt.Fprintf(w, `<video controls preload="metadata"%s src="%s"><a href="%[2]s">%s</a></video>`,
			v.size(t, e.Width, e.Height), address, attribute(path.Base(e.File)))
	case medium != markdown.ImageMedium:
		_, _ = w.WriteString(`<a class="file" href="` + address + `">` + attribute(cmp.Or(e.Alt, path.Base(e.File))) + `</a>`)
	default:
		_, _ = fmt.Fprintf(w, `<img src="%s" alt="%s"%s loading="lazy" decoding="async">`,
			address, attribute(cmp.Or(e.Alt, stem)), v.size(t, e.Width, e.Height))
	}
	return nil
}

// paragraph splits a paragraph at embedded notes and at the list of references, which contain blocks.
func (v *embedWriter) paragraph(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering { // not when it is left, because what was written since then counts
		v.parted = slices.ContainsFunc(Children(n), v.isBlock)
	}
	if !v.parted {
		if entering {
			_, _ = w.WriteString("<p")
			html.RenderAttributes(w, n, html.ParagraphAttributeFilter)
			_ = w.WriteByte('>')
		} else {
			_, _ = w.WriteString("</p>\n")
		}
		return ast.WalkContinue, nil
	}
	if !entering {
		return ast.WalkContinue, nil
	}
	run := newBuffer()
	defer release(run)
	flush := func() {
		if text := bytes.TrimSpace(run.Bytes()); len(text) > 0 {
			_, _ = w.WriteString("<p>" + string(text) + "</p>\n")
		}
		run.Reset()
	}
	for _, c := range Children(n) {
		var to io.Writer = run
		if v.isBlock(c) {
			flush()
			to = w
		}
		if err := v.html.Render(to, source, c); err != nil {
			return ast.WalkStop, err
		}
	}
	flush()
	return ast.WalkSkipChildren, nil
}

// Children returns the children of a node.
func Children(n ast.Node) (list []ast.Node) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		list = append(list, c)
	}
	return list
}

// isBlock reports whether an inline node is shown as a block: a box with another page, or the list of
// references.
func (v *embedWriter) isBlock(n ast.Node) bool {
	switch n := n.(type) {
	case *markdown.Embed:
		_, ok := v.links.Part(n)
		return ok && v.in.Shows(n)
	case *markdown.Bibliography:
		return !v.citations.listed
	}
	return false
}

// notePart writes another page, or a part of it, in a box with a link to it.
func (v *embedWriter) notePart(w util.BufWriter, e *markdown.Embed) error {
	t := v.links.Target(e)
	address := v.address(t)
	part, ok := v.links.Part(e)
	if !ok || !v.in.Shows(e) {
		_, err := w.WriteString(`<a href="` + attribute(address) + `">` + attribute(cmp.Or(e.Alt, part.Title)) + `</a>`)
		return err
	}
	in, number := v.in.Enter(e)
	prefix := fmt.Sprintf("_note.%d.", number)
	body, err := v.inner(part, in)
	if err != nil {
		return err
	}
	fitting := rewrite(body, prefix, nav.Href(v.At.URL(), nav.Placed{Page: part.Page, Language: v.At.Language}.URL()), v.levelAt(e))
	view := theme.NoteView{Title: cmp.Or(e.Alt, part.Title), URL: address, Body: fitting, T: v.t}
	if part.Page.Language != v.Page.Language {
		view.Lang = part.Page.Language.Code
	}
	return v.part(w, "note", view)
}

// inner renders the blocks of a part.
func (v *embedWriter) inner(part site.Part, at site.Embedding) ([]byte, error) {
	input := v.Input
	input.Page = part.Page
	in := newWriter(v.ctx, input, at)
	var b buffer
	blocks := part.Blocks()
	for _, n := range blocks {
		text := n.Kind() == ast.KindTextBlock // of an item of a tight list
		if text {
			b.WriteString("<p>")
		}
		if err := in.html.Render(&b, part.Page.Source.Data, n); err != nil {
			return nil, err
		}
		if text {
			b.WriteString("</p>\n")
		}
	}
	err := in.footnotes(&b, part, blocks)
	in.raw.Finish(&b.Buffer)
	return b.Bytes(), err
}

// footnotes writes those that the part refers to, with their numbers on their page.
func (v *writer) footnotes(b *buffer, part site.Part, blocks []ast.Node) error {
	used := map[int]bool{}
	for _, n := range blocks {
		_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
			if link, ok := n.(*extast.FootnoteLink); ok && entering {
				used[link.Index] = true
			}
			return ast.WalkContinue, nil
		})
	}
	if len(used) == 0 || part.Notes == nil {
		return nil
	}
	b.WriteString("<div class=\"footnotes\" role=\"doc-endnotes\">\n<hr>\n<ol>\n")
	for _, n := range Children(part.Notes) {
		note, ok := n.(*extast.Footnote)
		if !ok || !used[note.Index] {
			continue
		}
		number := strconv.Itoa(note.Index)
		b.WriteString(`<li id="fn:` + number + `" value="` + number + `">`)
		for _, c := range Children(note) {
			if err := v.html.Render(b, part.Page.Source.Data, c); err != nil {
				return err
			}
		}
		b.WriteString("</li>\n")
	}
	b.WriteString("</ol>\n</div>\n")
	return nil
}

// levelAt returns the level of the heading above a node of the page.
func (v *embedWriter) levelAt(at ast.Node) int {
	level := 1
	_ = ast.Walk(v.Page.Doc(), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if n == at {
			return ast.WalkStop, nil
		}
		if h, ok := n.(*ast.Heading); ok && entering {
			level = h.Level
		}
		return ast.WalkContinue, nil
	})
	return level
}
