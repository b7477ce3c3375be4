package importer

import (
	"regexp"
	"slices"
	"strings"
)

// Blocks of Python-Markdown and pymdownx, a line each, at whatever margin:
// https://python-markdown.github.io/extensions/admonition/,
// https://facelessuser.github.io/pymdown-extensions/extensions/details/,
// https://facelessuser.github.io/pymdown-extensions/extensions/tabbed/,
// https://facelessuser.github.io/pymdown-extensions/extensions/blocks/.
var (
	admonitionForm = regexp.MustCompile(`^(!!!|\?\?\?\+?) ?([\p{L}\p{N}_-]+(?: +[\p{L}\p{N}_-]+)*)?(?: *"(.*)")?$`)
	tabbedForm     = regexp.MustCompile(`^===(\+!?|!\+?)? +"(.*)"$`)
	slashForm      = regexp.MustCompile(`^(/{3,})[ \t]*([\p{L}\p{N}][\p{L}\p{N}_-]*)[ \t]*(?:\|[ \t]*(.*?))?$`)
	markerForm     = regexp.MustCompile(`^[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)`)
	optionForm     = regexp.MustCompile(`^[ \t]{4,}(type|open|new|select)[ \t]*:[ \t]*["']?([\w-]+)["']?$`)
	attrsForm      = regexp.MustCompile(`^[ \t]{4,}attrs[ \t]*:[ \t]*\{(.*)\}$`)
	identityForm   = regexp.MustCompile(`^['"]?(id|class)['"]?[ \t]*:[ \t]*(?:'([\w -]+)'|"([\w -]+)"|([\w -]+))$`)
)

// calloutAliases are other tools' names of kinds that gpudocs has:
// https://help.obsidian.md/callouts,
// https://squidfunk.github.io/mkdocs-material/reference/admonitions/.
var calloutAliases = map[string]string{
	"summary": "abstract", "tldr": "abstract", "hint": "tip", "check": "success", "done": "success", "help": "question", "faq": "question",
	"attention": "warning", "fail": "failure", "missing": "failure", "error": "danger", "cite": "quote", "snippet": "example", "seealso": "note",
	"admonition": "note",
}

func calloutName(name string) string {
	name = strings.ToLower(name)
	if native, ok := calloutAliases[name]; ok {
		return native
	}
	return name
}

// A mkdocsReader turns the blocks of a page. They stand in one another: what is in
// a block that is indented moves to the block's own margin.
type mkdocsReader struct {
	*page
	lines []line
	edits []edit
}

// A block is one that was found.
type block struct {
	name, title string
	attributes  []string
	body        span
	indented    bool // its body is
	closing     int  // the line that ends it, or -1
	plain       bool // its author wants no title
}

// maxBlocks is how deep blocks may stand in one another; what is deeper is kept.
const maxBlocks = 30

func (p *page) mkdocs() {
	r := &mkdocsReader{page: p, lines: linesOf(p.src.data)}
	from := 0
	if end := frontEnd(p.src.data); end > 0 {
		for from < len(r.lines) && r.lines[from].start <= end {
			from++
		}
	}
	r.blocks(span{from, len(r.lines)}, 0, 0, 0)
	p.src.apply(r.edits)
	p.snippets()
}

