package importer

import (
	"slices"
	"strings"

	"github.com/gpudocs/gpudocs/internal/diag"
	"github.com/gpudocs/gpudocs/internal/lazyregexp"
)

// What brings the text of other files, and what else is a line:
// https://facelessuser.github.io/pymdown-extensions/extensions/snippets/.
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
			p.kept(l.start, l.stop, diag.Say("a snippet within code is kept as it is"), diag.Say("let it be all of its block, in a file that is imported too; or write file= yourself"))
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

var hintMissing = diag.Say("import the folder that holds it too")

func missingSnippet(name string) diag.Text {
	return diag.Say("there is no %s among the files, and the line is kept", name)
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
