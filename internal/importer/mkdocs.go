package importer

import (
	"maps"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"

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
	identityForm   = lazyregexp.New(`^[ \t]{4,}attrs[ \t]*:[ \t]*\{[ \t]*['"]?id['"]?[ \t]*:[ \t]*['"]?([\w-]+)['"]?[ \t]*\}$`)
)

// A mkdocsReader turns the blocks of a page. They stand in one another: what is in
// a block that is indented moves to the block's own margin. Which lines open one the
// page's AST says, for in code, in HTML and within a paragraph they are text.
type mkdocsReader struct {
	*page
	lines []line
	// opens are the offsets at which blocks open that nobody has turned yet, by line.
	opens map[int]int
	edits []edit
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
	r := &mkdocsReader{page: p, lines: linesOf(p.src.data), opens: map[int]int{}}
	r.find()
	from := 0
	if end := frontEnd(p.src.data); end > 0 {
		for from < len(r.lines) && r.lines[from].start <= end {
			from++
		}
	}
	r.blocks(span{from, len(r.lines)}, view{}, 0, 0)
	for _, i := range slices.Sorted(maps.Keys(r.opens)) {
		r.kept(r.opens[i], r.lines[i].stop, "this block stands where it cannot be turned, and is kept", "write it anew by hand")
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
		}
		if entering && at >= 0 && at < len(r.src.data) && strings.IndexByte("!?=/", r.src.data[at]) >= 0 {
			r.opens[byStart[r.lineAround(at).start]] = at
		}
		return ast.WalkContinue, nil
	})
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
	for i := lines.first; i < lines.end; i++ {
		text, _, _ := r.at(i, v)
		if strings.HasPrefix(strings.TrimLeft(text, " \t"), ">") && depth < maxBlocks {
			inner, quoted := r.quote(i, lines.end, v)
			height = max(height, r.blocks(quoted, inner, 0, depth+1))
			i = quoted.end - 1
			continue
		}
		b, ok := r.block(i, lines.end, v)
		if !ok || depth >= maxBlocks {
			continue
		}
		delete(r.opens, i)
		inner := v
		if b.indented {
			inner.strip += 4
		}
		under := r.blocks(b.body, inner, b.margin, depth+1)
		height = max(height, under+1)
		r.write(b, i, v, strings.Repeat(":", 3+under))
		i = max(b.body.end-1, b.closing, i)
	}
	return height
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
		o, id := optionForm.FindStringSubmatch(text), identityForm.FindStringSubmatch(text)
		switch {
		case id != nil:
			b.attributes = append(b.attributes, "#"+id[1])
		case o == nil:
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
	if b.name = markdown.CalloutKind(b.name); b.name != "tab" && b.name != "html" && !nativeCallout(b.name) {
		text := string(r.src.data[b.at:r.lines[i].stop]) // its line is the title, as the dialect shows it
		b.title = strings.TrimLeft(strings.TrimSpace(text), "/ \t")
		r.kept(b.at, b.at+len(text), "a block "+b.name+" is not known, and becomes a note", "write it anew by hand")
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

// write puts the marks of a container around a body.
func (r *mkdocsReader) write(b block, i int, v view, colons string) {
	l := r.lines[i]
	if b.name == "html" && !b.indented { // its text is what it shows
		first := r.lines[max(b.body.first-1, i)]
		r.edits = append(r.edits, edit{l.start, first.next, ""})
		if b.closing >= 0 {
			r.edits = append(r.edits, edit{r.lines[b.closing].start, r.lines[b.closing].next, ""})
		}
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
		r.kept(b.at, l.stop, "this box had no title and gets the one of its kind", "write one behind its name")
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

var (
	snippetForm = lazyregexp.New(`^([ \t>]*)(?:-+8<-+[ \t]+["']([^"']+)["']|\{!>?[ \t]*([^\s:]+?)[ \t]*!\})[ \t]*$`)
	blockForm   = lazyregexp.New(`^[ \t]*-+8<-+[ \t]*$`)
	numbersForm = lazyregexp.New(`[ \t]+linenums=(?:"(\d+)[^"]*"|'(\d+)[^']*'|(\d+))`)
	colonForm   = lazyregexp.New(`^([ \t>]*#{1,6}[ \t].*\{):[ \t]*([#.][^{}]*\})[ \t]*$`)
)

// languages of files by their endings, where they differ from them.
var languages = map[string]string{"py": "python", "sh": "bash", "js": "javascript", "ts": "typescript", "yml": "yaml", "rs": "rust", "h": "c", "cu": "cuda", "hpp": "cpp", "cc": "cpp", "txt": "text", "md": "markdown"}

func languageOfFile(file string) string {
	ext := file[strings.LastIndexByte(file, '.')+1:]
	if l := languages[ext]; l != "" {
		return l
	}
	return ext
}

// snippets turns what brings the text of other files, and what else is a line.
func (p *page) snippets() {
	var edits []edit
	var f fenceState
	lines := linesOf(p.src.data)
	whole := -1    // the line of the snippet that is all of its fence
	block := false // between two lines --8<--, with a path on each line
	for i, l := range lines {
		text := string(p.src.data[l.start:l.stop])
		before := f.mark
		inside := f.inside(text)
		switch {
		case inside && before == "":
			made, all := p.fenceLine(lines, i, text)
			if edits = append(edits, made...); all {
				whole = i + 1
			}
		case inside && i != whole && snippetForm.MatchString(text):
			p.kept(l.start, l.stop, "a snippet within code is kept as it is", "let it be all of its block, in a file that is imported too; or write file= yourself")
		case inside:
		case blockForm.MatchString(text) && (block || slices.ContainsFunc(lines[i+1:], func(l line) bool { return blockForm.Match(p.src.data[l.start:l.stop]) })):
			block = !block
			edits = append(edits, edit{l.start, l.next, ""})
		case block && strings.TrimSpace(text) != "":
			edits = append(edits, p.snippetLine(l, text)...)
		default:
			edits = append(edits, p.proseLine(l, text)...)
		}
	}
	p.src.apply(edits)
}

// snippetLine turns a path in a block of snippets. One behind ; is left out.
func (p *page) snippetLine(l line, text string) []edit {
	name := strings.TrimSpace(text)
	margin := text[:strings.Index(text, name)]
	with := ""
	if file, attributes, ok := p.snippetFile(name); ok {
		with = margin + ":::include " + file + attributes + p.eol + margin + ":::" + p.eol
	} else if name[0] != ';' {
		p.kept(l.start, l.stop, missingSnippet(name), hintMissing)
		with = margin + `--8<-- "` + name + `"` + p.eol
	}
	return []edit{{l.start, l.next, with}}
}

func (p *page) proseLine(l line, text string) []edit {
	if m := snippetForm.FindStringSubmatch(text); m != nil {
		file, attributes, ok := p.snippetFile(m[2] + m[3])
		if !ok {
			p.kept(l.start+len(m[1]), l.stop, missingSnippet(m[2]+m[3]), hintMissing)
			return nil
		}
		return []edit{{l.start + len(m[1]), l.stop, ":::include " + file + attributes + p.eol + m[1] + ":::"}}
	}
	if m := colonForm.FindStringSubmatch(text); m != nil {
		return []edit{{l.start, l.stop, m[1] + m[2]}}
	}
	return nil
}

const hintMissing = "import the folder that holds it too"

func missingSnippet(name string) string {
	return "there is no " + name + " among the files, and the line is kept"
}

// snippetFile parts "file:1:5" and "file:name". The path is the one from the page.
func (p *page) snippetFile(s string) (file, attributes string, ok bool) {
	parts := strings.Split(s, ":")
	switch {
	case len(parts) == 1:
	case len(parts) == 2 && parts[1] != "" && strings.Trim(parts[1], "0123456789") != "":
		attributes = " {region=" + parts[1] + "}"
	case len(parts) <= 3 && !strings.Contains(s, ","):
		first, last := parts[1], strings.Join(parts[2:], "")
		if first == "" {
			first = "1"
		}
		attributes = ` {lines="` + first + "-" + last + `"}`
	default:
		return "", "", false
	}
	file, ok = p.options.Files.read(p.name, parts[0])
	return relativeTo(p.name, file), attributes, ok
}

// fenceLine turns the numbers of a fence, and the one snippet that is all of it.
func (p *page) fenceLine(lines []line, i int, text string) (edits []edit, whole bool) {
	if i+1 == len(lines) || strings.Contains(text, "{") {
		return nil, false
	}
	at := lines[i].start
	var add []string
	if m := numbersForm.FindStringSubmatchIndex(text); m != nil {
		edits = append(edits, edit{at + m[0], at + m[1], ""})
		add = append(add, "numbers")
	}
	if file, attributes, ok := p.wholeSnippet(lines[i:], text); ok {
		whole = true
		add = append(add, `file="`+file+`"`+strings.TrimSuffix(strings.Replace(attributes, " {", " ", 1), "}"))
		edits = append(edits, edit{lines[i+1].start, lines[i+1].next, ""})
	}
	if len(add) > 0 {
		end := at + len(strings.TrimRight(text, " \t"))
		edits = append(edits, edit{end, end, " {" + strings.Join(add, " ") + "}"})
	}
	return edits, whole
}

// wholeSnippet is the snippet between the two lines of a fence, where there is
// nothing else.
func (p *page) wholeSnippet(lines []line, opening string) (file, attributes string, ok bool) {
	if len(lines) < 3 {
		return "", "", false
	}
	m := snippetForm.FindStringSubmatch(string(p.src.data[lines[1].start:lines[1].stop]))
	var f fenceState
	f.inside(opening)
	f.inside(string(p.src.data[lines[2].start:lines[2].stop]))
	if m == nil || f.mark != "" {
		return "", "", false
	}
	return p.snippetFile(m[2] + m[3])
}