// at is a line without the columns that it loses with the blocks around it.
func (r *mkdocsReader) at(i, strip int) (text string, offset int) {
	l := r.lines[i]
	text = string(r.src.data[l.start:l.stop])
	n := columns(text, strip)
	return text[n:], l.start + n
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
func (r *mkdocsReader) blocks(lines span, strip, base, depth int) (height int) {
	var f fenceState
	list, last := false, captionable{first: -1}
	for i := lines.first; i < lines.end; i++ {
		text, at := r.at(i, strip)
		before := f.mark != ""
		if f.inside(text) || strings.TrimSpace(text) == "" {
			last.line(i, text, before, f.mark != "")
			continue
		}
		margin := indentation(text)
		if markerForm.MatchString(text) {
			list = true
		} else if margin <= base {
			list = false
		}
		b, ok := r.block(i, lines.end, strip, margin)
		if !ok || depth >= maxBlocks || margin > base+3 && !list {
			last.line(i, text, false, false)
			continue
		}
		if slices.Contains(captionNames, b.name) {
			if r.figure(last, b, i, strip, margin) {
				height = max(height, last.height+1)
				last, i = captionable{first: -1}, b.closing
				continue
			}
			r.kept(at, at+len(text), "what this caption is for is not plain, and it becomes text", "write :::figure around both")
			b.name = "html"
		}
		inner := strip
		if b.indented {
			inner += 4
		}
		under := r.blocks(b.body, inner, margin, depth+1)
		height = max(height, under+1)
		r.write(b, i, at, strip, strings.Repeat(":", 3+under), text[:len(text)-len(strings.TrimLeft(text, " \t"))])
		last = captionable{first: i, margin: margin, height: under + 1, ended: true}
		i = max(b.body.end-1, b.closing, i)
	}
	return height
}

// strange is a block of a name that means nothing: its line is the title of a note, as
// the dialect shows it.
func (r *mkdocsReader) strange(b block, i, strip int) block {
	text, at := r.at(i, strip)
	b.title = strings.TrimLeft(strings.TrimSpace(text), "/ \t")
	r.kept(at, at+len(text), "a block "+b.name+" is not known, and becomes a note", "write it anew by hand")
	return b
}

// block reads the block that a line opens.
func (r *mkdocsReader) block(i, end, strip, margin int) (b block, ok bool) {
	text, _ := r.at(i, strip)
	text = strings.TrimSpace(text)
	b.closing = -1
	if m := slashForm.FindStringSubmatch(text); m != nil {
		return r.slashes(i, end, strip, m)
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
			b.name = calloutName(words[0])
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
		text, _ := r.at(j, strip)
		if strings.TrimSpace(text) == "" {
			continue
		}
		if indentation(text) < margin+4 {
			break
		}
		b.body.end = j + 1
	}
	return b, true
}

// slashes reads /// name | Title, its options, and where it ends.
func (r *mkdocsReader) slashes(i, end, strip int, m []string) (b block, ok bool) {
	b.name, b.title, b.closing = strings.ToLower(m[2]), m[3], -1
	first := i + 1
	kind, open := "", false
	for ; first < end; first++ {
		text, _ := r.at(first, strip)
		if strings.TrimSpace(text) == "" || indentation(text) < 4 {
			break
		}
		o, attrs := optionForm.FindStringSubmatch(text), attrsForm.FindStringSubmatch(text)
		given, understood := identity(attrs)
		switch {
		case understood:
			b.attributes = append(b.attributes, given...)
		case o == nil:
			at := r.lines[first]
			r.kept(at.start, at.stop, "this option of a block is not understood, and the block is kept", "write it anew by hand")
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
	b.name = calloutName(b.name)
	if b.name != "tab" && b.name != "html" && !slices.Contains(captionNames, b.name) && !nativeCallout(b.name) {
		b = r.strange(b, i, strip)
	}
	var f fenceState
	depth := 0
	for j := first; j < end; j++ {
		text, _ := r.at(j, strip)
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
		if text, _ := r.at(j, strip); strings.TrimSpace(text) != "" {
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
func (r *mkdocsReader) write(b block, i, at, strip int, colons, margin string) {
	l := r.lines[i]
	if b.name == "html" && !b.indented { // its text is what it shows
		first, between := r.lines[max(b.body.first-1, i)], ""
		if i > 0 && r.lines[i-1].stop > r.lines[i-1].start { // it ends what stands before it
			between = r.eol
		}
		r.edits = append(r.edits, edit{l.start, first.next, between})
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
		r.kept(at, l.stop, "this box had no title and gets the one of its kind", "write one behind its name")
	}
	stop := l.stop
	if b.body.first > i+1 { // with its options
		stop = r.lines[b.body.first-1].stop
	}
	r.edits = append(r.edits, edit{at + len(margin), stop, open})
	if b.indented {
		for j := b.body.first; j < b.body.end; j++ {
			text, start := r.at(j, strip)
			if n := columns(text[min(len(margin), len(text)):], 4); strings.TrimSpace(text) != "" {
				r.edits = append(r.edits, edit{start + len(margin), start + len(margin) + n, ""})
			}
		}
	}
	if b.closing >= 0 {
		text, start := r.at(b.closing, strip)
		start += len(text) - len(strings.TrimLeft(text, " \t"))
		r.edits = append(r.edits, edit{start, r.lines[b.closing].stop, colons})
		return
	}
	last := r.lines[max(b.body.end-1, i)]
	end := margin + colons + r.eol
	if last.next == last.stop {
		end = r.eol + end
	}
	r.edits = append(r.edits, edit{last.next, last.next, end})
}

var (
	snippetForm = regexp.MustCompile(`^([ \t>]*)(?:-+8<-+[ \t]+["']([^"']+)["']|\{!>?[ \t]*([^\s:]+?)[ \t]*!\})[ \t]*$`)
	blockForm   = regexp.MustCompile(`^[ \t]*-+8<-+[ \t]*$`)
	numbersForm = regexp.MustCompile(`[ \t]+linenums=(?:"(\d+)[^"]*"|'(\d+)[^']*'|(\d+))`)
	colonForm   = regexp.MustCompile(`^([ \t>]*#{1,6}[ \t].*\{):[ \t]*([#.][^{}]*\})[ \t]*$`)
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
