package nbexport

import (
	"cmp"
	"fmt"
	"html"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/native"
	"github.com/gpudocs/gpudocs/internal/markdown/obsidian"
	"github.com/gpudocs/gpudocs/internal/render/mdexport"
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
			text = mdexport.Literal(text)
		}
		b.WriteString(dollar.ReplaceAllStringFunc(text, escape))
		switch {
		case n.HardLineBreak():
			b.WriteString("\\\n")
		case n.SoftLineBreak():
			b.WriteByte('\n')
		}
	case *ast.String:
		b.WriteString(mdexport.Literal(string(n.Value)))
	case *ast.CodeSpan:
		b.WriteString(mdexport.CodeSpan(w.plain(n)))
	case *ast.Emphasis:
		marks := strings.Repeat("*", n.Level)
		b.WriteString(marks + w.inlines(n) + marks)
	case *extast.Strikethrough:
		b.WriteString("~~" + w.inlines(n) + "~~")
	case *ast.Link:
		b.WriteString(w.link(w.inlines(n), w.links.Target(n), n.Title))
	case *obsidian.WikiLink:
		b.WriteString(w.link(w.inlines(n), w.links.Target(n), nil))
	case *ast.AutoLink:
		if label := string(n.Label(w.source)); n.AutoLinkType == ast.AutoLinkURL && !strings.Contains(label, "://") {
			b.WriteString(link(mdexport.Escape(label), string(n.URL(w.source))))
		} else {
			b.WriteString("<" + label + ">")
		}
	case *ast.Image:
		width, height := markdown.ImageSize(n)
		b.WriteString(w.image(w.plain(n), w.links.Target(n), n.Title, width, height))
	case *markdown.Embed:
		t := w.links.Target(n)
		if markdown.MediumOf(t.Asset) == markdown.ImageMedium {
			b.WriteString(w.image(n.Alt, t, nil, strings.TrimPrefix(strconv.Itoa(n.Width), "0"), strings.TrimPrefix(strconv.Itoa(n.Height), "0")))
			return
		}
		b.WriteString(w.link(mdexport.Escape(cmp.Or(n.Alt, n.File, n.Subpath())), t, nil))
	case *ast.RawHTML:
		b.WriteString(w.html(markdown.RawHTML(n, w.source), ""))
	case *markdown.Math:
		open, end := "$", "$"
		if n.Display {
			open, end = "$$", "$$"
		}
		b.WriteString(open + strings.TrimSpace(n.Typeset()) + end)
	case *native.Live, *markdown.Reference, *markdown.Citation, *markdown.Bibliography:
		text, ok := w.site.Text(w.page, n)
		if !ok {
			text = mdexport.Escape(w.plain(n))
		}
		b.WriteString(text)
	case *extast.FootnoteLink:
		fmt.Fprintf(b, "<sup>%d</sup>", n.Index)
	case *extast.FootnoteBacklink, *site.AnnotationBacklink:
	case *extast.TaskCheckBox:
		b.WriteString(map[bool]string{true: "[x] ", false: "[ ] "}[n.IsChecked])
	default:
		open, end, inside := w.tags(n)
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

// dollar, bar and quote match a character, and what is escaped already. A dollar that begins no formula here may do so in Jupyter.
var (
	dollar = lazyregexp.New(`\\.|\$`)
	bar    = lazyregexp.New(`\\.|\|`)
	quote  = lazyregexp.New(`\\.|"`)
)

// escape escapes a match of these.
func escape(match string) string { return strings.Replace(`\`+match, `\\`, `\`, 1) }

// rowed matches the environments that MathJax does not accept between dollars.
var rowed = lazyregexp.New(`^\\begin\{(?:equation|align|alignat|gather|multline|flalign|eqnarray)\*?\}`)

// formula returns a formula that is a block.
func formula(f *markdown.Formula) string {
	tex := strings.TrimSpace(f.Typeset())
	if rowed.MatchString(tex) {
		return tex
	}
	return "$$\n" + tex + "\n$$"
}

// link returns a link, or its text if it leads nowhere.
func link(text, address string) string {
	if address == "" {
		return text
	}
	return "[" + text + "](" + mdexport.Destination(address) + ")"
}

func (w *writer) link(text string, t site.Target, title []byte) string {
	linked := link(text, w.site.Address(t))
	if len(title) > 0 && linked != text {
		linked = strings.TrimSuffix(linked, ")") + ` "` + quote.ReplaceAllStringFunc(string(title), escape) + `")`
	}
	return linked
}

// image returns an image. One that has a size is an HTML element.
func (w *writer) image(alt string, t site.Target, title []byte, width, height string) string {
	address := w.site.Address(t)
	switch {
	case address == "":
		return mdexport.Escape(alt)
	case width == "" && height == "":
		return "!" + w.link(mdexport.Escape(alt), t, title)
	}
	tag := `<img src="` + html.EscapeString(address) + `" alt="` + html.EscapeString(alt) + `"`
	for _, a := range [][2]string{{"width", width}, {"height", height}} {
		if size := strings.TrimSuffix(a[1], "px"); size != "" {
			tag += " " + a[0] + `="` + html.EscapeString(size) + `"`
		}
	}
	return tag + ">"
}
