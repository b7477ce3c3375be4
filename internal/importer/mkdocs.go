package importer

import (
	"maps"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/gpudocs/gpudocs/internal/diag"
	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown"
)

// Blocks of Python-Markdown and pymdownx, a line each, at whatever margin:
// https://python-markdown.github.io/extensions/admonition/,
// https://facelessuser.github.io/pymdown-extensions/extensions/details/,
// https://facelessuser.github.io/pymdown-extensions/extensions/tabbed/,
// https://facelessuser.github.io/pymdown-extensions/extensions/blocks/.
var (
	admonitionForm = lazyregexp.New(`^(!!!|\?\?\?\+?) ?([\p{L}\p{N}_-]+(?: +[\p{L}\p{N}_-]+)*)?(?: *"(.*)")?$`)
	tabbedForm     = lazyregexp.New(`^===(\+!?|!\+?)? +"(.*)"$`)
	slashForm      = lazyregexp.New(`^(/{3,})[ \t]*([\p{L}\p{N}][\p{L}\p{N}_-]*)[ \t]*(?:\|[ \t]*(.*?))?$`)
	optionForm     = lazyregexp.New(`^[ \t]{4,}(type|open|new|select)[ \t]*:[ \t]*["']?([\w-]+)["']?$`)
	markerForm     = lazyregexp.New(`^[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)`)
	attrsForm      = lazyregexp.New(`^[ \t]{4,}attrs[ \t]*:[ \t]*\{(.*)\}$`)
	identityForm   = lazyregexp.New(`^['"]?(id|class)['"]?[ \t]*:[ \t]*(?:'([\w -]+)'|"([\w -]+)"|([\w -]+))$`)
)

// A mkdocsReader turns the blocks of a page. They stand in one another: what is in
// a block that is indented moves to the block's own margin. Which lines open one the
// page's AST says, for in code, in HTML and within a paragraph they are text.
type mkdocsReader struct {
	*page
	lines []line
	// opens are the offsets at which blocks open that nobody has turned yet, by line.
	opens map[int]int
	// captioned are the lines on which that begins what captions are for, by theirs.
	captioned map[int]int
	// elements are the blocks /// html, by their lines.
	elements map[int]*markdown.Container
	edits    []edit
}

// A view is how lines are seen within what stands around a block: without the marks of
// so many quotes, and without the columns that they lose with the blocks around them.
type view struct {
	quotes, strip int
	// prefix begins a line that is put in.
	prefix string
}

// A block is one that was found.
type block struct {
	name, title string
	attributes  []string
	body        span
	indented    bool // its body is
	closing     int  // the line that ends it, or -1
	plain       bool // its author wants no title
	at, margin  int  // where it opens: the offset, and the column in the view
}

// maxBlocks is how deep blocks may stand in one another; what is deeper is kept.
const maxBlocks = 30

func (p *page) mkdocs() {
	r := &mkdocsReader{page: p, lines: linesOf(p.src.data), opens: map[int]int{}, captioned: map[int]int{}, elements: map[int]*markdown.Container{}}
	r.find()
	from := 0
	if end := frontEnd(p.src.data); end > 0 {
		for from < len(r.lines) && r.lines[from].start <= end {
			from++
		}
	}
	r.blocks(span{from, len(r.lines)}, view{}, 0, 0)
	for _, i := range slices.Sorted(maps.Keys(r.opens)) {
		r.kept(r.opens[i], r.lines[i].stop, diag.Say("this block stands where it cannot be turned, and is kept"), diag.Say("write it anew by hand"))
	}
	p.src.apply(r.edits)
	p.snippets()
}

