package importer

import (
	"bytes"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"golang.org/x/text/unicode/norm"

	"github.com/gpudocs/gpudocs/internal/diag"
	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown"
)

// obsidian turns a node of Obsidian's.
func (w *nodeWriter) obsidian(n ast.Node) {
	if !w.options.Dialects.Has(markdown.Obsidian) {
		return
	}
	switch n := n.(type) {
	case *markdown.WikiLink:
		w.wikiLink(n)
	case *markdown.Embed:
		w.embed(n)
	case *markdown.Marked:
		w.marked(n)
	case *markdown.Comment:
		w.comment(n.Span, true)
	case *markdown.InlineComment:
		w.comment(n.Span, false)
	case *markdown.Anchor:
		w.replace(n.Span, `<a id="`+n.Name+`"></a>`)
	case *ast.Image:
		w.sized(n)
	case *ast.Link:
		w.link(n)
	}
}

// noteFile is the path of the page that a note becomes, from this page.
func (w *nodeWriter) noteFile(name string, at markdown.Span) string {
	if name == "" {
		return ""
	}
	target := name
	if e := strings.ToLower(path.Ext(name)); e != ".md" && e != ".ipynb" && !w.options.Files.has(name) {
		target += ".md"
	}
	file, ok := w.options.Files.named(w.name, target)
	if !ok {
		file, ok = w.options.Aliases[folded(name)]
	}
	if !ok {
		w.say(diag.Warning, at.Start, at.Stop, diag.Say("there is no note %q among the files", name), diag.Say("import the vault as a whole, or mend the link"))
		return target
	}
	if e := path.Ext(file); strings.EqualFold(e, ".ipynb") || strings.EqualFold(e, ".markdown") {
		file = pageName(file)
	}
	return relativeTo(w.name, file)
}

// wikiLink makes a link to the page's file.
func (w *nodeWriter) wikiLink(n *markdown.WikiLink) {
	whole := w.text(n.Span)
	shown := ""
	if _, behind, ok := strings.Cut(whole, "|"); ok && n.Named {
		shown = strings.TrimSpace(strings.TrimSuffix(behind, "]]"))
	}
	if shown == "" {
		shown = pathText(n.NotePath)
	}
	w.replace(n.Span, "["+shown+"]("+w.address(n.NotePath, n.Span)+")")
}

// pathText is what a link to a note shows that has no text of its own.
func pathText(n markdown.NotePath) string {
	shown := strings.TrimSpace(n.File)
	if s := n.Subpath(); s != "" {
		if shown != "" {
			shown += " > "
		}
		shown += s
	}
	return escaped(shown)
}

// address is where a link to a note leads.
func (w *nodeWriter) address(n markdown.NotePath, at markdown.Span) string {
	dest := destination(w.noteFile(n.File, at))
	switch {
	case n.Block != "":
		dest += "#" + n.Block
	case len(n.Headings) > 0:
		dest += "#" + slug(n.Headings[len(n.Headings)-1])
	}
	return dest
}

// link lets a link of Markdown's, which Obsidian leads to a heading by its text,
// lead to its id.
func (w *nodeWriter) link(n *ast.Link) {
	file, heading, ok := strings.Cut(string(n.Destination), "#")
	heading, err := url.PathUnescape(heading)
	if !ok || err != nil || strings.Contains(file, ":") || strings.HasPrefix(heading, "^") {
		return
	}
	m, ok := linkAt(w.src.data, n.Pos())
	if id := slug(heading); !ok || m.close < 0 || id == heading || id == "" {
		return
	}
	dest := string(w.src.data[m.alt.Stop:m.close])
	at := strings.IndexByte(dest, '#')
	end := at + len(addressEnd.FindString(dest[max(at, 0):]))
	if at < 0 || strings.HasPrefix(dest, "](<") {
		return
	}
	at, end = at+m.alt.Stop, end+m.alt.Stop
	w.replace(markdown.Span{Start: at + 1, Stop: end}, slug(heading))
}

var addressEnd = lazyregexp.New(`^[^\s)]*`)

// escaped keeps a file's name from being Markdown.
func escaped(s string) string {
	return escapeForm.ReplaceAllString(s, `\$0`)
}

var escapeForm = lazyregexp.New("[\\\\`*_\\[\\]<$]")

// slug makes an id as gpudocs gives headings.
func slug(s string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(norm.NFC.String(strings.TrimSpace(s))) {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), unicode.IsMark(r), r == '_', r == '-':
			b.WriteRune(r)
		case unicode.IsSpace(r):
			b.WriteByte('-')
		}
	}
	return strings.Trim(b.String(), "-")
}

