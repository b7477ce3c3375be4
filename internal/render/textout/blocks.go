package textout

import (
	"bufio"
	"bytes"
	"html"
	"slices"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/renderer"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/dialects"
	"github.com/gpudocs/gpudocs/internal/markdown/native"
	"github.com/gpudocs/gpudocs/internal/site"
)

func (w *writer) block(n ast.Node) {
	switch n := n.(type) {
	case *ast.Heading:
		w.heading(n)
	case *ast.Paragraph, *ast.TextBlock:
		if e, ok := n.FirstChild().(*markdown.Embed); !ok || n.ChildCount() > 1 || !w.part(e) {
			if _, list := n.FirstChild().(*markdown.Bibliography); list {
				w.put(w.inlines(n))
				return
			}
			w.put(paragraph(w.inlines(n)))
		}
	case *ast.Blockquote:
		w.quote("", func() { w.blocks(n) })
	case *ast.List:
		w.list(n)
	case *ast.ThematicBreak:
		w.put("---")
	case *ast.CodeBlock:
		w.put(fenced("", string(n.Lines().Value(w.source))))
	case *site.Fence:
		w.fence(n)
	case *ast.HTMLBlock:
		if text := w.html(markdown.RawHTML(n, w.source), noComment); text != noComment {
			w.put(text)
		}
	case *extast.Table:
		w.table(n)
	case *extast.FootnoteList:
		w.footnotes(n)
	case *extast.DefinitionTerm:
		w.put(bold(w.inlines(n)))
	case *extast.DefinitionDescription:
		w.item("- ", func() { w.blocks(n) })
	case *native.AbbreviationDefinition:
		if w.notebook == nil {
			w.put("*[" + n.Label + "]: " + n.Title)
		}
	case *markdown.MathBlock:
		w.put(formula(&n.Formula))
	case *markdown.Callout:
		w.callout(n)
	case *markdown.Tabs, *markdown.Grid:
		w.begin(false)
		w.blocks(n)
	case *markdown.Tab:
		w.item("- ", func() {
			if t, ok := n.FirstChild().(*markdown.TabTitle); ok {
				w.put(bold(w.inlines(t)))
			} else {
				w.put(bold(Escape(n.Title)))
			}
			w.blocks(n)
		})
	case *markdown.Card:
		if n.Plain {
			w.blocks(n)
		} else {
			w.item("- ", func() { w.blocks(n) })
		}
	case *markdown.CardPart:
		if first := n.FirstChild(); n.Name == "title" && first != nil && first.Kind() == ast.KindParagraph {
			w.put(bold(w.inlines(first)))
		} else {
			w.blocks(n)
		}
	case *markdown.TabTitle, *markdown.CalloutTitle:
		return
	case *markdown.Figure:
		if w.blocks(n); n.LastChild().Kind() != markdown.KindCaption {
			w.put(bold(Escape(w.labels.NameOf(w.on, n))))
		}
	case *markdown.Caption:
		text := w.inlines(n)
		if name := w.labels.NameOf(w.on, n.Parent()); name != "" {
			text = bold(Escape(name)+".") + " " + text
		}
		w.put(text)
	case *markdown.Container:
		switch n.Name {
		case "machines":
			w.machines()
		case "hidden", "my-gpu": // who reads this has no GPU to name
		default:
			w.blocks(n)
		}
	case *markdown.Contents:
		var list []string
		for _, t := range w.links.ContentsTargets(n) {
			if t.Page != nil {
				list = append(list, "- "+link(Escape(t.Page.Title), w.address(t)))
			}
		}
		w.put(strings.Join(list, "\n"))
	default:
		w.other(n)
	}
}

// begins matches what would begin another block than a paragraph: a line that its author has indented.
var begins = lazyregexp.New(
	`^(\d{0,9})((?:[.)]|#{1,6}|[-+*])(?:\s|$)|(?:[*_-][ \t]*){3,}$|[=-]+[ \t]*$|>|:::|~~~|\||\x60{3,}[^\x60\n]*$)`)

// paragraph returns the lines of a paragraph without the spaces around them, which what is not written leaves, such as an icon. None
// begins another block.
func paragraph(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if line = strings.Trim(line, " "); line != "" && strings.IndexByte("#>-+*=:~|`_.)0123456789", line[0]) >= 0 {
			line = begins.ReplaceAllString(line, `$1\$2`)
		}
		lines[i] = line
	}
	return strings.Join(lines, "\n")
}

