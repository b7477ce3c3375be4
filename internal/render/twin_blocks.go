package render

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"

	"github.com/gpudocs/gpudocs/internal/markdown"
)

// blocks writes the children of a node, each a text. A list behind another would go on with
// it, where what parts them shows nothing.
func (w *twin) blocks(n ast.Node) (parts []string) {
	var last *ast.List
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		part := w.block(c)
		if part == "" {
			continue
		}
		list, _ := c.(*ast.List)
		if list != nil && last != nil && list.Marker == last.Marker {
			parts = append(parts, "<!-- -->")
		}
		parts, last = append(parts, part), list
	}
	return parts
}

// inside is all of a block's children as one text.
func (w *twin) inside(n ast.Node) string { return joined(w.blocks(n), "\n\n") }

// block writes one. It is empty for what shows nothing.
func (w *twin) block(n ast.Node) string {
	switch n := n.(type) {
	case *ast.Heading:
		anchor := ""
		if id := w.page.OwnID(n); id != "" {
			anchor = anchored(id)
		}
		return strings.Repeat("#", n.Level) + " " + anchor + oneLine(w.inlines(n))
	case *ast.Paragraph, *ast.TextBlock:
		return w.paragraph(n)
	case *ast.ThematicBreak:
		return "---"
	case *ast.CodeBlock:
		return fenced("", lines(n, w.page.Source.Data))
	case *ast.Blockquote:
		return prefixed(w.inside(n), "> ", "> ")
	case *ast.List:
		return w.list(n)
	case *ast.HTMLBlock:
		return w.blockHTML(n)
	case *ast.LinkReferenceDefinition:
		return ""
	case *extast.Table:
		return w.table(n)
	case *extast.DefinitionList:
		return w.definitions(n)
	case *extast.FootnoteList:
		return w.footnoteList(n)
	}
	return w.ownBlock(n)
}

// anchored is what a link can lead to where no heading has the id.
func anchored(id string) string { return `<a id="` + attribute(id) + `"></a>` }

func oneLine(s string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(s, "\\\n", "\n")), " ")
}

func lines(n ast.Node, source []byte) string {
	var b strings.Builder
	for i := range n.Lines().Len() {
		s := n.Lines().At(i)
		b.Write(s.Value(source))
	}
	return strings.ReplaceAll(b.String(), "\r\n", "\n")
}