// embed makes an image, an included page, or a link to what can be neither.
func (w *nodeWriter) embed(n *markdown.Embed) {
	s := markdown.Span{Start: n.Start, Stop: n.Stop}
	medium := markdown.MediumOf(n.File)
	if medium == markdown.NoteMedium {
		w.note(n, s)
		return
	}
	dest := destination(n.File)
	if file, ok := w.options.Files.named(w.name, n.File); ok {
		dest = destination(relativeTo(w.name, file))
	} else {
		w.say(diag.Warning, s.Start, s.Stop, diag.Say("there is no %q among the files", n.File), diag.Say("copy it beside the page"))
	}
	if medium != markdown.ImageMedium {
		m := w.guess(false, s.Start, s.Stop, diag.Say("a link to what Obsidian plays in its place"), diag.Say("write what it is between the brackets"))
		w.replace(s, "["+escaped(path.Base(n.File))+"]("+dest+")"+m)
		return
	}
	attributes := ""
	if n.Width > 0 {
		attributes = fmt.Sprintf("{width=%d", n.Width)
		if n.Height > 0 {
			attributes += fmt.Sprintf(" height=%d", n.Height)
		}
		attributes += "}"
	}
	w.replace(s, "!["+n.Alt+"]("+dest+")"+attributes)
}

// note includes a page, where the embed stands alone. To a part of one there is a
// link, for its page would have to mark it.
func (w *nodeWriter) note(n *markdown.Embed, s markdown.Span) {
	l := w.lineAround(s.Start)
	before, after := w.src.data[l.start:s.Start], w.src.data[s.Stop:l.stop]
	alone := len(bytes.Trim(before, " \t>")) == 0 && len(bytes.TrimSpace(after)) == 0
	if n.Subpath() != "" || !alone || n.File == "" {
		m := w.guess(false, s.Start, s.Stop, diag.Say("a link to the text that Obsidian shows in its place"), diag.Say("put the text into a file of its own, and include that"))
		w.replace(s, "["+pathText(n.NotePath)+"]("+w.address(n.NotePath, s)+")"+m)
		return
	}
	w.replace(s, ":::include "+w.noteFile(n.File, s)+w.eol+string(before)+":::")
}

// marked makes an element of ==text==.
func (w *nodeWriter) marked(n *markdown.Marked) {
	marks := []byte(n.Marks)
	start := n.Pos()
	e := extent(n)
	if start < 0 || !bytes.HasPrefix(w.src.data[start:], marks) || e.Start < 0 {
		return
	}
	end := bytes.Index(w.src.data[e.Stop:], marks)
	if end < 0 {
		return
	}
	end += e.Stop
	w.replace(markdown.Span{Start: start, Stop: start + len(marks)}, "<"+n.Element+">")
	w.replace(markdown.Span{Start: end, Stop: end + len(marks)}, "</"+n.Element+">")
}

// comment makes a comment of HTML.
func (w *nodeWriter) comment(s markdown.Span, block bool) {
	whole := strings.TrimRight(w.text(s), "\r\n")
	inner, opened := strings.CutPrefix(whole, "%%")
	inner, closed := strings.CutSuffix(inner, "%%")
	if !opened || !closed || len(whole) < 4 || !block && blankLine.MatchString(inner) {
		w.kept(s.Start, s.Stop, diag.Say("a comment that goes on behind its paragraph is kept"), diag.Say("close it in its paragraph with %%%%"))
		return
	}
	for strings.Contains(inner, "--") {
		inner = strings.ReplaceAll(inner, "--", "- -")
	}
	if strings.HasPrefix(inner, ">") || strings.HasPrefix(inner, "->") || strings.HasSuffix(inner, "-") {
		inner = " " + inner + " "
	}
	w.replace(markdown.Span{Start: s.Start, Stop: s.Start + len(whole)}, "<!--"+inner+"-->")
}

var sizeForm = lazyregexp.New(`\\?\|?[ \t]*(\d{1,5})(?:[ \t]*[xX][ \t]*(\d{1,5}))?[ \t]*$`)

// sized moves the size from the text of an image into its attributes.
func (w *nodeWriter) sized(n *ast.Image) {
	if markdown.ImageAttribute(n, "width") == "" {
		return
	}
	m, ok := imageAt(w.src.data, n.Pos())
	if !ok || m.end < len(w.src.data) && w.src.data[m.end] == '{' {
		return
	}
	alt := w.text(m.alt)
	size := sizeForm.FindStringSubmatchIndex(alt)
	if size == nil || alt[size[0]] != '|' && alt[size[0]] != '\\' && size[0] > 0 {
		return
	}
	attributes := "width=" + alt[size[2]:size[3]]
	if size[4] >= 0 {
		attributes += " height=" + alt[size[4]:size[5]]
	}
	w.replace(markdown.Span{Start: m.alt.Start + size[0], Stop: m.alt.Stop}, "")
	w.insert(m.end, "{"+attributes+"}")
}