// heading writes a heading, with the id that its author gave it, to which links lead.
func (w *writer) heading(n *ast.Heading) {
	text, id := strings.Repeat("#", n.Level)+" "+strings.ReplaceAll(w.inlines(n), "\n", " "), markdown.ID(n)
	if w.notebook == nil && id != site.Slug(w.plain(n)) {
		text += " {#" + id + "}"
	} else if w.notebook != nil && n.Parent().Kind() == ast.KindDocument {
		w.flush()
		w.notebook.section = id
	}
	w.put(text)
}

// other writes a block that only a dialect has: in the HTML element that pages show it in.
func (w *writer) other(n ast.Node) {
	open, end, inside := tags(n, w.source)
	if w.notebook.holds(n) {
		open, end = "", ""
	}
	w.put(open)
	if first := n.FirstChild(); inside && first != nil && first.Type() == ast.TypeInline {
		w.put(w.inlines(n))
	} else if inside {
		w.blocks(n)
	}
	w.put(end)
}

// functions are those that write the nodes of dialects.
type functions map[ast.NodeKind]renderer.NodeRendererFunc

// Register implements goldmark's renderer.NodeRendererFuncRegisterer.
func (f functions) Register(kind ast.NodeKind, write renderer.NodeRendererFunc) { f[kind] = write }

var nodeWriters = func() functions {
	f := functions{}
	dialects.NewHTMLRenderer().RegisterFuncs(f)
	return f
}()

// noElement matches tags that say nothing without the style sheet of the site.
var noElement = lazyregexp.New(`</?(?:span|div)\b[^>]*>`)

// tags returns the HTML with which a node of a dialect begins and ends, and whether its children stand between.
func tags(n ast.Node, source []byte) (open, end string, inside bool) {
	write := nodeWriters[n.Kind()]
	if write == nil {
		return "", "", true
	}
	var b bytes.Buffer
	out := bufio.NewWriter(&b)
	status, _ := write(out, source, n, true)
	_ = out.Flush()
	open = b.String()
	b.Reset()
	if inside = status == ast.WalkContinue; inside {
		_, _ = write(out, source, n, false)
		_ = out.Flush()
	}
	return noElement.ReplaceAllString(open, ""), noElement.ReplaceAllString(b.String(), ""), inside
}

func (w *writer) list(n *ast.List) {
	w.begin(n.IsOrdered())
	parent, nested := n.Parent().Parent().(*ast.List)
	number := n.Start
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		marker := "- "
		if n.IsOrdered() {
			marker = strconv.Itoa(number) + ". "
			number++
		}
		if c.PreviousSibling() != nil {
			w.glued = n.IsTight
		} else if nested && n.PreviousSibling() != nil {
			w.glued = parent.IsTight
		}
		if !c.HasChildren() {
			w.put(marker)
		}
		w.item(marker, func() { w.blocks(c) })
	}
	w.glued = false
}

// columns are the marks of the alignments of a table's columns.
var columns = map[extast.Alignment]string{
	extast.AlignLeft:   ":--",
	extast.AlignRight:  "--:",
	extast.AlignCenter: ":-:",
	extast.AlignNone:   "---",
}

func (w *writer) table(n *extast.Table) {
	var rows []string
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		line, below, empty := "|", "|", "|"
		for c := row.FirstChild(); c != nil; c = c.NextSibling() {
			line += " " + bar.ReplaceAllStringFunc(strings.ReplaceAll(w.cellText(c), "\n", " "), escape) + " |"
			below += columns[c.(*extast.TableCell).Alignment] + "|"
			empty += "  |"
		}
		switch {
		case len(rows) > 0:
			rows = append(rows, line)
		case row.Kind() == extast.KindTableHeader:
			rows = append(rows, line, below)
		default: // a table needs a head
			rows = append(rows, empty, below, line)
		}
	}
	w.put(strings.Join(rows, "\n"))
}

// cellText returns the text in a cell of a table, whose blocks are lines of it.
func (w *writer) cellText(n ast.Node) string {
	first := n.FirstChild()
	if first == nil || first.Type() == ast.TypeInline {
		return w.inlines(n)
	}
	var lines []string
	for c := first; c != nil; c = c.NextSibling() {
		text := w.cellText(c)
		if f, ok := c.(*site.Fence); ok {
			text = codeSpan(f.Code)
		}
		lines = append(lines, text)
	}
	return strings.Join(lines, "<br>")
}

