package render

import (
	"bytes"
	"cmp"
	"fmt"
	"path"
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/rawhtml"
)

// inlines writes the children of a block or of an inline.
func (w *twin) inlines(n ast.Node) string {
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		b.WriteString(w.inline(c))
	}
	return b.String()
}

// inline writes a node in a line of text. Text stays as it is written, with its escapes.
func (w *twin) inline(n ast.Node) string {
	switch n := n.(type) {
	case *ast.Text:
		return w.text(n)
	case *ast.String:
		return escaped(string(n.Value))
	case *ast.CodeSpan:
		return codeSpan(w.rawText(n))
	case *ast.Emphasis:
		mark := strings.Repeat("*", n.Level)
		return mark + w.inlines(n) + mark
	case *extast.Strikethrough:
		return "~~" + w.inlines(n) + "~~"
	case *markdown.Marked:
		return "<" + n.Element + ">" + w.inlines(n) + "</" + n.Element + ">"
	case *ast.Link:
		return w.linkTo(w.inlines(n), w.address(w.page.Target(n)), plain(n.Title))
	case *markdown.WikiLink:
		return w.linkTo(w.inlines(n), w.address(w.page.Target(n)), "")
	case *ast.AutoLink:
		return w.autoLink(n)
	case *ast.Image:
		return w.picture(n)
	case *ast.RawHTML:
		return w.inlineHTML(n)
	case *extast.TaskCheckBox:
		if n.IsChecked {
			return "[x] "
		}
		return "[ ] "
	case *extast.FootnoteLink:
		if w.within {
			return ""
		}
		return fmt.Sprintf("[^%d]", n.Index)
	}
	return w.ownInline(n)
}

// ownInline writes the inlines that no other Markdown has.
func (w *twin) ownInline(n ast.Node) string {
	switch n := n.(type) {
	case *extast.FootnoteBacklink, *markdown.InlineComment, *markdown.SlideMark:
		return ""
	case *markdown.Live:
		return escaped(cmp.Or(w.live(n).Value, "—"))
	case *markdown.Emoji:
		return n.Characters
	case *markdown.Keys:
		var keys []string
		for _, label := range n.Labels {
			keys = append(keys, "<kbd>"+escaped(label)+"</kbd>")
		}
		return strings.Join(keys, "+")
	case *markdown.Math:
		if n.Display {
			return "$$" + strings.TrimSpace(n.Typeset()) + "$$"
		}
		return "$" + strings.TrimSpace(n.Typeset()) + "$"
	case *markdown.Reference:
		return w.numbered(n)
	case *markdown.Citation:
		return w.cited(n)
	case *markdown.Embed:
		return w.embedded(n)
	case *markdown.Directive:
		if n.Name == "bibliography" && !n.Placed && !w.listed {
			return "\n\n" + w.workList() + "\n\n"
		}
		return ""
	}
	return w.inlines(n)
}

func (w *twin) text(n *ast.Text) string {
	var b strings.Builder
	source := w.page.Source.Data
	if n.IsRaw() {
		b.Write(n.Segment.Value(source))
	} else {
		markdown.Typeset(markdown.Glyphs(n.OwnerDocument()), n.Segment, source, func(s []byte) { b.Write(s) }, func(s string) { b.WriteString(s) })
	}
	switch {
	case n.HardLineBreak():
		b.WriteString("\\\n")
	case n.SoftLineBreak():
		b.WriteByte('\n')
	}
	return b.String()
}

// rawText is the text of a code span.
func (w *twin) rawText(n ast.Node) string {
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Text:
			b.Write(c.Segment.Value(w.page.Source.Data))
		case *ast.String:
			b.Write(c.Value)
		}
	}
	return b.String()
}

// linkTo is a link, or its text alone where it leads nowhere.
func (w *twin) linkTo(text, address, title string) string {
	if address == "" {
		return text
	}
	if title != "" {
		title = ` "` + strings.Join(strings.Fields(quoted.ReplaceAllString(title, `\$0`)), " ") + `"`
	}
	return "[" + text + "](" + destination(address) + title + ")"
}

// autoLink is an address that is its own text. In brackets it needs a scheme.
func (w *twin) autoLink(n *ast.AutoLink) string {
	label := string(n.Label(w.page.Source.Data))
	address := string(n.URL(w.page.Source.Data))
	switch {
	case rawhtml.Dangerous(address):
		return escaped(label)
	case n.AutoLinkType == ast.AutoLinkURL && !strings.Contains(label, ":"):
		return w.linkTo(escaped(label), address, "")
	}
	return "<" + label + ">"
}

func (w *twin) picture(n *ast.Image) string {
	t := w.page.Target(n)
	alt := altText(n, w.page.Source.Data)
	if t.Missing {
		return escaped(strings.TrimSpace(alt + " (" + w.t.Get("image_missing", "name", string(n.Destination)) + ")"))
	}
	return "!" + w.linkTo(escaped(alt), w.address(t), plain(n.Title))
}

// embedded is an embed within a line: an image, or a link to what it shows.
func (w *twin) embedded(e *markdown.Embed) string {
	t := w.page.Target(e)
	text := escaped(cmp.Or(e.Alt, path.Base(e.File)))
	switch {
	case t.Page != nil:
		part, _ := w.page.Part(e)
		return w.linkTo(escaped(cmp.Or(e.Alt, part.Title)), w.address(t), "")
	case t.Missing:
		return escaped(cmp.Or(e.Alt, e.NotePath.String()))
	case markdown.MediumOf(t.Asset) == markdown.ImageMedium:
		return "!" + w.linkTo(text, w.address(t), "")
	}
	return w.linkTo(text, w.address(t), "")
}

// numbered is what a reference leads to, by its number or its title.
func (w *twin) numbered(n *markdown.Reference) string {
	r := w.page.Referred(n)
	text := w.referenceText(n, r)
	if r.Elsewhere && r.Number != "" && r.Target.Page != nil {
		text = w.t.Get("number_elsewhere", "what", text, "page", w.titleOf(r.Target.Page))
	}
	return w.linkTo(escaped(text), w.address(r.Target), "")
}

// cited are works by author and year; the list at the page's end has the rest.
func (w *twin) cited(c *markdown.Citation) string {
	var works []string
	for _, work := range c.Works {
		text := work.Key
		if known := w.work(work.Key); known != nil {
			text = known.authors + ", " + known.year
			if c.Textual {
				text = known.authors + " (" + known.year + ")"
			}
		}
		text = strings.TrimSpace(work.Before + " " + text)
		if work.After != "" {
			text += ", " + work.After
		}
		works = append(works, escaped(text))
	}
	if c.Textual {
		return strings.Join(works, "; ")
	}
	return "(" + strings.Join(works, "; ") + ")"
}

func (w *twin) inlineHTML(n *ast.RawHTML) string {
	var raw, out bytes.Buffer
	for i := range n.Segments.Len() {
		s := n.Segments.At(i)
		raw.Write(s.Value(w.page.Source.Data))
	}
	if _, lacks := w.ends.Lacks(n, raw.Bytes(), w.page.Source.Data); lacks {
		return ""
	}
	w.raw.write(&out, raw.Bytes())
	return out.String()
}
