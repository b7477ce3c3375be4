package importer

import (
	"bytes"
	"path"
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/gpudocs/gpudocs/internal/diag"
	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown"
)

var labelForm = lazyregexp.New(":(?:eq)?label:`([^`\n]+)`")

// Labels are the names that a page of d2lbook gives, so that references on other
// pages find it.
func Labels(data []byte) (list []string) {
	for _, m := range labelForm.FindAllSubmatch(data, -1) {
		list = append(list, strings.TrimSpace(string(m[1])))
	}
	return list
}

// d2l turns a node of d2lbook's.
func (w *nodeWriter) d2l(n ast.Node) {
	if !w.options.Dialects.Has(markdown.D2L) {
		return
	}
	switch n := n.(type) {
	case *ast.Heading:
		w.heading(n)
	case *markdown.Directive:
		w.directive(n)
	case *markdown.Figure:
		w.figure(n)
	case *markdown.MathBlock:
		w.equation(&n.Formula)
	case *markdown.Math:
		w.equation(&n.Formula)
	case *markdown.Reference:
		w.reference(n)
	case *markdown.Citation:
		w.citation(n)
	case *markdown.SlideMark:
		w.replace(n.Span, "")
	case *markdown.Contents:
		w.contents(n)
	case *ast.CodeSpan:
		w.codeRole(n)
	case *ast.FencedCodeBlock:
		if string(n.Language(w.src.data)) == "eval_rst" {
			w.kept(n.Info.Segment.Start, n.Info.Segment.Stop, diag.Say("reStructuredText is kept as it is"), diag.Say("write it in Markdown"))
		}
	}
}

// heading writes the label behind a heading into its braces.
func (w *nodeWriter) heading(n *ast.Heading) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		d, ok := c.(*markdown.Directive)
		if !ok || !d.Placed || n.Lines().Len() == 0 {
			continue
		}
		l := w.lineAround(n.Lines().At(n.Lines().Len() - 1).Start)
		at := l.start + len(bytes.TrimRight(w.src.data[l.start:l.stop], " \t"))
		if d.Start >= l.start && d.Stop <= l.stop { // on the same line
			w.replace(d.Span, "{#"+d.Argument+"}")
			continue
		}
		w.insert(at, " {#"+d.Argument+"}")
	}
}

func (w *nodeWriter) directive(d *markdown.Directive) {
	if _, in := d.Parent().(*ast.Heading); in && d.Placed {
		if l := w.lineAround(d.Start); labelledHeading(w.src.data[l.start:l.stop]) {
			return
		}
	}
	switch {
	case d.Placed:
		w.remove(d.Span)
	case d.Name == "label":
		w.replace(d.Span, `<a id="`+d.Argument+`"></a>`)
	default:
		w.kept(d.Start, d.Stop, diag.Say(":%s: stands behind nothing that it could speak of, and is kept", d.Name), diag.Say("take it out, or put it where it belongs"))
	}
}

// labelledHeading tells whether a directive stands on its heading's own line.
func labelledHeading(line []byte) bool {
	t := bytes.TrimLeft(line, " >")
	return len(t) > 0 && t[0] == '#'
}