// paragraph is a line of text or more. One that holds another page alone shows it.
func (w *twin) paragraph(n ast.Node) string {
	if e, ok := n.FirstChild().(*markdown.Embed); ok && e.NextSibling() == nil && w.page.Target(e).Page != nil {
		return w.part(e)
	}
	list := strings.Split(strings.TrimSpace(w.inlines(n)), "\n")
	for i, line := range list {
		line = strings.TrimLeft(strings.TrimRight(line, " \t\r"), " \t")
		if i > 0 && begins.MatchString(line) {
			line = `\` + line
		}
		list[i] = line
	}
	if deep(n) {
		return strings.ReplaceAll(strings.Join(list, " "), "\\ ", "<br>")
	}
	return strings.Join(list, "\n")
}

// deep tells whether a paragraph stands in so many quotes and lists that it is written as one
// line: each of its lines would have all their marks, which the author's need not have.
func deep(n ast.Node) bool {
	depth := 0
	for p := n.Parent(); p != nil && depth <= maxDeep; p = p.Parent() {
		depth++
	}
	return depth > maxDeep
}

const maxDeep = 24

func (w *twin) list(n *ast.List) string {
	between := "\n\n"
	if n.IsTight {
		between = "\n"
	}
	var items []string
	number := n.Start
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		mark := string(n.Marker) + " "
		if n.IsOrdered() {
			mark = strconv.Itoa(number) + mark
			number++
		}
		items = append(items, prefixed(joined(w.blocks(c), between), mark, strings.Repeat(" ", len(mark))))
	}
	return strings.Join(items, between)
}

func (w *twin) blockHTML(n *ast.HTMLBlock) string {
	raw := []byte(lines(n, w.page.Source.Data))
	if n.HasClosure() {
		raw = append(raw, n.ClosureLine.Value(w.page.Source.Data)...)
	}
	var out bytes.Buffer
	w.raw.write(&out, raw)
	if n.HTMLBlockType >= ast.HTMLBlockType6 { // an empty line would end it: where a comment was
		return joined(slices.DeleteFunc(strings.Split(out.String(), "\n"), func(s string) bool { return strings.TrimSpace(s) == "" }), "\n")
	}
	return strings.TrimSpace(out.String())
}

func (w *twin) table(n *extast.Table) string {
	var rows [][]string
	for r := n.FirstChild(); r != nil; r = r.NextSibling() {
		var row []string
		for c := r.FirstChild(); c != nil; c = c.NextSibling() {
			row = append(row, cell(w.inlines(c)))
		}
		rows = append(rows, row)
	}
	var sides []string
	for _, a := range n.Alignments {
		sides = append(sides, a.String())
	}
	return table(rows, sides)
}

// definitions are a list: other Markdown has no list of terms.
func (w *twin) definitions(n *extast.DefinitionList) string {
	var items []string
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if c.Kind() == extast.KindDefinitionTerm {
			items = append(items, "- **"+oneLine(w.inlines(c))+"**")
		} else {
			items = append(items, prefixed(w.inside(c), "  ", "  "))
		}
	}
	return strings.Join(items, "\n\n")
}

func (w *twin) footnoteList(n *extast.FootnoteList) string {
	var notes []string
	for _, c := range children(n) {
		if note, ok := c.(*extast.Footnote); ok && !w.within {
			notes = append(notes, prefixed(w.inside(note), "[^"+strconv.Itoa(note.Index)+"]: ", "    "))
		}
	}
	return strings.Join(notes, "\n")
}

// ownBlock writes the blocks that no other Markdown has.
func (w *twin) ownBlock(n ast.Node) string {
	switch n := n.(type) {
	case *markdown.Callout:
		return w.note(n)
	case *markdown.Tabs:
		var tabs []string
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			tabs = append(tabs, "**"+w.tabTitle(c)+"**", joined(w.bodyOf(c), "\n\n"))
		}
		return joined(tabs, "\n\n")
	case *markdown.Figure:
		return w.captioned(n)
	case *markdown.Caption:
		return ""
	case *markdown.MathBlock:
		anchors := ""
		for _, r := range n.Rows {
			for _, l := range r.Labels {
				anchors += anchored(l.ID)
			}
		}
		return joined([]string{anchors, "$$\n" + strings.TrimSpace(n.Typeset()) + "\n$$"}, "\n\n")
	case *markdown.Container:
		if n.Name == "machines" {
			return w.machineTable()
		}
	case *markdown.Contents:
		return w.contents(n)
	case *markdown.Anchor:
		return anchored(n.ID())
	case *markdown.Comment, *markdown.AbbreviationDefinition:
		return ""
	}
	if text, ok := w.code(n); ok {
		return text
	}
	if n.FirstChild() != nil && n.FirstChild().Type() == ast.TypeInline {
		return w.paragraph(n)
	}
	return w.inside(n)
}

// alerts are the five kinds of boxes that GitHub knows, by those that are like them.
var alerts = map[string]string{
	"note": "NOTE", "info": "NOTE", "question": "NOTE", "example": "NOTE", "abstract": "NOTE", "todo": "NOTE",
	"tip": "TIP", "success": "TIP", "important": "IMPORTANT", "warning": "WARNING", "failure": "WARNING", "bug": "WARNING",
	"caution": "CAUTION", "danger": "CAUTION",
}

// note writes a callout. The title stands in it where GitHub's would be another.
func (w *twin) note(n *markdown.Callout) string {
	var parts []string
	kind := n.Name
	if !slices.Contains(markdown.CalloutNames(), kind) {
		kind = "note"
	}
	alert := alerts[kind]
	if title, ok := n.FirstChild().(*markdown.CalloutTitle); ok {
		parts = append(parts, "**"+oneLine(w.inlines(title))+"**")
	} else if !n.Plain && !strings.EqualFold(alert, n.Name) && kind != "quote" {
		parts = append(parts, "**"+escaped(w.calloutName(n.Name, kind))+"**")
	}
	body := joined(append(parts, w.bodyOf(n)...), "\n\n")
	if alert != "" {
		body = "[!" + alert + "]\n" + body
	}
	return prefixed(body, "> ", "> ")
}

// bodyOf are the blocks of a callout or a tab without its title.
func (w *twin) bodyOf(n ast.Node) (parts []string) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if c.Kind() != markdown.KindCalloutTitle && c.Kind() != markdown.KindTabTitle {
			parts = append(parts, w.block(c))
		}
	}
	return parts
}

func (w *twin) tabTitle(n ast.Node) string {
	if title, ok := n.FirstChild().(*markdown.TabTitle); ok {
		return oneLine(w.inlines(title))
	}
	return escaped(n.(*markdown.Tab).Title)
}

// captioned is a figure with its number and caption below it.
func (w *twin) captioned(n *markdown.Figure) string {
	parts := []string{}
	if n.ID != "" {
		parts = append(parts, anchored(n.ID))
	}
	parts = append(parts, w.blocks(n)...)
	caption := ""
	if c, ok := n.LastChild().(*markdown.Caption); ok {
		caption = oneLine(w.inlines(c))
	}
	if number := w.page.Number(n); number > 0 {
		caption = strings.TrimSpace("**" + escaped(w.series(n.Of, strconv.Itoa(number))) + ".** " + caption)
	}
	return joined(append(parts, caption), "\n\n")
}

// contents lists the pages that the author names.
func (w *twin) contents(n *markdown.Contents) string {
	var items []string
	for i, t := range w.page.ContentsTargets(n) {
		if t.Page == nil {
			items = append(items, "- "+escaped(n.Entries[i].Page))
			continue
		}
		items = append(items, "- "+w.linkTo(escaped(w.titleOf(t.Page)), w.address(t), ""))
	}
	return strings.Join(items, "\n")
}