// footnotes writes the footnotes to which the text refers: in an export with their labels, in a notebook as a list.
func (w *writer) footnotes(list *extast.FootnoteList) {
	if w.notebook != nil {
		w.put("---")
	}
	for c := list.FirstChild(); c != nil; c = c.NextSibling() {
		switch n := c.(*extast.Footnote); {
		case w.notebook != nil:
			w.item(strconv.Itoa(n.Index)+". ", func() { w.blocks(n) })
		case w.referred[n.Index] && n.FirstChild().Kind() == ast.KindParagraph:
			w.within(w.footnote(n.Index)+": ", "    ", func() { w.blocks(n) })
		case w.referred[n.Index]: // its code would be indented by less than its label is long
			w.put(w.footnote(n.Index) + ":")
			w.within("    ", "    ", func() { w.blocks(n) })
		}
	}
}

// footnote returns the mark of a footnote in an export. Those of embedded pages have labels of their own.
func (w *writer) footnote(index int) string {
	label := w.notes[index]
	if w.on != w.Page {
		label = w.on.Key + "-" + label
	}
	return "[^" + label + "]"
}

// callout writes a box: in an export as an alert, whose kind other tools know, in a notebook as a quotation with a title. One
// that folds is an HTML element there, unless code runs in it.
func (w *writer) callout(n *markdown.Callout) {
	if n.Withheld {
		if day := w.on.SolutionsAfter; !day.IsZero() {
			w.put("*" + Escape(w.Text.Get("solution_comes", "date", w.Text.Date(day))) + "*")
		}
		return
	}
	alert := w.notebook == nil && !n.Statement && n.Name != "details"
	title, folds := Escape(w.labels.NameOf(w.on, n)), (n.Fold != markdown.NoFold || n.Name == "details") && !w.notebook.holds(n) && !alert
	if written, ok := n.FirstChild().(*markdown.CalloutTitle); ok {
		text := strings.ReplaceAll(w.inlines(written), "\n", " ")
		if folds { // Markdown is not read there
			text = html.EscapeString(w.plain(written))
		}
		switch {
		case !n.Statement:
			title = text
		case text != "":
			title += " (" + text + ")"
		}
	} else if n.Plain || alert && slices.Contains(markdown.CalloutNames(), n.Name) {
		title = ""
	}
	switch {
	case alert:
		mark := "[!" + n.Name + "]" + [...]string{markdown.NoFold: "", markdown.Folded: "-", markdown.Unfolded: "+"}[n.Fold]
		w.quote(strings.TrimSpace(mark+" "+title), func() {
			w.glued = true
			w.blocks(n)
		})
		w.glued = false
	case folds:
		w.put("<details>\n<summary>" + title + "</summary>")
		w.blocks(n)
		w.put("</details>")
	default:
		w.quote(bold(title), func() { w.blocks(n) })
	}
}

// part writes an embedded page, or a part of it, as a quotation. It reports false if the embed is a link: in a notebook, whose
// cells belong to its page, and if it leads to itself, or too deep.
func (w *writer) part(n *markdown.Embed) bool {
	part, ok := w.links.Part(n)
	if !ok || w.notebook != nil || len(w.levels) >= maxLevels || !w.in.Shows(n) {
		return false
	}
	title, around, place := w.inlines(n.Parent()), w.origin, w.in
	w.origin = w.from(part.Page)
	w.in, _ = place.Enter(n)
	w.quote(bold(title), func() {
		for _, b := range part.Blocks() {
			w.block(b)
		}
		if part.Notes != nil {
			w.footnotes(part.Notes)
		}
	})
	w.origin, w.in = around, place
	return true
}

// formula returns a formula that is a block.
func formula(f *markdown.Formula) string {
	tex := strings.TrimSpace(f.Typeset())
	if rowed.MatchString(tex) {
		return tex
	}
	return "$$\n" + tex + "\n$$"
}

// rowed matches the environments that MathJax does not accept between dollars.
var rowed = lazyregexp.New(`^\\begin\{(?:equation|align|alignat|gather|multline|flalign|eqnarray)\*?\}`)

// bold returns a text in bold, or nothing for an empty text.
func bold(text string) string {
	if text = strings.TrimSpace(text); text == "" {
		return ""
	}
	return "**" + text + "**"
}