// find notes where blocks open.
func (r *mkdocsReader) find() {
	byStart := map[int]int{}
	for i, l := range r.lines {
		byStart[l.start] = i
	}
	_ = ast.Walk(r.parse(markdown.Options{Dialects: r.options.Dialects}), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		at := -1
		switch n := n.(type) {
		case *markdown.Callout:
			at = n.Opening.Start
		case *markdown.Tab:
			at = n.Opening.Start
		case *markdown.Container:
			at = n.Opening.Start
			r.elements[byStart[r.lineAround(at).start]] = n
		case *markdown.Figure:
			if at = n.Behind.Start; n.Behind.Stop == 0 {
				at = -1
			} else {
				r.captioned[byStart[r.lineAround(at).start]] = byStart[r.lineAround(opening(n)).start]
			}
		}
		if entering && at >= 0 && at < len(r.src.data) && strings.IndexByte("!?=/", r.src.data[at]) >= 0 {
			r.opens[byStart[r.lineAround(at).start]] = at
		}
		return ast.WalkContinue, nil
	})
}

// opening is where a block begins.
func opening(n ast.Node) int {
	switch n := n.(type) {
	case *markdown.Callout:
		return n.Opening.Start
	case *markdown.Tab:
		return n.Opening.Start
	case *markdown.Container:
		return n.Opening.Start
	case *markdown.Figure:
		if n.Behind.Stop > 0 {
			return opening(n.FirstChild())
		}
	case *markdown.Tabs:
		return opening(n.FirstChild())
	}
	return max(n.Pos(), 0)
}

// at is a line in a view; quoted tells whether it has the marks of all quotes.
func (r *mkdocsReader) at(i int, v view) (text string, offset int, quoted bool) {
	l := r.lines[i]
	text = string(r.src.data[l.start:l.stop])
	at := 0
	for range v.quotes {
		for at < len(text) && (text[at] == ' ' || text[at] == '\t') {
			at++
		}
		if at == len(text) || text[at] != '>' {
			return "", l.stop, false
		}
		if at++; at < len(text) && text[at] == ' ' {
			at++
		}
	}
	at += columns(text[at:], v.strip)
	return text[at:], l.start + at, true
}

// quote is the view within the quote that a line begins, and the lines that are in it.
func (r *mkdocsReader) quote(i, end int, v view) (inner view, lines span) {
	text, _, _ := r.at(i, v)
	mark := strings.IndexByte(text, '>')
	inner = view{quotes: v.quotes + 1, prefix: v.prefix + text[:mark] + "> "}
	lines = span{i, i}
	for ; lines.end < end; lines.end++ {
		if _, _, quoted := r.at(lines.end, inner); !quoted {
			break
		}
	}
	return inner, lines
}

// columns is how many bytes of blanks take up so many columns; a tab is four.
func columns(s string, most int) (n int) {
	for width := 0; n < len(s) && width < most; n++ {
		switch s[n] {
		case ' ':
			width++
		case '\t':
			width += 4 - width%4
		default:
			return n
		}
	}
	return n
}

func indentation(s string) (width int) {
	for _, c := range s {
		switch c {
		case ' ':
			width++
		case '\t':
			width += 4 - width%4
		default:
			return width
		}
	}
	return width
}

// blocks turns the blocks among some lines, and says how many stand in one another.
func (r *mkdocsReader) blocks(lines span, v view, base, depth int) (height int) {
	var f fenceState
	last := captionable{first: -1}
	for i := lines.first; i < lines.end; i++ {
		text, _, _ := r.at(i, v)
		if strings.HasPrefix(strings.TrimLeft(text, " \t"), ">") && depth < maxBlocks && f.mark == "" {
			inner, quoted := r.quote(i, lines.end, v)
			last = captionable{first: i, margin: indentation(text), height: r.blocks(quoted, inner, 0, depth+1)}
			height = max(height, last.height)
			i = quoted.end - 1
			continue
		}
		b, ok := r.block(i, lines.end, v)
		if !ok || depth >= maxBlocks {
			before := f.mark != ""
			f.inside(text)
			last.line(i, text, before, f.mark != "")
			continue
		}
		delete(r.opens, i)
		if slices.Contains(captionNames, b.name) {
			if r.figure(last, b, i, v) {
				height = max(height, last.height+1)
				last, i = captionable{first: -1}, b.closing
				continue
			}
			r.kept(b.at, r.lines[i].stop, diag.Say("what this caption is for is not plain, and it becomes text"), diag.Say("write :::figure around both"))
			b.name = "html"
		}
		inner := v
		if b.indented {
			inner.strip += 4
		}
		under := r.blocks(b.body, inner, b.margin, depth+1)
		height = max(height, under+1)
		r.write(b, i, v, strings.Repeat(":", 3+under))
		last = captionable{first: i, margin: b.margin, height: under + 1, ended: true}
		i = max(b.body.end-1, b.closing, i)
	}
	return height
}

