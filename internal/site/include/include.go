package include

import (
	"bytes"
	"cmp"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/gpudocs/gpudocs/internal/lazyregexp"
	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/notebook"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/attribute"
	"github.com/gpudocs/gpudocs/internal/site/frontmatter"
	"github.com/gpudocs/gpudocs/internal/site/sitefile"
	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// Markdown that a page includes becomes a part of its text before it is parsed:
//
//	:::include parts/notice.md {region=short}
//	:::
//
// and, in MkDocs' dialect, --8<-- "parts/notice.md:short". The composed text knows the file of each
// line, for diagnostics. The first form is not a directive in code blocks, and links in the
// included text are relative to the included file. The second includes text anywhere, as in MkDocs:
// https://facelessuser.github.io/pymdown-extensions/extensions/snippets/.

// maxChain bounds the depth of nested includes, maxIncludes the number of includes of a page, and
// maxRead the total size of the included files, in bytes.
const (
	maxChain    = 16
	maxIncludes = 1000
	maxRead     = 64 << 20
)

var (
	includeForm = lazyregexp.New(`^([ \t>]*(?:(?:[-*+]|[0-9]{1,9}[.)])[ \t]+)?)(:{3,})include(?:[ \t]+(.*?))?[ \t\r]*$`)
	snippetForm = lazyregexp.New(`^([ \t]*)(;*)(-+8<-+)(?:[ \t]+(?:"((?:\\"|[^"])+)"|'((?:\\'|[^'])+)'))?\r?$`)
	// snippetPartForm matches what follows the path: a section, or lines. Newer versions take
	// several ranges.
	snippetPartForm = lazyregexp.New(`^(.*?)(?::([a-zA-Z][-_0-9a-zA-Z]*)|:([0-9]*(?::[0-9]*)?(?:,[0-9]*:[0-9]*)*))?$`)
	// shortcodeForm matches Quarto's include: https://quarto.org/docs/authoring/includes.html.
	shortcodeForm = lazyregexp.New(`^([ \t]*)\{\{<[ \t]*include[ \t]+["']?([^\s"'<>]+)["']?[ \t]*>\}\}[ \t\r]*$`)
	openFenceForm = lazyregexp.New("^[ \t>]*(?:(?:[-*+]|[0-9]{1,9}[.)])[ \t]+)*(`{3,}|~{3,})([^\r]*)")
)

// A composer assembles the text of a page.
type composer struct {
	page    *site.Page
	diags   diag.List
	library *Library
	out     bytes.Buffer
	pieces  []diag.Piece
	line    int // the next one of the composed text
	chain   []openFile
	// folders are the parts of the text whose links are relative to another folder than the page's.
	folders []site.LinkFolder
	count   int
	ended   bool // a limit was exceeded and reported
}

// An openFile is a file that is being included, and the place of its include.
type openFile struct {
	file  *diag.File
	where string
}

// Compose replaces the include directives in the Source of a page by the text of the files. A page
// that includes nothing stays the same. A file that cannot be included is left out. complete is false
// if the page exceeds a limit: its text then ends there.
func Compose(p *site.Page, l *Library) (diags diag.List, complete bool) {
	p.File = p.Source
	has := func(what string, of markdown.Dialect) bool {
		return p.Dialects.Has(of) && bytes.Contains(p.File.Data, []byte(what))
	}
	if !has(":::include", 0) && !has("8<", markdown.MkDocs) && !has("{{<", markdown.Quarto) && !has("{include}", markdown.MyST) {
		return nil, true
	}
	in := &composer{page: p, library: l, line: 1}
	in.chain = []openFile{{file: p.File}}
	in.add(p.File, 1, p.File.Line(len(p.File.Data)), "")
	if len(l.Includes) > 0 || !bytes.Equal(in.out.Bytes(), p.File.Data) {
		p.LinkFolders = in.folders
		p.Source = diag.Compose(p.File.Name, slices.Clip(in.out.Bytes()), in.pieces)
	}
	return in.diags, !in.ended
}

// add writes lines of a file, each with a prefix, and the text of their includes.
func (in *composer) add(f *diag.File, from, to int, prefix string) {
	fence := ""         // the mark of the code block that is open
	var around []string // the marks of MyST's directives with Markdown in them, the innermost last
	snippets, directives := in.page.Dialects.Has(markdown.MkDocs), in.page.Dialects.Has(markdown.MyST)
	for line := from; line <= to && !in.ended; line++ {
		text := f.Text(line)
		if in.page.Notebook != nil && text == string(notebook.Mark) {
			fence, around = "", nil // what a cell leaves open ends with it
		}
		if snippets && strings.Contains(text, "8<") {
			if m := snippetForm.FindStringSubmatch(text); m != nil {
				line = in.snippet(f, line, to, prefix, m)
				continue
			}
		}
		if directives && fence == "" && strings.Contains(text, "{") {
			if m := mystForm.FindStringSubmatch(text); m != nil {
				if last, ok := in.mystDirective(f, line, to, prefix, m); ok {
					line = last
					continue
				}
			}
		}
		if m := openFenceForm.FindStringSubmatch(text); m != nil {
			inner := len(around) - 1
			switch {
			case fence == "" && m[1][0] == '`' && strings.Contains(m[2], "`"): // code in a line
			case fence == "" && inner >= 0 && m[1][0] == around[inner][0] && len(m[1]) >= len(around[inner]) && strings.Trim(m[2], " \t") == "":
				around = around[:inner]
			case fence == "" && directives && opensText(m[2]):
				around = append(around, m[1])
			case fence == "":
				fence = m[1]
			case m[1][0] == fence[0] && len(m[1]) >= len(fence) && strings.Trim(m[2], " \t") == "":
				fence = ""
			}
		}
		if m := in.shortcode(fence, text); m != nil {
			name, folders := m[2], []string{path.Dir(f.Name)}
			if name[0] == '/' { // of the project
				name, folders = strings.TrimLeft(name, "/"), []string{in.languageFolder(), sitefile.ContentFolder}
			}
			in.insert(f, line, f.Offset(line, 1)+len(m[1]), name, prefix+m[1], folders...)
			continue
		}
		if fence == "" && strings.Contains(text, ":::include") {
			if m := includeForm.FindStringSubmatch(text); m != nil {
				line = in.directive(f, line, to, prefix, m)
				continue
			}
		}
		in.copyLine(f, line, prefix, line == f.Line(len(f.Data)) && f == in.chain[0].file)
	}
}

// shortcode returns the parts of a line that includes a file as Quarto does, outside of code.
func (in *composer) shortcode(fence, text string) []string {
	if fence != "" || !in.page.Dialects.Has(markdown.Quarto) || !strings.Contains(text, "{{<") {
		return nil
	}
	return shortcodeForm.FindStringSubmatch(text)
}

func (in *composer) languageFolder() string {
	return path.Join(sitefile.ContentFolder, in.page.Language.Code)
}

// copyLine copies a line. The last line of the page gets no line end.
func (in *composer) copyLine(f *diag.File, line int, prefix string, last bool) {
	text := f.Text(line)
	if text != "" {
		text = prefix + text
	}
	if in.page.Notebook != nil && f != in.chain[0].file { // the marks of cells are the notebook's
		text = strings.ReplaceAll(text, string(notebook.Mark), "\x1a")
	}
	in.write(text, diag.Piece{File: f, Line: line, Shift: len(prefix)}, last)
}

// write writes a line and records its origin. Line ends are those of Unix, so that files with
// different ones can be combined.
func (in *composer) write(text string, from diag.Piece, last bool) {
	if in.out.Len()+len(text) > sitefile.MaxPage {
		in.ended = true
		in.diags.Add(in.chain[0].file.Error(0, 0, diag.Say("include.page-too-large", "most", sitefile.MaxPage>>20), diag.Say("diag.split-hint")))
		return
	}
	from.First = in.line
	if n := len(in.pieces) - 1; n < 0 || !follows(in.pieces[n], from) {
		in.pieces = append(in.pieces, from)
	}
	in.out.WriteString(text)
	if !last {
		in.out.WriteByte('\n')
	}
	in.line++
}

// follows reports whether a line continues the piece before it.
func follows(p, next diag.Piece) bool {
	return p.File == next.File && p.Shift == next.Shift && p.Stands == next.Stands &&
		!p.Stands && next.Line-p.Line == next.First-p.First
}

// directive reads an :::include that begins at line, and returns its last line.
func (in *composer) directive(f *diag.File, line, to int, prefix string, m []string) int {
	start := f.Offset(line, 1)
	end := start + len(f.Text(line))
	start += len(m[1])
	fail := func(from, stop int, message, hint diag.Text) {
		in.diags.Add(f.Error(from, stop, message, hint))
	}
	last := line + 1
	for last <= to && strings.Trim(f.Text(last), " \t>") == "" {
		last++
	}
	if last > to || strings.Trim(f.Text(last), " \t>") != m[2] {
		fail(start, end, diag.Say("include.not-closed"), diag.Say("include.not-closed-hint", "line", m[2]))
		in.write("", diag.Piece{File: f, Line: line, Stands: true}, false)
		return line
	}
	words, braces := m[3], ""
	if i := strings.IndexByte(words, '{'); i >= 0 {
		words, braces = strings.TrimSpace(words[:i]), words[i:]
	}
	name := strings.Trim(words, `"'`)
	if name == "" {
		fail(start, end, diag.Say("include.name-missing"), diag.Say("include.name-missing-hint"))
		return last
	}
	given := map[string]string{}
	attributes := attribute.ParseInfo("x " + braces)
	for _, a := range attributes.Attributes {
		if a.Name != "region" && a.Name != "lines" || !a.HasValue {
			fail(start, end, diag.Say("markdown.include-attribute-unknown", "name", a.Name), diag.Say("markdown.include-attribute-unknown-hint"))
			return last
		}
		given[a.Name] = a.Value
	}
	for _, e := range attributes.Faults {
		fail(start, end, e.Message, e.Message.Hint())
		return last
	}
	at := start + max(0, strings.Index(f.Text(line)[len(m[1]):], name))
	found, fault := in.library.Find(name, path.Dir(f.Name), ".")
	var lines []int
	if fault == nil {
		lines, fault = Lines(found, given["region"], given["lines"])
	}
	if fault != nil {
		fail(at, at+len(name), fault.Message, fault.Hint)
		return last
	}
	in.enclose(f, line, at, at+len(name), found, lines, prefix, m[1])
	return last
}

// enclose writes an included file between two empty lines. mark is that of a list's item before it, or the marks
// of quotes.
func (in *composer) enclose(f *diag.File, line, start, stop int, found *diag.File, lines []int, prefix, mark string) {
	blank := func(marks string) {
		in.write(strings.TrimRight(prefix+marks, " \t"), diag.Piece{File: f, Line: line, Stands: true}, false)
	}
	indent := strings.Map(func(r rune) rune { // as wide as the mark
		if r == '>' || r == '\t' {
			return r
		}
		return ' '
	}, mark)
	blank(mark)
	begin := in.out.Len()
	in.enter(f, line, start, stop, found, lines, prefix+indent)
	if below, ok := strings.CutPrefix(path.Dir(found.Name)+"/", sitefile.ContentFolder+"/"); ok {
		in.folders = append(in.folders, site.LinkFolder{Start: begin, Stop: in.out.Len(), Folder: strings.TrimSuffix(below, "/")})
	}
	blank(indent)
}

// snippet reads --8<-- with a path on the same line, or a block with one path on each line.
func (in *composer) snippet(f *diag.File, line, to int, prefix string, m []string) int {
	begin := f.Offset(line, 1) + len(m[1])
	name := cmp.Or(m[4], m[5])
	switch {
	case m[2] != "": // ;--8<-- is the text itself
		text := f.Text(line)
		in.write(prefix+m[1]+strings.TrimPrefix(text[len(m[1]):], ";"), diag.Piece{File: f, Line: line, Shift: len(prefix) - 1}, false)
		return line
	case name != "":
		in.insert(f, line, begin, name, prefix+m[1], in.snippetFolders()...)
		return line
	}
	for line++; line <= to; line++ {
		text := strings.TrimRight(f.Text(line), "\r")
		if closing := snippetForm.FindStringSubmatch(text); closing != nil && closing[2] == "" && closing[4]+closing[5] == "" {
			return line
		}
		name := strings.TrimSpace(text)
		indent := text[:len(text)-len(strings.TrimLeft(text, " \t"))]
		switch {
		case name == "":
			in.write("", diag.Piece{File: f, Line: line, Stands: true}, false)
		case name[0] != ';':
			in.insert(f, line, f.Offset(line, 1)+len(indent), name, prefix+indent, in.snippetFolders()...)
		}
	}
	in.diags.Add(f.Warning(begin, begin+len(m[3]), diag.Say("include.snippets-not-closed", "line", m[3])))
	return line
}

// snippetFolders returns the folders in which MkDocs' snippets are searched.
func (in *composer) snippetFolders() []string {
	language := in.languageFolder()
	return []string{".", language, sitefile.ContentFolder, path.Join(language, path.Dir(in.page.Path))}
}

// insert includes a file in place of a line. A missing file is a warning, and the line stays; MkDocs leaves the line out
// without a message.
func (in *composer) insert(f *diag.File, line, at int, name, prefix string, folders ...string) {
	part := snippetPartForm.FindStringSubmatch(strings.TrimSpace(name))
	found, fault := (*diag.File)(nil), (*Problem)(nil)
	if strings.Contains(part[1], "://") {
		fault = &Problem{diag.Say("include.snippet-remote"), diag.Say("include.copy-into-site-hint")}
	} else {
		found, fault = in.library.Find(part[1], folders...)
	}
	var lines []int
	if fault == nil {
		lines, fault = Lines(found, part[2], "")
	}
	if fault == nil && part[3] != "" {
		lines, fault = snippetLines(part[3], lines)
	}
	if fault != nil {
		end := f.Offset(line, 1) + len(f.Text(line))
		in.diags.Add(f.Warning(at, end, fault.Message, fault.Hint))
		in.copyLine(f, line, strings.TrimSuffix(prefix, f.Text(line)[:len(f.Text(line))-len(strings.TrimLeft(f.Text(line), " \t"))]), false)
		return
	}
	in.enter(f, line, at, f.Offset(line, 1)+len(f.Text(line)), found, lines, prefix)
}

// snippetLines selects from lines those of "2:5", ":5", "2:" or "1:3,5:6". Lines that do not exist
// are left out, as in MkDocs. The total is bounded by what a page can hold, however often a range
// is repeated.
func snippetLines(ranges string, lines []int) (out []int, _ *Problem) {
	for r := range strings.SplitSeq(ranges, ",") {
		from, to, _ := strings.Cut(r, ":")
		first, _ := strconv.Atoi(from)
		i, _ := slices.BinarySearch(lines, first)
		end := len(lines)
		if last, err := strconv.Atoi(to); err == nil {
			end, _ = slices.BinarySearch(lines, last+1)
		}
		out = append(out, lines[i:max(i, end)]...)
		if len(out) > sitefile.MaxPage {
			return nil, &Problem{diag.Say("include.lines-too-many", "most", sitefile.MaxPage), diag.Say("include.lines-too-many-hint")}
		}
	}
	return out, nil
}

// enter writes lines of the file found, which f includes, unless that file is already being
// written.
func (in *composer) enter(f *diag.File, line, start, stop int, found *diag.File, lines []int, prefix string) {
	where := fmt.Sprintf("%s:%d", f.Name, line)
	in.count++
	loop := slices.ContainsFunc(in.chain, func(s openFile) bool { return s.file.Name == found.Name })
	if loop || len(in.chain) > maxChain {
		chain := []string{}
		for _, s := range in.chain[1:] {
			chain = append(chain, s.where)
		}
		chain = append(chain, where, found.Name)
		message := diag.Say("include.cycle", "files", strings.Join(chain, " > "))
		if !loop {
			message = diag.Say("include.too-deep", "most", maxChain, "files", strings.Join(chain, " > "))
		}
		in.diags.Add(f.Error(start, stop, message, diag.Say("include.cycle-hint")))
		return
	}
	if in.count > maxIncludes {
		in.ended = true
		in.diags.Add(f.Error(start, stop, diag.Say("include.includes-too-many", "most", maxIncludes), diag.Say("diag.split-hint")))
		return
	}
	in.chain = append(in.chain, openFile{found, where})
	front := 0 // the front matter is that of the file as a page
	if _, _, end, ok, open := frontmatter.Split(found.Data); ok && !open && sitefile.IsMarkdown(found.Name) {
		front = found.Line(end) - 1
	}
	for len(lines) > 0 && lines[0] <= front {
		lines = lines[1:]
	}
	for len(lines) > 0 { // runs of lines, because a directive takes at least two
		n := 1
		for n < len(lines) && lines[n] == lines[n-1]+1 {
			n++
		}
		in.add(found, lines[0], lines[n-1], prefix)
		lines = lines[n:]
	}
	in.chain = in.chain[:len(in.chain)-1]
}
