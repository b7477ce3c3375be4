package nbexport

import (
	"bufio"
	"bytes"
	"cmp"
	"html"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/renderer"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/dialects"
	"github.com/gpudocs/gpudocs/internal/render/mdexport"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/text"
)

// A writer writes a page as cells.
type writer struct {
	site   Site
	page   *site.Page
	links  *site.Links
	source []byte
	config *site.Config
	t      text.Catalog
	kernel kernel
	cells  []map[string]any
	ids    map[string]int
	// saves are the blocks that write files, by position, and holders the blocks that contain code cells.
	saves   map[int]site.SavedFile
	holders map[ast.Node]bool
	// stateful are the bash sessions whose state is carried from cell to cell.
	stateful map[*site.Session]bool

	// The cell of text that is being written.
	text    strings.Builder
	levels  []level
	glued   bool // the next block needs no blank line before it
	section string
}

// A level is a quotation or an item of a list. first begins its first line, and rest the others.
type level struct {
	first, rest string
	begun       bool
}

// put writes a block of text.
func (w *writer) put(block string) {
	block = strings.Trim(block, "\n")
	if block == "" {
		return
	}
	if w.text.Len() > 0 && !w.glued {
		rest := ""
		for _, l := range w.levels {
			if l.begun {
				rest += l.rest
			}
		}
		w.text.WriteString(strings.TrimRight(rest, " ") + "\n")
	}
	w.glued = false
	for line := range strings.Lines(block) {
		prefix := ""
		for i := range w.levels {
			if l := &w.levels[i]; l.begun {
				prefix += l.rest
			} else {
				prefix, l.begun = prefix+l.first, true
			}
		}
		w.text.WriteString(strings.TrimRight(prefix+strings.TrimSuffix(line, "\n"), " ") + "\n")
	}
}

// flush ends the cell of text.
func (w *writer) flush() {
	if w.text.Len() > 0 {
		w.add("markdown", "text-"+w.section, w.text.String(), map[string]any{})
	}
	w.text.Reset()
	w.glued = false
	for i := range w.levels { // indentation would make code of what goes on in the next cell
		w.levels[i].rest = strings.TrimLeft(w.levels[i].rest, " ")
	}
}

// maxLevels limits how deep lists and quotations are nested, because each adds to every line of it.
const maxLevels = 24

// within writes the children of a block in a quotation or an item of a list.
func (w *writer) within(first, rest string, write func()) {
	if len(w.levels) >= maxLevels {
		write()
		return
	}
	w.levels = append(w.levels, level{first: first, rest: rest})
	write()
	w.levels = w.levels[:len(w.levels)-1]
}

// quote writes a quotation with a title.
func (w *writer) quote(title string, write func()) {
	w.within("> ", "> ", func() {
		if title != "" {
			w.put("**" + title + "**")
		}
		write()
	})
}

func (w *writer) blocks(n ast.Node) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		w.block(c)
	}
}

func (w *writer) block(n ast.Node) {
	switch n := n.(type) {
	case *ast.Heading:
		if n.Parent().Kind() == ast.KindDocument {
			w.flush()
			w.section = markdown.ID(n)
		}
		w.put(strings.Repeat("#", n.Level) + " " + strings.ReplaceAll(w.inlines(n), "\n", " "))
	case *ast.Paragraph, *ast.TextBlock:
		w.put(w.inlines(n))
	case *ast.Blockquote:
		w.quote("", func() { w.blocks(n) })
	case *ast.List:
		w.list(n)
	case *ast.ThematicBreak:
		w.put("---")
	case *ast.CodeBlock:
		w.put(mdexport.Fenced("", string(n.Lines().Value(w.source))))
	case *site.Fence:
		w.fence(n)
	case *ast.HTMLBlock:
		text := w.html(markdown.RawHTML(n, w.source), noComment)
		if before := n.PreviousSibling(); text != noComment || before != nil && before.Kind() == ast.KindList { // it separates lists
			w.put(text)
		}
	case *extast.Table:
		w.table(n)
	case *extast.FootnoteList:
		w.put("---")
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			number := strconv.Itoa(c.(*extast.Footnote).Index) + ". "
			w.within(number, strings.Repeat(" ", len(number)), func() { w.blocks(c) })
		}
	case *extast.DefinitionTerm:
		w.put("**" + w.inlines(n) + "**")
	case *extast.DefinitionDescription:
		w.within("- ", "  ", func() { w.blocks(n) })
	case *markdown.MathBlock:
		w.put(formula(&n.Formula))
	case *markdown.Callout:
		w.callout(n)
	case *markdown.Tab:
		if t, ok := n.FirstChild().(*markdown.TabTitle); ok {
			w.put("**" + w.inlines(t) + "**")
		} else {
			w.put(strong(n.Title))
		}
		w.blocks(n)
	case *markdown.TabTitle, *markdown.CalloutTitle:
		return
	case *markdown.Figure:
		if w.blocks(n); n.LastChild().Kind() != markdown.KindCaption {
			w.put(strong(w.site.Name(w.page, n)))
		}
	case *markdown.Caption:
		w.put(strings.TrimPrefix(strong(w.site.Name(w.page, n.Parent())+".")+" "+w.inlines(n), strong(".")))
	case *markdown.Container:
		if text, ok := w.site.Text(w.page, n); ok {
			w.put(text)
		} else if n.Name != "hidden" {
			w.blocks(n)
		}
	case *markdown.Contents:
		var list []string
		for _, t := range w.links.ContentsTargets(n) {
			if t.Page != nil {
				list = append(list, "- "+link(mdexport.Escape(t.Page.Title), w.site.Address(t)))
			}
		}
		w.put(strings.Join(list, "\n"))
	default:
		w.other(n)
	}
}