// strange is a block of a name that means nothing: its line is the title of a note, as
// the dialect shows it.
func (r *mkdocsReader) strange(b block, i int) block {
	text := string(r.src.data[b.at:r.lines[i].stop])
	b.title = strings.TrimLeft(strings.TrimSpace(text), "/ \t")
	r.kept(b.at, b.at+len(text), diag.Say("a block %s is not known, and becomes a note", b.name), diag.Say("write it anew by hand"))
	return b
}

// block reads the block that a line opens, be it behind the marks of a list.
func (r *mkdocsReader) block(i, end int, v view) (b block, ok bool) {
	at, opens := r.opens[i]
	line, start, _ := r.at(i, v)
	if !opens || at < start || strings.Contains(line[:at-start], ">") {
		return b, false
	}
	text := strings.TrimSpace(line[at-start:])
	b.at, b.margin, b.closing = at, indentation(blanked(line[:at-start])), -1
	if m := slashForm.FindStringSubmatch(text); m != nil {
		return r.slashes(b, i, end, v, m)
	}
	if m := tabbedForm.FindStringSubmatch(text); m != nil {
		b.name, b.title = "tab", m[2]
		if strings.Contains(m[1], "+") {
			b.attributes = append(b.attributes, "selected")
		}
		if strings.Contains(m[1], "!") {
			b.attributes = append(b.attributes, "apart")
		}
	} else if m := admonitionForm.FindStringSubmatch(text); m != nil && (m[2] != "" || m[3] != "" && m[1] != "!!!") {
		words := strings.Fields(m[2])
		b.name, b.title = "details", m[3]
		if len(words) > 0 {
			b.name = markdown.CalloutKind(strings.ToLower(words[0]))
			for _, class := range words[1:] {
				b.attributes = append(b.attributes, "."+class)
			}
		}
		switch {
		case m[1] == "???+":
			b.attributes = append(b.attributes, "fold=open")
		case m[1] == "???" && b.name != "details":
			b.attributes = append(b.attributes, "fold")
		}
		b.plain = strings.HasSuffix(text, `""`) && m[1] == "!!!"
	} else {
		return b, false
	}
	b.indented, b.body = true, span{i + 1, i + 1}
	for j := i + 1; j < end; j++ {
		text, _, _ := r.at(j, v)
		if strings.TrimSpace(text) == "" {
			continue
		}
		if indentation(text) < b.margin+4 {
			break
		}
		b.body.end = j + 1
	}
	return b, true
}

// blanked has blanks in the place of the marks of a list.
func blanked(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\t' {
			return r
		}
		return ' '
	}, s)
}

