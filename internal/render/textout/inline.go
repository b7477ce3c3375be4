package textout

import (
	"cmp"
	"fmt"
	"html"
	"path"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/native"
	"github.com/gpudocs/gpudocs/internal/markdown/obsidian"
	"github.com/gpudocs/gpudocs/internal/markdown/rawhtml"
	"github.com/gpudocs/gpudocs/internal/render/page"
	"github.com/gpudocs/gpudocs/internal/site"
)

// inlines returns the text in a block.
func (w *writer) inlines(n ast.Node) string {
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		w.inline(&b, c)
	}
	return b.String()
}

func (w *writer) inline(b *strings.Builder, n ast.Node) {
	switch n := n.(type) {
	case *ast.Text:
		text := string(n.Segment.Value(w.source))
		if n.IsRaw() {
			text = literal(text)
		}
		if w.notebook != nil { // a dollar that begins no formula here may do so in Jupyter
			text = dollar.ReplaceAllStringFunc(text, escape)
		}
		b.WriteString(text)
		switch {
		case n.HardLineBreak():
			b.WriteString("\\\n")
		case n.SoftLineBreak():
			b.WriteByte('\n')
		}
	case *ast.String:
		b.WriteString(literal(string(n.Value)))
	case *ast.CodeSpan:
		b.WriteString(codeSpan(w.plain(n)))
	case *ast.Emphasis:
		marks := strings.Repeat("*", n.Level)
		b.WriteString(marks + w.inlines(n) + marks)
	case *extast.Strikethrough:
		b.WriteString("~~" + w.inlines(n) + "~~")
	case *ast.Link:
		b.WriteString(w.link(w.inlines(n), w.links.Target(n), n.Title))
	case *obsidian.WikiLink:
		t := w.links.Target(n)
		for up := n.Parent(); up != nil; up = up.Parent() {
			if up.Kind() == ast.KindLink { // there is no link in a link
				t = site.Target{}
			}
		}
		b.WriteString(w.link(w.inlines(n), t, nil))
	case *ast.AutoLink:
		if label := string(n.Label(w.source)); n.AutoLinkType == ast.AutoLinkURL && !strings.Contains(label, "://") {
			b.WriteString(link(Escape(label), string(n.URL(w.source))))
		} else {
			b.WriteString("<" + label + ">")
		}
	case *ast.Image:
		width, height := markdown.ImageSize(n)
		b.WriteString(w.image(w.plain(n), w.links.Target(n), n.Title, width, height))
	case *markdown.Embed:
		t := w.links.Target(n)
		if markdown.MediumOf(t.Asset) == markdown.ImageMedium {
			width, height := strings.TrimPrefix(strconv.Itoa(n.Width), "0"), strings.TrimPrefix(strconv.Itoa(n.Height), "0")
			b.WriteString(w.image(cmp.Or(n.Alt, path.Base(n.File)), t, nil, width, height))
			return
		}
		part, _ := w.links.Part(n)
		b.WriteString(w.link(Escape(cmp.Or(n.Alt, part.Title, n.NotePath.String())), t, nil))
	case *ast.RawHTML:
		b.WriteString(w.html(markdown.RawHTML(n, w.source), ""))
	case *markdown.Math:
		open, end := "$", "$"
		if n.Display {
			open, end = "$$", "$$"
		}
		b.WriteString(open + strings.TrimSpace(n.Typeset()) + end)
	case *native.Live:
		b.WriteString(Escape(cmp.Or(w.Text.Amount(w.Results.Live(w.on, n).Value), "—")))
	case *markdown.Reference:
		if !n.NamesExercise() {
			r, text := w.labels.Reference(n, w.links)
			b.WriteString(link(Escape(text), w.address(r.Target)))
		}
	case *markdown.Citation: // the list at the page's end has the rest
		b.WriteString(w.works.Text(n, Escape))
	case *markdown.Bibliography:
		if !w.listed {
			b.WriteString(w.workList())
		}
	case *extast.FootnoteLink:
		if w.notebook != nil {
			fmt.Fprintf(b, "<sup>%d</sup>", n.Index)
			return
		}
		w.referred[n.Index] = true
		b.WriteString(w.footnote(n.Index))
	case *extast.FootnoteBacklink, *site.AnnotationBacklink:
	case *extast.TaskCheckBox:
		b.WriteString(map[bool]string{true: "[x] ", false: "[ ] "}[n.IsChecked])
	default:
		open, end, inside := tags(n, w.source)
		if n.Kind() == native.KindAbbreviation && w.notebook == nil { // its definition is in the export
			open, end = "", ""
		}
		b.WriteString(open)
		if inside {
			b.WriteString(w.inlines(n))
		}
		b.WriteString(end)
	}
}