// other writes a block that only a dialect has: in the HTML element that pages show it in.
func (w *writer) other(n ast.Node) {
	open, end, inside := w.tags(n)
	if w.holders[n] {
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

// tags returns the HTML with which a node of a dialect begins and ends, and whether its children stand between.
func (w *writer) tags(n ast.Node) (open, end string, inside bool) {
	write := nodeWriters[n.Kind()]
	if write == nil {
		return "", "", true
	}
	var b bytes.Buffer
	out := bufio.NewWriter(&b)
	status, _ := write(out, w.source, n, true)
	_ = out.Flush()
	open = b.String()
	b.Reset()
	if inside = status == ast.WalkContinue; inside {
		_, _ = write(out, w.source, n, false)
		_ = out.Flush()
	}
	return open, b.String(), inside
}

func (w *writer) list(n *ast.List) {
	if before, ok := n.PreviousSibling().(*ast.List); ok && before.IsOrdered() == n.IsOrdered() {
		w.put(noComment) // or it would go on
	}
	parent, nested := n.Parent().Parent().(*ast.List)
	number := n.Start
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		marker := "- "
		if n.IsOrdered() {
			marker = strconv.Itoa(number) + ". "
			number++
		}
		w.glued = n.IsTight && c.PreviousSibling() != nil || nested && parent.IsTight && c.PreviousSibling() == nil
		if !c.HasChildren() {
			w.put(marker)
		}
		w.within(marker, strings.Repeat(" ", len(marker)), func() { w.blocks(c) })
	}
	w.glued = false
}

func (w *writer) table(n *extast.Table) {
	var rows []string
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		line := "|"
		for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
			line += " " + bar.ReplaceAllStringFunc(strings.ReplaceAll(w.inlines(cell), "\n", " "), escape) + " |"
		}
		if rows = append(rows, line); len(rows) > 1 {
			continue
		}
		line = "|"
		for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
			line += [...]string{extast.AlignLeft: ":--", extast.AlignRight: "--:", extast.AlignCenter: ":-:", extast.AlignNone: "---"}[cell.(*extast.TableCell).Alignment] + "|"
		}
		rows = append(rows, line)
	}
	w.put(strings.Join(rows, "\n"))
}

// callout writes a quotation with a title. One that folds is an HTML element, unless code runs in it.
func (w *writer) callout(n *markdown.Callout) {
	if n.Withheld {
		text, _ := w.site.Text(w.page, n)
		w.put(text)
		return
	}
	title, folds := mdexport.Escape(w.site.Name(w.page, n)), (n.Fold != markdown.NoFold || n.Name == "details") && !w.holders[n]
	if written, ok := n.FirstChild().(*markdown.CalloutTitle); ok {
		text := w.inlines(written)
		if folds { // Markdown is not read there
			text = html.EscapeString(w.plain(written))
		}
		switch {
		case !n.Statement:
			title = text
		case text != "":
			title += " (" + text + ")"
		}
	} else if n.Plain {
		title = ""
	}
	if !folds {
		w.quote(title, func() { w.blocks(n) })
		return
	}
	w.put("<details>\n<summary>" + title + "</summary>")
	w.blocks(n)
	w.put("</details>")
}

// strong returns a text in bold, or nothing for an empty text.
func strong(s string) string {
	if s == "" {
		return ""
	}
	return "**" + mdexport.Escape(s) + "**"
}

// noComment stands for a comment where a blank line would end the HTML.
const noComment = "<!-- -->"

// html returns raw HTML with the addresses of the site, and with instead for each comment.
func (w *writer) html(raw []byte, instead string) string {
	return strings.TrimSpace(mdexport.HTML(raw, instead, func(written string) string {
		if t, ok := w.links.RawTarget(written); ok && !t.Missing && t.External == "" {
			return cmp.Or(w.site.Address(t), written)
		}
		return written
	}))
}