// figure writes what directives said of an image, a table or code into it.
func (w *nodeWriter) figure(f *markdown.Figure) {
	var given []string
	if f.ID != "" {
		given = append(given, "#"+f.ID)
	}
	if f.Width != "" {
		given = append(given, "width="+f.Width)
	}
	if f.Height != "" {
		given = append(given, "height="+f.Height)
	}
	attributes := ""
	if len(given) > 0 {
		attributes = "{" + strings.Join(given, " ") + "}"
	}
	if f.Of != markdown.Image {
		w.wrapped(f, attributes)
		return
	}
	var img *ast.Image
	_ = ast.Walk(f, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if i, ok := n.(*ast.Image); ok && entering && img == nil {
			img = i
		}
		return ast.WalkContinue, nil
	})
	if img == nil {
		return
	}
	m, ok := imageAt(w.src.data, img.Pos())
	if !ok {
		return
	}
	rest := w.src.data[m.end:]
	if len(rest) > 0 && rest[0] == '{' { // it is written so already
		return
	}
	if _, has := f.LastChild().(*markdown.Caption); has && m.close >= 0 && !m.titled {
		w.insert(m.close, ` "`+caption(w.text(m.alt))+`"`)
	}
	w.insert(m.end, attributes)
	if next, ok := f.NextSibling().(*markdown.Figure); ok && next.Of == markdown.Image {
		if between := w.src.data[m.end:max(next.Pos(), m.end)]; !blankLine.Match(between) {
			l := w.lineAround(next.Pos())
			w.insert(l.start, strings.TrimRight(string(w.src.data[l.start:next.Pos()]), " ")+w.eol)
		}
	}
}

var blankLine = lazyregexp.New(`\n[ \t>]*\r?\n`)

// caption is a text for the title of an image, in one line.
func caption(s string) string {
	s = strings.Join(strings.Fields(lineMargin.ReplaceAllString(s, " ")), " ")
	return strings.ReplaceAll(s, `"`, `\"`)
}

var lineMargin = lazyregexp.New(`\r?\n[ \t>]*`)

// wrapped puts a table or code into :::figure.
func (w *nodeWriter) wrapped(f *markdown.Figure, attributes string) {
	all := extent(f.FirstChild())
	if all.Start < 0 {
		return
	}
	first, last := w.lineAround(all.Start), w.lineAround(max(all.Stop-1, all.Start))
	if f.Of == markdown.Listing { // the lines of the fence stand around its code
		if fence, ok := f.FirstChild().(*ast.FencedCodeBlock); ok {
			first, last = w.lineAround(fence.Pos()), w.lineAround(last.next)
		}
	}
	open := strings.TrimRight(":::figure "+attributes, " ")
	margin := w.margin(first.start + len(w.src.data[first.start:first.stop]) - len(bytes.TrimLeft(w.src.data[first.start:first.stop], " \t>")))
	if c, ok := f.LastChild().(*markdown.Caption); ok {
		s := captionExtent(c)
		colon := bytes.LastIndexByte(w.src.data[:max(s.Start, 0)], ':')
		if s.Start < 0 || colon < 0 {
			return
		}
		end := w.lineAround(s.Stop - 1)
		w.edits = append(w.edits, edit{colon, end.stop, strings.TrimRight(":::figure "+caption(w.text(markdown.Span{Start: colon + 1, Stop: end.stop}))+" "+attributes, " ")})
	} else if attributes != "" {
		w.insert(first.start, margin+open+w.eol)
	} else {
		return
	}
	w.edits = append(w.edits, edit{last.next, last.next, margin + ":::" + w.eol})
	if last.next == last.stop {
		w.edits[len(w.edits)-1].text = w.eol + margin + ":::" + w.eol
	}
}

// captionExtent leaves out the directives that were stowed in a caption.
func captionExtent(c ast.Node) (s markdown.Span) {
	s.Start = -1
	for n := c.FirstChild(); n != nil; n = n.NextSibling() {
		e := extent(n)
		if t, ok := n.(*ast.Text); ok {
			e = markdown.Span{Start: t.Segment.Start, Stop: t.Segment.Stop}
		}
		if e.Start < 0 || n.Kind() == markdown.KindDirective {
			continue
		}
		if s.Start < 0 {
			s.Start = e.Start
		}
		s.Stop = max(s.Stop, e.Stop)
	}
	return s
}

// equation writes the label behind an equation into its braces.
func (w *nodeWriter) equation(f *markdown.Formula) {
	for _, r := range f.Rows {
		for _, l := range r.Labels {
			if l.Start < f.Stop || w.src.data[l.Start] != ':' {
				continue
			}
			w.insert(f.Stop, " {#"+l.Name+"}")
			w.remove(l.Span)
		}
	}
}