// plain returns the text of a node without markup.
func (w *writer) plain(n ast.Node) string {
	return markdown.Text(n, w.source, markdown.TextOptions{Written: true})
}

// dollar, bar and quotes match a character, and what is escaped already.
var (
	dollar = lazyregexp.New(`\\.|\$`)
	bar    = lazyregexp.New(`\\.|\|`)
	quotes = lazyregexp.New(`\\.|"`)
)

// escape escapes a match of these.
func escape(match string) string { return strings.Replace(`\`+match, `\\`, `\`, 1) }

// address returns the address of a target: from an export, pages lead to the exports of pages.
func (w *writer) address(t site.Target) string {
	switch {
	case t.External != "":
		return t.External
	case t.Picture != nil:
		return w.Nav.Link(w.From, page.PictureFile(t.Picture))
	case t.Asset != "":
		return w.Nav.Link(w.From, t.Asset) + t.Suffix
	case t.Generated != "":
		return w.Nav.Link(w.From, t.Generated) + t.Suffix
	case t.Page == nil:
		return ""
	}
	to := t.Page
	if translated := w.Nav.Shown(to.Key, w.Page.Language.Code); translated != nil && !t.OtherLanguage {
		to = translated
	}
	switch {
	case w.notebook != nil:
		return w.Nav.Link(w.From, to.URL) + t.Suffix
	case to.Source == w.Page.Source && strings.HasPrefix(t.Suffix, "#"):
		return t.Suffix
	}
	return w.Nav.Link(w.From, File(to)) + t.Suffix
}

// link returns a link, or its text if it leads nowhere.
func link(text, address string) string {
	if address == "" {
		return text
	}
	return "[" + text + "](" + Destination(address) + ")"
}

func (w *writer) link(text string, t site.Target, title []byte) string {
	linked := link(text, w.address(t))
	if len(title) > 0 && linked != text {
		linked = strings.TrimSuffix(linked, ")") + ` "` + quotes.ReplaceAllStringFunc(string(title), escape) + `")`
	}
	return linked
}

// image returns an image. In a notebook, one that has a size is an HTML element.
func (w *writer) image(alt string, t site.Target, title []byte, width, height string) string {
	address := w.address(t)
	switch {
	case address == "":
		return Escape(alt)
	case width == "" && height == "" || w.notebook == nil:
		return "!" + w.link(Escape(alt), t, title)
	}
	tag := `<img src="` + html.EscapeString(address) + `" alt="` + html.EscapeString(alt) + `"`
	for _, a := range [][2]string{{"width", width}, {"height", height}} {
		if size := strings.TrimSuffix(a[1], "px"); size != "" {
			tag += " " + a[0] + `="` + html.EscapeString(size) + `"`
		}
	}
	return tag + ">"
}

var (
	comment   = lazyregexp.New(`(?s)<!--.*?(?:-->|$)`)
	attribute = lazyregexp.New(`(?i)\s(href|src|poster|srcset)\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+)`)
)

// noComment stands for a comment where a blank line would end the HTML.
const noComment = "<!-- -->"

// html returns raw HTML with the addresses of the site, and with instead for each comment.
func (w *writer) html(written []byte, instead string) string {
	raw := comment.ReplaceAllString(string(written), instead)
	var b strings.Builder
	from := 0
	for _, m := range attribute.FindAllStringSubmatchIndex(raw, -1) {
		value := html.UnescapeString(strings.Trim(raw[m[4]:m[5]], `"'`))
		to := w.rawAddress(value)
		if strings.EqualFold(raw[m[2]:m[3]], "srcset") {
			var list []string
			for _, c := range rawhtml.Candidates(value) {
				list = append(list, strings.TrimSpace(w.rawAddress(c.Address)+" "+c.Descriptor))
			}
			to = strings.Join(list, ", ")
		}
		if to != value {
			b.WriteString(raw[from:m[4]] + `"` + html.EscapeString(to) + `"`)
			from = m[5]
		}
	}
	return strings.TrimSpace(b.String() + raw[from:])
}

// rawAddress returns the address for one in raw HTML.
func (w *writer) rawAddress(written string) string {
	if t, ok := w.links.RawTarget(written); ok && !t.Missing && t.External == "" {
		return cmp.Or(w.address(t), written)
	}
	return written
}