var calloutForm = lazyregexp.New(`^((?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)))*[ \t]*)>[ \t]*\[!([^\[\]|\n]+)(?:\|[^\[\]\n]*)?\]([-+]?)(?:[ \t]+(.*?))?[ \t]*$`)

// githubAlerts are callouts that every reader of GitHub knows, and that stay as
// they are.
var githubAlerts = map[string]bool{"note": true, "tip": true, "important": true, "warning": true, "caution": true}

// callouts turns quotes that are callouts, from the outermost in: each loses a
// mark of quotes.
func (p *page) callouts() {
	for range maxBlocks {
		edits := p.calloutPass()
		if len(edits) == 0 {
			return
		}
		p.src.apply(edits)
	}
}

// calloutPass turns the callouts that stand in no other that is to be turned.
func (p *page) calloutPass() (edits []edit) {
	ends := map[int]int{} // of callouts, by where their lines begin: a paragraph may go on without a mark
	_ = ast.Walk(p.parse(markdown.Options{Dialects: markdown.Obsidian}), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if c, ok := n.(*markdown.Callout); ok && entering {
			ends[p.lineAround(c.Opening.Start).start] = extent(c).Stop
		}
		return ast.WalkContinue, nil
	})
	var f fenceState
	lines := linesOf(p.src.data)
	at := func(i int) string { return string(p.src.data[lines[i].start:lines[i].stop]) }
	for i := 0; i < len(lines); i++ {
		text := at(i)
		if f.inside(text) {
			continue
		}
		m := calloutForm.FindStringSubmatch(text)
		if _, is := ends[lines[i].start]; m == nil || !is {
			continue
		}
		name := strings.ToLower(strings.TrimSpace(m[2]))
		if githubAlerts[name] && m[3] == "" && m[4] == "" && !strings.Contains(text, "|") {
			continue
		}
		marks := strings.Count(m[1], ">") + 1
		end := i + 1
		for end < len(lines) && (quoteMarks(at(end)) >= marks || lines[end].start < ends[lines[i].start]) {
			end++
		}
		edits = append(edits, p.callout(lines, i, end, m, markdown.CalloutKind(name), marks)...)
		i = end - 1
		f = fenceState{}
	}
	return edits
}

// quoteMarks is how many > begin a line.
func quoteMarks(s string) (n int) {
	for _, c := range s {
		switch c {
		case '>':
			n++
		case ' ', '\t':
		default:
			return n
		}
	}
	return n
}

func (p *page) callout(lines []line, i, end int, m []string, name string, marks int) (edits []edit) {
	deeper := 0
	for j := i + 1; j < end; j++ {
		if l := string(p.src.data[lines[j].start:lines[j].stop]); calloutForm.MatchString(l) {
			deeper = max(deeper, quoteMarks(l)-marks)
		}
	}
	colons := strings.Repeat(":", 3+deeper)
	title := m[4]
	if !nativeCallout(name) { // an own kind is the title of a note, as gpudocs shows it
		if title == "" {
			title = capital(strings.TrimSpace(m[2]))
		}
		name = "note"
	}
	open := colons + name
	if title != "" {
		open += " " + title
	}
	switch m[3] {
	case "-":
		open += " {fold}"
	case "+":
		open += " {fold=open}"
	}
	edits = append(edits, edit{lines[i].start + len(m[1]), lines[i].stop, open})
	for j := i + 1; j < end; j++ {
		text := string(p.src.data[lines[j].start:lines[j].stop])
		if quoteMarks(text) < marks {
			continue
		}
		at := nthMark(text, marks)
		stop := at + 1
		if stop < len(text) && text[stop] == ' ' {
			stop++
		}
		edits = append(edits, edit{lines[j].start + at, lines[j].start + stop, ""})
	}
	last := lines[end-1]
	closing := p.margin(lines[i].start+len(m[1])) + colons + p.eol
	if last.next == last.stop {
		closing = p.eol + closing
	}
	return append(edits, edit{last.next, last.next, closing})
}

func nthMark(s string, n int) int {
	for i := range len(s) {
		if s[i] == '>' {
			if n--; n == 0 {
				return i
			}
		}
	}
	return 0
}

// nativeCallout tells whether gpudocs has a callout of this name.
func nativeCallout(name string) bool { return slices.Contains(markdown.CalloutNames(), name) }

// capital is how the page shows a kind of the author's own.
func capital(name string) string {
	first, size := utf8.DecodeRuneInString(name)
	return string(unicode.ToUpper(first)) + name[size:]
}