// reference makes a link without a text, which shows the number.
func (w *nodeWriter) reference(r *markdown.Reference) {
	label, ok := strings.CutPrefix(r.Destination, ":")
	if !ok || w.src.data[r.Start] != ':' {
		return
	}
	if r.Parentheses {
		w.replace(r.Span, `\eqref{`+label+`}`)
		return
	}
	file := ""
	if of := w.options.Labels[label]; of != "" && of != w.name {
		file = destination(relativeTo(w.name, pageName(of)))
	} else if of == "" && !bytes.Contains(w.src.data, []byte("label:`"+label+"`")) {
		w.say(diag.Warning, r.Start, r.Stop, diag.Say("no page that is imported has the label %s", label), diag.Say("import the pages together, or write the file before the #"))
		w.replace(r.Span, "["+escaped(label)+"](#"+label+")") // as the dialect shows one that leads nowhere
		return
	}
	w.replace(r.Span, "[]("+file+"#"+label+")")
}

func (w *nodeWriter) citation(c *markdown.Citation) {
	if w.src.data[c.Start] != ':' {
		return
	}
	if !w.cited {
		w.cited = true
		w.say(diag.Notice, c.Start, c.Stop, diag.Say("citations are shown where gpudocs.toml names a bibliography"), diag.Say(`write bibliography = "refs.bib" under [markdown]`))
	}
	var works []string
	for _, work := range c.Works {
		works = append(works, "@"+work.Key)
	}
	what := "[" + strings.Join(works, "; ") + "]"
	if c.Textual {
		what += w.guess(false, c.Start, c.Stop, diag.Say("the authors stood in the sentence here"), diag.Say("write their names before the brackets"))
	}
	w.replace(c.Span, what)
}

// contents makes a list of links without a text, which show the pages' titles.
// A page that does not come along is named as the toc names it.
func (w *nodeWriter) contents(n *markdown.Contents) {
	if len(n.Entries) == 0 {
		return
	}
	first := w.lineAround(n.Opening.Start)
	last := w.lineAround(n.Entries[len(n.Entries)-1].Stop)
	closing := w.lineAround(last.next)
	for closing.next > closing.stop && !bytes.Contains(w.src.data[closing.start:closing.stop], []byte("```")) {
		closing = w.lineAround(closing.next)
	}
	var b strings.Builder
	for _, e := range n.Entries {
		file, title := strings.TrimSuffix(e.Page, ".md")+".md", ""
		if there := path.Join(path.Dir(w.name), file); !w.options.Files.has(there) && !w.options.Files.has(strings.TrimSuffix(there, ".md")+".ipynb") {
			title = escaped(e.Page)
		}
		b.WriteString("- [" + title + "](" + destination(file) + ")" + w.eol)
	}
	w.edits = append(w.edits, edit{first.start, closing.next, b.String()})
}

// roleForm are the roles of code; another name is an emoji before code.
var roleForm = lazyregexp.New(":(?:func|class|mod|meth|attr|data|exc|obj|file|samp|code|command|program):$")

// codeRole makes code of :func:`name`, and of :func:`~module.name` its last part.
func (w *nodeWriter) codeRole(n *ast.CodeSpan) {
	t, ok := n.FirstChild().(*ast.Text)
	if !ok {
		return
	}
	l := w.lineAround(t.Segment.Start)
	open := bytes.LastIndexByte(w.src.data[l.start:t.Segment.Start], '`')
	if open < 0 || t.Segment.Stop > l.stop {
		return
	}
	open += l.start
	if m := roleForm.FindIndex(w.src.data[l.start:open]); m != nil && bytes.IndexByte(w.src.data[t.Segment.Stop:l.stop], '`') >= 0 {
		w.replace(markdown.Span{Start: l.start + m[0], Stop: open}, "")
		w.replace(markdown.Span{Start: open + 1, Stop: t.Segment.Start}, "")
	}
}