// slashes reads /// name | Title, its options, and where it ends.
func (r *mkdocsReader) slashes(b block, i, end int, v view, m []string) (_ block, ok bool) {
	b.name, b.title = strings.ToLower(m[2]), m[3]
	first := i + 1
	kind, open := "", false
	for ; first < end; first++ {
		text, _, _ := r.at(first, v)
		if strings.TrimSpace(text) == "" || indentation(text) < 4 {
			break
		}
		o, attrs := optionForm.FindStringSubmatch(text), attrsForm.FindStringSubmatch(text)
		given, understood := identity(attrs)
		switch {
		case understood:
			b.attributes = append(b.attributes, given...)
		case o == nil:
			delete(r.opens, i)
			r.kept(r.lines[first].start, r.lines[first].stop, diag.Say("this option of a block is not understood, and the block is kept"), diag.Say("write it anew by hand"))
			return b, false
		case o[1] == "type":
			kind = o[2]
		case strings.EqualFold(o[2], "true"):
			open = open || o[1] == "open"
			b.attributes = append(b.attributes, map[string]string{"open": "fold=open", "new": "apart", "select": "selected"}[o[1]])
		}
	}
	switch b.name {
	case "details", "admonition":
		if kind != "" {
			if b.name == "details" && !open {
				b.attributes = append(b.attributes, "fold")
			}
			b.name = kind
		}
	}
	b.name = markdown.CalloutKind(b.name)
	if b.name != "tab" && b.name != "html" && !slices.Contains(captionNames, b.name) && !nativeCallout(b.name) {
		b = r.strange(b, i)
	}
	var f fenceState
	depth := 0
	for j := first; j < end; j++ {
		text, _, _ := r.at(j, v)
		text = strings.TrimSpace(text)
		if f.inside(text) {
			continue
		}
		if open := slashForm.FindStringSubmatch(text); open != nil && open[1] == m[1] {
			depth++
		}
		if text != m[1] {
			continue
		}
		if depth == 0 {
			b.body, b.closing = span{first, j}, j
			return b, true
		}
		depth--
	}
	b.body = span{first, first} // to the end of what it stands in
	for j := first; j < end; j++ {
		if text, _, _ := r.at(j, v); strings.TrimSpace(text) != "" {
			b.body.end = j + 1
		}
	}
	return b, true
}

// identity is what attrs: {id: x, class: "a b"} gives a block.
func identity(attrs []string) (given []string, ok bool) {
	if attrs == nil {
		return nil, false
	}
	for _, pair := range strings.Split(attrs[1], ",") {
		m := identityForm.FindStringSubmatch(strings.TrimSpace(pair))
		if m == nil {
			return nil, false
		}
		for _, name := range strings.Fields(m[2] + m[3] + m[4]) {
			given = append(given, map[string]string{"id": "#", "class": "."}[m[1]]+name)
		}
	}
	return given, true
}

// write puts the marks of a container around a body.
func (r *mkdocsReader) write(b block, i int, v view, colons string) {
	l := r.lines[i]
	if b.name == "html" && !b.indented {
		r.html(b, i, v)
		return
	}
	open := colons + b.name
	if b.name != "tab" && !nativeCallout(b.name) { // an own kind is the title of a note, as gpudocs shows it
		open = colons + "note"
		if b.title == "" && !b.plain {
			b.title = capital(b.name)
		}
	}
	if b.title != "" {
		open += " " + b.title
	}
	if len(b.attributes) > 0 {
		open += " {" + strings.Join(b.attributes, " ") + "}"
	}
	if b.plain {
		r.kept(b.at, l.stop, diag.Say("this box had no title and gets the one of its kind"), diag.Say("write one behind its name"))
	}
	stop := l.stop
	if b.body.first > i+1 { // with its options
		stop = r.lines[b.body.first-1].stop
	}
	r.edits = append(r.edits, edit{b.at, stop, open})
	if b.indented {
		for j := b.body.first; j < b.body.end; j++ {
			text, start, _ := r.at(j, v)
			if margin := columns(text, b.margin); strings.TrimSpace(text) != "" {
				r.edits = append(r.edits, edit{start + margin, start + margin + columns(text[margin:], 4), ""})
			}
		}
	}
	if b.closing >= 0 {
		text, start, _ := r.at(b.closing, v)
		start += len(text) - len(strings.TrimLeft(text, " \t"))
		r.edits = append(r.edits, edit{start, r.lines[b.closing].stop, colons})
		return
	}
	text, start, _ := r.at(i, v)
	last := r.lines[max(b.body.end-1, i)]
	end := v.prefix + blanked(text[:b.at-start]) + colons + r.eol
	if last.next == last.stop {
		end = r.eol + end
	}
	r.edits = append(r.edits, edit{last.next, last.next, end})
}
